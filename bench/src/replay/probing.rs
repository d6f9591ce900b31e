//! SDL 3's rule, which learns within each wait and forgets after it.

use super::Outcome;
use super::trace::Trace;

/// What `SDL_DelayPrecise` sleeps at a time.
const PROBE_NANOS: u64 = 1_000_000;

/// The recorded latencies, each in turn until there are no more.
struct Latencies<'a> {
    all: std::slice::Iter<'a, u64>,
    /// Whether there were as many as were wanted.
    complete: bool,
}

impl Latencies<'_> {
    fn next(&mut self) -> u64 {
        self.all.next().copied().unwrap_or_else(|| {
            self.complete = false;
            0
        })
    }
}

/// `SDL_DelayPrecise` once a period, for as long as there are latencies.
///
/// It sleeps in probes of one millisecond while more than the longest probe so far is left; then,
/// by what the worst probe was too long, less than what is left; then in milliseconds again, should
/// more than one be left; and spins for the rest. A recording holds one latency for each period,
/// and a wait of 16 ms has up to fifteen probes. This takes the latencies as the probes' in the
/// order they were recorded, so a wait uses up several, and there are fewer waits than latencies.
/// (Its probes would in truth be shorter waits than the recorded ones, which come back a little
/// sooner.) A wait of one millisecond has no probes and no margin.
pub fn replay(trace: &Trace) -> Outcome {
    let mut outcome = Outcome::default();
    let mut latencies = Latencies {
        all: trace.latencies_ns.iter(),
        complete: true,
    };
    loop {
        let (woke, spun) = wait(trace.period_ns, &mut latencies);
        if !latencies.complete {
            return outcome;
        }
        outcome.waits += 1;
        outcome.late += u64::from(woke > trace.period_ns);
        outcome.spun_ns += u128::from(spun);
        outcome.elapsed_ns += u128::from(woke.max(trace.period_ns));
    }
}

/// When the last sleep ended, from the wait's start, and how long was spun after it.
fn wait(target: u64, latencies: &mut Latencies<'_>) -> (u64, u64) {
    let mut now = 0;
    let mut longest = PROBE_NANOS;
    while now + longest < target {
        let probe = PROBE_NANOS + latencies.next();
        longest = longest.max(probe);
        now += probe;
    }
    let margin = longest - PROBE_NANOS;
    if now + margin < target {
        now = target - margin + latencies.next();
    }
    while now + PROBE_NANOS < target {
        now += PROBE_NANOS + latencies.next();
    }
    (now, target.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replayed(period_ns: u64, latencies_ns: &[u64]) -> Outcome {
        replay(&Trace {
            name: "made up".to_owned(),
            period_ns,
            latencies_ns: latencies_ns.to_vec(),
        })
    }

    #[test]
    fn a_wait_of_one_millisecond_is_never_spun() {
        let outcome = replayed(1_000_000, &[20_000, 30_000, 10_000]);
        assert_eq!((outcome.waits, outcome.late, outcome.spun_ns), (3, 3, 0));
    }

    #[test]
    fn the_worst_probe_of_a_wait_is_its_margin() {
        // Two probes, 100 and 300 µs late; the third sleep ends 300 - 50 µs before the deadline.
        let outcome = replayed(3_600_000, &[100_000, 300_000, 50_000]);
        assert_eq!((outcome.waits, outcome.late), (1, 0));
        assert_eq!(outcome.spun_ns, 250_000);
        // As before, but the third sleep is later than either probe.
        let outcome = replayed(3_600_000, &[100_000, 300_000, 400_000]);
        assert_eq!((outcome.waits, outcome.late), (1, 1));
    }

    #[test]
    fn a_wait_that_the_recording_does_not_finish_is_left_out() {
        assert_eq!(replayed(3_600_000, &[100_000, 300_000]).waits, 0);
    }
}
