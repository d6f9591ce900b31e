//! Windows' traces as text. No trace of a real Windows has been read: what is read here was written by
//! hand, in the layout that public examples of such texts have, or by simulated machines.

use proptest::prelude::*;
use punctual::Instant;
use punctual_trace::windows::{Explained, WindowsTrace};
use punctual_trace::{Cause, Occupant, Reason, Verdict, WakeUp};

/// The header of Windows 10, as published by others who read such texts.
const HEADER: &str = "\
BeginHeader
                P-Start,  TimeStamp,     Process Name ( PID),  ParentPID
                CSwitch,  TimeStamp, New Process Name ( PID),    New TID, NPri, NQnt, TmSinceLast, WaitTime, Old Process Name ( PID),    Old TID, OPri, OQnt,        OldState,      Wait Reason, Swapable, InSwitchTime, CPU, IdealProc,  OldRemQnt, NewPriDecr, PrevCState, OldThrdBamQosLevel, NewThrdBamQosLevel
            ReadyThread,  TimeStamp,     Process Name ( PID),   ThreadID, Rdy Process Name ( PID),    Rdy TID, AdjustReason, AdjustIncrement, InDPC
              Interrupt,  TimeStamp, ElapsedTime, CPU, Vector, MessageIndex,     Status,        ServiceAddr,            Image!Function
                    DPC,  TimeStamp, ElapsedTime, CPU,        ServiceAddr,            Image!Function
EndHeader
OS Version: 10.0.19041, Trace Size: 1024KB, Events Lost: 0, Buffers lost: 0, Trace Start: 132000000000000000, Trace Length: 1 sec, PointerSize: 8, Trace Name: game.etl
FirstReliableEventTimeStamp, 0
FirstReliableCSwitchEventTimeStamp, 0
";

/// A loop of 10 ms. Its second wake-up waits for a DPC of the network and for another thread.
const GAME: &str = r#"
                P-Start,        500,         game.exe ( 720),       1000
                CSwitch,       1000,             Idle (   0),          0,    0,   -1,           0,        0,         game.exe ( 720),        724,    9,   -1,         Waiting,   DelayExecution,  NonSwap,      6,   1,   1,   84017152,    0,    0,   Important,   Important
              Interrupt,      10002,           2,   1, 209,            0,          0, 0xfffff80002c01000,  "hal.dll"!HalpTimerClockInterrupt
            ReadyThread,      10003,             Idle (   0),          0,         game.exe ( 720),        724,         Event,               1,     1
                    DPC,      10004,           2,   1, 0xfffff80002c8f5b0,  ntoskrnl.exe!KiTimerExpiration
                CSwitch,      10005,         game.exe ( 720),        724,    9,   -1,        9005,        2,             Idle (   0),          0,    0,   -1,         Running,        Executive,  NonSwap,      6,   1,   1,          0,    0,    1,   Important,   Important
                CSwitch,      10500,       chrome.exe (1234),       1240,    8,   -1,           0,        0,         game.exe ( 720),        724,    9,   -1,         Waiting,   DelayExecution,  NonSwap,      6,   1,   1,   84017152,    0,    0,   Important,   Important
              Interrupt,      20003,           2,   1, 209,            0,          0, 0xfffff80002c01000,  "hal.dll"!HalpTimerClockInterrupt
                    DPC,      20303,         300,   1, 0xfffff80002d00000,  ndis.sys!ndisInterruptDpc
            ReadyThread,      20304,       chrome.exe (1234),       1240,         game.exe ( 720),        724,         Event,               1,     1
                    DPC,      20305,           2,   1, 0xfffff80002c8f5b0,  ntoskrnl.exe!KiTimerExpiration
                CSwitch,      21305,         game.exe ( 720),        724,    9,   -1,       10805,     1001,       chrome.exe (1234),       1240,    8,   -1,           Ready,      WrPreempted,  NonSwap,      6,   1,   1,          0,    0,    1,   Important,   Important
"#;

fn read(text: &str) -> WindowsTrace {
    WindowsTrace::of_text(text.as_bytes()).unwrap()
}

fn explained(text: &str, thread: &str, period: Option<&str>) -> Explained {
    let dump = read(text);
    let threads = dump.threads(thread);
    assert!(!threads.is_empty());
    let period = period.map(|period| {
        let millis: u64 = period.parse().unwrap();
        std::time::Duration::from_millis(millis).try_into().unwrap()
    });
    dump.explain(&threads, period)
}

