//! What went wrong: said once and then rarely, and counted.

use crate::log::{Log, Severity};
use std::fmt::{self, Debug, Display};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What can go wrong while a watch goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The textfile could not be written.
    Textfile,
    /// A late wake-up could not be saved.
    Recording,
    /// The kernel's trace cannot be read.
    Trace,
    /// A method cannot be made on a processor.
    Method,
    /// A watched processor went offline.
    ProcessorOffline,
    /// The watch could not read what the system keeps.
    Readings,
    /// The wall clock was stepped.
    ClockStepped,
    /// The machine was suspended.
    Suspended,
    /// The clock source changed.
    ClockSource,
    /// A sampler waits less than ten times a second, because it would exceed the budget.
    Budget,
    /// The watch's own quota held it back: not the machine made it late.
    Throttled,
    /// A client was refused or closed.
    Client,
    /// New settings could not be taken over.
    Reload,
}

impl Fault {
    /// All of them, in the order of the counters.
    pub const ALL: [Self; 13] = [
        Self::Textfile,
        Self::Recording,
        Self::Trace,
        Self::Method,
        Self::ProcessorOffline,
        Self::Readings,
        Self::ClockStepped,
        Self::Suspended,
        Self::ClockSource,
        Self::Budget,
        Self::Throttled,
        Self::Client,
        Self::Reload,
    ];

    /// Its label in the exposition.
    pub fn name(self) -> &'static str {
        match self {
            Self::Textfile => "textfile",
            Self::Recording => "recording",
            Self::Trace => "trace",
            Self::Method => "method",
            Self::ProcessorOffline => "processor-offline",
            Self::Readings => "readings",
            Self::ClockStepped => "clock-stepped",
            Self::Suspended => "suspended",
            Self::ClockSource => "clock-source",
            Self::Budget => "budget",
            Self::Throttled => "throttled",
            Self::Client => "client",
            Self::Reload => "reload",
        }
    }
}

/// Counts faults, and says them.
#[derive(Debug, Default)]
pub struct Faults {
    counts: [AtomicU64; Fault::ALL.len()],
    rarely: Mutex<[Rarely; Fault::ALL.len()]>,
    clock: Clock,
    log: Log,
}

impl Faults {
    /// Says them in this log. The default says them nowhere.
    pub fn saying(log: Log) -> Self {
        Self {
            log,
            ..Self::default()
        }
    }

    /// The same by another clock, which tells the time since any moment.
    pub fn by_clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        self.clock = Clock(Box::new(clock));
        self
    }

    /// Counts a fault, and says it: the first time, and then more and more rarely, at most once an hour.
    pub fn happened(&self, fault: Fault, what: impl Display) {
        self.counts[fault as usize].fetch_add(1, Relaxed);
        let unsaid = self.rarely()[fault as usize].happens(self.clock.now());
        match unsaid {
            None => {}
            Some(0) => self.log.say(Severity::Warning, what),
            Some(unsaid) => self.log.say(
                Severity::Warning,
                format_args!("{what} ({unsaid} more since this was last said)"),
            ),
        }
    }

    /// What went wrong has ended, which is said if its beginning was. The next time it is said at once again.
    pub fn ended(&self, fault: Fault, what: impl Display) {
        let had_happened = self.rarely()[fault as usize].ends();
        if had_happened {
            self.log.say(Severity::Notice, what);
        }
    }

    /// How often it has happened.
    pub fn count(&self, fault: Fault) -> u64 {
        self.counts[fault as usize].load(Relaxed)
    }

    fn rarely(&self) -> MutexGuard<'_, [Rarely; Fault::ALL.len()]> {
        self.rarely.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Time since some moment.
struct Clock(Box<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    fn now(&self) -> Duration {
        self.0()
    }
}

impl Default for Clock {
    fn default() -> Self {
        let started = Instant::now();
        Self(Box::new(move || started.elapsed()))
    }
}

impl Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}

/// The shortest time between two sayings of a fault. Each doubles it.
const FIRST_GAP: Duration = Duration::from_secs(60);

/// The longest: a fault that lasts for a month makes 24 lines a day, which a journal bears and a person sees.
const LONGEST_GAP: Duration = Duration::from_secs(60 * 60);

/// When one fault is said.
#[derive(Debug, Default)]
struct Rarely {
    said: Option<Said>,
    unsaid: u64,
}

#[derive(Debug)]
struct Said {
    at: Duration,
    gap: Duration,
    happened_last: Duration,
}

