use super::program::Program;
use super::*;
use crate::measure;
use crate::measure::Deadlines;
use crate::question::{Refusal, Simulated};
use crate::simulated::{SimulatedMachine, SimulatedOs};
use punctual::{Os, Period};
use punctual_windows::VERSIONS;
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

/// The mean of some waits of a millisecond after each other, in milliseconds.
fn mean_ms(os: &SimulatedOs, persona: &Persona, waits: u32) -> f64 {
    let mut program = Program::new(os, persona.clone());
    program.wait(MILLISECOND).unwrap();
    let began = os.now();
    for _ in 0..waits {
        program.wait(MILLISECOND).unwrap();
    }
    let taken = os.now().duration_since(began) / waits;
    taken.as_secs_f64() * 1e3
}

/// The same of one persona on a machine.
fn mean_on(machine: &str, name: &str) -> f64 {
    let machine: SimulatedMachine = machine.parse().unwrap();
    let persona = named(name).unwrap();
    let run = machine.run(1, move |os| mean_ms(&os, &persona, 64));
    run.unwrap().value
}

#[test]
fn every_persona_waits_on_every_windows_that_runs_it() {
    for version in VERSIONS.map(|version| version.name) {
        let machine: SimulatedMachine = version.parse().unwrap();
        let here: Vec<_> = personas()
            .into_iter()
            .filter(|persona| persona.runs_on(version))
            .collect();
        let run = machine.run(1, move |os| {
            for persona in here {
                let mean = mean_ms(&os, &persona, 20);
                assert!(mean > 0.0 && mean < 65.0, "{}: {mean} ms", persona.id);
            }
        });
        run.unwrap();
    }
}

#[test]
fn a_request_ends_with_its_program() {
    let machine: SimulatedMachine = "windows-7".parse().unwrap();
    let [plain, held] = ["python-3.10", "sdl2"].map(|name| named(name).unwrap());
    let run = machine.run(1, move |os| {
        [&plain, &held, &plain].map(|persona| mean_ms(&os, persona, 16))
    });
    let [before, during, after] = run.unwrap().value;
    assert!(during < 2.0, "{during} ms");
    assert!(before > 15.0 && after > 13.0, "{before} ms, {after} ms");
}

#[test]
fn runtimes_differ_as_their_sources_do() {
    let near = |machine, name, expected: f64| {
        let mean = mean_on(machine, name);
        assert!(
            (mean - expected).abs() < 0.1,
            "{name} on {machine}: {mean} ms"
        );
    };
    let usual = 15.625;
    near("windows-10-2004", "python-3.10", usual);
    near("windows-8", "python-3.11", usual);
    near("windows-10-2004", "python-3.11", 1.0);
    // A request for the interval, dropped where there are high-resolution timers.
    near("windows-7", "go-1.16", 1.0);
    near("windows-10-1909", "go-1.16", usual);
    // Sleeps with a request of their own, and waits without.
    near("windows-10-2004", "java-thread-sleep", 2.0);
    near("windows-10-2004", "java-park-nanos", usual);
}

#[test]
fn a_persona_is_refused_where_its_runtime_does_not_run() {
    let question = |on: Option<&str>| measure::Question {
        waiters: vec!["python-3.11".to_owned()],
        on: on.map(|machine| Simulated {
            machine: machine.to_owned(),
            seed: 1,
        }),
        ..measure::Question::of(Deadlines::every(Period::from_hertz(100)))
    };
    assert!(
        question(Some("windows-8,processors=2"))
            .series::<SimulatedOs>()
            .is_ok()
    );
    for on in [None, Some("windows-7,processors=2")] {
        let refused = question(on).series::<SimulatedOs>().unwrap_err();
        assert!(matches!(refused, Refusal::Persona { .. }), "{refused}");
        assert!(refused.to_string().contains("windows-8 and later"));
    }
}
