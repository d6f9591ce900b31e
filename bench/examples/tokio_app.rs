//! A server on tokio that gives each request half a millisecond, and reports beside that: with
//! tokio's timers, and with Punctual's.
//!
//! What they do not share is the precision: tokio's timers go by milliseconds.

use punctual::Driver;
use std::error::Error;
use std::future::pending;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::yield_now;

const LIMIT: Duration = Duration::from_micros(500);

mod with_tokio {
    use super::{LIMIT, Receiver, answer};
    use std::time::Duration;
    use tokio::time::{Instant, interval, timeout};

    pub async fn serve(mut requests: Receiver<u32>) {
        let mut reports = interval(Duration::from_millis(100));
        let (mut answered, mut given_up, mut waited) = (0, 0, Duration::ZERO);
        loop {
            tokio::select! {
                _ = reports.tick() => println!("  {answered} answered, {given_up} given up"),
                request = requests.recv() => {
                    let Some(request) = request else { break };
                    let began = Instant::now();
                    match timeout(LIMIT, answer(request)).await {
                        Ok(()) => answered += 1,
                        Err(_) => (given_up, waited) = (given_up + 1, waited + began.elapsed()),
                    }
                }
            }
        }
        println!("tokio gave up after {:?} each", waited / given_up);
    }
}

mod with_punctual {
    use super::{LIMIT, Receiver, answer};
    use punctual::Handle;
    use std::time::Duration;

    pub async fn serve(timers: Handle, mut requests: Receiver<u32>) {
        let mut reports = timers.ticker(Duration::from_millis(100));
        let (mut answered, mut given_up, mut waited) = (0, 0, Duration::ZERO);
        loop {
            tokio::select! {
                Some(_) = reports.next() => println!("  {answered} answered, {given_up} given up"),
                request = requests.recv() => {
                    let Some(request) = request else { break };
                    let began = timers.now();
                    match timers.timeout(LIMIT, answer(request)).await {
                        Ok(()) => answered += 1,
                        Err(_) => (given_up, waited) = (given_up + 1, waited + (timers.now() - began)),
                    }
                }
            }
        }
        println!("Punctual gave up after {:?} each", waited / given_up);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    with_tokio::serve(requests()).await;
    // As the attribute above makes a runtime, this makes a driver.
    let driver = Driver::new().start()?;
    with_punctual::serve(driver.handle(), requests()).await;
    Ok(())
}

fn requests() -> Receiver<u32> {
    let (sender, receiver) = channel(16);
    tokio::spawn(async move {
        for request in 0..600 {
            sender.send(request).await?;
        }
        Ok::<(), tokio::sync::mpsc::error::SendError<u32>>(())
    });
    receiver
}

/// Stands for a service that answers half of its requests at once, and the others never.
async fn answer(request: u32) {
    match request % 2 {
        0 => yield_now().await,
        _ => pending().await,
    }
}
