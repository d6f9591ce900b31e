//! On tokio with its clock paused: no type parameter, and all that waits is `async`.

use tokio::time::{Duration, Instant, sleep};

struct Uplink {
    shortest: Duration,
    longest: Duration,
}

impl Uplink {
    fn new() -> Self {
        Self {
            shortest: Duration::from_millis(100),
            longest: Duration::from_secs(3600),
        }
    }

    async fn deliver(&mut self, mut attempt: impl FnMut() -> bool) -> Duration {
        let start = Instant::now();
        let mut delay = self.shortest;
        while !attempt() {
            sleep(delay).await;
            delay = self.longest.min(delay * 2);
        }
        start.elapsed()
    }
}

async fn it_never_waits_for_more_than_an_hour_at_once() {
    let year = Duration::from_secs(365 * 24 * 3600);
    let line_back_at = Instant::now() + year;

    let mut attempts = 0;
    let took = Uplink::new()
        .deliver(|| {
            attempts += 1;
            Instant::now() >= line_back_at
        })
        .await;

    assert!(took >= year && took <= year + Duration::from_secs(3600));
    assert_eq!(attempts, 1 + 16 + 8_759);
    println!("tested: {attempts} attempts in a year without a line");
}

pub fn main() -> std::io::Result<()> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let paused = builder.enable_time().start_paused(true).build()?;
    paused.block_on(it_never_waits_for_more_than_an_hour_at_once());

    let runtime = builder.start_paused(false).build()?;
    let mut failures = 3;
    let took = runtime.block_on(Uplink::new().deliver(|| {
        failures -= 1;
        failures < 0
    }));
    println!("in real time: delivered after {took:?}");
    Ok(())
}
