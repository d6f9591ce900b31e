//! How good a machine's clocks are: the step of each, the cost of a reading, whether it goes back
//! between processors, and its rate against the clock that waits are measured with.
//!
//! A clock is data that a [`Machine`] offers, as a method is.

mod across;
pub mod windows;

use crate::Environment;
use crate::conditions::Companion;
use crate::confidence::Confidence;
use crate::environment::{ProcessorSet, clock_cost_ns, reading_cost_ns};
use crate::machine::{Clock, Counts, Machine, Reader, Unavailable};
use crate::question::Simulated;
use across::Across;
use punctual::{Cancel, Error, Instant, Os};
use punctual_data::written;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The one clock that every machine has: its monotonic one.
pub fn portable<M: Machine>() -> Vec<Clock<M>> {
    vec![Clock {
        name: "Os::now",
        counts: Counts::Time,
        make: |os: &M| {
            let os = os.clone();
            Ok(Reader::new(1.0, move || os.now().as_nanos()))
        },
    }]
}

/// Follows the progress.
pub trait Progress {
    /// Part of the time for the rates has passed.
    fn reach(&mut self, elapsed: Duration);
}

/// Examines clocks, and then compares their rates for this long. Clocks that the machine lacks are
/// returned separately. If it is cancelled, only the clocks that were examined by then are returned.
///
/// # Errors
/// If a thread cannot be started or kept on its processor.
pub fn examine<M: Machine>(
    machine: &M,
    clocks: &[Clock<M>],
    duration: Duration,
    stop: &Cancel<M>,
    progress: &mut dyn Progress,
) -> Result<(Vec<ClockRecord>, Vec<Unavailable>), Error> {
    let (mut readers, mut unavailable) = (Vec::new(), Vec::new());
    for clock in clocks {
        match (clock.make)(machine) {
            Ok(reader) => readers.push((clock, reader)),
            Err(error) => unavailable.push(Unavailable {
                name: clock.name.to_owned(),
                reason: error.to_string(),
            }),
        }
    }
    let usable = machine.environment().processors_usable;
    let now_ns = clock_cost_ns(machine);
    let mut seen = Vec::new();
    for (clock, reader) in &readers {
        // Gives an observer the opportunity to cancel.
        progress.reach(Duration::ZERO);
        if stop.is_cancelled() {
            break;
        }
        let of_all = clock.counts != Counts::ThreadWork;
        seen.push(Seen {
            steps: look_at(machine, reader),
            cost_ns: reading_cost_ns(machine, now_ns, &*reader.read),
            across: match usable.as_ref().filter(|_| of_all) {
                Some(usable) => race(machine, reader, usable)?,
                None => None,
            },
        });
    }
    let rates = match stop.is_cancelled() {
        true => vec![None; seen.len()],
        false => rates(machine, &readers, duration, stop, progress),
    };
    let seen = seen.into_iter().zip(rates).zip(&readers);
    let records = seen.map(|((seen, rate), (clock, reader))| {
        let rate = rate.filter(|_| clock.counts == Counts::Time);
        seen.record(clock, reader, rate)
    });
    let records = records.collect();
    Ok((records, unavailable))
}

/// What a clock alone shows.
struct Seen {
    /// `None` if it stood still.
    steps: Option<Steps>,
    cost_ns: f64,
    /// `None` with only one processor, and for clocks that each thread has for itself.
    across: Option<Across>,
}

impl Seen {
    /// With its rate, if it has one.
    fn record<M>(self, clock: &Clock<M>, reader: &Reader, rate: Option<Rate>) -> ClockRecord {
        let unit_ns = reader.unit_ns.or(rate.map(|rate| rate.unit_ns));
        let nanos = |counts: u64| unit_ns.map(|unit| unit * counts as f64);
        let steps = self.steps;
        ClockRecord {
            clock: clock.name.to_owned(),
            counts: clock.counts.name().to_owned(),
            unit_ns,
            least_step_ns: steps.and_then(|steps| nanos(steps.least)),
            median_step_ns: steps.and_then(|steps| nanos(steps.median)),
            cost_ns: self.cost_ns,
            across: self.across.map(|across| AcrossRecord {
                processors: across.processors,
                compared: across.compared,
                back: across.back,
                furthest_back_ns: nanos(across.furthest_back),
                // Two processors' clocks cannot differ by less than a step.
                resolution_ns: across
                    .resolution
                    .zip(steps)
                    .and_then(|(resolution, steps)| nanos(resolution.max(steps.least))),
            }),
            rate_ppm: rate.and_then(|rate| rate.ppm),
            rate_uncertainty_ppm: rate.map(|rate| rate.uncertainty_ppm),
        }
    }
}

