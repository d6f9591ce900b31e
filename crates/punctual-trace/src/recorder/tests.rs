//! Late wake-ups of recorded traces, explained and saved as a recorder does.

use super::*;
use crate::event::ThreadId;
use crate::segment::Verdict;
use crate::tracefs::Portion;
use std::path::Path;
use tempfile::TempDir;

const MS: Duration = Duration::from_millis(1);

/// The recordings of our own loop, which tells of its waits.
const TRACES: [&str; 6] = [
    "busy",
    "idle",
    "not-urgent",
    "overrun",
    "slice-expired",
    "waking-before-switch",
];

fn recording(name: &str) -> Option<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let Ok(bytes) = std::fs::read(folder.join(format!("{name}.trace"))) else {
        println!("skipped: {name}.trace is not in the package");
        return None;
    };
    Some(Recording::read(&bytes).unwrap())
}

fn rules() -> Rules {
    Rules {
        threshold: Duration::ZERO,
        most: 3,
        most_bytes: 1 << 30,
        first_to_go: FirstToGo::LeastLate,
    }
}

/// As if the ring had been taken once, just after the trace.
fn recorder(recording: &Recording, saved: Saved) -> Recorder {
    let mut recorder = Recorder::new(Arc::new(saved));
    let last = waits(recording).last().unwrap();
    let ended = Instant::from_nanos(last.woke_ns) + Duration::from_secs(1);
    let portion = Portion {
        pages: recording.raw.pages.clone(),
        complete_until: Some(ended),
    };
    recorder.kept.push(portion, waits(recording), ended);
    recorder
}

fn waits(recording: &Recording) -> &[RecordedWait] {
    recording.head.waits.as_deref().unwrap()
}

/// As its thread tells of a wait of a loop of 1 ms.
fn told(wait: &RecordedWait) -> (LateWakeUp, Wait, Head) {
    let mut wait = Wait::from(*wait);
    wait.began = wait.deadline - MS;
    let ahead = 1_790_000_000_123_000_000 - i64::try_from(wait.woke.as_nanos()).unwrap();
    let head = Head {
        threads: vec![(wait.thread.0, "loop".to_owned())],
        realtime_ahead_ns: Some(ahead),
        ..Head::default()
    };
    let listed = LateWakeUp::of(&wait, Some(1), "nanosleep".to_owned(), &head);
    (listed, wait, head)
}

/// What makes the lateness: the names in segments have other numbers in each trace.
fn parts(wake_up: &WakeUp) -> Vec<(crate::Cause, u64)> {
    let segments = wake_up.segments.iter();
    segments
        .map(|segment| (segment.cause, segment.ns))
        .collect()
}

#[test]
fn a_wake_up_that_is_told_of_is_explained_as_its_recording_explains_it() {
    let mut explained_of_all = 0;
    for name in TRACES {
        let Some(original) = recording(name) else {
            return;
        };
        let recorder = recorder(&original, Saved::without_files(rules()));
        let expected = original.explain().unwrap().wake_ups;
        for (wait, expected) in waits(&original).iter().zip(&expected).step_by(5) {
            if wait.began_ns > wait.deadline_ns {
                // A watch tells of no wait that began after its deadline.
                continue;
            }
            let (mut late, wait, head) = told(wait);
            let files = recorder.explain_told(&mut late, wait, &head, &original.raw);
            let files = files.unwrap();
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
            let again = Recording::read(&files.recording).unwrap();
            let [again] = &again.explain().unwrap().wake_ups[..] else {
                panic!("a recording of one wait explains one");
            };
            assert_eq!(parts(again), parts(expected), "{name}");
            assert!(!files.perfetto.is_empty());
        }
    }
    assert!(explained_of_all > 25, "{explained_of_all}");
}

