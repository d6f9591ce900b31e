//! The steps of a running program that await something.

use super::log::{Awaited, What};
use super::program::Await;
use super::world::World;
use punctual::Os;
use punctual::driver::TimedOut;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

impl<O: Os> World<O> {
    /// Runs a task to its end on the calling thread.
    pub fn wait_for(&self, what: Await) {
        punctual::block_on(&self.os, run(self, what));
    }
}

async fn run<O: Os>(world: &World<O>, what: Await) {
    match what {
        Await::Sleep { after, width } => {
            let (window, at) = world.window(after, width);
            let wait = world.next_wait();
            world.log.note(What::Await {
                wait,
                window,
                limit: None,
                at,
            });
            let end = world.timers.sleep_until(window).await;
            awaited(world, wait, end.map_or(Awaited::ShutDown, Awaited::Ready));
        }
        Await::Reset { after, then } => {
            let mut sleep = world.timers.sleep(Duration::from_nanos(after));
            poll_once(&mut sleep).await;
            let (window, at) = world.window(then, 0);
            let wait = world.next_wait();
            world.log.note(What::Await {
                wait,
                window,
                limit: None,
                at,
            });
            sleep.reset(window);
            let end = sleep.await;
            awaited(world, wait, end.map_or(Awaited::ShutDown, Awaited::Ready));
        }
        Await::Timeout { limit, after } => {
            let (window, at) = world.window(after, 0);
            let limit = world.window(limit, 0).0;
            let wait = world.next_wait();
            let times_out_at = Some(limit.earliest());
            world.log.note(What::Await {
                wait,
                window,
                limit: times_out_at,
                at,
            });
            let sleep = world.timers.sleep_until(window);
            let end = match world.timers.timeout_at(limit, sleep).await {
                Ok(Ok(woke)) => Awaited::Ready(woke),
                Err(TimedOut::Elapsed) => Awaited::TimedOut,
                _ => Awaited::ShutDown,
            };
            awaited(world, wait, end);
        }
        Await::Ticks { every, count, work } => {
            let (wait, at) = (world.next_wait(), world.os.now());
            world.log.note(What::Ticker {
                wait,
                every,
                start: Some(at),
                cancel: None,
                at,
            });
            let mut ticks = world.timers.ticks(every.from(at));
            for _ in 0..count {
                let tick = ticks.next().await;
                let at = world.os.now();
                // Other threads do this thread's waits.
                let calls = punctual_sim::faults::Calls::default();
                world.log.note(What::TickOf {
                    wait,
                    tick,
                    calls,
                    at,
                });
                if tick.is_none() {
                    break;
                }
                world.work(work);
            }
        }
        Await::Abandon { after } => {
            let mut sleep = world.timers.sleep(Duration::from_nanos(after));
            poll_once(&mut sleep).await;
        }
    }
}

fn awaited<O: Os>(world: &World<O>, wait: usize, end: Awaited) {
    let at = world.os.now();
    world.log.note(What::Awaited { wait, end, at });
}

async fn poll_once<F: Future + Unpin>(future: &mut F) {
    let mut future = pin!(future);
    poll_fn(|context| {
        let _ = Pin::new(&mut future).poll(context);
        Poll::Ready(())
    })
    .await;
}
