//! Ready is not running: how long threads queue for a processor.

use crate::kernel::{Kernel, Model};
use crate::ready::End;
use crate::thread::{State, ThreadId};
use std::time::Duration;

impl<M: Model> Kernel<M> {
    /// A thread that wants a processor and finds none queues for one.
    #[inline]
    pub(crate) fn enqueue(&mut self, index: u32, end: End) {
        let thread = self.threads.at(index);
        // Made whole when it leaves the queue: one number to keep instead of two.
        thread.queue_time = thread.queue_time.wrapping_sub(self.now);
        self.ready.add(&mut self.threads.hot, index, end);
    }

    /// A thread leaves the queue it is in.
    #[inline]
    pub(crate) fn dequeue(&mut self, index: u32) {
        let thread = self.threads.at(index);
        thread.queue_time = thread.queue_time.wrapping_add(self.now);
        self.ready.remove(&mut self.threads.hot, index);
    }

    /// How long a thread was ready to run while others had the processors that it may use, unless it
    /// has ended. This excludes the cost of a dispatch and the time that interrupts steal.
    pub fn queue_time(&self, thread: ThreadId) -> Option<Duration> {
        let entry = self.threads.get(thread)?;
        let nanos = match entry.state {
            State::Ready => entry.queue_time.wrapping_add(self.now),
            _ => entry.queue_time,
        };
        Some(Duration::from_nanos(nanos))
    }
}
