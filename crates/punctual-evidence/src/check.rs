//! Whether what was replayed is what was published.

use super::expect::{Expect, Expectation, Span, list};
use punctual::Instant;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// The end of a wait.
#[derive(Debug, Clone, Copy)]
pub struct Wake {
    /// When the call was made.
    pub began: Instant,
    /// When it returned.
    pub at: Instant,
    /// `timeGetTime` then.
    pub reading: u64,
}

/// What a run leaves to be looked at.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// Of the loop, in order.
    pub wakes: &'a [Wake],
    /// Times of ticks, in order.
    pub ticks: &'a [Instant],
    /// `timeGetTime` at each of them.
    pub clock_readings: &'a [u64],
}

/// What came out, beside what was published.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What was published, whose the tolerance is, and why it is known to fail if it is.
    pub expected: Expectation,
    /// What came out.
    pub found: String,
    /// Whether the one is the other.
    pub holds: bool,
}

impl Finding {
    /// What was found of an expectation, and whether it is that.
    pub fn new(expectation: &Expectation, (holds, found): (bool, String)) -> Self {
        Self {
            expected: expectation.clone(),
            found,
            holds,
        }
    }

    /// It holds, or is known not to.
    pub fn is_fine(&self) -> bool {
        self.holds || self.expected.expected_to_fail.is_some()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.expected.statement, self.found)
    }
}

/// Checks a statement about waits and ticks; nothing for statements about requests, and for those
/// about processors, which only whoever has some can check.
///
/// # Panics
/// If the run left nothing to look at.
pub fn check(expectation: &Expectation, outcome: &Outcome) -> Option<Finding> {
    let wakes = outcome.wakes;
    let found = match &expectation.statement {
        Expect::Listing { readings } => {
            let found = listing(wakes, readings.len());
            (found == *readings, list(&found))
        }
        Expect::Steps { are } => {
            let steps: BTreeSet<_> = wakes
                .windows(2)
                .map(|pair| pair[1].reading - pair[0].reading)
                .collect();
            let holds = steps == are.iter().copied().collect();
            (holds, list(&Vec::from_iter(steps)))
        }
        Expect::Mean { is, within } => compare(mean(wakes), *is, *within),
        Expect::MeanWait { is, within } => compare(mean_wait(wakes), *is, *within),
        Expect::Shortest { from, to } => {
            let shortest = lengths(wakes, Span::Waits).into_iter().reduce(f64::min);
            between(shortest, *from, *to)
        }
        Expect::Longest { from, to } => {
            let longest = lengths(wakes, Span::Waits).into_iter().reduce(f64::max);
            between(longest, *from, *to)
        }
        Expect::Printed { is, within } => compare(mean_printed(wakes), *is, *within),
        Expect::WakesPerSecond { from, to } => {
            let rate = 1_000.0 / mean(wakes);
            ((*from..=*to).contains(&rate), format!("{rate:.2}"))
        }
        Expect::Share {
            of,
            from,
            to,
            at_least,
            at_most,
        } => {
            let lengths = lengths(wakes, *of);
            let within = lengths
                .iter()
                .filter(|length| (*from..=*to).contains(*length))
                .count();
            share(within as f64 / lengths.len() as f64, *at_least, *at_most)
        }
        Expect::OnGrid {
            step,
            within,
            at_least,
            at_most,
        } => share(on_grid(wakes, *step, *within), *at_least, *at_most),
        Expect::LateThenShort { sum, within } => late_then_short(wakes, *sum, *within),
        Expect::Interval { is, within } => {
            let spacing = millis(outcome.ticks[1].duration_since(outcome.ticks[0]));
            compare(spacing, *is, *within)
        }
        Expect::ClockStep { is, within } => {
            compare(clock_step(outcome.clock_readings), *is, *within)
        }
        Expect::Smallest { .. }
        | Expect::Platform { .. }
        | Expect::KernelRequest { .. }
        | Expect::Listed { .. }
        | Expect::Clockres { .. }
        | Expect::Readings { .. }
        | Expect::Granted { .. }
        | Expect::VariesMost { .. }
        | Expect::Interrupted { .. }
        | Expect::PhaseShifts { .. } => return None,
    };
    Some(Finding::new(expectation, found))
}

fn millis(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / 1e6
}

/// Whether it is what was expected, or within the tolerance of it.
pub fn near(is: f64, expected: f64, within: f64) -> bool {
    (is - expected).abs() <= within
}

fn compare(found: f64, is: f64, within: f64) -> (bool, String) {
    (near(found, is, within), format!("{found:.4}"))
}

fn between(found: Option<f64>, from: f64, to: f64) -> (bool, String) {
    let found = found.expect("several waits");
    ((from..=to).contains(&found), format!("{found:.4}"))
}

fn share(found: f64, at_least: f64, at_most: f64) -> (bool, String) {
    let holds = (at_least..=at_most).contains(&found);
    (holds, format!("{:.2}%", found * 100.0))
}

fn listing(wakes: &[Wake], entries: usize) -> Vec<u64> {
    let readings = wakes.iter().map(|wake| wake.reading - wakes[0].reading);
    readings.take(entries).collect()
}

fn lengths(wakes: &[Wake], of: Span) -> Vec<f64> {
    match of {
        Span::Waits => wakes
            .iter()
            .map(|wake| millis(wake.at.duration_since(wake.began)))
            .collect(),
        Span::Iterations => wakes
            .windows(2)
            .map(|pair| millis(pair[1].at.duration_since(pair[0].at)))
            .collect(),
    }
}

fn mean(wakes: &[Wake]) -> f64 {
    let (first, last) = (&wakes[0], &wakes[wakes.len() - 1]);
    millis(last.at.duration_since(first.at)) / (wakes.len() - 1) as f64
}

fn mean_wait(wakes: &[Wake]) -> f64 {
    let lengths = lengths(wakes, Span::Waits);
    lengths.iter().sum::<f64>() / lengths.len() as f64
}

/// Dawson's program again and again: it counts sleeps until `timeGetTime` has advanced by a second
/// and prints the quotient to one decimal.
fn mean_printed(wakes: &[Wake]) -> f64 {
    let mut printed = Vec::new();
    let (mut start, mut sleeps) = (wakes[0].reading, 0.0);
    for wake in &wakes[1..] {
        sleeps += 1.0;
        if wake.reading >= start + 1_000 {
            printed.push((10_000.0_f64 / sleeps).round() / 10.0);
            (start, sleeps) = (wake.reading, 0.0);
        }
    }
    printed.iter().sum::<f64>() / printed.len() as f64
}

fn on_grid(wakes: &[Wake], step: f64, within: f64) -> f64 {
    let off = |iteration: &f64| {
        let phase = iteration % step;
        phase.min(step - phase)
    };
    let iterations = lengths(wakes, Span::Iterations);
    let on_grid = iterations.iter().filter(|each| off(each) <= within);
    on_grid.count() as f64 / iterations.len() as f64
}

fn late_then_short(wakes: &[Wake], sum: f64, within: f64) -> (bool, String) {
    let lengths = lengths(wakes, Span::Iterations);
    let long = (0..lengths.len() - 1).max_by(|a, b| lengths[*a].total_cmp(&lengths[*b]));
    let long = long.expect("several iterations");
    let (late, short) = (lengths[long], lengths[long + 1]);
    let holds = late > sum / 2.0 && short < sum / 2.0 && near(late + short, sum, within);
    (holds, format!("{late:.4} then {short:.4}"))
}

fn clock_step(readings: &[u64]) -> f64 {
    let changes = readings
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .count();
    (readings[readings.len() - 1] - readings[0]) as f64 / changes as f64
}
