//! Late wake-ups of recorded traces, explained as the recorder does.

use crate::board::Series;
use crate::occasion::Occasion;
use crate::recorder::moment::{Moment, Taken};
use punctual::Instant;
use punctual_trace::recording::RecordedWait;
use punctual_trace::tracefs::Portion;
use punctual_trace::{Recording, Verdict, WakeUp};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

/// The recordings of our own loop, which tells of its waits.
const TRACES: [&str; 6] = [
    "busy",
    "idle",
    "not-urgent",
    "overrun",
    "turn-over",
    "waking-before-switch",
];

fn recording(name: &str) -> Option<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../punctual-trace/tests/traces");
    let Ok(bytes) = std::fs::read(folder.join(format!("{name}.trace"))) else {
        println!("skipped: {name}.trace is not in the package");
        return None;
    };
    Some(Recording::read(&bytes).unwrap())
}

fn occasion(wait: &RecordedWait, period: Duration) -> Occasion {
    let series = Series::new(1, "nanosleep", 100);
    let millihertz = 1_000_000_000_000 / u64::try_from(period.as_nanos()).unwrap();
    series.rate_millihertz.store(millihertz, Relaxed);
    Occasion {
        processor: 1,
        series: Arc::new(series),
        thread: wait.thread,
        deadline: Instant::from_nanos(wait.deadline_ns),
        woke: Instant::from_nanos(wait.woke_ns),
        at: SystemTime::UNIX_EPOCH + Duration::from_millis(1_790_000_000_123),
    }
}

/// As if the ring had been taken once, just after the trace.
fn taken(recording: &Recording) -> VecDeque<Taken> {
    let portion = Portion {
        pages: recording.raw.pages.clone(),
        complete_until: Some(Instant::MAX),
    };
    VecDeque::from([Taken {
        from: Instant::ZERO,
        to: Instant::MAX,
        portion,
    }])
}

#[test]
fn a_wake_up_is_explained_as_its_recording_explains_it() {
    let mut explained_of_all = 0;
    for name in TRACES {
        let Some(original) = recording(name) else {
            return;
        };
        let taken = taken(&original);
        let moment = Moment {
            raw: &original.raw,
            taken: &taken,
            environment: &original.head.environment,
        };
        let expected = original.explain().unwrap().wake_ups;
        let waits = original.head.waits.as_ref().unwrap();
        for (wait, expected) in waits.iter().zip(&expected).step_by(5) {
            if wait.began_ns > wait.deadline_ns {
                // A watch tells of no wait that began after its deadline.
                continue;
            }
            let occasion = occasion(wait, Duration::from_millis(1));
            let explained = moment.explain(&occasion).unwrap();
            let late = &explained.late;
            assert_eq!(late.lateness_ns, expected.wait.lateness_ns());
            if let Verdict::Unexplained(_) = expected.verdict {
                // Its trace does not reach far enough, or has gaps.
                continue;
            }
            assert_ne!(late.verdict, "unexplained", "{name}: {late:?}");
            let sum: u64 = late.causes.iter().map(|part| part.lateness_ns).sum();
            assert_eq!(sum, late.lateness_ns);
            let greatest_first = late.causes.iter().map(|part| part.lateness_ns).rev();
            assert!(greatest_first.is_sorted());
            explained_of_all += 1;
            // What is saved explains the same again.
            let again = Recording::read(&explained.recording).unwrap();
            let [again] = &again.explain().unwrap().wake_ups[..] else {
                panic!("a recording of one wait explains one");
            };
            // Their names have other numbers.
            let parts = |up: &WakeUp| {
                let parts = up
                    .segments
                    .iter()
                    .map(|segment| (segment.cause, segment.ns));
                parts.collect::<Vec<_>>()
            };
            assert_eq!(parts(again), parts(expected), "{name}");
            assert!(!explained.perfetto.is_empty());
        }
    }
    assert!(explained_of_all > 25, "{explained_of_all}");
}

#[test]
fn what_happened_long_before_and_after_is_cut_off() {
    let Some(original) = recording("busy") else {
        return;
    };
    let taken = taken(&original);
    let moment = Moment {
        raw: &original.raw,
        taken: &taken,
        environment: &original.head.environment,
    };
    let waits = original.head.waits.as_ref().unwrap();
    let lengths = waits.iter().step_by(8).map(|wait| {
        let explained = moment.explain(&occasion(wait, Duration::from_millis(1)));
        let pages = Recording::read(&explained.unwrap().recording)
            .unwrap()
            .raw
            .pages;
        pages.iter().map(|(_, pages)| pages.len()).sum::<usize>()
    });
    let lengths: Vec<_> = lengths.collect();
    let whole: usize = original
        .raw
        .pages
        .iter()
        .map(|(_, pages)| pages.len())
        .sum();
    assert!(lengths.iter().all(|&length| length > 0 && length <= whole));
    // The trace is hardly longer than what is kept before a wait.
    assert!(lengths[0] < whole, "{whole} {lengths:?}");
}

#[test]
fn its_id_says_when_and_where() {
    let wait = RecordedWait {
        thread: 7,
        began_ns: 1,
        deadline_ns: 2,
        woke_ns: 9_000_002,
    };
    let late = crate::recorder::moment::listed(&occasion(&wait, Duration::from_millis(10)));
    assert_eq!(late.id, "2026-09-21T14-13-20-123Z-cpu1");
    assert_eq!(
        (late.lateness_ns, late.woke_unix_ns),
        (9_000_000, 1_790_000_000_123_000_000)
    );
}
