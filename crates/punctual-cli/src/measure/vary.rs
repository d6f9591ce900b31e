//! A measurement with one condition varied: asked value by value, and shown as a table with a row for each.

use super::printed::{FIGURES, MOST_ROWS, Printed};
use crate::run::{self, Prepared, Ran};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_data::quantity::{exact_nanos, nanos, whole_nanos};
use punctual_data::table::{Column, NAME_WIDTH, Table, or_empty};
use punctual_lab::confidence::Confidence;
use punctual_lab::recording::{Point, Recording};
use punctual_lab::schedule::{Question, Schedule};
use punctual_lab::vary::{Condition, Vary};
use punctual_windows::confidence::text as confidence;
use std::cmp::Reverse;

/// Asks under one value after the other, on a real machine in several passes.
pub(super) fn ask<S: Schedule>(
    question: &Question<S>,
    vary: &Vary,
    length_flag: &'static str,
    stop: &Stop,
) -> Result<(Recording<S>, Option<Failure>), Failure> {
    // Between two values, a signal must not end the process with all that was found.
    let (passes, guard) = match question.on {
        Some(_) => (1, stop.guard_while_computing()),
        None => (S::PASSES, stop.guard()),
    };
    let asked = vary.values.iter().map(|&value| {
        let part = question.at(value, passes);
        Ok((Prepared::of(&part, length_flag)?, part))
    });
    let mut asked: Vec<_> = asked.collect::<Result<_, Failure>>()?;
    let steps = asked.iter().map(|(prepared, _)| prepared.steps);
    let of_all = steps
        .fold(0, u64::saturating_add)
        .saturating_mul(passes.into());
    let mut before: u64 = 0;
    let mut found: Vec<Option<Ran<S::Series>>> = asked.iter().map(|_| None).collect();
    for _ in 0..passes {
        for ((prepared, part), found) in asked.iter_mut().zip(&mut found) {
            if stop.is_asked_for() {
                break;
            }
            prepared.steps_before = before;
            prepared.steps_of_all = of_all;
            before = before.saturating_add(prepared.steps);
            let ran = run::ask(part, prepared, stop)?;
            *found = Some(match found.take() {
                None => ran,
                Some(before) => together::<S>(before, ran),
            });
        }
    }
    let interrupted = guard.end();
    let found = vary.values.iter().zip(found);
    let found: Vec<_> = found
        .filter_map(|(value, ran)| Some((*value, ran?)))
        .collect();
    let Some((value, first)) = found.first() else {
        return Err(Failure::Stopped);
    };
    let whole = question.at(*value, 1);
    let plan = Prepared::of(&whole, length_flag)?.plan;
    let mut recording = Recording {
        question: question.clone(),
        interrupted,
        points: Vec::new(),
        series: Vec::new(),
        ..first.recording(&whole, plan)
    };
    if vary.condition == Condition::Requester {
        // Each point has its own.
        recording.environment.timer_interval_ns = None;
    }
    let mut spoiled = None;
    for (value, ran) in found {
        let point = ran.recording(&question.at(value, 1), plan);
        recording.points.push(Point {
            value_ns: whole_nanos(value),
            interval_ns: ran.collected.interval_ns,
            series: point.series,
        });
        for change in point.environment_changes {
            if !recording.environment_changes.contains(&change) {
                recording.environment_changes.push(change);
            }
        }
        spoiled = spoiled.or(ran.spoiled);
    }
    Ok((recording, spoiled))
}

/// What two passes found.
fn together<S: Schedule>(mut before: Ran<S::Series>, later: Ran<S::Series>) -> Ran<S::Series> {
    let both = before.collected.series.iter_mut();
    for (series, later) in both.zip(later.collected.series) {
        match (series.as_mut(), later) {
            (Some(series), Some(later)) => S::merge(series, later),
            (_, None) => {}
            (None, later) => *series = later,
        }
    }
    before.environment_changes.extend(later.environment_changes);
    before.spoiled = before.spoiled.or(later.spoiled);
    before
}

