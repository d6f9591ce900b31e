//! Two sensors sampled at 1 kHz and 50 Hz by tasks on smol, each reading given half a millisecond: with
//! smol's timers, and with Punctual's.
//!
//! Ticks are a `Stream` with the feature `stream`, so that smol's combinators work on them. They say
//! what was missed; smol's say when they should have come, and what was missed comes in a burst.

use punctual::{Driver, LatenessStats};
use smol::future::{pending, yield_now, zip};
use std::error::Error;
use std::time::Duration;

const LIMIT: Duration = Duration::from_micros(500);

mod with_smol {
    use super::{LIMIT, read};
    use punctual::{Arrival, LatenessStats, Native};
    use smol::Timer;
    use smol::future::or;
    use smol::stream::StreamExt;
    use std::time::Duration;

    pub async fn sample(rate: u32) -> (LatenessStats, usize) {
        let os = Native::new();
        let period = Duration::from_secs(1) / rate;
        let mut ticks = Timer::interval(period).enumerate().take(rate as usize);
        let (mut stats, mut lost) = (LatenessStats::new(), 0);
        while let Some((index, deadline)) = ticks.next().await {
            stats.record(Arrival::new(os.instant_from_std(deadline), os.now()));
            let reading = async { Some(read(index as u64).await) };
            let timeout = async {
                Timer::after(LIMIT).await;
                None
            };
            lost += usize::from(or(reading, timeout).await.is_none());
        }
        (stats, lost)
    }
}

mod with_punctual {
    use super::{LIMIT, read};
    use punctual::{Handle, LatenessStats, Period};
    use smol::stream::StreamExt;

    pub async fn sample(timers: &Handle, rate: u32) -> (LatenessStats, usize) {
        let period = Period::from_hertz(rate.into());
        let mut ticks = timers.ticker(period).take(rate as usize);
        let (mut stats, mut lost) = (LatenessStats::new(), 0);
        while let Some(tick) = ticks.next().await {
            stats.record(tick);
            lost += usize::from(timers.timeout(LIMIT, read(tick.index)).await.is_err());
        }
        (stats, lost)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let both = smol::block_on(zip(with_smol::sample(1_000), with_smol::sample(50)));
    report("smol", &both.0);
    report("smol", &both.1);

    let driver = Driver::new().start()?;
    let timers = driver.handle();
    let tasks = zip(
        with_punctual::sample(&timers, 1_000),
        with_punctual::sample(&timers, 50),
    );
    let both = smol::block_on(tasks);
    report("Punctual", &both.0);
    report("Punctual", &both.1);
    Ok(())
}

fn report(timers: &str, (stats, lost): &(LatenessStats, usize)) {
    println!("{timers}: {}, {lost} readings lost", stats.summary());
}

/// Stands for a sensor that does not answer every tenth time.
async fn read(index: u64) -> u32 {
    match index % 10 {
        9 => pending().await,
        _ => {
            yield_now().await;
            21
        }
    }
}
