//! A driver: one thread for everything that is to happen at some time.
//!
//! Shows: callbacks once and repeating, a tolerance that saves wake-ups, a timer that is moved, a task
//! that awaits ticks, and what the driver counted.

use punctual::driver::Handle;
use punctual::timers::Window;
use punctual::{Driver, Native, Period, block_on};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let os = Native::new();
    let driver = Driver::new().start()?;
    let timers = driver.handle();

    // A metronome at 120 beats a minute. Every hour has exactly 7,200.
    let mut worst = Duration::ZERO;
    let beat = timers.every(Period::from_hertz(2), move |tick| {
        worst = worst.max(tick.lateness());
        println!("beat {}, at worst {worst:?} late", tick.index);
    })?;

    // Housekeeping is in no hurry: within a tenth of a second after its deadline is fine, so that
    // the processor need not wake for it alone.
    let whenever = timers.tolerating(Duration::from_millis(100));
    whenever.every(Period::from_hertz(4), |tick| {
        println!("    housekeeping {}", tick.index);
    })?;

    // Once, and moved before it came.
    let soon = os.now() + Duration::from_millis(100);
    let reminder = timers.once(soon, |firing| {
        println!("  reminded, {:?} late", firing.lateness());
    })?;
    reminder.reschedule(Window::tolerating(
        soon + Duration::from_millis(900),
        Duration::from_millis(5),
    ));

    // A task, on any executor.
    block_on(&os, countdown(&timers))?;
    beat.cancel();

    driver.shut_down()?;
    let counters = timers.counters();
    println!(
        "{} fired with {} wake-ups",
        counters.fired, counters.wakeups
    );
    Ok(())
}

async fn countdown(timers: &Handle) -> Result<(), Box<dyn Error>> {
    let mut seconds = timers.ticker(Period::from_hertz(1));
    for left in (0..=2).rev() {
        seconds.next().await.ok_or("the driver was shut down")?;
        println!("  {left} s left");
    }
    timers.sleep(Duration::from_millis(50)).await?;
    Ok(())
}
