//! The thread of the flight recorder: takes the kernel's events of the last moments when a wake-up was late, and has it
//! explained and saved with them.

mod source;
mod worker;

use crate::board::Series;
use crate::faults::Faults;
use crate::late::Lates;
use punctual::Instant;
use punctual_lab::{Machine, Native};
use punctual_trace::recorder::{self, LateWakeUp};
use punctual_trace::recording::Head;
use punctual_trace::{ThreadId, Wait};
use source::Ring;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};
use worker::{Allowance, Worker};

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
            // Nothing waits for it only if this thread is alone by then.
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

    /// Ends it: at once if nothing has its [`late_events`](Self::late_events) any more, so stop the samplers before.
    pub fn stop(self) {
        self.is_stopping.store(true, Relaxed);
        drop(self.late_events);
        // A panic was said when it happened.
        let _ = self.thread.join();
    }
}

/// The longest wait that is looked for: a watch waits ten times a second, or a little less often.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A wake-up that was later than the recorder's threshold.
#[derive(Debug, Clone)]
pub struct LateEvent {
    /// The watched processor.
    pub processor: usize,
    /// What counted it.
    pub series: Arc<Series>,
    /// The number of the thread that waited, as the system counts threads.
    pub thread: u32,
    /// When the wait should have ended, on the machine's monotonic clock.
    pub deadline: Instant,
    /// When it ended, on the same clock.
    pub woke: Instant,
    /// The time of day at which it was noticed, just after it woke.
    pub at: SystemTime,
}

impl LateEvent {
    /// The wait. It cannot have begun earlier than this says: each tick has one.
    pub(crate) fn wait(&self) -> Wait {
        Wait {
            thread: ThreadId(self.thread),
            began: self.deadline - self.period(),
            deadline: self.deadline,
            woke: self.woke,
        }
    }

    /// As it is on the list, as long as nothing more is known of it.
    pub(crate) fn listed(&self, head: &Head) -> LateWakeUp {
        let processor = u16::try_from(self.processor).ok();
        LateWakeUp::of(&self.wait(), processor, self.series.method.to_owned(), head)
    }

    /// What is known of its recording. The machine is described in words.
    pub(crate) fn head(&self, environment: &serde_json::Value) -> Head {
        Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            subject: format!(
                "punctual watch: {} on processor {}",
                self.series.method, self.processor
            ),
            environment: environment.clone(),
            threads: vec![(self.thread, format!("watch on {}", self.processor))],
            realtime_ahead_ns: self.realtime_ahead_ns(),
            ..Head::default()
        }
    }

    /// The time between two waits at present.
    fn period(&self) -> Duration {
        let millihertz = self.series.rate_millihertz.load(Relaxed);
        let period = 1_000_000_000_000_u64.checked_div(millihertz);
        period.map_or(LONGEST_WAIT, |period| {
            Duration::from_nanos(period).min(LONGEST_WAIT)
        })
    }

    fn realtime_ahead_ns(&self) -> Option<i64> {
        let since_1970 = self.at.duration_since(SystemTime::UNIX_EPOCH);
        let wall = i64::try_from(since_1970.unwrap_or_default().as_nanos()).ok()?;
        wall.checked_sub(i64::try_from(self.woke.as_nanos()).ok()?)
    }
}

#[cfg(test)]
mod tests;
