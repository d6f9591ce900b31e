//! One look of the observer: what it compares with the look before, and what it puts on the board.

use crate::board::{Board, Reading};
use crate::disturbances::{ClockWatch, Happened};
use crate::faults::Fault;
use crate::os;
use punctual_lab::{Environment, Machine, Native};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// How many looks pass until the facts are read again, which takes milliseconds: a minute.
const LOOKS_OF_FACTS: u32 = 30;

/// What is remembered from look to look.
pub(super) struct Looking {
    board: Arc<Board>,
    watched: Vec<usize>,
    clocks: ClockWatch,
    clock_source: Source,
    facts: BTreeMap<&'static str, String>,
    looks: u32,
    /// The names of all numbers that there have been.
    known: BTreeSet<&'static str>,
    /// Those that are missing.
    missing: BTreeSet<&'static str>,
}

impl Looking {
    pub(super) fn begin(board: Arc<Board>) -> Self {
        let mut watched: Vec<_> = board.series.iter().map(|series| series.processor).collect();
        watched.dedup();
        Self {
            board,
            watched,
            clocks: ClockWatch::default(),
            clock_source: Source::default(),
            facts: BTreeMap::new(),
            looks: 0,
            known: BTreeSet::new(),
            missing: BTreeSet::new(),
        }
    }

    /// Reads everything, says what happened, and puts the readings on the board.
    pub(super) fn look(&mut self) {
        self.look_at_clocks();
        let source = os::clock_source();
        if let Some((before, now)) = self.clock_source.look(source.as_deref()) {
            self.board.faults.happened(Fault::ClockSource, format_args!(
                "the clock source changed from {before} to {now}; readings of the clock may cost more now"
            ));
        }
        if self.looks.is_multiple_of(LOOKS_OF_FACTS) {
            self.facts = read();
            self.board.quota.find();
        }
        self.looks = self.looks.wrapping_add(1);
        if let Some(source) = source {
            self.facts.insert("clock_source", source);
        }
        let mut numbers = os::numbers(&self.watched);
        self.say_what_is_missing(&numbers);
        numbers.extend([self.clock_source.changes(), self.other_processor()]);
        let mut readings = self
            .board
            .readings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        readings.facts.clone_from(&self.facts);
        readings.numbers = numbers;
        readings.renewed = Some(Instant::now());
    }

    fn look_at_clocks(&mut self) {
        for happened in self.clocks.look(os::clocks()) {
            match happened {
                Happened::Suspended(asleep) => {
                    self.board.faults.happened(
                        Fault::Suspended,
                        format_args!("the machine was suspended for {asleep:.1?}"),
                    );
                }
                Happened::Stepped(by_ns) => {
                    let by = Duration::from_nanos(by_ns.unsigned_abs());
                    let whither = if by_ns > 0 { "forward" } else { "back" };
                    self.board.faults.happened(Fault::ClockStepped, format_args!(
                        "the wall clock was put {whither} by {by:.1?}; lateness is measured with another clock"
                    ));
                }
            }
        }
    }

    /// A number that was there and is not is said once, and said to be back once all are.
    fn say_what_is_missing(&mut self, numbers: &[Reading]) {
        let present: BTreeSet<_> = numbers.iter().map(|one| one.name).collect();
        // A group can lose its quota, and the watch can move to another group.
        let missing: BTreeSet<_> = self
            .known
            .difference(&present)
            .filter(|name| !name.starts_with("throttled"))
            .copied()
            .collect();
        if !missing.is_subset(&self.missing) {
            let names = missing.iter().copied().collect::<Vec<_>>().join(", ");
            self.board.faults.happened(
                Fault::Readings,
                format_args!("the system no longer tells {names}; the watch goes on without"),
            );
        } else if missing.is_empty() && !self.missing.is_empty() {
            let what = "the system tells everything again that it told before";
            self.board.faults.ended(Fault::Readings, what);
        }
        self.missing = missing;
        self.known.extend(present);
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a float counts nanoseconds of months"
    )]
    fn other_processor(&self) -> Reading {
        let series = self.board.series.iter();
        let samplers: u64 = series.map(|one| one.processor_ns.load(Relaxed)).sum();
        let all = u64::try_from(os::process_time().as_nanos()).unwrap_or(u64::MAX);
        let help = "Processor time of the watch apart from its samplers";
        let seconds = all.saturating_sub(samplers) as f64 / 1e9;
        Reading::seconds("watch_other_processor", help, Vec::new(), seconds)
    }
}

