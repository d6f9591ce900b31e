//! One sampler: waits, finds out how late it woke and why, and counts.
//!
//! It takes no memory, and asks the system as little as it can: what it does after each wait is part of the cost
//! of watching.

use crate::board::Series;
use crate::disturbances::{Blame, Clocks, blame};
use crate::faults::{Fault, Faults};
use crate::governor::{Governor, LOOK_EVERY};
use crate::histogram::{BOUNDED, BOUNDS_NS, Histogram};
use crate::late::Lates;
use crate::locked;
use crate::recorder::LateEvent;
use punctual::{Instant, Period, Schedule};
use punctual_lab::machine::ThreadTimes;
use punctual_lab::waiters::Wait;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// From this lateness on it is worth asking whether the machine was suspended or the watch held back. A quota holds
/// back for milliseconds, and a suspension lasts longer.
const SUSPICIOUS: Duration = Duration::from_millis(1);

/// What a sampler asks of the machine that is neither waiting nor an account of its time.
pub(super) trait Surroundings {
    /// Reads the clock of the waits.
    fn now(&self) -> Instant;
    /// Reads the other clocks.
    fn clocks(&self) -> Clocks;
    /// For how long the watch's quotas have held it back so far; `None` if that is not known now.
    fn throttled_ns(&self) -> Option<u64>;
    /// The processor on which the calling thread runs, if the system tells it cheaply.
    fn processor(&self) -> Option<usize>;
    /// The time of day.
    fn wall(&self) -> SystemTime;
}

/// What a sampler shares with others.
#[derive(Clone)]
pub(super) struct Shared {
    pub series: Arc<Series>,
    pub faults: Arc<Faults>,
    /// Of all samplers of the processor.
    pub governor: Arc<Mutex<Governor>>,
    /// Which of them this is.
    pub index: usize,
    /// Whether samplers are to end.
    pub stop: Arc<AtomicBool>,
    pub late: Option<Late>,
}

/// Which wake-ups are told to the recorder, and how.
#[derive(Clone)]
pub(super) struct Late {
    pub threshold: Duration,
    pub late_events: SyncSender<LateEvent>,
    /// Count those that found the channel full.
    pub lates: Option<Arc<Lates>>,
}

/// What the thread that samples has of its own.
pub(super) struct Own {
    pub method: Box<dyn Wait>,
    pub times: Box<dyn ThreadTimes>,
    pub surroundings: Box<dyn Surroundings>,
    /// Its number.
    pub thread: u32,
}

/// A sampler that runs.
pub(super) struct Sampling {
    shared: Shared,
    own: Own,
    schedule: Schedule,
    millihertz: u64,
    /// The accounts after the last wake-up.
    queued: Option<Duration>,
    suspended_ns: u64,
    throttled_ns: u64,
    /// When the governor is asked next.
    next_look: Instant,
    began_spent: Duration,
    spent_ns: u64,
    waits: u64,
    said_too_slow: bool,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// There is a next one.
    GoesOn,
    /// The thread is on another processor, because its own went offline or was taken away.
    Moved,
    /// It is to end.
    Stopped,
}

impl Sampling {
    /// Begins to sample. The first deadline is a period from now.
    pub(super) fn begin(shared: Shared, own: Own) -> Self {
        let millihertz = {
            let mut governor = locked(&shared.governor);
            governor.begin(shared.index);
            governor.millihertz()
        };
        shared.series.rate_millihertz.store(millihertz, Relaxed);
        let now = own.surroundings.now();
        let period = period(millihertz);
        Self {
            schedule: Schedule::new(period.deadline(now, 1).unwrap_or(now), period),
            millihertz,
            queued: own.times.queue(),
            suspended_ns: suspended_ns(own.surroundings.clocks()),
            throttled_ns: own.surroundings.throttled_ns().unwrap_or_default(),
            next_look: now + LOOK_EVERY,
            began_spent: own.times.processor(),
            spent_ns: 0,
            waits: 0,
            said_too_slow: false,
            shared,
            own,
        }
    }

