//! Statements that take more than one loop or script: a table of requests, the same loop beside other
//! companions, and clocks that are read again and again.

use super::Scene;
use crate::expect::list;
use crate::{Companion, Expect, Expectation, Finding, Run, Table};
use punctual::os::windows::{Win32, Win32Error};
use punctual_sim::Error;
use punctual_sim::windows::SimWin32;
use punctual_windows::os::windows::Win32Lab;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Nothing for the statements that one loop or script decides.
///
/// # Errors
/// If a program did not get to its end, so that there is nothing to compare.
pub(super) fn check_alone(
    scene: Scene<'_>,
    expect: &Expectation,
) -> Result<Option<Finding>, Error> {
    let found = match &expect.statement {
        Expect::Granted {
            table,
            equal,
            stale,
        } => granted(scene, &Table::named(table), [*equal, *stale])?,
        Expect::Readings { are } => readings(scene, are)?,
        Expect::VariesMost { under, than } => varies_most(scene, under, than)?,
        _ => return Ok(None),
    };
    Ok(Some(Finding::new(expect, found)))
}

/// Whether a statement is one of these.
pub(super) fn is_alone(statement: &Expect) -> bool {
    matches!(
        statement,
        Expect::Granted { .. } | Expect::Readings { .. } | Expect::VariesMost { .. }
    )
}

/// Asks for every interval of the table in turn, as one process, and reads what is in force.
fn granted(scene: Scene<'_>, table: &Table, expected: [usize; 2]) -> Result<(bool, String), Error> {
    let requested: Vec<u32> = table.rows.iter().map(|row| row.requested).collect();
    let run = scene.machine(Duration::ZERO).run(move |win32| {
        let mut answers = Vec::new();
        for requested in requested {
            win32.nt_set_timer_resolution(requested, true)?;
            // A request counts from the next tick on.
            win32.sleep(20);
            answers.push(win32.nt_query_timer_resolution()?.current_time);
            win32.nt_set_timer_resolution(requested, false)?;
        }
        Ok::<_, Win32Error>(answers)
    })?;
    Ok(match run.value {
        Ok(answers) => compare_table(table, &answers, expected),
        Err(error) => (false, error.to_string()),
    })
}

fn compare_table(table: &Table, answers: &[u32], expected: [usize; 2]) -> (bool, String) {
    let (mut equal, mut stale, mut other) = (0, 0, 0);
    for (place, row) in table.rows.iter().enumerate() {
        if answers[place] == row.actual {
            equal += 1;
        } else if answers[..place].contains(&row.actual) {
            stale += 1;
        } else {
            other += 1;
        }
    }
    let holds = [equal, stale, other] == [expected[0], expected[1], 0];
    (
        holds,
        format!("{equal} equal, {stale} stale, {other} other"),
    )
}

/// For five seconds, every 0.1 ms.
fn readings(scene: Scene<'_>, are: &[f64]) -> Result<(bool, String), Error> {
    const READINGS: u32 = 50_000;
    const STEP: Duration = Duration::from_micros(100);
    let run = scene.machine(Duration::ZERO).run(|win32: SimWin32| {
        // Companions settle.
        win32.sleep(100);
        let mut read = BTreeSet::new();
        for _ in 0..READINGS {
            read.insert(win32.nt_query_timer_resolution()?.current_time);
            win32.compute(STEP);
        }
        Ok::<_, Win32Error>(read)
    })?;
    Ok(match run.value {
        Ok(read) => {
            // clockres prints three decimals.
            let shown = |units: u32| format!("{:.3}", f64::from(units) / 10_000.0);
            let found: BTreeSet<_> = read.into_iter().map(shown).collect();
            let expected = are
                .iter()
                .map(|interval| format!("{interval:.3}"))
                .collect();
            (found == expected, list(&Vec::from_iter(found)))
        }
        Err(error) => (false, error.to_string()),
    })
}

/// The share of short waits under each request, the first and the others.
fn varies_most(scene: Scene<'_>, under: &str, than: &[String]) -> Result<(bool, String), Error> {
    let first = share_of_short_waits(scene, under)?;
    let mut most = (0.0, "");
    for request in than {
        let share = share_of_short_waits(scene, request)?;
        if share > most.0 {
            most = (share, request);
        }
    }
    let shown = |share: f64| format!("{:.1}%", share * 100.0);
    let found = format!("{}; {} at {}", shown(first), shown(most.0), most.1);
    Ok((first > most.0, found))
}

/// How many of the loop's waits are at least 0.5 ms shorter than the most common ones.
fn share_of_short_waits(scene: Scene<'_>, request: &str) -> Result<f64, Error> {
    /// As long as the smallest interval.
    const SHORTER: Duration = Duration::from_micros(500);
    let run = beside(scene.run, request);
    let scene = Scene { run: &run, ..scene };
    let lengths = scene.lengths()?;
    let mut counts = BTreeMap::<u128, usize>::new();
    for length in &lengths {
        *counts.entry(length.as_nanos() / 100_000).or_default() += 1;
    }
    let common = counts.iter().max_by_key(|(_, count)| **count);
    let common = common.map_or(0, |(tenths, _)| *tenths);
    let limit =
        Duration::from_micros(u64::try_from(common).unwrap_or(0) * 100).saturating_sub(SHORTER);
    let short = lengths.iter().filter(|length| **length < limit).count();
    Ok(short as f64 / lengths.len().max(1) as f64)
}

/// The same run beside a requester of another interval.
fn beside(run: &Run, request: &str) -> Run {
    let mut run = run.clone();
    for companion in &mut run.companions {
        if let Companion::Requester { interval } = companion {
            request.clone_into(interval);
        }
    }
    run
}
