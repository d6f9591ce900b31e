//! What is not the machine's lateness: suspended machines, stepped clocks, and the watch's own quota.
//!
//! It reads no clock: the readings are passed in.

use std::time::Duration;

/// The clocks of a machine, read at one moment, each since a zero of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// Time that the machine was awake.
    pub awake_ns: u64,
    /// The same, and the time for which it was suspended.
    pub boot_ns: u64,
    /// The time of day.
    pub wall_ns: u64,
}

/// What happened to a machine's clocks between two looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    /// It was suspended for so long.
    Suspended(Duration),
    /// The time of day was put forward by so many nanoseconds, or back.
    Stepped(i64),
}

/// A machine cannot be suspended for less: to freeze its programs and its devices takes longer.
const SHORTEST_SUSPEND: Duration = Duration::from_millis(100);

/// NTP slews a clock by less than this, at most 0.05 % in the two seconds between looks; a step is greater.
const SMALLEST_STEP_NS: u64 = 50_000_000;

/// Slewing by 500 ppm, the most that Linux does, as a divisor: <https://man7.org/linux/man-pages/man2/adjtimex.2.html>.
const SLEWED: u64 = 2_000;

/// Compares each reading of the clocks with the one before.
#[derive(Debug, Default)]
pub struct ClockWatch {
    last: Option<Clocks>,
}

impl ClockWatch {
    /// What happened since the last look; nothing at the first.
    pub fn look(&mut self, now: Clocks) -> impl Iterator<Item = Happened> + use<> {
        let last = self.last.replace(now).unwrap_or(now);
        let passed = now.boot_ns.saturating_sub(last.boot_ns);
        let asleep = Duration::from_nanos(suspended_ns(last, now));
        let suspended = (asleep >= SHORTEST_SUSPEND).then_some(Happened::Suspended(asleep));
        let expected = last.wall_ns.saturating_add(passed);
        let step = i128::from(now.wall_ns) - i128::from(expected);
        let step = i64::try_from(step).unwrap_or(i64::MAX);
        let is_step = step.unsigned_abs() > SMALLEST_STEP_NS + passed / SLEWED;
        let stepped = is_step.then_some(Happened::Stepped(step));
        suspended.into_iter().chain(stepped)
    }
}

/// By how much the clock that includes suspension has moved more than the other.
fn suspended_ns(last: Clocks, now: Clocks) -> u64 {
    let passed = now.boot_ns.saturating_sub(last.boot_ns);
    passed.saturating_sub(now.awake_ns.saturating_sub(last.awake_ns))
}

/// Why a wake-up was late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The machine: it is counted.
    Machine,
    /// The machine was suspended.
    Suspended,
    /// The quota of a group in which the watch runs: other programs of the machine were not held back.
    Throttled,
}

/// Whose fault a late wake-up is. `suspended` and `throttled` are how long the machine was suspended and the
/// watch's groups were held back since the wake-up before, or somewhat longer.
pub fn blame(lateness: Duration, suspended: Duration, throttled: Duration) -> Blame {
    if suspended >= SHORTEST_SUSPEND {
        Blame::Suspended
    // A group is held back on all its processors at once, so this is less than the sum when it is the reason.
    } else if !throttled.is_zero() && throttled >= lateness / 2 {
        Blame::Throttled
    } else {
        Blame::Machine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn at(awake: u64, boot: u64, wall: u64) -> Clocks {
        Clocks {
            awake_ns: awake,
            boot_ns: boot,
            wall_ns: wall,
        }
    }

    fn between(last: Clocks, now: Clocks) -> Vec<Happened> {
        let mut watch = ClockWatch::default();
        assert_eq!(watch.look(last).count(), 0, "nothing is known at first");
        watch.look(now).collect()
    }

    #[test]
    fn clocks_that_keep_together_say_nothing() {
        let wall = 1_800_000_000 * SECOND;
        let (last, now) = (
            at(0, 5, wall),
            at(2 * SECOND, 2 * SECOND + 5, wall + 2 * SECOND),
        );
        assert_eq!(between(last, now), []);
        let slewed = at(2 * SECOND, 2 * SECOND, wall + 2 * SECOND + 1_000_000);
        assert_eq!(between(at(0, 0, wall), slewed), []);
    }

    #[test]
    fn a_suspended_machine_is_no_step_of_the_clock() {
        let now = at(2 * SECOND, 3_602 * SECOND, 3_602 * SECOND);
        let hour = Duration::from_secs(3_600);
        assert_eq!(between(at(0, 0, 0), now), [Happened::Suspended(hour)]);
    }

    #[test]
    fn a_step_forward_and_back() {
        let day = 86_400 * SECOND;
        let forward = between(at(0, 0, day), at(2 * SECOND, 2 * SECOND, day + 3 * SECOND));
        assert_eq!(forward, [Happened::Stepped(1_000_000_000)]);
        let back = between(at(0, 0, day), at(2 * SECOND, 2 * SECOND, day + SECOND));
        assert_eq!(back, [Happened::Stepped(-1_000_000_000)]);
        let far = between(at(0, 0, 0), at(SECOND, SECOND, u64::MAX));
        assert_eq!(far, [Happened::Stepped(i64::MAX)]);
    }

    #[test]
    fn whose_fault_it_was() {
        let ms = Duration::from_millis;
        let late = ms(40);
        assert_eq!(blame(late, ms(0), ms(0)), Blame::Machine);
        assert_eq!(
            blame(late, ms(0), ms(3)),
            Blame::Machine,
            "held back for less"
        );
        assert_eq!(blame(late, ms(0), ms(38)), Blame::Throttled);
        assert_eq!(blame(late, ms(7_000), ms(38)), Blame::Suspended);
    }
}
