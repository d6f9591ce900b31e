//! Code of one's own, tested in virtual time.
//!
//! Shows: a type that is generic over the operating system, with the machine the program runs on as
//! its default. The program makes it on `Native`; its tests make it on a `VirtualOs` and wait for
//! years in no time. A program of several threads is tested likewise on the simulated machines
//! of the crate `punctual-sim`.

use punctual::{Native, Os, Sleeper, VirtualOs};
use std::time::Duration;

/// Delivers reports over a line that fails, waiting twice as long after each failure.
struct Uplink<O: Os = Native> {
    sleeper: Sleeper<O>,
    shortest: Duration,
    longest: Duration,
}

impl<O: Os> Uplink<O> {
    fn on(os: O) -> Self {
        Self {
            // Nothing minds a few microseconds here, so none are spun.
            sleeper: Sleeper::on(os).coarse(),
            shortest: Duration::from_millis(100),
            longest: Duration::from_secs(3600),
        }
    }

    /// Tries until it succeeds, and returns how long that took.
    fn deliver(&mut self, mut attempt: impl FnMut() -> bool) -> Duration {
        let start = self.sleeper.now();
        let mut delay = self.shortest;
        while !attempt() {
            self.sleeper.sleep(delay);
            delay = self.longest.min(delay * 2);
        }
        self.sleeper.now() - start
    }
}

/// In a program of one's own this is a `#[test]`.
fn it_never_waits_for_more_than_an_hour_at_once() {
    let os = VirtualOs::new();
    let year = Duration::from_secs(365 * 24 * 3600);
    let line_back_at = os.now() + year;

    let mut attempts = 0;
    let took = Uplink::on(os.clone()).deliver(|| {
        attempts += 1;
        os.now() >= line_back_at
    });

    assert!(took >= year && took <= year + Duration::from_secs(3600));
    // The first, 16 after delays that double, and then one an hour.
    assert_eq!(attempts, 1 + 16 + 8_759);
    println!("tested: {attempts} attempts in a year without a line");
}

fn main() {
    it_never_waits_for_more_than_an_hour_at_once();

    let mut failures = 3;
    let took = Uplink::on(Native::new()).deliver(|| {
        failures -= 1;
        failures < 0
    });
    println!("in real time: delivered after {took:?}");
}
