//! How timer slack affects sleeps: the Linux counterpart of "The Great Rule Change".
//!
//! Linux may end a thread's timed wait later than requested, by up to the thread's slack, so that
//! wake-ups can be shared.
//!
//! <https://man7.org/linux/man-pages/man2/PR_SET_TIMERSLACK.2const.html>

use crate::Environment;
use crate::machine::Machine;
use crate::nanos;
use crate::question::written;
use crate::waiters::{Kind, Wait, WaiterOptions};
use punctual::{Error, Period};
use punctual_data::distribution::Distribution;
use punctual_data::histogram::Histogram;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.slack-sweep/2";

/// The requested length of each sleep.
pub const SLEEP: Duration = Duration::from_millis(1);

/// The calls that sleep, by the names of their methods.
pub const CALLS: [&str; 2] = ["nanosleep", "clock-nanosleep"];

/// Consecutive sleeps under one slack before the next slack has its turn, so that a disturbance of
/// the machine affects all.
const TURN: u32 = 20;

/// How does each slack affect sleeps of a millisecond?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The slacks, in display order; at least a nanosecond each.
    #[serde(rename = "slacks_ns", with = "written::many_nanos")]
    pub slacks: Vec<Duration>,
    /// Whether to take two seconds instead of five.
    pub quick: bool,
}

impl Question {
    /// How often each call sleeps under each slack.
    pub fn sleeps(&self) -> u32 {
        // Two calls, eight slacks: five seconds, or two.
        if self.quick { 80 } else { 200 }
    }

    /// The number of turns.
    pub fn turns(&self) -> u64 {
        u64::from(self.sleeps().div_ceil(TURN)) * self.slacks.len() as u64
    }
}

/// A sweep as versioned JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlackSweep {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine before the sweep.
    pub environment: Environment,
    /// The question.
    pub question: Question,
    /// The requested length of each sleep.
    pub sleep_ns: u64,
    /// How often each call was to sleep under each slack.
    pub sleeps: u32,
    /// Whether it was stopped early.
    pub interrupted: bool,
    /// The results, one row for each slack.
    pub rows: Vec<Row>,
}

/// How one slack affects a thread's sleeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The slack.
    pub slack_ns: u64,
    /// The duration of `nanosleep`.
    pub nanosleep: Distribution,
    /// The duration of `clock_nanosleep` until an absolute instant.
    pub clock_nanosleep: Distribution,
}

/// Measures on the calling thread, slack by slack in turns, and calls `each` after every turn,
/// which may stop the sweep. The thread's own slack is restored.
///
/// # Errors
/// [Unsupported](Error::is_unsupported) if the system has no timer slack.
pub fn run<M: Machine>(
    machine: &M,
    question: &Question,
    mut each: impl FnMut() -> ControlFlow<()>,
) -> Result<Vec<Row>, Error> {
    let mut calls = calls(machine)?;
    let mut found: Vec<_> = question
        .slacks
        .iter()
        .map(|&slack| Found::of(slack))
        .collect();
    let mut left = question.sleeps();
    'all: while left > 0 {
        let sleeps = left.min(TURN);
        for found in &mut found {
            let _held = machine.slacken(found.slack)?;
            for (call, taken) in calls.iter_mut().zip(&mut found.taken) {
                turn(machine, &mut **call, sleeps, taken);
            }
            if each().is_break() {
                break 'all;
            }
        }
        left -= sleeps;
    }
    Ok(found.iter().map(Row::from).collect())
}

fn calls<M: Machine>(machine: &M) -> Result<[Box<dyn Wait>; 2], Error> {
    let options = WaiterOptions::of(Period::try_from(SLEEP)?);
    let offers = M::waiters_for(Kind::Deadlines);
    let make = |name: &str| {
        let offer = offers.iter().find(|offer| offer.name == name);
        let make = offer.and_then(|offer| offer.make(Kind::Deadlines));
        let make = make.ok_or_else(|| Error::unsupported("this system has no timer slack"))?;
        make(machine, options)
    };
    let [first, second] = CALLS;
    Ok([make(first)?, make(second)?])
}

fn turn<M: Machine>(machine: &M, call: &mut dyn Wait, sleeps: u32, taken: &mut Histogram) {
    for _ in 0..sleeps {
        let began = machine.now();
        taken.record(call.wait_until(began + SLEEP).duration_since(began));
    }
}

/// The results so far.
struct Found {
    slack: Duration,
    taken: [Histogram; 2],
}

impl Found {
    fn of(slack: Duration) -> Self {
        Self {
            slack,
            taken: [Histogram::new(), Histogram::new()],
        }
    }
}

impl From<&Found> for Row {
    fn from(found: &Found) -> Self {
        let [nanosleep, clock_nanosleep] = &found.taken;
        Self {
            slack_ns: nanos(found.slack),
            nanosleep: nanosleep.into(),
            clock_nanosleep: clock_nanosleep.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Native;
    use punctual::os::VirtualOs;

    #[test]
    fn every_slack_is_measured_or_there_is_none() {
        let machine = Native::detect().unwrap();
        let before = machine.environment().timer_slack_ns;
        let question = Question {
            slacks: vec![Duration::from_nanos(1), Duration::from_micros(100)],
            quick: true,
        };
        match run(&machine, &question, || ControlFlow::Continue(())) {
            Ok(rows) => {
                let slacks: Vec<_> = rows.iter().map(|row| row.slack_ns).collect();
                assert_eq!(slacks, [1, 100_000]);
                // Never early, whatever the slack.
                assert!(rows.iter().all(|row| row.nanosleep.p50_ns >= 1_000_000));
                assert!(
                    rows.iter()
                        .all(|row| row.clock_nanosleep.p50_ns >= 1_000_000)
                );
            }
            Err(error) => {
                assert!(error.is_unsupported(), "{error}");
                println!("skipped: {error}");
            }
        }
        assert_eq!(machine.environment().timer_slack_ns, before);
    }

    #[test]
    fn a_sweep_that_is_stopped_keeps_what_it_has() {
        let question = Question {
            slacks: vec![Duration::from_nanos(1), Duration::from_micros(100)],
            quick: false,
        };
        let mut turns = 0;
        let stopped = run(&Native::detect().unwrap(), &question, || {
            turns += 1;
            ControlFlow::Break(())
        });
        let rows = match stopped {
            Ok(rows) => rows,
            Err(error) => return println!("skipped: {error}"),
        };
        assert_eq!((turns, rows.len()), (1, 2));
        let total = |row: &Row| row.nanosleep.histogram.counts_by_ns.len();
        assert!(total(&rows[0]) > 0 && total(&rows[1]) == 0);
    }

    #[test]
    fn a_machine_without_slack_says_so() {
        let question = Question {
            slacks: vec![Duration::from_nanos(1)],
            quick: true,
        };
        let refused = run(&VirtualOs::new(), &question, || ControlFlow::Continue(()));
        assert!(refused.unwrap_err().is_unsupported());
    }
}