fn segments(explained: &Explained, wake_up: &WakeUp) -> Vec<(Cause, String, u64)> {
    let names = &explained.trace.names;
    let segments = wake_up.segments.iter();
    let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
    if !matches!(wake_up.verdict, Verdict::Unexplained(_)) {
        assert_eq!(sum, wake_up.wait.lateness_ns());
    }
    segments
        .map(|segment| {
            (
                segment.cause,
                segment.occupant.name(names, Instant::ZERO),
                segment.ns / 1000,
            )
        })
        .collect()
}

#[test]
fn what_had_the_processor_until_the_thread_did_is_told() {
    let explained = explained(&(HEADER.to_owned() + GAME), "GAME.EXE", None);
    let [first, second] = explained.wake_ups.as_slice() else {
        panic!("two wake-ups: {explained:?}")
    };
    let clock = "hal.dll!HalpTimerClockInterrupt";
    let timer = "ntoskrnl.exe!KiTimerExpiration";
    let expected = [
        (Cause::IrqHandler, clock, 2),
        (Cause::IrqHandler, timer, 1),
        (Cause::Softirq, timer, 1),
        (Cause::IdleExit, "idle", 1),
    ];
    let expected = expected.map(|(cause, occupant, micros)| (cause, occupant.to_owned(), micros));
    assert_eq!(segments(&explained, first), expected);
    assert_eq!(first.verdict, Verdict::Exact);
    let expected = [
        (Cause::IrqHandler, clock, 2),
        (Cause::IrqHandler, "ndis.sys!ndisInterruptDpc", 300),
        (Cause::IrqHandler, timer, 1),
        (Cause::Softirq, timer, 1),
        (Cause::RunQueueWait, "chrome.exe-1240", 1000),
    ];
    let expected = expected.map(|(cause, occupant, micros)| (cause, occupant.to_owned(), micros));
    assert_eq!(segments(&explained, second), expected);
}

#[test]
fn a_period_makes_deadlines() {
    let explained = explained(&(HEADER.to_owned() + GAME), "724", Some("10"));
    let lateness: Vec<_> = explained
        .wake_ups
        .iter()
        .map(|up| up.wait.lateness_ns())
        .collect();
    assert_eq!(lateness, [5_000, 1_305_000]);
    let slack = segments(&explained, &explained.wake_ups[1])[0].clone();
    assert_eq!((slack.0, slack.2), (Cause::Slack, 1));
}

#[test]
fn text_of_16_bit_characters_is_read() {
    let text = HEADER.to_owned() + GAME;
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let wide: Vec<u8> = [0xfeff]
            .into_iter()
            .chain(text.encode_utf16())
            .flat_map(bytes)
            .collect();
        let trace = WindowsTrace::of_text(&wide).unwrap();
        assert_eq!(trace.threads("game.exe").len(), 1);
        let processes = trace.processes();
        let names = processes.iter().map(|process| process.name.as_str());
        assert!(names.eq(["chrome.exe", "game.exe"]));
    }
}

#[test]
fn what_a_thread_was_woken_for_by_another_is_no_timer() {
    let text = HEADER.to_owned() + &GAME.replace("1,     1\n", "1,     0\n");
    let explained = explained(&text, "game.exe", None);
    assert_eq!(
        (explained.wake_ups.len(), explained.ended_by_threads),
        (0, 2)
    );
}

#[track_caller]
fn check_unexplained(text: &str, reason: Reason) {
    let explained = explained(text, "game.exe", None);
    assert!(!explained.wake_ups.is_empty());
    for wake_up in &explained.wake_ups {
        assert_eq!(wake_up.verdict, Verdict::Unexplained(reason), "{wake_up:?}");
    }
}

/// What another processor did in the end.
const ELSEWHERE: &str = "
                CSwitch,      22000,       chrome.exe (1234),       1244,    8,   -1,           0,        0,             Idle (   0),          0,    0,   -1,         Running,        Executive,  NonSwap,      6,   0,   0,          0,    0,    1,   Important,   Important
";

