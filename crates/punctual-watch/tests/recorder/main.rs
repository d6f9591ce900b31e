//! The flight recorder over the kernel's own trace. Where that cannot be read, the tests say so.
//!
//! A program of its own, because all that the machine does is in that trace, other tests too: no event may be lost.

mod os;

use os::own_thread;
use punctual::{Instant, Native};
use punctual_trace::recorder::{LateWakeUp, Saved};
use punctual_trace::{Capture, Recording};
use punctual_watch::board::Series;
use punctual_watch::faults::{Fault, Faults};
use punctual_watch::late::Lates;
use punctual_watch::recorder::{LateEvent, Recorder};
use punctual_watch::settings::LateSettings;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const MS: Duration = Duration::from_millis(1);

/// Sleeps for 30 ms, as a thread that was to wake after 10 ms: however busy the machine is, it is late by 20 ms
/// because it asked for them.
fn oversleep(clock: &Native, late_events: &SyncSender<LateEvent>) {
    let began = clock.now();
    thread::sleep(30 * MS);
    let woke = clock.now();
    let late_event = LateEvent {
        processor: 0,
        series: Arc::new(Series::new(0, "std-sleep", 100)),
        thread: own_thread(),
        deadline: began + 10 * MS,
        woke,
        at: SystemTime::now(),
    };
    late_events.try_send(late_event).unwrap();
}

fn until_listed(saved: &Saved, number: usize) -> Vec<LateWakeUp> {
    loop {
        let list = saved.list();
        if list.len() >= number {
            return list;
        }
        thread::sleep(MS);
    }
}

fn check(saved: &Saved, late: &LateWakeUp, woke: Instant) {
    assert!(late.verdict != "unexplained", "{late:?}");
    let asked = late.causes.iter().find(|part| part.cause == "asked-late");
    // A relative sleep begins a little after the reading of the clock.
    assert!(
        asked.is_some_and(|asked| asked.lateness_ns >= 20_000_000),
        "{late:?}"
    );
    let sum: u64 = late.causes.iter().map(|part| part.lateness_ns).sum();
    assert_eq!(sum, late.lateness_ns);
    let file = saved.recording_path(&late.id).unwrap();
    let recording = Recording::read(&std::fs::read(file).unwrap()).unwrap();
    let explained = recording.explain().unwrap();
    assert!(explained.wake_ups[0].is_explained());
    let last = explained.trace.events().last().unwrap().at;
    assert!(last >= woke, "the trace ends before the wake-up");
    assert!(saved.perfetto_path(&late.id).unwrap().is_file());
}

#[test]
fn a_late_wake_up_is_explained_by_what_the_kernel_did() {
    if let Err(error) = Capture::prepare() {
        return println!("skipped: {error}");
    }
    let folder = TempDir::new().unwrap();
    let settings = LateSettings {
        threshold: 5 * MS,
        keep: 100,
        folder: folder.path().to_owned(),
        keep_bytes: 64 << 20,
    };
    let lates = Arc::new(Lates::open(&settings).unwrap());
    let faults = Arc::new(Faults::default());
    let recorder = Recorder::start(Arc::clone(&lates), Arc::clone(&faults)).unwrap();
    let saved = &lates.saved;
    let late_events = recorder.late_events();
    let clock = Native::new();
    oversleep(&clock, &late_events);
    until_listed(saved, 1);
    // Two in quick succession: the second began before the events of the first were taken.
    oversleep(&clock, &late_events);
    oversleep(&clock, &late_events);
    let woke = clock.now();
    let list = until_listed(saved, 3);
    check(saved, &list[0], Instant::ZERO);
    check(saved, &list[1], Instant::ZERO);
    check(saved, &list[2], woke - 30 * MS);
    drop(late_events);
    recorder.stop();
    assert_eq!(
        faults.count(Fault::Trace) + faults.count(Fault::Recording),
        0
    );
}
