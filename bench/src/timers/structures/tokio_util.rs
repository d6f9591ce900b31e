//! tokio-util's `DelayQueue` on a current-thread runtime whose clock is paused: ticks of a
//! millisecond.

use super::{Payload, Queue};
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::unconstrained;
use tokio::time::{Instant, advance};
use tokio_util::time::DelayQueue;
use tokio_util::time::delay_queue::Key;

pub struct TokioUtil {
    runtime: Runtime,
    queue: DelayQueue<Payload>,
    epoch: Instant,
    now: u64,
}

impl Queue for TokioUtil {
    type Key = Key;

    fn new() -> Self {
        let mut builder = Builder::new_current_thread();
        let runtime = builder
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime without threads");
        let (queue, epoch) = {
            let _entered = runtime.enter();
            (DelayQueue::new(), Instant::now())
        };
        Self {
            runtime,
            queue,
            epoch,
            now: 0,
        }
    }

    /// What it does needs a runtime, which is entered once, not each time.
    fn during<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let handle = self.runtime.handle().clone();
        let _entered = handle.enter();
        work(self)
    }

    fn insert(&mut self, deadline: u64, value: Payload) -> Key {
        let deadline = self.epoch + Duration::from_nanos(deadline);
        self.queue.insert_at(value, deadline)
    }

    fn cancel(&mut self, key: Key) {
        self.queue.remove(&key);
    }

    fn expire(&mut self, now: u64) -> usize {
        let step = Duration::from_nanos(now - self.now);
        self.now = now;
        let queue = &mut self.queue;
        self.runtime.block_on(async {
            advance(step).await;
            // Unconstrained, or it would make a pause after some hundred timers for other tasks.
            unconstrained(poll_fn(|context| {
                let mut due = 0;
                while let Poll::Ready(Some(_)) = queue.poll_expired(context) {
                    due += 1;
                }
                Poll::Ready(due)
            }))
            .await
        })
    }
}