    /// Waits once, and counts.
    pub(super) fn step(&mut self) -> Step {
        let began = self.own.surroundings.now();
        self.count_overdue(began);
        let Some(deadline) = self.schedule.next_deadline() else {
            return Step::Stopped;
        };
        let woke = self.own.method.wait_until(deadline);
        // A cancelled wait ends early, and tells nothing.
        if self.shared.stop.load(Relaxed) {
            return Step::Stopped;
        }
        let processor = self.own.surroundings.processor();
        if processor.is_some_and(|processor| processor != self.shared.series.processor) {
            return Step::Moved;
        }
        self.waits += 1;
        let queued = self.newly_queued();
        let lateness = woke.duration_since(deadline);
        self.schedule.tick(woke);
        let passed = self.schedule.overdue_tick(woke);
        let passed = passed.map_or(0, |tick| tick.missed + 1);
        if self.blame(lateness) == Blame::Machine {
            self.count(nanos(lateness), queued.map(nanos), passed);
            self.tell_recorder(lateness, deadline, woke);
        }
        if woke >= self.next_look {
            self.look(woke);
        }
        Step::GoesOn
    }

    fn count(&self, lateness_ns: u64, queued_ns: Option<u64>, passed: u64) {
        let series = &self.shared.series;
        series.wakes.count(lateness_ns);
        // The account also holds what happened to the thread between two waits.
        let queue_ns = queued_ns.unwrap_or(0).min(lateness_ns);
        series.queue_ns.fetch_add(queue_ns, Relaxed);
        series.timer_ns.fetch_add(lateness_ns - queue_ns, Relaxed);
        self.count_deadlines(lateness_ns, passed);
        series.missed.fetch_add(passed, Relaxed);
    }

    fn count_deadlines(&self, lateness_ns: u64, passed: u64) {
        let series = &self.shared.series;
        series.deadlines.count(lateness_ns);
        if passed > 0 {
            count(
                &series.deadlines,
                lateness_ns,
                self.schedule.period(),
                passed,
            );
        }
    }

    /// Deadlines that passed while the thread did not get from one wait to the next.
    fn count_overdue(&mut self, now: Instant) {
        let Some(deadline) = self.schedule.next_deadline() else {
            return;
        };
        if let Some(tick) = self.schedule.overdue_tick(now) {
            let lateness = now.duration_since(deadline);
            if self.blame(lateness) == Blame::Machine {
                self.count_deadlines(nanos(lateness), tick.missed);
                self.shared
                    .series
                    .missed
                    .fetch_add(tick.missed + 1, Relaxed);
            }
        }
    }

    /// Time for which the thread was ready but not running since the last wake-up.
    fn newly_queued(&mut self) -> Option<Duration> {
        let now = self.own.times.queue();
        let before = std::mem::replace(&mut self.queued, now);
        Some(now?.saturating_sub(before?))
    }

    /// Whose fault the lateness is. Says so if it is the watch's own quota.
    fn blame(&mut self, lateness: Duration) -> Blame {
        if lateness < SUSPICIOUS {
            return Blame::Machine;
        }
        let suspended_ns = suspended_ns(self.own.surroundings.clocks());
        let known = self.own.surroundings.throttled_ns();
        let throttled_ns = known.unwrap_or(self.throttled_ns);
        let suspended = suspended_ns.saturating_sub(self.suspended_ns);
        let throttled = throttled_ns.saturating_sub(self.throttled_ns);
        (self.suspended_ns, self.throttled_ns) = (suspended_ns, throttled_ns);
        let nanos = Duration::from_nanos;
        let blame = blame(lateness, nanos(suspended), nanos(throttled));
        if blame == Blame::Throttled {
            self.shared.faults.happened(Fault::Throttled, format_args!(
                "the quota of the group in which the watch runs held it back for {:.1?}; such wake-ups are not \
                 counted as the machine's: raise the quota (CPUQuota= of its unit, or the container's limit)",
                nanos(throttled)
            ));
        }
        blame
    }

    fn tell_recorder(&self, lateness: Duration, deadline: Instant, woke: Instant) {
        let Some(late) = &self.shared.late else {
            return;
        };
        if lateness <= late.threshold {
            return;
        }
        let late_event = LateEvent {
            processor: self.shared.series.processor,
            series: Arc::clone(&self.shared.series),
            thread: self.own.thread,
            deadline,
            woke,
            at: self.own.surroundings.wall(),
        };
        if late.late_events.try_send(late_event).is_err() {
            late.lates.iter().for_each(|lates| lates.count_not_kept());
        }
    }

