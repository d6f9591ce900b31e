//! Sleeper and Ticker on every version, with waits, work and phases of every length.

use super::Bench;
use super::fake::VERSIONS;
use crate::os::Os;
use crate::{Period, Sleeper, Ticker};
use proptest::prelude::*;
use std::time::Duration;

proptest! {
    #[test]
    fn no_sleep_is_early_and_none_outlasts_the_tick_after(
        version in prop::sample::select(VERSIONS.to_vec()),
        phase in 0_u64..16_000_000,
        steps in prop::collection::vec((0_u64..60_000_000, 0_u64..4_000_000), 1..30),
    ) {
        let bench = Bench::new(version);
        bench.fake.advance(phase);
        let _request = bench.os.request().unwrap();
        bench.fake.advance(16_000_000);
        let mut sleeper = Sleeper::on(bench.os.clone()).coarse();
        for (wait, work) in steps {
            let wake = sleeper.sleep(Duration::from_nanos(wait));
            prop_assert!(wake.woke >= wake.deadline);
            prop_assert!(wake.lateness() < Duration::from_micros(1_020), "{:?}", wake);
            bench.fake.advance(work);
        }
    }

    #[test]
    fn nothing_is_held_after_any_wait(
        version in prop::sample::select(VERSIONS.to_vec()),
        waits in prop::collection::vec(
            (0_u64..60_000_000, 0_u64..40_000_000, prop::option::of(0_u64..60_000_000)),
            1..20,
        ),
    ) {
        let bench = Bench::new(version);
        for (ahead, tolerance, rings) in waits {
            bench.os.hush(&bench.bell);
            if let Some(later) = rings {
                let at = bench.fake.state().now + later;
                bench.fake.ring_at(bench.bell.event(), at);
            }
            bench.wait(Duration::from_nanos(ahead), Duration::from_nanos(tolerance));
            prop_assert!(bench.fake.state().requests.is_empty());
        }
        let throttling = bench.fake.state().throttling;
        prop_assert_eq!(throttling, version.throttling.unwrap_or_default());
    }
}

#[test]
fn a_ticker_does_not_drift() {
    for version in VERSIONS {
        let bench = Bench::new(version);
        let period = Period::from_hertz(60);
        let mut ticker = Ticker::with_sleeper(Sleeper::on(bench.os.clone()), period);
        let first = ticker.tick().unwrap();
        let mut last = first;
        while last.index < 120 {
            last = ticker.tick().unwrap();
            assert!(last.woke >= last.deadline);
        }
        let two_seconds = last.deadline.duration_since(first.deadline);
        assert_eq!(two_seconds, Duration::from_secs(2), "{version:?}");
    }
}
