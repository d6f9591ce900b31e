use super::*;
use crate::calls::{Question, Taken};
use crate::machine::Unavailable;
use crate::observer::Observer;
use crate::question::Experiment;
use crate::simulated::SimulatedMachine;
use punctual_sim::windows::VERSIONS;
use std::time::Duration;

/// Keeps what the calls took.
#[derive(Default)]
struct Kept(Option<Taken>);

impl Observer<Taken> for Kept {
    fn begins(&mut self, _: Vec<String>, unavailable: Vec<Unavailable>) {
        assert_eq!(unavailable, []);
    }

    fn block(&mut self, _: usize, series: &Taken, _: u64) {
        self.0 = Some(series.clone());
    }

    fn stops(&self) -> bool {
        false
    }
}

/// The mean of a wait of this length in a tight loop, in milliseconds.
fn mean_ms(name: &str, machine: &str, length: Duration) -> f64 {
    let machine: SimulatedMachine = machine.parse().unwrap();
    let question = Question {
        calls: vec![name.to_owned()],
        count: 50,
        ..Question::of(vec![length])
    };
    let run = machine.run(1, move |os| {
        let mut kept = Kept::default();
        question.run(&os, &mut kept).unwrap();
        kept.0.unwrap()
    });
    let taken = run.unwrap().value;
    assert_eq!(taken.failed, None, "{name} on {machine}");
    let total: u64 = taken.durations_ns.iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "these are far below 2^53")]
    return total as f64 / taken.durations_ns.len() as f64 / 1e6;
}

const MILLISECOND: Duration = Duration::from_millis(1);

#[test]
fn every_persona_waits_on_every_windows_that_runs_it() {
    for persona in personas() {
        for version in VERSIONS.map(|version| version.name) {
            if persona.runs_on(version) {
                let mean = mean_ms(persona.id, version, MILLISECOND);
                assert!(mean < 65.0, "{} on {version}: {mean} ms", persona.id);
            }
        }
    }
}

#[test]
fn the_new_sleep_of_python_is_a_millisecond_where_windows_has_the_timer() {
    let mean = |name, machine| mean_ms(name, machine, MILLISECOND);
    assert!((mean("python-3.10", "windows-10-2004") - 15.625).abs() < 0.1);
    assert!((mean("python-3.11", "windows-8") - 15.625).abs() < 0.1);
    assert!(mean("python-3.11", "windows-10-2004") < 2.0);
}