/// What was found under the values of a condition.
#[derive(Debug, Clone)]
pub struct Varied {
    pub condition: Condition,
    /// The names of the figures.
    pub names: [&'static str; FIGURES],
    /// How a sentence says the first figure.
    said: fn(&str) -> String,
    /// By value, and then by series.
    pub rows: Vec<Row>,
}

/// A series under a value.
#[derive(Debug, Clone)]
pub struct Row {
    pub value_ns: u64,
    pub interval_ns: Option<u64>,
    /// The name of the series.
    pub name: String,
    pub figures_ns: [u64; FIGURES],
    pub confidence: Option<Confidence>,
}

/// Means that differ by less than this share are not repeatable, so they do not decide.
const SAME: f64 = 0.01;

impl Varied {
    /// `None` if nothing is varied in it.
    pub fn of<S: Printed>(recording: &Recording<S>) -> Option<Self> {
        let condition = recording.question.vary.as_ref()?.condition;
        let rows = recording.points.iter().flat_map(|point| {
            let alone = recording.at(point);
            let row = |series: &&S::Record| {
                let (name, figures_ns, confidence) = S::row(&alone, series);
                Row {
                    value_ns: point.value_ns,
                    interval_ns: point.interval_ns,
                    name,
                    figures_ns,
                    confidence: confidence.cloned(),
                }
            };
            S::measured(&alone).iter().map(row).collect::<Vec<_>>()
        });
        Some(Self {
            condition,
            names: S::FIGURES,
            said: S::said,
            rows: rows.collect(),
        })
    }

    /// The names of the series, each once.
    pub fn series(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.name.as_str()) {
                names.push(&row.name);
            }
        }
        names
    }

    pub fn of_series(&self, name: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.name == name)
    }

    /// The value with the least first figure. Of those within 1 %, the one with the least second figure, and of these the
    /// longest, which costs the least power.
    fn best(&self, name: &str) -> Option<&Row> {
        let least = self.of_series(name).map(|row| row.figures_ns[0]).min()? as f64;
        let good = self
            .of_series(name)
            .filter(|row| row.figures_ns[0] as f64 <= least * (1.0 + SAME));
        good.min_by_key(|row| (row.figures_ns[1], Reverse(row.value_ns)))
    }

    /// What the values cost and gain, series by series.
    pub fn answer(&self) -> Option<String> {
        let of = |name: &&str| {
            let best = self.best(name)?;
            let worst = self.of_series(name).max_by_key(|row| row.figures_ns[0])?;
            let [least, most] = [best, worst].map(|row| row.figures_ns[0]);
            let does = (self.said)(&nanos(least));
            let at_best = format!("under {} of {}", self.condition, exact_nanos(best.value_ns));
            let is_alone = self.of_series(name).count() == 1;
            Some(match most as f64 > least as f64 * (1.0 + SAME) {
                true => format!(
                    "{name} {does} {at_best}, and {} under one of {}",
                    nanos(most),
                    exact_nanos(worst.value_ns)
                ),
                false if is_alone => format!("{name} {does} {at_best}"),
                false => format!("{name} {does} under each of these values"),
            })
        };
        let said: Vec<_> = self.series().iter().filter_map(of).collect();
        (!said.is_empty()).then(|| said.join("; ") + ".")
    }

    /// Whether no value changed the interval in force.
    pub fn remark(&self) -> Option<String> {
        let mut pairs = self.rows.windows(2);
        let is_same = pairs.all(|pair| pair[0].interval_ns == pair[1].interval_ns);
        let is_about_it = self.rows.len() > 1 && self.rows[0].interval_ns.is_some();
        (is_same && is_about_it).then(|| {
            "no value changed the interval in force: another program requests less (try 'punctual \
             resolution who'), or the system honours none, as Wine does"
                .to_owned()
        })
    }

    /// The best of them and both ends, if they are too many.
    fn shown(&self, is_long: bool) -> Vec<&Row> {
        let mut ranks: Vec<_> = self.rows.iter().map(|row| row.figures_ns[0]).collect();
        ranks.sort_unstable();
        let all = self.rows.len();
        let worst = match is_long || all <= MOST_ROWS {
            true => u64::MAX,
            false => ranks[MOST_ROWS - 3],
        };
        let mut room = if is_long { all } else { MOST_ROWS - 2 };
        let mut is_shown = |at: usize, row: &Row| {
            let is_good = row.figures_ns[0] <= worst && room > 0;
            room -= usize::from(is_good);
            is_good || at == 0 || at + 1 == all
        };
        let rows = self.rows.iter().enumerate();
        rows.filter(|(at, row)| all <= MOST_ROWS || is_shown(*at, row))
            .map(|(_, row)| row)
            .collect()
    }

    /// A row for each value, and how many are left out.
    pub(super) fn table(&self, is_long: bool) -> (Table, usize) {
        let are_several = self.series().len() > 1;
        let has_interval = self.rows.iter().any(|row| row.interval_ns.is_some());
        let mut columns = vec![Column::right(self.condition.name(), 10)];
        columns.extend(has_interval.then(|| Column::right("in force", 11)));
        columns.extend(are_several.then(|| Column::left("  method", NAME_WIDTH + 2)));
        // A sign may stand after the first figure.
        columns.extend(self.names.iter().enumerate().map(|(at, name)| match at {
            0 => Column::right(&format!("{name} "), 13),
            _ => Column::right(name, 9),
        }));
        let rows = self.shown(is_long);
        let left_out = self.rows.len() - rows.len();
        let table = Table::of(columns).with(rows.into_iter().map(|row| {
            let mut cells = vec![exact_nanos(row.value_ns)];
            cells.extend(has_interval.then(|| or_empty(row.interval_ns.map(exact_nanos))));
            cells.extend(are_several.then(|| format!("  {}", row.name)));
            let sign = confidence::sign(row.confidence.as_ref());
            let [first, others @ ..] = row.figures_ns;
            cells.push(format!("{}{sign:1}", precisely(first)));
            cells.extend(others.map(nanos));
            cells
        }));
        (table, left_out)
    }

    /// The meaning of the signs that occur.
    pub fn legend(&self) -> Vec<String> {
        confidence::legend(self.rows.iter().filter_map(|row| row.confidence.as_ref()))
    }

    /// How far the figures can be trusted, by value.
    pub(super) fn predicted(&self) -> Vec<(String, &Confidence)> {
        let named = self.rows.iter().filter_map(|row| {
            let name = format!("{} under {}", row.name, exact_nanos(row.value_ns));
            Some((name, row.confidence.as_ref()?))
        });
        named.collect()
    }
}

