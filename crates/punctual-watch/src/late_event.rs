//! A late wake-up, as a sampler tells it to the flight recorder.

use crate::series::Series;
use punctual::Instant;
use punctual_trace::recorder::LateWakeUp;
use punctual_trace::recording::Head;
use punctual_trace::{ThreadId, Wait};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

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
