//! The recorder's worker over a source that does as the test says.

use crate::board::Series;
use crate::faults::{Fault, Faults};
use crate::late::Lates;
use crate::recorder::LateEvent;
use crate::recorder::source::Source;
use crate::recorder::worker::{Allowance, Worker};
use crate::settings::LateSettings;
use punctual::{Error, Instant};
use punctual_trace::recorder::Recorder;
use punctual_trace::tracefs::{Portion, Raw};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

#[derive(Debug, Default)]
struct Scripted {
    now: Instant,
    is_refused: bool,
    is_broken: bool,
    times_taken: usize,
    raw: Raw,
}

impl Source for Scripted {
    fn now(&self) -> Instant {
        self.now
    }

    fn tend(&mut self) -> Result<(), Error> {
        match self.is_refused {
            true => Err(Error::not_permitted("run this as root")),
            false => Ok(()),
        }
    }

    fn take(&mut self) -> Result<Portion, Error> {
        if self.is_broken {
            return Err(Error::system("cannot read trace_pipe_raw"));
        }
        self.times_taken += 1;
        Ok(Portion {
            pages: Vec::new(),
            complete_until: Some(self.now - Duration::from_millis(50)),
        })
    }

    fn raw(&self) -> Option<&Raw> {
        Some(&self.raw)
    }

    fn counted(&mut self) -> (u64, u64) {
        (10, 1)
    }
}

const SECOND: u64 = 1_000_000_000;

fn late_event(woke_ns: u64, late: Duration) -> LateEvent {
    let woke = Instant::from_nanos(woke_ns);
    LateEvent {
        processor: 1,
        series: Arc::new(Series::new(1, "nanosleep", 100)),
        thread: 7,
        deadline: woke - late,
        woke,
        at: SystemTime::UNIX_EPOCH + Duration::from_nanos(woke_ns),
    }
}

fn worker(folder: &TempDir) -> Worker<Scripted> {
    let settings = LateSettings {
        threshold: Duration::from_millis(5),
        keep: 100,
        folder: folder.path().to_owned(),
        keep_bytes: 1_000_000,
    };
    let lates = Arc::new(Lates::open(&settings).unwrap());
    Worker {
        source: Scripted {
            now: Instant::from_nanos(100 * SECOND),
            ..Scripted::default()
        },
        recorder: Recorder::new(Arc::clone(&lates.saved)),
        environment: serde_json::Value::Null,
        lates,
        faults: Arc::new(Faults::default()),
        allowance: Allowance::new(),
        without: None,
        tended: None,
    }
}

/// Until none is ready; returns the others.
fn look_at(
    worker: &mut Worker<Scripted>,
    late_events: impl IntoIterator<Item = LateEvent>,
) -> VecDeque<LateEvent> {
    let mut waiting: VecDeque<_> = late_events.into_iter().collect();
    for _ in 0..waiting.len() {
        worker.look_at_one(&mut waiting);
    }
    waiting
}

const LATE: Duration = Duration::from_millis(7);

#[test]
fn without_a_trace_late_wake_ups_are_listed_without_causes() {
    let folder = TempDir::new().unwrap();
    let mut worker = worker(&folder);
    worker.source.is_refused = true;
    worker.tend();
    assert_eq!(worker.faults.count(Fault::Trace), 1);
    look_at(&mut worker, [late_event(99 * SECOND, LATE)]);
    let list = worker.lates.saved.list();
    let note = list[0].note.as_deref().unwrap();
    assert!(note.contains("run this as root"), "{note}");
    assert_eq!(
        (list[0].lateness_ns, list[0].recording.as_ref()),
        (7_000_000, None)
    );
    // It tries again, now and then.
    worker.source.now = Instant::from_nanos(159 * SECOND);
    worker.tend();
    assert_eq!(worker.faults.count(Fault::Trace), 1);
    worker.source.now = Instant::from_nanos(160 * SECOND);
    worker.source.is_refused = false;
    worker.tend();
    assert_eq!(
        (worker.faults.count(Fault::Trace), &worker.without),
        (1, &None)
    );
}

#[test]
fn a_trace_that_breaks_is_a_fault_and_the_wake_up_is_listed() {
    let folder = TempDir::new().unwrap();
    let mut worker = worker(&folder);
    worker.source.is_broken = true;
    look_at(&mut worker, [late_event(99 * SECOND, LATE)]);
    assert_eq!(worker.faults.count(Fault::Trace), 1);
    assert_eq!(worker.lates.saved.list().len(), 1);
}

#[test]
fn pages_that_are_not_understood_cost_the_causes_only() {
    let folder = TempDir::new().unwrap();
    let mut worker = worker(&folder);
    // The source's descriptions are empty.
    look_at(&mut worker, [late_event(99 * SECOND, LATE)]);
    let list = worker.lates.saved.list();
    let note = list[0].note.as_deref().unwrap();
    assert!(note.contains("could not be understood"), "{note}");
}

#[test]
fn a_wake_up_whose_events_may_not_all_be_written_waits_for_the_next_time() {
    let folder = TempDir::new().unwrap();
    let mut worker = worker(&folder);
    let early = [99 * SECOND, 99 * SECOND + 1].map(|woke| late_event(woke, LATE));
    let late = late_event(100 * SECOND, LATE);
    let mut waiting = look_at(&mut worker, early.into_iter().chain([late]));
    assert_eq!((waiting.len(), worker.lates.saved.list().len()), (1, 2));
    // Both were in what was taken once.
    assert_eq!(worker.source.times_taken, 1);
    worker.look_at_one(&mut waiting);
    assert_eq!((waiting.len(), worker.source.times_taken), (1, 1));
    worker.source.now = Instant::from_nanos(100 * SECOND + SECOND / 10);
    worker.look_at_one(&mut waiting);
    assert_eq!((waiting.len(), worker.lates.saved.list().len()), (0, 3));
}

#[test]
fn events_are_taken_before_those_of_an_earlier_one_are_explained() {
    let folder = TempDir::new().unwrap();
    let mut worker = worker(&folder);
    let early = late_event(99 * SECOND, LATE);
    let late = late_event(99 * SECOND + SECOND / 2, LATE);
    worker.source.now = Instant::from_nanos(99 * SECOND + SECOND / 10);
    let portion = worker.source.take().unwrap();
    worker.recorder.kept.push(portion, &[], worker.source.now);
    worker.source.now = Instant::from_nanos(100 * SECOND);
    let mut waiting = VecDeque::from([early, late]);
    worker.look_at_one(&mut waiting);
    assert_eq!((waiting.len(), worker.source.times_taken), (1, 2));
}

#[test]
fn too_many_at_once_are_counted_and_too_punctual_ones_are_not() {
    let folder = TempDir::new().unwrap();
    let mut worker = worker(&folder);
    let (sender, late_events) = sync_channel(64);
    for number in 0..20 {
        sender.send(late_event(50 * SECOND + number, LATE)).unwrap();
    }
    let punctual = late_event(50 * SECOND, Duration::from_millis(5));
    sender.send(punctual).unwrap();
    drop(sender);
    let is_stopping = AtomicBool::new(false);
    // It ends when nothing can tell it of more.
    worker.run(&late_events, &is_stopping);
    let counts = worker.lates.counts();
    assert_eq!(counts.kept + counts.not_kept, 20);
    assert!(counts.kept <= 5, "{counts:?}");
    assert_eq!((counts.events, counts.lost_events), (10, 1));
}
