//! A sampler on a machine of these tests: each wait is late by what the test says.

use super::*;
use crate::settings::Settings;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, sync_channel};

const MS: u64 = 1_000_000;

/// What one wait does.
#[derive(Debug, Clone, Copy, Default)]
struct Wait {
    late_ns: u64,
    queued_ns: u64,
    suspended_ns: u64,
    throttled_ns: u64,
    /// How long the thread takes after it, apart from what it costs.
    dawdles_ns: u64,
    moves: bool,
}

#[derive(Debug, Default)]
struct State {
    now: Cell<u64>,
    spent: Cell<u64>,
    queued: Cell<u64>,
    suspended: Cell<u64>,
    throttled: Cell<u64>,
    processor: Cell<usize>,
    cost_ns: Cell<u64>,
    /// Those to come; then all are punctual.
    waits: RefCell<VecDeque<Wait>>,
    dawdles: Cell<u64>,
}

#[derive(Clone, Default)]
struct Fake(Rc<State>);

fn add(cell: &Cell<u64>, ns: u64) {
    cell.set(cell.get() + ns);
}

impl punctual_lab::waiters::Wait for Fake {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        let state = &self.0;
        let wait = state.waits.borrow_mut().pop_front().unwrap_or_default();
        state.now.set(deadline.as_nanos() + wait.late_ns);
        add(&state.spent, state.cost_ns.get());
        add(&state.queued, wait.queued_ns);
        add(&state.suspended, wait.suspended_ns);
        add(&state.throttled, wait.throttled_ns);
        state.dawdles.set(wait.dawdles_ns);
        if wait.moves {
            state.processor.set(1);
        }
        Instant::from_nanos(state.now.get())
    }
}

impl ThreadTimes for Fake {
    fn processor(&self) -> Duration {
        Duration::from_nanos(self.0.spent.get())
    }

    fn queue(&self) -> Option<Duration> {
        Some(Duration::from_nanos(self.0.queued.get()))
    }
}

impl Surroundings for Fake {
    fn now(&self) -> Instant {
        add(&self.0.now, self.0.dawdles.take());
        Instant::from_nanos(self.0.now.get())
    }

    fn clocks(&self) -> Clocks {
        Clocks {
            awake_ns: self.0.now.get(),
            boot_ns: self.0.now.get() + self.0.suspended.get(),
            wall_ns: 0,
        }
    }

    fn throttled_ns(&self) -> Option<u64> {
        Some(self.0.throttled.get())
    }