/// To the fourth digit of a millisecond or of another unit: published tables have this precision.
pub(super) fn precisely(ns: u64) -> String {
    let (unit, digits, per_unit) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => ("µs", 1, 1e3),
        1_000_000..1_000_000_000 => ("ms", 4, 1e6),
        _ => ("s", 4, 1e9),
    };
    format!("{:.digits$} {unit}", ns as f64 / per_unit)
}

/// The exact figures of all series, each under its value.
pub(super) fn sheet<S: Printed>(recording: &Recording<S>, vary: &Vary) -> Table {
    let values = recording.points.iter().flat_map(|point| {
        let cells = vec![
            vary.condition.name().to_owned(),
            point.value_ns.to_string(),
            or_empty(point.interval_ns),
        ];
        std::iter::repeat_n(cells, point.series.len())
    });
    let values = Table::sheet("vary value_ns interval_ns").with(values);
    S::sheet(&recording.flat()).after(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(figures: &[(u64, u64)]) -> Varied {
        let row = |(at, &(first, second)): (u64, &(u64, u64))| Row {
            value_ns: (at + 1) * 1_000_000,
            interval_ns: Some(at),
            name: "sleep".to_owned(),
            figures_ns: [first, second, first, first],
            confidence: None,
        };
        Varied {
            condition: Condition::Request,
            names: ["mean", "spread", "p99", "max"],
            said: |mean| format!("takes {mean}"),
            rows: (0..).zip(figures).map(row).collect(),
        }
    }

    #[test]
    fn equal_means_are_decided_by_spread_and_then_by_power() {
        let found = varied(&[(1_500, 0), (1_000, 9), (1_005, 7), (1_005, 7)]);
        assert_eq!(found.best("sleep").unwrap().value_ns, 4_000_000);
        assert_eq!(
            found.answer().unwrap(),
            "sleep takes 1.00 µs under a request of 4 ms, and 1.50 µs under one of 1 ms."
        );
        let same = varied(&[(1_000, 0), (1_001, 0)]);
        assert!(
            same.answer()
                .unwrap()
                .ends_with("under each of these values.")
        );
        let alone = varied(&[(1_000, 0)]).answer().unwrap();
        assert!(alone.ends_with("under a request of 1 ms."), "{alone}");
        assert_eq!(varied(&[]).answer(), None);
    }

    #[test]
    fn of_many_values_the_best_and_both_ends_are_shown() {
        let found = varied(&Vec::from_iter((0..100).map(|at| (100 - at, 0))));
        let rows = found.shown(false);
        assert_eq!(rows.len(), MOST_ROWS - 1);
        assert_eq!(
            (rows[0].value_ns, rows.last().unwrap().value_ns),
            (1_000_000, 100_000_000)
        );
        assert_eq!(found.shown(true).len(), 100);
    }

    #[test]
    fn values_without_effect_are_said_to_be() {
        let mut found = varied(&[(1, 1), (2, 2)]);
        assert_eq!(found.remark(), None);
        found.rows[1].interval_ns = Some(0);
        assert!(found.remark().unwrap().contains("resolution who"));
    }
}
