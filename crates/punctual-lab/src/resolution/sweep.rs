//! Finds the request that gives the shortest sleeps: `Sleep(1)` under each of many requests.
//!
//! The shortest interval is not always the best. Windows 10 and later build intervals from a small
//! quantum, so a request of 0.500 ms gives interrupts that are slightly closer together. Two of
//! them are less than a millisecond, so `Sleep(1)` takes three. With a slightly larger request it
//! takes two.

use super::held::{settle, sleep_1};
use super::{Held, unanswered};
use crate::conditions::Companion;
use crate::machine::NANOS_PER_UNIT;
use crate::nanos;
use crate::question::{Simulated, written};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_data::distribution::Distribution;
use punctual_data::histogram::Histogram;
use punctual_windows::os::windows::Win32Lab;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

/// Which of these requests is best on a machine?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The shortest interval to request.
    #[serde(rename = "first_ns", with = "written::nanos")]
    pub first: Duration,
    /// The longest interval to request.
    #[serde(rename = "last_ns", with = "written::nanos")]
    pub last: Duration,
    /// The step from one request to the next; above zero.
    #[serde(rename = "step_ns", with = "written::nanos")]
    pub step: Duration,
    /// The number of sleeps under each request.
    pub sleeps: u32,
    /// Other programs and drivers on the machine.
    pub with: Vec<Companion>,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

impl Question {
    /// The number of requests.
    pub fn requests(&self) -> u128 {
        self.last.saturating_sub(self.first).as_nanos() / self.step.as_nanos() + 1
    }

    /// All requests, ascending.
    pub fn plan(&self) -> Plan {
        let from_first =
            std::iter::successors(Some(self.first), |before| before.checked_add(self.step));
        Plan {
            intervals: from_first
                .take_while(|interval| *interval <= self.last)
                .collect(),
            sleeps: self.sleeps,
        }
    }
}

/// What to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The intervals to request, in this order.
    pub intervals: Vec<Duration>,
    /// The number of sleeps under each request.
    pub sleeps: u32,
}

/// How one request affects this process's sleeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The requested interval.
    pub requested_ns: u64,
    /// The interval in force meanwhile.
    pub interval_ns: u64,
    /// The standard deviation of the duration of `Sleep(1)`.
    pub deviation_ns: u64,
    /// The duration of `Sleep(1)`.
    pub sleep_1: Distribution,
}

/// Sleeps that are not counted: the first one synchronizes with the ticks.
const UNCOUNTED: u32 = 2;

/// Means that differ by less than this share are not repeatable, so they do not decide.
const SAME: f64 = 0.01;

/// Measures `Sleep(1)` under each request in turn, and passes every row to `each`, which may stop
/// the sweep. All requests are ended in any case.
///
/// # Errors
/// [System](Error::is_system) if a request is refused or the interval cannot be queried.
pub fn run<W: Win32Lab>(
    os: &WindowsOs<W>,
    plan: &Plan,
    mut each: impl FnMut(&Row) -> ControlFlow<()>,
) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::with_capacity(plan.intervals.len());
    for &interval in &plan.intervals {
        let row = row(os, interval, plan.sleeps)?;
        let flow = each(&row);
        rows.push(row);
        if flow.is_break() {
            break;
        }
    }
    Ok(rows)
}

fn row<W: Win32Lab>(os: &WindowsOs<W>, interval: Duration, sleeps: u32) -> Result<Row, Error> {
    let _held = Held::ask(os, interval)?;
    settle(os)?;
    (0..UNCOUNTED).for_each(|_| os.win32().sleep(1));
    let taken: Vec<_> = (0..sleeps).map(|_| sleep_1(os)).collect();
    let found = os.win32().nt_query_timer_resolution().map_err(unanswered)?;
    let mut distribution = Histogram::new();
    taken
        .iter()
        .for_each(|&duration| distribution.record(duration));
    Ok(Row {
        requested_ns: nanos(interval),
        interval_ns: u64::from(found.current_time) * NANOS_PER_UNIT,
        deviation_ns: deviation_ns(&taken),
        sleep_1: Distribution::from(&distribution),
    })
}

/// The standard deviation of the whole population, not of a sample.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and less than the longest"
)]
fn deviation_ns(durations: &[Duration]) -> u64 {
    let nanos = || durations.iter().map(|duration| duration.as_nanos() as f64);
    let count = durations.len().max(1) as f64;
    let mean = nanos().sum::<f64>() / count;
    let variance = nanos().map(|nanos| (nanos - mean).powi(2)).sum::<f64>() / count;
    variance.sqrt().round() as u64
}