impl Rarely {
    /// `None` if it is not said now; else how many times it was not since it last was.
    fn happens(&mut self, now: Duration) -> Option<u64> {
        match &mut self.said {
            // What has not happened for so long is news.
            Some(said) if now.saturating_sub(said.happened_last) < LONGEST_GAP => {
                said.happened_last = now;
                if now.saturating_sub(said.at) < said.gap {
                    self.unsaid += 1;
                    return None;
                }
                said.at = now;
                said.gap = (said.gap * 2).min(LONGEST_GAP);
            }
            said => {
                *said = Some(Said {
                    at: now,
                    gap: FIRST_GAP,
                    happened_last: now,
                });
            }
        }
        Some(std::mem::take(&mut self.unsaid))
    }

    /// Whether it had happened.
    fn ends(&mut self) -> bool {
        self.unsaid = 0;
        self.said.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    type Lines = Arc<Mutex<Vec<String>>>;

    /// Faults by a clock that is set in seconds, and what they have said.
    fn faults() -> (Faults, Arc<AtomicU64>, Lines) {
        let (seconds, lines) = (Arc::new(AtomicU64::new(0)), Lines::default());
        let (clock, kept) = (Arc::clone(&seconds), Arc::clone(&lines));
        let log = Log::to(move |_, line| kept.lock().unwrap().push(line.to_owned()));
        let faults = Faults::saying(log).by_clock(move || Duration::from_secs(clock.load(Relaxed)));
        (faults, seconds, lines)
    }

    #[test]
    fn a_fault_is_said_at_once_and_then_after_1_2_4_to_60_minutes() {
        let (faults, seconds, lines) = faults();
        let mut minutes = Vec::new();
        for second in 0..5 * 3_600 {
            seconds.store(second, Relaxed);
            let before = lines.lock().unwrap().len();
            faults.happened(Fault::Textfile, "the folder is gone");
            if lines.lock().unwrap().len() > before {
                minutes.push(second / 60);
            }
        }
        assert_eq!(minutes, [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
        let lines = lines.lock().unwrap();
        assert_eq!(lines[0], "the folder is gone");
        assert!(
            lines[1].contains("(59 more since this was last said)"),
            "{}",
            lines[1]
        );
        assert_eq!(faults.count(Fault::Textfile), 5 * 3_600);
    }

    #[test]
    fn one_fault_does_not_hide_another() {
        let (faults, _, lines) = faults();
        faults.happened(Fault::Textfile, "one");
        faults.happened(Fault::Trace, "another");
        assert_eq!(*lines.lock().unwrap(), ["one", "another"]);
        assert_eq!(faults.count(Fault::Trace), 1);
        assert_eq!(faults.count(Fault::Client), 0);
    }

    #[test]
    fn an_end_is_said_once_and_what_begins_anew_is_said_at_once() {
        let (faults, seconds, lines) = faults();
        faults.ended(Fault::Textfile, "it never began");
        faults.happened(Fault::Textfile, "gone");
        seconds.store(5, Relaxed);
        faults.happened(Fault::Textfile, "gone");
        faults.ended(Fault::Textfile, "back");
        faults.ended(Fault::Textfile, "back");
        seconds.store(6, Relaxed);
        faults.happened(Fault::Textfile, "gone again");
        assert_eq!(*lines.lock().unwrap(), ["gone", "back", "gone again"]);
    }

    #[test]
    fn what_has_not_happened_for_an_hour_is_news() {
        let (faults, seconds, lines) = faults();
        for second in [0, 60, 180, 420, 420 + 3_600, 420 + 3_660] {
            seconds.store(second, Relaxed);
            faults.happened(Fault::ClockStepped, second);
        }
        let said = lines.lock().unwrap();
        assert_eq!(*said, ["0", "60", "180", "420", "4020", "4080"]);
    }

    #[test]
    fn a_clock_that_goes_back_does_no_harm() {
        let (faults, seconds, lines) = faults();
        seconds.store(1_000, Relaxed);
        faults.happened(Fault::Trace, "first");
        seconds.store(10, Relaxed);
        faults.happened(Fault::Trace, "second");
        assert_eq!(*lines.lock().unwrap(), ["first"]);
    }

    #[test]
    fn every_fault_has_its_place_and_a_name_of_its_own() {
        for (index, fault) in Fault::ALL.into_iter().enumerate() {
            assert_eq!(fault as usize, index);
        }
        let mut names = Fault::ALL.map(Fault::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Fault::ALL.len());
    }
}
