//! How far the wall clock is ahead of the clock of the trace, so that a wake-up is found again in other
//! logs.

use punctual::Os;
use punctual_data::quantity;
use std::time::{Duration, SystemTime};

/// The number of readings. The fastest counts, because nothing came between its parts.
const READINGS: usize = 5;

/// A greater change is no slowness of a reading. The clock was set. (What corrects its rate changes
/// both clocks alike.)
const LEAST_STEP: Duration = Duration::from_millis(1);

/// How far the wall clock (UTC, since 1970) is ahead of a machine's own, in nanoseconds. `None` before
/// 1970 and after 2262.
pub fn ahead_ns(machine: &impl Os) -> Option<i64> {
    let readings = (0..READINGS).filter_map(|_| {
        let before = machine.now();
        let wall = SystemTime::now();
        let took = machine.now().duration_since(before);
        let wall = wall.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let wall_ns = i64::try_from(wall.as_nanos()).ok()?;
        let own_ns = i64::try_from((before + took / 2).as_nanos()).ok()?;
        Some((took, wall_ns.checked_sub(own_ns)?))
    });
    readings.min().map(|(_, ahead_ns)| ahead_ns)
}

/// What happened to the wall clock meanwhile, as a sentence, if it was set.
pub fn change(before_ns: Option<i64>, after_ns: Option<i64>) -> Option<String> {
    let step_ns = after_ns?.checked_sub(before_ns?)?;
    let step = Duration::from_nanos(step_ns.unsigned_abs());
    let way = if step_ns > 0 { "forward" } else { "back" };
    (step > LEAST_STEP).then(|| {
        format!(
            "the wall clock was set {way} by {}; times of day here are those of the clock before",
            quantity::show(step)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Instant;
    use punctual::Native;

    #[test]
    fn both_clocks_together_tell_the_time_of_day() {
        let Ok(machine) = Native::detect() else {
            return println!("skipped: no way of waiting here");
        };
        let before = SystemTime::now();
        let ahead_ns = ahead_ns(&machine).unwrap();
        let own = Os::now(&machine).duration_since(Instant::ZERO);
        let told = Duration::from_nanos(u64::try_from(ahead_ns).unwrap()) + own;
        let since_1970 = before.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        // However long the readings were interrupted.
        assert!(told.abs_diff(since_1970) < Duration::from_secs(3_600));
    }

    #[test]
    fn only_a_clock_that_was_set_is_worth_a_sentence() {
        let change = |before, after| change(Some(before), Some(after));
        assert_eq!(change(5_000_000_000, 5_000_300_000), None);
        let forward = change(5_000_000_000, 8_000_000_000).unwrap();
        assert!(forward.contains("forward by 3.00 s"), "{forward}");
        assert!(
            change(8_000_000_000, 5_000_000_000)
                .unwrap()
                .contains("back by 3.00 s")
        );
        assert_eq!(super::change(None, Some(5)), None);
        assert_eq!(change(i64::MIN, i64::MAX), None);
    }
}