fn race<M: Machine>(
    machine: &M,
    reader: &Reader,
    usable: &ProcessorSet,
) -> Result<Option<Across>, Error> {
    let processors: Vec<_> = usable
        .numbers()
        .filter_map(|number| usize::try_from(number).ok())
        .collect();
    if processors.len() < 2 {
        return Ok(None);
    }
    across::race(machine, reader, &processors).map(Some)
}

/// The rate of each against the machine's own clock, over the time that there was.
fn rates<M: Machine, C>(
    machine: &M,
    readers: &[(C, Reader)],
    duration: Duration,
    stop: &Cancel<M>,
    progress: &mut dyn Progress,
) -> Vec<Option<Rate>> {
    let sample = |(_, reader): &(C, Reader)| Sample::take(machine, reader);
    let before: Vec<_> = readers.iter().map(sample).collect();
    // After an early stop the rates are less certain.
    pause(machine, duration, stop, progress);
    let after = readers.iter().map(sample);
    let pairs = before.iter().zip(after).zip(readers);
    pairs
        .map(|((before, after), (_, reader))| {
            Rate::between(before.as_ref()?, after.as_ref()?, reader)
        })
        .collect()
}

/// Waits as coarsely as possible. On Windows a precise wait would make a request, which would move
/// the ticks that half of the clocks count.
fn pause<M: Machine>(
    machine: &M,
    duration: Duration,
    stop: &Cancel<M>,
    progress: &mut dyn Progress,
) {
    /// Often enough for progress and for a stop.
    const LOOK: Duration = Duration::from_millis(200);
    /// The longest default interval of any system.
    const TOLERANCE: Duration = Duration::from_millis(20);
    let silent = machine.bell();
    let start = machine.now();
    let end = start + duration;
    while machine.now() < end && !stop.is_cancelled() {
        let until = end.min(machine.now() + LOOK);
        machine.wait(Some(until), TOLERANCE, &silent);
        progress.reach(machine.now().duration_since(start));
    }
}

#[cfg(test)]
mod tests;

// Which clocks are examined, and for how long.

/// How good are a machine's clocks?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// How long to compare the rates.
    #[serde(rename = "duration_ns", with = "written::nanos")]
    pub duration: Duration,
    /// Other programs and drivers on the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Companion>,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

/// The shortest comparison: a clock that moves with timer interrupts moves only twice in it.
pub const SHORTEST: Duration = Duration::from_millis(50);

/// Together with the examination of each clock alone, this takes two seconds.
pub const QUICK: Duration = Duration::from_millis(500);

impl Default for Question {
    /// This machine, with rates exact to one part in ten thousand for clocks that move with timer
    /// interrupts.
    fn default() -> Self {
        Self {
            duration: Duration::from_secs(2),
            with: Vec::new(),
            on: None,
        }
    }
}

// The steps of a clock.

/// Enough to see the step of a clock that is read faster than it moves, and how much the step
/// varies.
const CHANGES: usize = 200;

/// The limit for one clock: six steps of a clock that moves with a timer interrupt of 15.6 ms.
const LONGEST: Duration = Duration::from_millis(100);

/// The steps of a clock while it was watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Steps {
    /// The smallest change between two readings, in counts. It cannot be smaller than the time of
    /// one reading.
    least: u64,
    /// Half of the changes were at most this, in counts.
    median: u64,
    /// How often a reading was behind the one before.
    back: u64,
}

/// Watches a clock until it has changed a few times.
fn look_at<O: Os>(os: &O, reader: &Reader) -> Option<Steps> {
    let end = os.now() + LONGEST;
    let mut changes = Vec::with_capacity(CHANGES);
    let mut back = 0;
    let mut last = (reader.read)();
    while changes.len() < CHANGES && os.now() < end {
        let reading = (reader.read)();
        match u64::try_from(reader.ahead(reading, last)) {
            Ok(0) => {}
            Ok(change) => changes.push(change),
            Err(_) => back += 1,
        }
        last = reading;
    }
    changes.sort_unstable();
    Some(Steps {
        least: *changes.first()?,
        median: changes[changes.len() / 2],
        back,
    })
}

// The findings about clocks as versioned JSON. Units are in the names of the keys.

/// The schema that this version writes.
pub const SCHEMA: &str = "punctual.clocks/3";

/// The findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClocksRecording {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Punctual that made it.
    pub punctual_version: String,
    /// The machine.
    pub environment: Environment,
    /// What was asked.
    pub question: Question,
    /// Whether the comparison of rates was stopped early.
    pub interrupted: bool,
    /// Clocks that this machine lacks.
    pub unavailable: Vec<Unavailable>,
    /// How far this can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
    /// Each clock once; rates are against the first.
    pub clocks: Vec<ClockRecord>,
}

