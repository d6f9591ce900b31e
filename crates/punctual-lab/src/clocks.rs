//! How good a machine's clocks are: the step of each, the cost of a reading, whether it goes back
//! between processors, and its rate against the clock that waits are measured with.
//!
//! A clock is data that a [`Machine`] offers, as a method is.

mod across;
mod question;
mod rate;
mod recording;
mod steps;
pub mod windows;

pub use across::Across;
pub use question::{QUICK, Question, SHORTEST};
pub use rate::Rate;
pub use recording::{AcrossRecord, ClockRecord, ClocksRecording, SCHEMA};
pub use steps::Steps;

use crate::environment::{ProcessorSet, clock_cost_ns, reading_cost_ns};
use crate::machine::{Clock, Counts, Machine, Reader, Unavailable};
use punctual::{Cancel, Error};
use rate::Sample;
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

/// The findings about one clock.
#[derive(Debug, Clone)]
pub struct Examined {
    /// Its name.
    pub clock: &'static str,
    /// What it measures: time, or processor time.
    pub counts: Counts,
    /// The length of one count in nanoseconds; `None` if the system does not tell it.
    pub unit_ns: Option<f64>,
    /// Its steps; `None` if it stood still.
    pub steps: Option<Steps>,
    /// The cost of one reading, in nanoseconds.
    pub cost_ns: f64,
    /// Readings of several processors against each other; `None` with only one processor, and for
    /// clocks that each thread has for itself.
    pub across: Option<Across>,
    /// Its rate against the reference clock; `None` for clocks that do not count time, and if it
    /// stood still.
    pub rate: Option<Rate>,
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
) -> Result<(Vec<Examined>, Vec<Unavailable>), Error> {
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
    let mut examined = Vec::new();
    for (clock, reader) in &readers {
        // Gives an observer the opportunity to cancel.
        progress.reach(Duration::ZERO);
        if stop.is_cancelled() {
            return Ok((examined, unavailable));
        }
        let of_all = clock.counts != Counts::ThreadWork;
        examined.push(Examined {
            clock: clock.name,
            counts: clock.counts,
            unit_ns: reader.unit_ns,
            steps: steps::look_at(machine, reader),
            cost_ns: reading_cost_ns(machine, now_ns, &*reader.read),
            across: match usable.as_ref().filter(|_| of_all) {
                Some(usable) => race(machine, reader, usable)?,
                None => None,
            },
            rate: None,
        });
    }
    let readers: Vec<_> = readers.iter().map(|(_, reader)| reader).collect();
    let rates = rates(machine, &readers, duration, stop, progress);
    for (examined, rate) in examined.iter_mut().zip(rates) {
        examined.rate = rate.filter(|_| examined.counts == Counts::Time);
        examined.unit_ns = examined.unit_ns.or(examined.rate.map(|rate| rate.unit_ns));
    }
    Ok((examined, unavailable))
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
fn rates<M: Machine>(
    machine: &M,
    readers: &[&Reader],
    duration: Duration,
    stop: &Cancel<M>,
    progress: &mut dyn Progress,
) -> Vec<Option<Rate>> {
    let sample = |reader: &&Reader| Sample::take(machine, reader);
    let before: Vec<_> = readers.iter().map(sample).collect();
    // After an early stop the rates are less certain.
    pause(machine, duration, stop, progress);
    let after = readers.iter().map(sample);
    let pairs = before.iter().zip(after).zip(readers);
    pairs
        .map(|((before, after), reader)| Rate::between(before.as_ref()?, after.as_ref()?, reader))
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
