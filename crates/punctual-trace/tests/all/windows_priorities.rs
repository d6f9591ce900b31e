//! The priorities of the threads of a switch are read from Windows' traces, where they are there.

use punctual::Instant;
use punctual_trace::event::{Left, Priority};
use punctual_trace::windows::WindowsTrace;
use punctual_trace::windows::etl::{self, Log};
use punctual_trace::{Event, Kind, Names, ProcessorId, ThreadId, Trace};
use std::collections::BTreeMap;

type Priorities = (Option<Priority>, Option<Priority>);

/// Those of the thread before each switch and of the one behind it.
fn priorities(trace: &WindowsTrace) -> Vec<Priorities> {
    let explained = trace.explain(&[], None);
    let events = explained.trace.events().iter();
    let of_switch = |event: &Event| match event.kind {
        Kind::Switch {
            previous,
            previous_priority,
            next,
            next_priority,
            ..
        } => (previous != next).then_some((previous_priority, next_priority)),
        _ => None,
    };
    events.filter_map(of_switch).collect()
}

fn switch(at: u64, previous: (u32, Option<u8>), next: (u32, Option<u8>)) -> Event {
    Event {
        at: Instant::from_nanos(at),
        processor: ProcessorId(0),
        running: None,
        asked_to_switch: false,
        kind: Kind::Switch {
            previous: ThreadId(previous.0),
            previous_state: Left::Waiting,
            previous_priority: previous.1.map(Priority::Windows),
            next: ThreadId(next.0),
            next_priority: next.1.map(Priority::Windows),
        },
    }
}

#[test]
fn of_a_log() {
    let events = vec![
        switch(1_000, (0, Some(0)), (12, Some(15))),
        // What nothing tells is written as that of ordinary threads.
        switch(2_000, (12, Some(15)), (16, None)),
    ];
    let mut log = Vec::new();
    let trace = Trace::new(events, Names::default());
    etl::write(&mut log, &trace, &BTreeMap::new()).unwrap();
    let log = Log::read(&log).unwrap();
    let read = priorities(&WindowsTrace::of_log(&log).unwrap());
    let of = |number| Some(Priority::Windows(number));
    assert_eq!(read, [(of(0), of(15)), (of(15), of(8))]);
}

#[test]
fn of_a_text_with_and_without_them() {
    let columns = "New Process Name ( PID), New TID, NPri, Old Process Name ( PID), Old TID, OPri, OldState, CPU";
    let line = "a.exe ( 8), 12, 9, Idle ( 0), 0, 0, Running, 1";
    let with = format!("CSwitch, TimeStamp, {columns}\nCSwitch, 10, {line}\n");
    let read = |text: &str| priorities(&WindowsTrace::of_text(text.as_bytes()).unwrap());
    let of = |number| Some(Priority::Windows(number));
    assert_eq!(read(&with), [(of(0), of(9))]);
    let without = with
        .replace(" NPri,", "")
        .replace(" OPri,", "")
        .replace(" 9,", "")
        .replace(", 0, 0,", ", 0,");
    assert_eq!(read(&without), [(None, None)]);
}