#[test]
fn what_happened_long_before_and_after_is_cut_off() {
    let Some(original) = recording("busy") else {
        return;
    };
    let recorder = recorder(&original, Saved::without_files(rules()));
    let length = |raw: &Raw| {
        raw.pages
            .iter()
            .map(|(_, pages)| pages.len())
            .sum::<usize>()
    };
    let lengths = waits(&original).iter().step_by(8).map(|wait| {
        let (mut late, wait, head) = told(wait);
        let files = recorder.explain_told(&mut late, wait, &head, &original.raw);
        length(&Recording::read(&files.unwrap().recording).unwrap().raw)
    });
    let lengths: Vec<_> = lengths.collect();
    let whole = length(&original.raw);
    assert!(lengths.iter().all(|&length| length > 0 && length <= whole));
    // The trace is hardly longer than what is kept before a wait.
    assert!(lengths[0] < whole, "{whole} {lengths:?}");
}

#[test]
fn wake_ups_that_the_trace_shows_together_are_one_moment_and_the_worst_stay() {
    let Some(original) = recording("busy") else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let saved = Saved::open(&folder.path().join("late"), rules()).unwrap();
    let recorder = recorder(&original, saved);
    let explained = original.explain().unwrap();
    let (names, raw) = (&explained.trace.names, &original.raw);
    let mut told_of = 0;
    for shown in explained.wake_ups.chunks(4) {
        let saved = recorder.save_shown(shown, names, || original.head.clone(), raw);
        let worst = shown.iter().filter_map(WakeUp::lateness_ns).max();
        let Some((late, written)) = saved else {
            continue;
        };
        written.unwrap();
        told_of += 1;
        assert_eq!(Some(late.lateness_ns), worst);
        let Some(file) = recorder.saved().recording_path(&late.id) else {
            panic!("it is later than the least late, and stays: {late:?}");
        };
        let again = Recording::read(&std::fs::read(file).unwrap()).unwrap();
        let again = again.explain().unwrap().wake_ups;
        let of_moment = shown.iter().filter(|up| up.is_explained());
        for up in of_moment {
            let up_again = again.iter().find(|again| again.wait == up.wait);
            assert_eq!(up_again.map(parts), Some(parts(up)));
        }
    }
    let mut worst: Vec<_> = explained.wake_ups.chunks(4).collect();
    assert!(told_of >= 3 && told_of < worst.len(), "{told_of}");
    let lateness = |shown: &[WakeUp]| shown.iter().filter_map(WakeUp::lateness_ns).max();
    worst.sort_by_key(|shown| std::cmp::Reverse(lateness(shown)));
    let mut expected: Vec<_> = worst[..3]
        .iter()
        .filter_map(|shown| lateness(shown))
        .collect();
    expected.sort_unstable();
    let mut kept: Vec<_> = recorder
        .saved()
        .list()
        .iter()
        .map(|late| late.lateness_ns)
        .collect();
    kept.sort_unstable();
    assert_eq!(kept, expected);
}

#[test]
fn without_a_trace_a_wake_up_is_listed_with_the_reason() {
    let wait = RecordedWait {
        thread: 7,
        began_ns: 1,
        deadline_ns: 1_000_002,
        woke_ns: 10_000_002,
    };
    let recorder = Recorder::new(Arc::new(Saved::without_files(rules())));
    let (late, wait, head) = told(&wait);
    assert_eq!(wait.thread, ThreadId(7));
    recorder
        .save_told(late.clone(), wait, &head, Err("run this as root"))
        .unwrap();
    recorder
        .save_told(late, wait, &head, Ok(&Raw::default()))
        .unwrap();
    let [without, empty] = &recorder.saved().list()[..] else {
        panic!("both are listed");
    };
    assert_eq!(without.note.as_deref(), Some("no trace: run this as root"));
    assert!(
        empty
            .note
            .as_ref()
            .unwrap()
            .contains("could not be understood")
    );
    // Its id says when and where.
    assert_eq!(without.id, "2026-09-21T14-13-20-123Z-cpu1");
    let woke = (without.lateness_ns, without.woke_unix_ns);
    assert_eq!(woke, (9_000_000, 1_790_000_000_123_000_000));
}