#[test]
fn a_text_that_is_incomplete_is_not_trusted() {
    let text = HEADER.to_owned() + GAME + ELSEWHERE;
    check_unexplained(
        &text.replace("Events Lost: 0", "Events Lost: 3"),
        Reason::EventsLost,
    );
    check_unexplained(
        &text.replace("Buffers lost: 0", "Buffers lost: 1"),
        Reason::EventsLost,
    );
    let unreliable = "FirstReliableCSwitchEventTimeStamp, ";
    let late = format!("{unreliable}30000");
    let text_of_late = text.replace(&format!("{unreliable}0"), &late);
    check_unexplained(&text_of_late, Reason::EventsLost);
    let no_ready = text
        .lines()
        .filter(|line| !line.contains("ReadyThread,      "));
    check_unexplained(&no_ready.collect::<Vec<_>>().join("\n"), Reason::NoReady);
}

/// No thread is switched to while a DPC has the processor.
#[test]
fn a_text_that_contradicts_itself_is_not_trusted() {
    let long = GAME.replace("20303,         300,", "20303,       10000,");
    let explained = explained(&(HEADER.to_owned() + &long), "game.exe", None);
    let verdicts: Vec<_> = explained.wake_ups.iter().map(|up| up.verdict).collect();
    let lost = Verdict::Unexplained(Reason::EventsLost);
    assert_eq!(verdicts, [Verdict::Exact, lost]);
}

#[track_caller]
fn check_refused(text: &str, problem: &str) {
    let error = WindowsTrace::of_text(text.as_bytes()).unwrap_err();
    assert!(error.is_invalid_input());
    assert!(error.to_string().contains(problem), "{error}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    check_refused("hello", "there is no header line for CSwitch");
    let no_cpu = HEADER.replace(" CPU, IdealProc", " IdealProc");
    check_refused(
        &no_cpu,
        "line 3: CSwitch has no column 'cpu' in this header",
    );
    check_refused(
        "CSwitch, 5, a (1), 2",
        "line 1: CSwitch comes before any header line of its kind",
    );
}

#[track_caller]
fn check_left_out(text: &str, problem: &str, expected: &[Verdict]) {
    let trace = read(text);
    let unread = trace.unread();
    assert_eq!(unread.count, 1);
    let first = unread.first.as_deref().unwrap_or_default();
    assert!(first.contains(problem), "{first}");
    let explained = trace.explain(&trace.threads("game.exe"), None);
    let verdicts: Vec<_> = explained.wake_ups.iter().map(|up| up.verdict).collect();
    assert_eq!(verdicts, expected);
}

#[test]
fn a_line_that_cannot_be_read_is_left_out_and_what_is_around_it_is_not_trusted() {
    let text = HEADER.to_owned() + GAME;
    let lost = Verdict::Unexplained(Reason::EventsLost);
    // Without the switch at its end, the first wake-up is none. The second is after the loss.
    let second = [Verdict::Exact];
    check_left_out(
        &text.replace("10005,", "soon,"),
        "line 17: CSwitch has 'soon' for 'TimeStamp', which is no number of microseconds",
        &second,
    );
    check_left_out(
        &text.replace(
            "Idle (   0),          0,    0,   -1,         Running",
            "Idle, 0, 0, -1, Running",
        ),
        "line 17: CSwitch has 'Idle', which is no process with its number",
        &second,
    );
    let short = text.replace(
        "DPC,      10004,           2,   1, 0xfffff80002c8f5b0,  ntos",
        "DPC, 10004 ntos",
    );
    check_left_out(&short, "line 16: DPC has ", &[lost, Verdict::Exact]);
}

/// A field that could stand anywhere, or could not.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,6}",
        Just("18446744073709551615".to_owned()),
        Just("-1".to_owned()),
        Just("TimeStamp".to_owned()),
        Just("game.exe ( 720)".to_owned()),
        Just("Idle (   0)".to_owned()),
        Just("Waiting".to_owned()),
        Just("Ready".to_owned()),
        Just("ntoskrnl.exe!KiTimerExpiration".to_owned()),
        "\\PC{0,12}",
    ]
}

fn line() -> impl Strategy<Value = String> {
    let kinds = [
        "CSwitch",
        "ReadyThread",
        "DPC",
        "DPCTmr",
        "Interrupt",
        "T-End",
        "OS Version",
    ];
    let kind = prop::sample::select(kinds.to_vec());
    (kind, prop::collection::vec(field(), 0..24))
        .prop_map(|(kind, fields)| format!("{kind}, {}", fields.join(", ")))
}

