//! The file for Perfetto, read again by a decoder that knows nothing of the encoder.

use punctual::Instant;
use punctual_trace::event::{Left, Priority};
use punctual_trace::windows::WindowsTrace;
use punctual_trace::{
    Cause, Event, Kind, Lateness, Names, Occupant, ProcessorId, Segment, ThreadId, Trace, Verdict,
    Wait, WakeUp, perfetto,
};
use std::collections::BTreeMap;

/// A field of a message: its number and what it has.
#[derive(Debug, Clone, PartialEq)]
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().expect("a number ends");
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
    }
    panic!("a number has at most ten bytes")
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Value<'_>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = match key & 7 {
            0 => Value::Number(varint(&mut bytes)),
            2 => {
                let length = usize::try_from(varint(&mut bytes)).unwrap();
                let (own, rest) = bytes.split_at(length);
                bytes = rest;
                Value::Bytes(own)
            }
            kind => panic!("wire type {kind} is not used"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

fn number(message: &[(u64, Value)], field: u64) -> Option<u64> {
    let found = message.iter().find(|(number, _)| *number == field)?;
    match found.1 {
        Value::Number(number) => Some(number),
        Value::Bytes(_) => panic!("field {field} is a number"),
    }
}

fn bytes<'a>(message: &[(u64, Value<'a>)], field: u64) -> Option<&'a [u8]> {
    let found = message.iter().find(|(number, _)| *number == field)?;
    match found.1 {
        Value::Number(_) => panic!("field {field} is no number"),
        Value::Bytes(bytes) => Some(bytes),
    }
}

fn text(message: &[(u64, Value)], field: u64) -> Option<String> {
    let bytes = bytes(message, field)?;
    Some(String::from_utf8(bytes.to_vec()).unwrap())
}

/// A slice: depth, from, to and name. An instant lasts for no time.
type Slice = (usize, u64, u64, String);

/// What is on a track, by `group/track`.
type Tracks = BTreeMap<String, Vec<Slice>>;

/// Numbers as in Perfetto's `trace_packet.proto`, `track_descriptor.proto`, `track_event.proto`.
fn decode(file: &[u8]) -> Tracks {
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    let mut tracks = Tracks::new();
    let mut open: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut last: BTreeMap<u64, u64> = BTreeMap::new();
    for (field, packet) in fields(file) {
        let Value::Bytes(packet) = packet else {
            panic!("a trace consists of packets")
        };
        assert_eq!(field, 1);
        let packet = fields(packet);
        assert_eq!(number(&packet, 10), Some(1), "trusted_packet_sequence_id");
        if let Some(descriptor) = bytes(&packet, 60) {
            let descriptor = fields(descriptor);
            let (uuid, name) = (
                number(&descriptor, 1).unwrap(),
                text(&descriptor, 2).unwrap(),
            );
            let name = match number(&descriptor, 5) {
                Some(parent) => format!("{}/{name}", names[&parent]),
                None => name,
            };
            assert!(uuid > 0 && names.insert(uuid, name).is_none());
            continue;
        }
        let at = number(&packet, 8).unwrap();
        let event = fields(bytes(&packet, 11).unwrap());
        let uuid = number(&event, 11).unwrap();
        let track = tracks.entry(names[&uuid].clone()).or_default();
        let open = open.entry(uuid).or_default();
        assert!(
            last.insert(uuid, at).is_none_or(|last| last <= at),
            "in order"
        );
        match number(&event, 9).unwrap() {
            1 => {
                track.push((open.len(), at, u64::MAX, text(&event, 23).unwrap()));
                open.push(track.len() - 1);
            }
            2 => track[open.pop().expect("it has begun")].2 = at,
            3 => track.push((open.len(), at, at, text(&event, 23).unwrap())),
            other => panic!("type {other} is not used"),
        }
    }
    assert!(open.values().all(Vec::is_empty), "every slice ends");
    tracks
}

const TRACE: &str = "
    CSwitch, TimeStamp, New Process Name ( PID), New TID, Old Process Name ( PID), Old TID, OldState, CPU
    ReadyThread, TimeStamp, Process Name ( PID), ThreadID, Rdy Process Name ( PID), Rdy TID, InDPC
    DPC, TimeStamp, ElapsedTime, CPU, ServiceAddr, Image!Function
    CSwitch, 1000, Idle ( 0), 0, game ( 72), 76, Waiting, 0
    CSwitch, 1500, other ( 80), 84, Idle ( 0), 0, Running, 0
    ReadyThread, 2001, other ( 80), 84, game ( 72), 76, 1
    DPC, 2003, 3, 0, 0x0, timer
    CSwitch, 2500, game ( 72), 76, other ( 80), 84, Ready, 0
    CSwitch, 3000, other ( 80), 84, game ( 72), 76, Waiting, 0
";

