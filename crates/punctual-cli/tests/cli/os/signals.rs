//! Every command × every signal × every phase: the exit status tells the signal, nothing that was
//! not finished looks complete, and nothing is left behind.
//!
//! `cargo test` tries each command in one phase with one signal. `PUNCTUAL_SIGNALS=phases` in the
//! environment tries every phase, and `PUNCTUAL_SIGNALS=all` every signal in every phase.

#![cfg(target_os = "linux")]

mod run;

use crate::command::{RECORDED, folder, program};
use run::{Ended, Phase, Run};
use rustix::process::Signal;
use serde_json::Value;
use std::sync::Mutex;
use std::thread;

const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

/// Many of them wait most of the time.
const AT_ONCE: usize = 6;

const TRACE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../punctual-trace/tests/traces/idle.trace"
);

/// A command that runs for long, if it can, and one that soon has something to print.
struct Case {
    long: Option<&'static str>,
    short: &'static str,
}

const fn both(long: &'static str, short: &'static str) -> Case {
    Case {
        long: Some(long),
        short,
    }
}

const fn short(short: &'static str) -> Case {
    Case { long: None, short }
}

const CASES: &[Case] = &[
    both(
        "measure --duration 1h --json",
        "measure --count 5 --method std-sleep --json",
    ),
    both(
        "measure --duration 1h --json --load cpu:3 --with sleepers=3 --hdr {method}.hgrm",
        "measure --count 5 --method std-sleep --json --load timers --hdr a.hgrm",
    ),
    both(
        "pace --duration 1h --json --load cpu:3",
        "measure --beat 1ms --duration 20ms --method nanosleep --json",
    ),
    both(
        "doctor clocks --duration 1h --json",
        "clocks --quick --json",
    ),
    both(
        "measure --vary slack=1ns..1ms/1us --count 100000 --json",
        "measure --vary slack=1ns --count 5 --json",
    ),
    both(
        "explain --duration 1h --json",
        "explain --count 5 --json --save a.trace --perfetto a.perfetto",
    ),
    both(
        "explain --pid 1 --duration 1h --json",
        "explain --pid 1 --duration 100ms --json",
    ),
    both("explain --json -- sleep 1234.5", "explain --json -- true"),
    both(
        "explain --on-late 1ns --save late --duration 1h --json",
        "explain --on-late 1ns --save late --count 50 --json",
    ),
    short("explain --json --perfetto a.perfetto --from"),
    short("explain --info --json --from"),
    short("compare --json"),
    short("doctor --json"),
    short("completions bash"),
    both("report a.html --quick", "report a.html --quick"),
];

#[cfg(feature = "sim")]
const SIMULATED: &[Case] = &[
    both(
        "measure --on windows-7 --count 1000000000 --json",
        "measure --on windows-7 --count 5 --json",
    ),
    both(
        "pace --on windows-7 --duration 3000d --json",
        "pace --on windows-7 --duration 1s --json",
    ),
    both(
        "doctor clocks --on windows-7 --duration 3000d --json",
        "doctor clocks --on windows-7 --quick --json",
    ),
    both(
        "compare --on windows-7 --on windows-11 --count 1000000000 --json",
        "compare --on windows-7 --on windows-11 --count 5 --json",
    ),
    both(
        "measure --for 1ms --vary request=1ms..2ms/1us --on windows-7 --count 100000 --json",
        "measure --for 1ms --vary request=1ms..2ms --on windows-7 --json",
    ),
    both(
        "explain --on windows-7 --count 1000000000 --json --save a.txt",
        "explain --on windows-7 --count 5 --json --save a.txt",
    ),
    short("resolution --on windows-7 --json"),
    short("resolution who --on windows-7 --json"),
    short("machines --json"),
];

#[cfg(not(feature = "sim"))]
const SIMULATED: &[Case] = &[];

/// A row of the table.
struct Row {
    case: &'static Case,
    phase: Phase,
    signal: Signal,
}

fn rows() -> Vec<Row> {
    let asked = std::env::var("PUNCTUAL_SIGNALS").unwrap_or_default();
    let (every_phase, every_signal) = (!asked.is_empty(), asked == "all");
    let mut rows = Vec::new();
    for (number, case) in CASES.iter().chain(SIMULATED).enumerate() {
        for (place, phase) in Phase::ALL.into_iter().enumerate() {
            for (turn, signal) in SIGNALS.into_iter().enumerate() {
                let is_phases_turn = every_phase || number % Phase::ALL.len() == place;
                let is_signals_turn = every_signal || (number / 3 + place) % SIGNALS.len() == turn;
                if is_phases_turn && is_signals_turn {
                    rows.push(Row {
                        case,
                        phase,
                        signal,
                    });
                }
            }
        }
    }
    rows
}