/// Lines that are what they should be, about few threads and processors in any order of time.
fn sound_line() -> impl Strategy<Value = String> {
    let (at, thread, processor) = (0_u64..2_000, 0_u32..4, 0_u16..3);
    let state = prop::sample::select(vec!["Waiting", "Ready", "Terminated", "Standby"]);
    let kind = prop::sample::select(vec!["CSwitch", "ReadyThread", "DPC", "Interrupt"]);
    (
        kind,
        at,
        (thread.clone(), thread),
        processor,
        state,
        0_u64..300,
    )
        .prop_map(
            |(kind, at, (from, to), processor, state, elapsed)| match kind {
                "CSwitch" => format!(
                    "CSwitch, {at}, a ({to}), {to}, 0, 0, 0, 0, a ({from}), {from}, 0, 0, {state}, \
                 x, x, 0, {processor}, 0, 0, 0, 0, x, x"
                ),
                "ReadyThread" => format!(
                    "ReadyThread, {at}, a ({from}), {from}, a ({to}), {to}, x, 0, {}",
                    elapsed % 2
                ),
                "DPC" => format!("DPC, {at}, {elapsed}, {processor}, 0x0, driver.sys!Dpc"),
                _ => format!("Interrupt, {at}, {elapsed}, {processor}, 0, 0, 0, 0x0, clock"),
            },
        )
}

/// A timer's work began on a processor of which nothing had been recorded yet.
#[test]
fn what_had_a_processor_before_its_first_event_is_not_made_up() {
    let lines = [
        "CSwitch, 0, a (2), 2, 0, 0, 0, 0, a (0), 0, 0, 0, Waiting, x, x, 0, 0, 0, 0, 0, 0, x, x",
        "CSwitch, 976, a (0), 0, 0, 0, 0, 0, a (0), 0, 0, 0, Waiting, x, x, 0, 1, 0, 0, 0, 0, x, x",
        "DPC, 978, 4, 1, 0x0, driver.sys!Dpc",
        "Interrupt, 1172, 0, 1, 0, 0, 0, 0x0, clock",
        "ReadyThread, 1280, a (0), 0, a (2), 2, x, 0, 1",
        "CSwitch, 1280, a (2), 2, 0, 0, 0, 0, a (0), 0, 0, 0, Waiting, x, x, 0, 0, 0, 0, 0, 0, x, x",
        "DPC, 1430, 257, 1, 0x0, driver.sys!Dpc",
    ];
    let dump = read(&(HEADER.to_owned() + &lines.join("\n")));
    let explained = dump.explain(&dump.threads("a"), None);
    assert!(!explained.wake_ups.is_empty());
    for wake_up in explained.wake_ups {
        assert!(
            wake_up
                .segments
                .iter()
                .all(|segment| segment.occupant != Occupant::Unknown)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::effort(64, 256)))]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}", lines in prop::collection::vec(line(), 0..20)) {
        let _ = WindowsTrace::of_text(text.as_bytes());
        let _ = WindowsTrace::of_text((HEADER.to_owned() + &lines.join("\n")).as_bytes());
        let _ = WindowsTrace::of_text(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = WindowsTrace::of_text(&bytes);
        let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(bytes).collect();
        let _ = WindowsTrace::of_text(&wide);
    }

    #[test]
    fn whatever_is_explained_adds_up(
        mut lines in prop::collection::vec(sound_line(), 0..60),
        is_sorted: bool,
        millis in prop::option::of(1_u64..3),
    ) {
        if is_sorted {
            lines.sort_by_key(|line| {
                let at = line.split(", ").nth(1).unwrap();
                at.parse::<u64>().unwrap()
            });
        }
        let dump = read(&(HEADER.to_owned() + &lines.join("\n")));
        let threads = dump.threads("a");
        let period = millis.map(|millis| {
            std::time::Duration::from_millis(millis).try_into().unwrap()
        });
        let explained = dump.explain(&threads, period);
        for wake_up in &explained.wake_ups {
            let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
            match wake_up.verdict {
                Verdict::Unexplained(_) => prop_assert_eq!(sum, 0),
                _ => prop_assert_eq!(sum, wake_up.wait.lateness_ns()),
            }
            prop_assert!(wake_up.segments.iter().all(|segment| segment.occupant != Occupant::Unknown));
        }
    }
}
