//! How late a program's waits were, as the recording of a measurement: what compares and reports
//! those does it with these, too.

use crate::run::Run;
use crate::statistics::{Key, Row};
use punctual::Period;
use punctual_data::statistics::{Series, Turn};
use punctual_lab::Environment;
use punctual_lab::measure::{
    Deadlines, Length, Plan, PlanRecord, Question, Recording, SeriesRecord,
};
use punctual_lab::question::Simulated;
use std::collections::BTreeMap;
use std::time::Duration;

/// The least waits of a call of which a series is made: a distribution of fewer says nothing.
const LEAST: usize = 10;

/// The recording of a run. Each executable's waits by one call are a series; how late a wait was is by how
/// much it was longer than the program had asked.
pub fn recording(run: &Run, environment: &Environment) -> Recording {
    let mut by_name: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for (key, row) in run.windows.statistics().rows() {
        by_name.entry(name(key)).or_default().push(row);
    }
    let kept = |rows: &[&Row]| rows.iter().map(|row| row.kept.len()).sum::<usize>();
    by_name.retain(|_, rows| kept(rows) >= LEAST);
    let lengths = by_name.values().flatten().flat_map(|row| &row.kept);
    let mut lengths: Vec<Duration> = lengths.map(|(asked, _)| *asked).collect();
    lengths.sort_unstable();
    let typical = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let period = Period::from_duration(in_tenths(typical));
    let waits: u64 = by_name
        .values()
        .map(|rows| kept(rows) as u64)
        .max()
        .unwrap_or(0);
    let conditions = &run.question.conditions;
    let mut question = Question {
        // What reads it is to say which Windows it was.
        on: Some(Simulated {
            machine: run.question.machine.to_string(),
            seed: conditions.seed,
        }),
        waiters: by_name.keys().cloned().collect(),
        ..Question::of(Deadlines {
            period,
            length: Length::Count(waits.max(1)),
        })
    };
    question.conditions.with = conditions.companions.clone();
    question.conditions.standing.hidden = conditions.hidden;
    let plan = Plan {
        period,
        waits,
        takes: None,
    };
    Recording {
        plan: PlanRecord {
            count: waits,
            warm_up_count: 0,
            block_count: 1,
        },
        series: by_name
            .iter()
            .map(|(name, rows)| series(name, rows))
            .collect(),
        ..Recording::of(&question, plan, environment, &[])
    }
}

/// A length to a tenth of a millisecond: what is left of a deadline is a little less each time.
fn in_tenths(length: Duration) -> Duration {
    const TENTH: u128 = 100_000;
    let tenths = (length.as_nanos() + TENTH / 2) / TENTH;
    Duration::from_micros(
        u64::try_from(tenths)
            .unwrap_or(u64::MAX)
            .clamp(1, u64::MAX / 100)
            * 100,
    )
}

/// What a series is called: executable and call.
fn name(key: &Key) -> String {
    format!("{}:{}", key.name, key.call.name())
}

fn series(name: &str, rows: &[&Row]) -> SeriesRecord {
    let mut series = Series::new(name);
    for (asked, taken) in rows.iter().flat_map(|row| &row.kept) {
        let late = taken.saturating_sub(*asked);
        series.early += u64::from(taken < asked);
        series.record_wake(late, None);
        series.record_turn(&Turn {
            per_deadline: vec![late],
            missed: 0,
            processor: Duration::ZERO,
            elapsed: *taken,
        });
    }
    SeriesRecord::from(&series)
}