/// The findings about one clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// Its name.
    pub clock: String,
    /// What it measures: `time`, `process` or `thread` (their processor time).
    pub counts: String,
    /// The length of one count, from the system or else measured.
    pub unit_ns: Option<f64>,
    /// The smallest change between two readings. It cannot be smaller than the time of one reading.
    pub least_step_ns: Option<f64>,
    /// Half of the changes between two readings were at most this.
    pub median_step_ns: Option<f64>,
    /// The cost of one reading.
    pub cost_ns: f64,
    /// Readings of several processors against each other.
    pub across: Option<AcrossRecord>,
    /// By how many millionths it is faster than the first clock; negative if slower.
    pub rate_ppm: Option<f64>,
    /// The uncertainty of that.
    pub rate_uncertainty_ppm: Option<f64>,
}

/// Readings of several processors against each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcrossRecord {
    /// The number of processors that took part.
    pub processors: usize,
    /// How often a reading was compared with another processor's.
    pub compared: u64,
    /// How often it was behind.
    pub back: u64,
    /// How far behind at most.
    pub furthest_back_ns: Option<f64>,
    /// Smaller differences between clocks cannot be seen.
    pub resolution_ns: Option<f64>,
}

/// How long to wait for a clock's next change: the longest default interval between timer
/// interrupts is 20 ms.
const LONGEST_STEP: Duration = Duration::from_millis(50);

/// How many changes to look at. The one that nothing interrupted gives the best time.
const TRIES: usize = 16;

/// The new value of a clock, and when it was seen.
#[derive(Debug, Clone, Copy)]
struct Change {
    count: u64,
    /// The last reading before the change.
    after: Instant,
    /// The first reading after the change.
    before: Instant,
}

impl Change {
    fn next<O: Os>(os: &O, reader: &Reader, end: Instant) -> Option<Self> {
        let mut after = os.now();
        let unchanged = (reader.read)();
        while after < end {
            let before_reading = os.now();
            let count = (reader.read)();
            if count != unchanged {
                let before = os.now();
                return Some(Self {
                    count,
                    after,
                    before,
                });
            }
            after = before_reading;
        }
        None
    }

    fn width(&self) -> Duration {
        self.before.duration_since(self.after)
    }

    fn middle_ns(&self) -> f64 {
        let nanos = self.after.as_nanos() + self.before.as_nanos();
        nanos as f64 / 2.0
    }
}

/// A clock's value, the time of the reading, and its uncertainty.
#[derive(Debug, Clone, Copy)]
struct Sample {
    change: Change,
    unknown_ns: f64,
}

impl Sample {
    /// Watches several changes of a clock. `None` if it stands still.
    fn take<O: Os>(os: &O, reader: &Reader) -> Option<Self> {
        let end = os.now() + LONGEST_STEP;
        let next = || Change::next(os, reader, end);
        let mut changes: Vec<_> = std::iter::from_fn(next).take(TRIES).collect();
        changes.sort_by_key(Change::width);
        let best = *changes.first()?;
        let counts_ns = reader.unit_ns.unwrap_or(0.0);
        // How late was each change seen, compared with the best? They disagree because of whole
        // milliseconds, and because some systems move a clock late.
        let late_ns = |change: &Change| {
            let moved_ns = reader.ahead(change.count, best.count) as f64 * counts_ns;
            change.middle_ns() - best.middle_ns() - moved_ns
        };
        let disagreement = match reader.unit_ns {
            Some(_) => changes
                .iter()
                .map(|change| late_ns(change).abs())
                .fold(0.0, f64::max),
            None => 0.0,
        };
        Some(Self {
            change: best,
            unknown_ns: best.width().as_nanos() as f64 / 2.0 + disagreement + counts_ns,
        })
    }
}

/// The rate of a clock against the machine's own.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rate {
    /// By how many millionths it is faster; negative if it is slower. `None` if the system does not
    /// tell the length of its counts.
    ppm: Option<f64>,
    /// The uncertainty. It comes from the times of the changes, from the disagreement of several
    /// changes, and from the length of a count.
    uncertainty_ppm: f64,
    /// How long a count is, in nanoseconds.
    unit_ns: f64,
}

impl Rate {
    /// `None` if no time has passed.
    fn between(first: &Sample, last: &Sample, reader: &Reader) -> Option<Self> {
        let elapsed_ns = last.change.middle_ns() - first.change.middle_ns();
        let counts = reader.ahead(last.change.count, first.change.count) as f64;
        if elapsed_ns <= 0.0 || counts <= 0.0 {
            return None;
        }
        let unit_ns = elapsed_ns / counts;
        let unknown_ns = first.unknown_ns + last.unknown_ns;
        Some(Self {
            ppm: reader.unit_ns.map(|stated| (stated / unit_ns - 1.0) * 1e6),
            uncertainty_ppm: unknown_ns / elapsed_ns * 1e6,
            unit_ns,
        })
    }
}