    fn processor(&self) -> Option<usize> {
        Some(self.0.processor.get())
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
}

/// Samples at 100 Hz, with a cost at which the budget allows it.
fn sampling(fake: &Fake) -> (Sampling, Arc<Series>, Arc<Faults>, Receiver<LateEvent>) {
    fake.0.cost_ns.set(20_000);
    let series = Arc::new(Series::new(0, "made-up", 100));
    let faults = Arc::new(Faults::default());
    let (late_events, receiver) = sync_channel(1);
    // A known cost lets it begin at the rate that was asked for.
    let mut governor = Governor::new(1, Settings::default().budget, 100);
    (1..100).for_each(|second: u64| {
        governor.look(0, second * 1_000 * MS, second * 2 * MS, second * 100);
    });
    let shared = Shared {
        series: Arc::clone(&series),
        faults: Arc::clone(&faults),
        governor: Arc::new(Mutex::new(governor)),
        index: 0,
        stop: Arc::default(),
        late: Some(Late {
            threshold: Duration::from_millis(5),
            late_events,
            lates: None,
        }),
    };
    let own = Own {
        method: Box::new(fake.clone()),
        times: Box::new(fake.clone()),
        surroundings: Box::new(fake.clone()),
        thread: 7,
    };
    (Sampling::begin(shared, own), series, faults, receiver)
}

/// Makes these waits and returns what was counted.
fn made(waits: &[Wait]) -> (Arc<Series>, Arc<Faults>, Receiver<LateEvent>) {
    let fake = Fake::default();
    let (mut sampling, series, faults, late_events) = sampling(&fake);
    fake.0.waits.borrow_mut().extend(waits);
    for _ in waits {
        assert_eq!(sampling.step(), Step::GoesOn);
    }
    (series, faults, late_events)
}

fn late(late_ns: u64) -> Wait {
    Wait {
        late_ns,
        ..Wait::default()
    }
}

#[test]
fn a_lateness_has_two_parts() {
    let (series, ..) = made(&[
        late(60_000),
        Wait {
            queued_ns: 40_000,
            ..late(100_000)
        },
        // The account holds more than this wake-up.
        Wait {
            queued_ns: 900_000,
            ..late(10_000)
        },
    ]);
    assert_eq!(series.wakes.read().total(), 3);
    assert_eq!(series.wakes.read().sum_ns, 170_000);
    assert_eq!(series.queue_ns.load(Relaxed), 50_000);
    assert_eq!(series.timer_ns.load(Relaxed), 120_000);
    assert_eq!(series.deadlines.read(), series.wakes.read());
    assert_eq!(series.missed.load(Relaxed), 0);
}

#[test]
fn every_missed_deadline_is_counted_with_its_own_lateness() {
    let (series, ..) = made(&[late(35 * MS), late(0)]);
    assert_eq!(series.wakes.read().total(), 2);
    assert_eq!(series.missed.load(Relaxed), 3);
    let deadlines = series.deadlines.read();
    assert_eq!(
        deadlines.total(),
        5,
        "35, 25, 15 and 5 ms late, and one punctual"
    );
    assert_eq!(deadlines.sum_ns, u128::from(80 * MS));
}

#[test]
fn a_thread_that_does_not_get_to_its_wait_misses_deadlines_without_waking() {
    let dawdles = Wait {
        dawdles_ns: 25 * MS,
        ..late(0)
    };
    let (series, ..) = made(&[dawdles, late(0)]);
    assert_eq!(series.wakes.read().total(), 2);
    assert_eq!(series.missed.load(Relaxed), 2);
    assert_eq!(
        series.deadlines.read().sum_ns,
        u128::from(20 * MS),
        "15 and 5 ms late"
    );
}

#[test]
fn a_night_without_waking_is_counted_at_once() {
    let night = 12 * 3_600 * 1_000 * MS;
    let (series, ..) = made(&[late(night), late(0)]);
    assert_eq!(series.missed.load(Relaxed), 12 * 3_600 * 100);
}

#[test]
fn a_suspended_machine_is_not_late() {
    let suspended = Wait {
        suspended_ns: 3_600 * 1_000 * MS,
        ..late(50 * MS)
    };
    let (series, faults, late_events) = made(&[suspended, late(0)]);
    assert_eq!(series.wakes.read().total(), 1);
    assert_eq!(series.missed.load(Relaxed), 0);
    assert_eq!(faults.count(Fault::Throttled), 0);
    assert!(late_events.try_recv().is_err());
}

#[test]
fn a_throttled_watch_is_not_the_machine() {
    let held_back = Wait {
        throttled_ns: 38 * MS,
        ..late(40 * MS)
    };
    let (series, faults, late_events) = made(&[held_back, late(40 * MS)]);
    assert_eq!(faults.count(Fault::Throttled), 1);
    assert_eq!(series.wakes.read().total(), 1, "the second was the machine");
    assert_eq!(series.missed.load(Relaxed), 4);
    assert!(late_events.try_recv().is_ok());
}

#[test]
fn the_recorder_hears_of_late_wake_ups_and_nothing_waits_for_it() {
    let (series, _, late_events) = made(&[late(5 * MS), late(6 * MS), late(7 * MS)]);
    let late_event = late_events.try_recv().unwrap();
    assert_eq!(
        late_event.woke.duration_since(late_event.deadline),
        Duration::from_millis(6)
    );
    assert_eq!((late_event.processor, late_event.thread), (0, 7));
    assert!(late_events.try_recv().is_err(), "there was room for one");
    assert_eq!(series.wakes.read().total(), 3);
}

#[test]
fn a_thread_that_was_moved_counts_nothing() {
    let fake = Fake::default();
    let (mut sampling, series, ..) = sampling(&fake);
    let moves = Wait {
        moves: true,
        ..late(3 * MS)
    };
    fake.0.waits.borrow_mut().push_back(moves);
    assert_eq!(sampling.step(), Step::Moved);
    assert_eq!(series.wakes.read().total(), 0);
}

#[test]
fn a_wait_that_was_ended_counts_nothing() {
    let fake = Fake::default();
    let (mut sampling, series, ..) = sampling(&fake);
    sampling.shared.stop.store(true, Relaxed);
    assert_eq!(sampling.step(), Step::Stopped);
    assert_eq!(series.wakes.read().total(), 0);
}

#[test]
fn the_deadlines_stay_on_their_grid_however_late_waits_end() {
    let fake = Fake::default();
    let (mut sampling, ..) = sampling(&fake);
    let late_by = [700_000, 0, 12 * MS, 3 * MS, 900, 31 * MS];
    for round in 0..90 {
        fake.0
            .waits
            .borrow_mut()
            .push_back(late(late_by[round % 6]));
        sampling.step();
        let next = sampling.schedule.next_deadline().unwrap();
        assert_eq!(next.as_nanos() % (10 * MS), 0);
    }
}

#[test]
fn what_waits_cost_decides_the_rate() {
    let fake = Fake::default();
    let (mut sampling, series, faults, _) = sampling(&fake);
    assert_eq!(series.rate_millihertz.load(Relaxed), 100_000);
    let steps = |sampling: &mut Sampling, cost_ns, steps| {
        fake.0.cost_ns.set(cost_ns);
        (0..steps).for_each(|_| assert_eq!(sampling.step(), Step::GoesOn));
    };
    steps(&mut sampling, 100_000, 3_000);
    let (spent, began) = (fake.0.spent.get(), fake.0.now.get());
    steps(&mut sampling, 100_000, 3_000);
    let share = (fake.0.spent.get() - spent) as f64 / (fake.0.now.get() - began) as f64;
    assert!((0.004..=0.005).contains(&share), "{share}");
    assert_eq!(faults.count(Fault::Budget), 0);
    steps(&mut sampling, 900_000, 500);
    assert_eq!(faults.count(Fault::Budget), 1, "said once");
    assert!(series.rate_millihertz.load(Relaxed) < 10_000);
    let counted = series.processor_ns.load(Relaxed);
    assert!(fake.0.spent.get() - counted < 1_000 * MS, "{counted}");
}

proptest! {
    #[test]
    fn it_counts_what_a_loop_over_the_deadlines_counts(
        lateness_ns in 0_u64..20_000_000_000,
        hertz in 10_000_u64..1_000_000,
        share in 0.0_f64..1.0,
    ) {
        let period = Period::from_hertz_fraction(hertz, 1_000);
        let (numerator, denominator) = period.to_nanos_fraction();
        let most = lateness_ns * denominator / numerator;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "thousands")]
        let how_many = (most as f64 * share) as u64;
        let (closed, looped) = (Histogram::default(), Histogram::default());
        count(&closed, lateness_ns, period, how_many);
        for index in 1..=how_many {
            looped.count(lateness_ns - index * numerator / denominator);
        }
        let (closed, looped) = (closed.read(), looped.read());
        prop_assert_eq!(closed.counts, looped.counts);
        prop_assert!(closed.sum_ns.abs_diff(looped.sum_ns) <= u128::from(how_many) + 50);
    }
}

#[test]
fn a_night_takes_no_time() {
    let night_ns = 12 * 3_600 * 1_000_000_000;
    let histogram = Histogram::default();
    let how_many = 12 * 3_600 * 1_000;
    count(&histogram, night_ns, Period::from_hertz(1_000), how_many);
    let read = histogram.read();
    assert_eq!(read.total(), how_many);
    assert_eq!(read.counts[0], 1, "the last deadline had just come");
    let mean = read.sum_ns / u128::from(how_many);
    assert!(mean.abs_diff(u128::from(night_ns) / 2) <= 1_000_000);
}
