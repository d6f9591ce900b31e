//! Loops beside the ticks of a kernel: one that may choose its start keeps away from them.

use punctual::{Cancel, Driver, Ended, Instant, Os, Period, Phase, Sleeper, Ticker};
use punctual_sim::random::Spread;
use punctual_sim::{KernelTicks, Plain, Setup, SimOs, simulate};
use std::sync::mpsc;
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// A kernel with 250 ticks a second, each of which takes up to some 45 µs of each processor.
fn run<T: Send + 'static>(body: impl FnOnce(SimOs) -> T + Send + 'static) -> T {
    let plain = Plain {
        wake_latency: Spread::new(5 * MICROSECOND, 10 * MICROSECOND, 30 * MICROSECOND),
        ticks: Some(KernelTicks {
            interval: 4 * MILLISECOND,
            length: Spread::new(5 * MICROSECOND, 20 * MICROSECOND, 45 * MICROSECOND),
        }),
        ..Plain::default()
    };
    simulate(Setup::default(), plain, body).unwrap().value
}

const WAITS: usize = 4_000;

fn late_share(mut ticker: Ticker<SimOs>) -> (f64, Phase) {
    let late = ticker.by_ref().take(WAITS);
    let late = late.filter(|tick| tick.lateness() > MICROSECOND).count();
    (late as f64 / WAITS as f64, ticker.phase())
}

#[test]
fn a_ticker_that_chooses_its_start_is_not_late_because_of_ticks() {
    let (chosen, phase) = run(|os| {
        // Asked for just before a tick.
        os.compute(4 * MILLISECOND - 20 * MICROSECOND);
        late_share(Ticker::with_sleeper(Sleeper::on(os), MILLISECOND))
    });
    assert_eq!(phase, Phase::OffTicks);
    let (given, phase) = run(|os| {
        let at_ticks = Instant::ZERO + 8 * MILLISECOND;
        late_share(Ticker::with_sleeper(Sleeper::on(os), MILLISECOND).starting_at(at_ticks))
    });
    assert_eq!(phase, Phase::AsAsked);
    assert!(given > 0.2, "one in four meets a tick: {given}");
    assert!(chosen < 0.02, "the late rate is 1 %: {chosen}");
}

/// Where a ticker starts that is asked for its first tick at some time.
fn start(asked: Duration, period: Period, coarse: bool) -> (Instant, Instant, Phase) {
    run(move |os| {
        os.compute(asked);
        let sleeper = Sleeper::on(os);
        let sleeper = if coarse { sleeper.coarse() } else { sleeper };
        let mut ticker = Ticker::with_sleeper(sleeper, period);
        let asked = os.now();
        let first = ticker.tick().unwrap();
        (asked, first.deadline, ticker.phase())
    })
}

#[test]
fn every_deadline_keeps_away_and_the_first_comes_soon() {
    // The common measure of each period and 4 ms, in microseconds.
    let fitting = [
        (1_000, 1_000),
        (250, 250),
        (4_000, 4_000),
        (20_000, 4_000),
        (1_500, 500),
    ];
    for (period, room) in fitting {
        let (period, room) = (period * MICROSECOND, room * MICROSECOND);
        for asked in (0..4_000).step_by(37) {
            let (asked, first, phase) =
                start(asked * MICROSECOND, period.try_into().unwrap(), false);
            assert_eq!(phase, Phase::OffTicks);
            assert!(asked <= first && first <= asked + room / 2 + MICROSECOND);
            let place = first.as_nanos() % u64::try_from(room.as_nanos()).unwrap();
            let place = Duration::from_nanos(place);
            assert!(
                room / 4 <= place && place <= room * 3 / 4,
                "{place:?} of {room:?}"
            );
        }
    }
}

#[test]
fn a_loop_without_room_starts_when_asked() {
    for (period, coarse) in [
        (Period::from_hertz(60), false),
        (Period::from_hertz(10_000), false),
        (Period::from_hertz(1_000), true),
    ] {
        let (asked, first, phase) = start(3_990 * MICROSECOND, period, coarse);
        assert_eq!(phase, Phase::AsAsked);
        assert!(first <= asked + MICROSECOND);
    }
}

#[test]
fn a_ticker_that_was_cancelled_before_its_start_has_no_tick() {
    run(|os| {
        for _ in 0..2_000 {
            os.compute(7 * MICROSECOND);
            let cancel = Cancel::on(os);
            cancel.cancel();
            let ticker = Ticker::with_sleeper(Sleeper::on(os), MILLISECOND);
            assert_eq!(ticker.cancelled_by(cancel).tick(), Err(Ended::Cancelled));
        }
    });
}

#[test]
fn a_changed_period_or_start_is_no_phase_of_its_own_choice() {
    run(|os| {
        let mut ticker = Ticker::with_sleeper(Sleeper::on(os), MILLISECOND);
        ticker.tick().unwrap();
        assert_eq!(ticker.phase(), Phase::OffTicks);
        ticker.set_period(2 * MILLISECOND);
        assert_eq!(ticker.phase(), Phase::AsAsked);
        ticker.restart();
        ticker.tick().unwrap();
        assert_eq!(ticker.phase(), Phase::OffTicks);
        ticker.restart_at(os.now());
        assert_eq!(ticker.phase(), Phase::AsAsked);
    });
}

#[test]
fn a_driver_that_repeats_every_period_keeps_away_too() {
    let places = run(|os| {
        os.compute(4 * MILLISECOND - 20 * MICROSECOND);
        let driver = Driver::on(os).start().unwrap();
        let (send, receive) = mpsc::channel();
        let timers = driver.handle();
        let beat = timers.every(MILLISECOND, move |tick| send.send(tick.deadline).unwrap());
        let beat = beat.unwrap();
        Sleeper::on(os).sleep(10 * MILLISECOND);
        beat.cancel();
        driver.shut_down().unwrap();
        receive.try_iter().collect::<Vec<_>>()
    });
    assert!(places.len() >= 9);
    for deadline in places {
        let place = deadline.as_nanos() % 1_000_000;
        assert!((250_000..=750_000).contains(&place), "{place}");
    }
}
