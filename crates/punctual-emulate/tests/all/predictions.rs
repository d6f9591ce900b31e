//! A real program's waits end as a simulated program's do: the policy, driven in virtual time, against the
//! laboratory's simulated machines, which share its rules and personas and no other code.

use punctual::Instant;
use punctual_emulate::call::{Asked, Call};
use punctual_emulate::timer_policy::{Next, Over, ProcessId, ThreadId, TimerPolicy};
use punctual_emulate::windows::{Conditions, Personas, Windows};
use punctual_lab::conditions::Companion;
use punctual_lab::languages::{Observer, Question, run};
use punctual_windows::Version;
use punctual_windows::personas::{named, personas};
use std::sync::Arc;
use std::time::Duration;

const VERSIONS: [&str; 4] = [
    "windows-7",
    "windows-10-1909",
    "windows-10-2004",
    "windows-11",
];

const WAITS: u64 = 64;

/// Waits that are not counted: requests take effect, and schedules begin.
const WARM_UP: u64 = 10;

/// About what lies between a tick and the threads that it wakes on the simulated machines.
const WAKE_UP: Duration = Duration::from_micros(5);

/// More than any runtime waits for one wait of its program.
const MOST_ROUNDS: u32 = 1_000;

struct Silent;

impl Observer for Silent {
    fn reach(&self, _: u64) {}

    fn stops(&self) -> bool {
        false
    }
}

/// The mean of many waits of a program under the policy, each of which begins when the last one has
/// ended.
fn ruled(persona: &str, version: &str, length: Duration, with: &[Companion]) -> Duration {
    let mut conditions = Conditions::new(Version::named(version).unwrap());
    conditions.companions = with.to_vec();
    conditions.personas = Personas::Named(Arc::new(named(persona).unwrap()));
    let mut windows = Windows::new(conditions);
    let start = Instant::from_nanos(1_000_000_000_000);
    let process = ProcessId(1);
    windows.process_began(start, process, None);
    let (mut now, mut counted_from) = (start, start);
    for number in 0..WARM_UP + WAITS {
        if number == WARM_UP {
            counted_from = now;
        }
        // About what it costs on the simulated machines to return from a call and to make the next.
        now += Duration::from_micros(1);
        let asked = Asked {
            call: Call::ClockNanosleep,
            end: now + length,
            length,
            period: None,
        };
        let mut begun = windows.begin(now, process, ThreadId(1), asked);
        for rounds in 0.. {
            assert!(
                rounds < MOST_ROUNDS,
                "{persona} on {version} waits on and on"
            );
            now = now.max(begun.end) + WAKE_UP;
            for change in windows.changed(now) {
                assert_eq!(change.wait, begun.wait);
            }
            match windows.over(now, begun.wait, Over::TimedOut) {
                Next::Nothing => break,
                Next::Again(again) => begun = again,
            }
        }
    }
    now.duration_since(counted_from) / u32::try_from(WAITS).unwrap()
}

/// Compares every persona on every version. Both sides are deterministic.
fn check(length: Duration, with: &[Companion], most: Duration) {
    let question = Question {
        length,
        personas: personas().iter().map(|it| it.id.to_owned()).collect(),
        machines: VERSIONS.map(str::to_owned).to_vec(),
        with: with.to_vec(),
        count: WAITS,
        ..Question::of(length)
    };
    let simulated = run(&question, Arc::new(Silent)).unwrap();
    let mut wrong = Vec::new();
    for row in &simulated.rows {
        for (cell, version) in row.cells.iter().zip(VERSIONS) {
            let Some(cell) = cell else { continue };
            let theirs = Duration::from_nanos(cell.mean_ns);
            let ours = ruled(&row.persona, version, length, with);
            // Where whole intervals are as long as the wait, and the runtime looks at the counter, its last
            // step decides whether one more is needed: now this way, now the other.
            let [least, longest] = [cell.min_ns, cell.max_ns].map(Duration::from_nanos);
            let is_either = longest - least > Duration::from_micros(900)
                && (least..=longest + most).contains(&ours);
            if ours.abs_diff(theirs) > most && !is_either {
                wrong.push(format!(
                    "{} {version}: {ours:?}, simulated {theirs:?}",
                    row.persona
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{length:?}, {with:?}:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_persona_takes_what_it_takes_on_a_simulated_machine() {
    for millis in [1, 5, 20] {
        check(
            Duration::from_millis(millis),
            &[],
            Duration::from_micros(300),
        );
    }
}

#[test]
fn and_so_it_does_beside_a_program_that_requests_an_interval() {
    let requester = Companion::requester(Duration::from_millis(1));
    check(
        Duration::from_millis(5),
        &[requester],
        Duration::from_micros(300),
    );
}
