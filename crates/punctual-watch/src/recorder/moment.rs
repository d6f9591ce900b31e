//! The kernel's events around a late wake-up: cut out, explained, and made into files.

use super::words;
use crate::late::LateWakeUp;
use crate::occasion::Occasion;
use punctual::{Error, Instant};
use punctual_trace::recording::{Head, RecordedWait};
use punctual_trace::tracefs::{Portion, Raw};
use punctual_trace::{Chronicle, Recording, ThreadId, Verdict, Wait, explain, perfetto};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

/// How much of the trace is kept before the wait began, so that it is known what each processor did.
const BEFORE: Duration = Duration::from_millis(50);

/// How much of it is kept after the thread woke, so that it is seen who came next.
const AFTER: Duration = Duration::from_millis(10);

/// The longest wait that is looked for: a watch waits ten times a second, or a little less often.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Events that were taken from the kernel at once.
#[derive(Debug)]
pub(super) struct Taken {
    /// From when on all events are there, as far back as the kernel had kept them.
    pub(super) from: Instant,
    /// When taking them had ended. The next begins here.
    pub(super) to: Instant,
    pub(super) portion: Portion,
}

/// What was taken last, the latest at the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment<'a> {
    /// The descriptions of the pages.
    pub(super) raw: &'a Raw,
    pub(super) taken: &'a VecDeque<Taken>,
    /// The machine, in words.
    pub(super) environment: &'a serde_json::Value,
}

/// A late wake-up with the contents of its files.
#[derive(Debug)]
pub(super) struct Explained {
    pub(super) late: LateWakeUp,
    pub(super) recording: Vec<u8>,
    pub(super) perfetto: Vec<u8>,
}

impl Moment<'_> {
    /// Until when all events are there.
    pub(super) fn complete_until(&self) -> Instant {
        let last = self
            .taken
            .back()
            .and_then(|taken| taken.portion.complete_until);
        last.unwrap_or(Instant::ZERO)
    }

    /// Explains a late wake-up.
    ///
    /// # Errors
    /// When the kernel's pages cannot be understood.
    pub(super) fn explain(&self, occasion: &Occasion) -> Result<Explained, Error> {
        let thread = ThreadId(occasion.thread);
        // The wait cannot have begun earlier: each tick has one.
        let earliest = occasion.deadline - period(occasion);
        let (mut recording, from) = self.cut(occasion, earliest - BEFORE);
        let trace = recording.trace()?;
        let mut chronicle = Chronicle::new(&trace, &[thread]);
        chronicle.begins(from);
        let last = chronicle.history(thread).last_wait(occasion.deadline);
        let wait = Wait {
            thread,
            began: last.map_or(earliest, |last| last.max(earliest)),
            deadline: occasion.deadline,
            woke: occasion.woke,
        };
        recording.head.waits = Some(vec![RecordedWait {
            thread: occasion.thread,
            began_ns: wait.began.as_nanos(),
            deadline_ns: wait.deadline.as_nanos(),
            woke_ns: wait.woke.as_nanos(),
        }]);
        let wake_up = explain(&chronicle, &wait);
        let (verdict, note) = match wake_up.verdict {
            Verdict::Exact => ("exact", None),
            Verdict::Merged => ("merged", None),
            Verdict::Unexplained(reason) => ("unexplained", Some(reason.to_string())),
        };
        let (mut bytes, mut picture) = (Vec::new(), Vec::new());
        // Memory takes whatever is written.
        let unwritten = |error: std::io::Error| Error::system(error.to_string());
        recording.write(&mut bytes).map_err(unwritten)?;
        perfetto::write(&mut picture, &trace, std::slice::from_ref(&wake_up)).map_err(unwritten)?;
        Ok(Explained {
            late: LateWakeUp {
                verdict: verdict.to_owned(),
                causes: words::causes(&wake_up, &trace.names),
                note,
                ..listed(occasion)
            },
            recording: bytes,
            perfetto: picture,
        })
    }

    /// A recording of what happened from an instant on until just after the wake-up, without waits, and from when on
    /// everything is in it.
    fn cut(&self, occasion: &Occasion, since: Instant) -> (Recording, Instant) {
        let mut pages: BTreeMap<_, Vec<u8>> = BTreeMap::new();
        let mut from = None;
        let until = occasion.woke + AFTER;
        for taken in self.taken.iter().filter(|taken| taken.to > since) {
            from.get_or_insert(taken.from.max(since));
            for (processor, next) in taken.portion.between(self.raw, since, until).pages {
                pages.entry(processor).or_default().extend(next);
            }
        }
        let from = from.unwrap_or(since);
        let head = Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            subject: format!(
                "punctual watch: {} on processor {}",
                occasion.series.method, occasion.processor
            ),
            environment: self.environment.clone(),
            threads: vec![(occasion.thread, format!("watch on {}", occasion.processor))],
            complete_from_ns: Some(from.as_nanos()),
            realtime_ahead_ns: realtime_ahead_ns(occasion),
            ..Head::default()
        };
        let raw = Raw {
            pages: pages.into_iter().collect(),
            ..self.raw.clone()
        };
        (Recording { head, raw }, from)
    }
}

/// A late wake-up as it is on the list, as long as nothing more is known of it.
pub(super) fn listed(occasion: &Occasion) -> LateWakeUp {
    LateWakeUp {
        id: id(occasion),
        woke_unix_ns: unix_ns(occasion.at),
        processor: occasion.processor,
        method: occasion.series.method.to_owned(),
        lateness_ns: lateness_ns(occasion),
        verdict: "unexplained".to_owned(),
        ..LateWakeUp::default()
    }
}

/// How late it was, in nanoseconds.
pub(super) fn lateness_ns(occasion: &Occasion) -> u64 {
    let late = occasion.woke.duration_since(occasion.deadline);
    u64::try_from(late.as_nanos()).unwrap_or(u64::MAX)
}

/// The time between two waits at present.
fn period(occasion: &Occasion) -> Duration {
    let millihertz = occasion.series.rate_millihertz.load(Relaxed);
    let period = 1_000_000_000_000_u64.checked_div(millihertz);
    period.map_or(LONGEST_WAIT, |period| {
        Duration::from_nanos(period).min(LONGEST_WAIT)
    })
}

/// Such as `2026-11-23T03-12-07-512Z-cpu3`.
fn id(occasion: &Occasion) -> String {
    // Years of five digits have no such text.
    let at = SystemTime::UNIX_EPOCH + Duration::from_nanos(unix_ns(occasion.at));
    let at = humantime::format_rfc3339_millis(at).to_string();
    format!("{}-cpu{}", at.replace([':', '.'], "-"), occasion.processor)
}

fn unix_ns(at: SystemTime) -> u64 {
    let since = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn realtime_ahead_ns(occasion: &Occasion) -> Option<i64> {
    let wall = i64::try_from(unix_ns(occasion.at)).ok()?;
    wall.checked_sub(i64::try_from(occasion.woke.as_nanos()).ok()?)
}