#[test]
fn every_track_has_what_happened() {
    let dump = WindowsTrace::of_text(TRACE.as_bytes()).unwrap();
    let explained = dump.explain(&dump.threads("game"), None);
    let mut file = Vec::new();
    perfetto::write(&mut file, &explained.trace, &explained.wake_ups).unwrap();
    let tracks = decode(&file);
    let slices = |name: &str| {
        let slices = tracks[name].iter();
        let slices =
            slices.map(|(depth, from, to, name)| (*depth, from / 1000, to / 1000, name.as_str()));
        slices.collect::<Vec<_>>()
    };
    let group = "Wake-ups of game-76";
    let track = |name| slices(&format!("{group}/{name}"));
    assert_eq!(track("deadline"), [(0, 2000, 2000, "deadline")]);
    assert_eq!(track("timer"), [(0, 1000, 2000, "timer")]);
    assert_eq!(
        track("ready"),
        [(0, 2001, 2500, "in the queue of processor 0")]
    );
    assert_eq!(track("running"), [(0, 2500, 3000, "on processor 0")]);
    let late = [
        (0, 2000, 2500, "late by 500µs"),
        (1, 2000, 2001, "irq-handler: timer"),
        (1, 2001, 2003, "softirq: timer"),
        (1, 2003, 2500, "run-queue-wait: other-84"),
    ];
    assert_eq!(track("late, and why"), late);
    let processor = [
        (0, 1500, 2000, "other-84"),
        (0, 2000, 2003, "timer"),
        (0, 2003, 2500, "other-84"),
        (0, 2500, 3000, "game-76"),
    ];
    assert_eq!(slices("Processors/processor 0"), processor);
}

/// Deadlines that passed while the thread was late for another: what would overlap is cut.
#[test]
fn slices_never_overlap() {
    let dump = WindowsTrace::of_text(TRACE.as_bytes()).unwrap();
    let explained = dump.explain(&dump.threads("game"), None);
    let at = |micros: u64| Instant::from_nanos(micros * 1_000);
    let thread = explained.wake_ups[0].wait.thread;
    let wake_ups =
        [(1, 100), (50, 200), (60, 90), (300, 300), (250, 400)].map(|(deadline, woke)| WakeUp {
            wait: Wait {
                thread,
                began: at(0),
                deadline: at(deadline),
                woke: at(woke),
            },
            lateness: Lateness::Known,
            processor: None,
            verdict: Verdict::Exact,
            segments: Vec::new(),
            woken_by: Vec::new(),
            preemption: None,
            stacks: Vec::new(),
        });
    let mut file = Vec::new();
    perfetto::write(&mut file, &explained.trace, &wake_ups).unwrap();
    let tracks = decode(&file);
    let late = &tracks["Wake-ups of game-76/late, and why"];
    let times: Vec<_> = late
        .iter()
        .map(|(_, from, to, _)| (from / 1000, to / 1000))
        .collect();
    assert_eq!(times, [(60, 90), (90, 100), (100, 200), (250, 400)]);
}

/// A thread that marks a frame and a text, is blocked and then stopped, and is woken late by another.
#[test]
fn marks_and_what_held_a_thread_have_tracks() {
    let (thread, other) = (ThreadId(7), ThreadId(8));
    let mut names = Names::default();
    names.name_thread(thread, "game");
    names.name_thread(other, "other");
    let text = names.symbol("level 3");
    let event = |micros: u64, running, kind| Event {
        at: Instant::from_nanos(micros * 1_000),
        processor: ProcessorId(0),
        running: Some(running),
        asked_to_switch: false,
        kind,
    };
    let switch = |previous, previous_state, next| Kind::Switch {
        previous,
        previous_state,
        previous_priority: None,
        next,
        next_priority: Some(Priority::RealTime(50)),
    };
    let events = vec![
        event(10, thread, Kind::Framed),
        event(11, thread, Kind::Marked { text }),
        event(12, other, Kind::Marked { text }),
        event(20, thread, switch(thread, Left::Blocked, other)),
        event(30, other, switch(other, Left::Ready, thread)),
        event(40, thread, switch(thread, Left::Stopped, other)),
        event(60, other, switch(other, Left::Ready, thread)),
    ];
    let at = |micros: u64| Instant::from_nanos(micros * 1_000);
    let wake_up = WakeUp {
        wait: Wait {
            thread,
            began: at(10),
            deadline: at(50),
            woke: at(60),
        },
        lateness: Lateness::AtMost,
        processor: None,
        verdict: Verdict::Ambiguous,
        stacks: Vec::new(),
        woken_by: Vec::new(),
        preemption: None,
        segments: vec![Segment {
            cause: Cause::RunQueueWait,
            occupant: Occupant::Thread(other),
            priority: Some(Priority::RealTime(50)),
            ns: 10_000,
        }],
    };
    let mut file = Vec::new();
    perfetto::write(&mut file, &Trace::new(events, names), &[wake_up]).unwrap();
    let tracks = decode(&file);
    let track = |name: &str| {
        let slices = tracks[&format!("Wake-ups of game-7/{name}")].iter();
        let slices = slices.map(|(_, from, to, name)| (from / 1_000, to / 1_000, name.as_str()));
        slices.collect::<Vec<_>>()
    };
    assert_eq!(track("marks"), [(10, 10, "frame"), (11, 11, "level 3")]);
    let held = [(20, 30, "blocked in the kernel"), (40, 60, "stopped")];
    assert_eq!(track("blocked or stopped"), held);
    let late = [
        (50, 60, "late by at most 10µs"),
        (50, 60, "run-queue-wait: other-8, real-time 50"),
    ];
    assert_eq!(track("late, and why"), late);
}