/// The recommended request: the one with the shortest mean. Among means that are practically equal,
/// the smallest deviation decides, and then the longest interval, which costs the least power.
/// `None` if nothing was measured, or if no request [changed](is_without_effect) anything.
pub fn recommended(rows: &[Row]) -> Option<&Row> {
    if is_without_effect(rows) {
        return None;
    }
    let mean = |row: &Row| row.sleep_1.mean_ns as f64;
    let least = rows.iter().map(mean).min_by(f64::total_cmp)?;
    let good = rows.iter().filter(|row| mean(row) <= least * (1.0 + SAME));
    good.min_by_key(|row| (row.deviation_ns, std::cmp::Reverse(row.requested_ns)))
}

/// Whether the interval in force was the same under several requests. Then another program requests
/// a shorter interval, or the system honours no request.
pub fn is_without_effect(rows: &[Row]) -> bool {
    let mut pairs = rows.windows(2);
    rows.len() > 1 && pairs.all(|pair| pair[0].interval_ns == pair[1].interval_ns)
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulated::{SimulatedCompanion, SimulatedMachine};

    fn micros(micros: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        micros.into_iter().map(Duration::from_micros).collect()
    }

    fn sweep(machine: &str, intervals: Vec<Duration>) -> Vec<Row> {
        let machine: SimulatedMachine = machine.parse().unwrap();
        let plan = Plan {
            intervals,
            sleeps: 100,
        };
        let run = machine.run(1, move |os| {
            let rows = run(&os, &plan, |_| ControlFlow::Continue(()));
            (rows, os.win32().smallest_request())
        });
        let (rows, left) = run.unwrap().value;
        assert_eq!(left, None, "a request was left behind");
        rows.unwrap()
    }

    #[test]
    fn a_little_more_than_the_least_is_better_where_intervals_are_quanta() {
        let rows = sweep("windows-10-1909", micros((500..=520).step_by(2)));
        let best = recommended(&rows).unwrap();
        assert!(best.requested_ns > 500_000, "{best:?}");
        assert!(
            best.sleep_1.mean_ns < rows[0].sleep_1.mean_ns * 3 / 4,
            "{} {}",
            best.sleep_1.mean_ns,
            rows[0].sleep_1.mean_ns
        );
    }

    #[test]
    fn a_sweep_can_be_stopped_and_gives_back_what_it_asked_for() {
        let machine: SimulatedMachine = "windows-7".parse().unwrap();
        let run = machine.run(1, |os| {
            let plan = Plan {
                intervals: micros([500, 1_000, 2_000]),
                sleeps: 3,
            };
            let rows = super::run(&os, &plan, |row| match row.requested_ns {
                1_000_000 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            });
            (rows.unwrap().len(), os.win32().smallest_request())
        });
        assert_eq!(run.unwrap().value, (2, None));
    }

    #[test]
    fn nothing_is_recommended_where_another_program_asks_for_less() {
        let mut machine: SimulatedMachine = "windows-7".parse().unwrap();
        let interval = Duration::from_micros(500);
        machine
            .companions
            .push(SimulatedCompanion::requester(interval));
        let plan = Plan {
            intervals: micros([1_000, 2_000]),
            sleeps: 3,
        };
        let run = machine.run(1, move |os| {
            super::run(&os, &plan, |_| ControlFlow::Continue(()))
        });
        let rows = run.unwrap().value.unwrap();
        assert!(is_without_effect(&rows));
        assert_eq!(recommended(&rows), None);
        assert!(recommended(&rows[..1]).is_some());
    }

    #[test]
    fn deviations() {
        assert_eq!(deviation_ns(&[]), 0);
        assert_eq!(deviation_ns(&micros([1_000])), 0);
        assert_eq!(deviation_ns(&micros([1_000, 3_000])), 1_000_000);
    }

    #[test]
    fn equal_means_are_decided_by_deviation_and_then_by_power() {
        let row = |requested_ns, mean, deviation_ns| {
            let mut distribution = Histogram::new();
            distribution.record(Duration::from_micros(mean));
            Row {
                requested_ns,
                interval_ns: requested_ns,
                deviation_ns,
                sleep_1: Distribution::from(&distribution),
            }
        };
        let rows = [
            row(1, 1_500, 0),
            row(2, 1_000, 9),
            row(3, 1_005, 7),
            row(4, 1_005, 7),
        ];
        assert_eq!(recommended(&rows).map(|row| row.requested_ns), Some(4));
        assert_eq!(recommended(&[]), None);
    }
}