    /// Tells the governor what was used, and takes over its rate.
    fn look(&mut self, now: Instant) {
        self.next_look = now + LOOK_EVERY;
        // What happens until the next look is not from before.
        self.suspended_ns = suspended_ns(self.own.surroundings.clocks());
        if let Some(throttled_ns) = self.own.surroundings.throttled_ns() {
            self.throttled_ns = throttled_ns;
        }
        let spent_ns = nanos(self.own.times.processor().saturating_sub(self.began_spent));
        let series = &self.shared.series;
        let newly_spent = spent_ns.saturating_sub(std::mem::replace(&mut self.spent_ns, spent_ns));
        series.processor_ns.fetch_add(newly_spent, Relaxed);
        // Another sampler of this processor is looking. The next look has all of both.
        let Ok(mut governor) = self.shared.governor.try_lock() else {
            return;
        };
        let millihertz = governor.look(self.shared.index, now.as_nanos(), spent_ns, self.waits);
        let is_too_slow = governor.is_too_slow();
        drop(governor);
        // One of those that share the governor says it for all.
        if self.shared.index == 0 && is_too_slow != self.said_too_slow {
            self.said_too_slow = is_too_slow;
            match is_too_slow {
                true => say_too_slow(&self.shared, millihertz),
                false => say_fast_enough(&self.shared),
            }
        }
        if millihertz != self.millihertz {
            self.millihertz = millihertz;
            series.rate_millihertz.store(millihertz, Relaxed);
            self.schedule.set_period(now, period(millihertz));
        }
    }
}

fn say_too_slow(shared: &Shared, millihertz: u64) {
    let processor = shared.series.processor;
    let (hertz, tenths) = (millihertz / 1_000, millihertz / 100 % 10);
    shared.faults.happened(Fault::Budget, format_args!(
        "a wait costs so much on processor {processor} that the budget allows only {hertz}.{tenths} a second; watch \
         with fewer methods or a greater budget"
    ));
}

fn say_fast_enough(shared: &Shared) {
    let processor = shared.series.processor;
    shared.faults.ended(
        Fault::Budget,
        format_args!("the budget allows ten waits a second again on processor {processor}"),
    );
}

/// The period of a rate, which is never zero.
fn period(millihertz: u64) -> Period {
    Period::from_hertz_fraction(millihertz.max(1), 1_000)
}

/// For how long the machine was suspended so far.
fn suspended_ns(clocks: Clocks) -> u64 {
    clocks.boot_ns.saturating_sub(clocks.awake_ns)
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Counts the deadlines 1 to `how_many` after one that was met late by `lateness_ns`. Each is less late than the
/// one before it by a period.
pub(super) fn count(histogram: &Histogram, lateness_ns: u64, period: Period, how_many: u64) {
    let (numerator, denominator) = period.to_nanos_fraction();
    let (numerator, denominator) = (u128::from(numerator), u128::from(denominator));
    // The first deadline whose lateness is within the bound: the periods before it add up to the rest.
    let first_within = |bound_ns: u64| {
        let before = u128::from(lateness_ns.saturating_sub(bound_ns));
        (before * denominator).div_ceil(numerator).max(1)
    };
    // From the last deadline, which is the least late, to the first.
    let mut counted_from = u128::from(how_many) + 1;
    for bucket in 0..=BOUNDED {
        let from = BOUNDS_NS
            .get(bucket)
            .map_or(1, |&bound| first_within(bound));
        if from < counted_from {
            let (last, count) = (counted_from - 1, counted_from - from);
            // All of them late by the same, less the periods before each.
            let periods = (from + last) * count / 2;
            let sum = u128::from(lateness_ns) * count;
            let sum = sum.saturating_sub(periods.saturating_mul(numerator) / denominator);
            histogram.add(bucket, u64::try_from(count).unwrap_or(u64::MAX), sum);
            counted_from = from;
        }
        if counted_from == 1 {
            break;
        }
    }
}

#[cfg(test)]
mod tests;