/// The clock source, and how often it has changed.
#[derive(Debug, Default)]
struct Source {
    last: Option<String>,
    changes: u32,
}

impl Source {
    /// The former one and this one, if they differ. What cannot be read is no change.
    fn look(&mut self, now: Option<&str>) -> Option<(String, String)> {
        let now = now?;
        let last = self.last.replace(now.to_owned())?;
        (last != now).then(|| {
            self.changes += 1;
            (last, now.to_owned())
        })
    }

    fn changes(&self) -> Reading {
        Reading {
            name: "clock_source_changes",
            help: "How often the clock source has changed since the watch started",
            unit: None,
            rises: true,
            labels: Vec::new(),
            value: self.changes.into(),
        }
    }
}

/// All that is known. Takes a few milliseconds.
pub(super) fn read() -> BTreeMap<&'static str, String> {
    let mut facts = Native::detect().map_or_else(|_| BTreeMap::new(), |os| of(os.environment()));
    facts.extend(os::own_facts());
    facts
}

/// Those of an environment. What is not known is not among them.
fn of(environment: Environment) -> BTreeMap<&'static str, String> {
    let precision = |is_high| match is_high {
        true => "high".to_owned(),
        false => "tick".to_owned(),
    };
    let facts = [
        ("system", environment.system),
        ("kernel", environment.kernel),
        ("processor", environment.processor),
        ("hypervisor", environment.hypervisor),
        ("container", environment.container),
        ("clock_source", environment.clock_source),
        (
            "timer_resolution",
            environment.high_resolution_timers.map(precision),
        ),
        (
            "tick",
            environment
                .tick_rate_hertz
                .map(|hertz| format!("{hertz} Hz")),
        ),
        ("idle_driver", environment.idle_driver),
        ("idle_governor", environment.idle_governor),
        ("deepest_idle_state", environment.deepest_idle_state),
        ("governor", environment.frequency_governor),
        ("frequency_driver", environment.frequency_driver),
        (
            "preemption",
            environment.preemption_mode.or(environment.preemption),
        ),
        ("power_plan", environment.power_plan),
        ("wine", environment.wine),
    ];
    facts
        .into_iter()
        .filter_map(|(name, fact)| Some((name, fact?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_clock_source_that_changes_is_told_once() {
        let mut source = Source::default();
        assert_eq!(source.look(Some("tsc")), None);
        assert_eq!(source.look(None), None);
        assert_eq!(source.look(Some("tsc")), None);
        let changed = Some(("tsc".to_owned(), "hpet".to_owned()));
        assert_eq!(source.look(Some("hpet")), changed);
        assert_eq!(source.look(Some("hpet")), None);
        assert!((source.changes().value - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_the_system_no_longer_tells_is_said_once() {
        let board = Arc::new(sample::board());
        let mut looking = Looking::begin(Arc::clone(&board));
        let one = |name| Reading::seconds(name, "", Vec::new(), 1.0);
        let all = [one("steal"), one("pressure_waiting"), one("throttled")];
        looking.say_what_is_missing(&all);
        looking.say_what_is_missing(&all[..2]);
        assert_eq!(board.faults.count(Fault::Readings), 0, "a quota may end");
        looking.say_what_is_missing(&all[..1]);
        looking.say_what_is_missing(&all[..1]);
        assert_eq!(board.faults.count(Fault::Readings), 1);
        looking.say_what_is_missing(&all);
        looking.say_what_is_missing(&[]);
        assert_eq!(board.faults.count(Fault::Readings), 2);
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let facts = of(Environment {
            kernel: Some("Linux 6.12.0".to_owned()),
            tick_rate_hertz: Some(250),
            high_resolution_timers: Some(true),
            ..Environment::default()
        });
        let expected = [
            ("kernel", "Linux 6.12.0"),
            ("tick", "250 Hz"),
            ("timer_resolution", "high"),
        ];
        assert_eq!(
            facts,
            expected.map(|(name, fact)| (name, fact.to_owned())).into()
        );
    }
}