#[test]
fn a_signal_has_its_status_and_what_is_shown_says_so() {
    let rows = Mutex::new(rows().into_iter().enumerate());
    let problems = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = rows.lock().unwrap().next();
                    let Some((number, row)) = next else { break };
                    if let Err(problem) = row.check(number) {
                        problems.lock().unwrap().push(problem);
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

impl Row {
    fn check(&self, number: usize) -> Result<(), String> {
        let folder = folder(&format!("signals-{number}"));
        let line = match (self.phase, self.case.long) {
            (Phase::StartUp | Phase::Running, Some(long)) => long,
            _ => self.case.short,
        };
        let mut words: Vec<_> = line.split(' ').collect();
        match line {
            "compare --json" => words.extend([RECORDED, RECORDED]),
            line if line.ends_with("--from") => words.push(TRACE),
            _ => {}
        }
        let is_blocked = line == self.case.short;
        let run = Run::start(&words, &folder, is_blocked);
        let what = format!("{line}: {:?}, {:?}", self.phase, self.signal);
        if !run.reach(self.phase) {
            println!("skipped: {what}: {}", run.end().complaint);
            return Ok(());
        }
        run.send(self.signal);
        let ended = run.end();
        let (status, left) = (ended.status.code(), ended.left_in(&folder));
        let problem = match () {
            () if ended_when_full(&ended) => return Ok(()),
            () if self.phase == Phase::StartUp && had_failed(&ended) => {
                println!("skipped: {what}: {}", ended.complaint);
                return Ok(());
            }
            () if status != Some(128 + self.signal.as_raw()) => format!("status {status:?}"),
            () if !is_marked(&ended.printed) => "it looks complete".to_owned(),
            () if !left.is_empty() => format!("left {left:?}"),
            () => return Ok(()),
        };
        Err(format!("{what}: {problem}: {}", ended.complaint))
    }
}

/// A simulation that is explained soon takes no more memory, which may be before the signal comes.
fn ended_when_full(ended: &Ended) -> bool {
    let json = serde_json::from_str::<Value>(&ended.printed).unwrap_or_default();
    ended.status.success() && json["was_full"] == true
}

/// Whether it had found out that this machine does not permit it when the signal came.
fn had_failed(ended: &Ended) -> bool {
    const FAILED: i32 = 1;
    let said_so = !ended.complaint.is_empty() && ended.printed.is_empty();
    ended.status.code() == Some(FAILED) && said_so
}

/// Whether nothing can take it for complete.
fn is_marked(printed: &str) -> bool {
    let Ok(json) = serde_json::from_str::<Value>(printed) else {
        return true;
    };
    // A comparison has this among its differences.
    json["interrupted"] == true || json.to_string().contains("was interrupted")
}

#[test]
fn what_the_starter_ignores_stays_ignored() {
    for (signal, name) in [(Signal::HUP, "HUP"), (Signal::INT, "INT")] {
        let folder = folder(&format!("signals-ignored-{name}"));
        let script = format!("trap '' {name}; exec \"$0\" \"$@\"");
        let punctual = env!("CARGO_BIN_EXE_punctual");
        let line = "measure --count 300 --period 1ms --method std-sleep --json";
        let mut command = program("sh");
        command
            .args(["-c", &script, punctual])
            .args(line.split(' '));
        let run = Run::of(command, &folder, false);
        assert!(run.reach(Phase::Running));
        run.send(signal);
        let ended = run.end();
        assert!(ended.status.success(), "{name}: {}", ended.complaint);
        let recording: Value = serde_json::from_str(&ended.printed).unwrap();
        assert_eq!(recording["interrupted"], false);
    }
}

#[test]
fn who_is_killed_leaves_no_process() {
    for line in [
        "measure --duration 1h --load cpu:3 --with sleepers=3",
        "report a.html --quick",
    ] {
        let folder = folder(&format!("signals-killed-{}", line.len()));
        let words: Vec<_> = line.split(' ').collect();
        let run = Run::start(&words, &folder, false);
        assert!(run.reach(Phase::Running));
        run.send(Signal::KILL);
        let left = run.end().left_in(&folder);
        assert!(left.is_empty(), "{line} left {left:?}");
    }
}
