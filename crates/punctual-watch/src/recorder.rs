//! The thread of the flight recorder: takes the kernel's events of the last moments when a wake-up was late, and has it
//! explained and saved with them.

mod allowance;
mod source;
mod worker;

use crate::faults::Faults;
use crate::late::Lates;
use crate::late_event::LateEvent;
use allowance::Allowance;
use punctual_lab::{Machine, Native};
use punctual_trace::recorder;
use source::Ring;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use worker::Worker;

/// How many late wake-ups may wait to be looked at. More at once belong to the same late moment, and are only
/// counted.
const MOST_WAITING: usize = 64;

/// A running flight recorder.
#[derive(Debug)]
pub struct Recorder {
    late_events: SyncSender<LateEvent>,
    is_stopping: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Recorder {
    /// Starts it, and returns when events are recorded. Where the kernel's trace cannot be read, that is a
    /// [fault](crate::faults::Fault::Trace), and late wake-ups are listed without their causes.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(lates: Arc<Lates>, faults: Arc<Faults>) -> io::Result<Self> {
        let (sender, late_events) = sync_channel(MOST_WAITING);
        let is_stopping = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&is_stopping);
        let thread = thread::Builder::new().name("recorder".to_owned());
        let (begun, has_begun) = sync_channel(1);
        let thread = thread.spawn(move || {
            let machine = Native::detect().ok();
            let environment = machine.map(|machine| machine.environment());
            let mut worker = Worker {
                source: Ring::default(),
                recorder: recorder::Recorder::new(Arc::clone(&lates.saved)),
                environment: serde_json::to_value(environment).unwrap_or_default(),
                lates,
                faults,
                allowance: Allowance::new(),
                without: None,
                tended: None,
            };
            worker.tend();
            // Nobody waits for it only if this thread is alone by then.
            let _ = begun.send(());
            worker.run(&late_events, &stops);
        })?;
        // A thread that panicked has said so.
        let _ = has_begun.recv();
        Ok(Self {
            late_events: sender,
            is_stopping,
            thread,
        })
    }

    /// Where samplers tell of late wake-ups, with `try_send`. If it is full, [`Lates::count_not_kept`] counts.
    pub fn late_events(&self) -> SyncSender<LateEvent> {
        self.late_events.clone()
    }

    /// Ends it: at once if nobody has its [`late_events`](Self::late_events) any more, so stop the samplers before.
    pub fn stop(self) {
        self.is_stopping.store(true, Relaxed);
        drop(self.late_events);
        // A panic was said when it happened.
        let _ = self.thread.join();
    }
}

#[cfg(test)]
mod tests;
