//! What a hypothesis predicts of an experiment.

use super::hypothesis::Hypothesis;
use super::record::{Collected, machine};
use super::sample::{Difference, Sample};
use punctual::Error;
use punctual_lab::calls::{Question, Taken};
use punctual_lab::conditions::Companion;
use punctual_lab::question::Simulated;

/// Of the waits of a series. More would make the figures no clearer than the tolerances are.
const WAITS: u64 = 500;

/// Of simulated machines.
const SEED: u64 = 17;

/// What is not known of a machine, and could matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// Its hardware, as settings of a simulated machine.
    pub settings: Vec<String>,
    /// What else runs there.
    pub companions: Vec<Companion>,
}

/// The usual machine; one with other hardware and slower interrupts; and two on which threads of other
/// programs sleep. Requests of other programs are not among them: a recording says which interval
/// was in force.
pub fn usual_surroundings() -> Vec<Surroundings> {
    let of = |settings: &[&str], companions: &[&str]| Surroundings {
        settings: settings.iter().map(|&text| text.to_owned()).collect(),
        companions: companions
            .iter()
            .map(|text| text.parse().expect("a companion"))
            .collect(),
    };
    vec![
        of(&[], &[]),
        of(&["quantum=5.333335us", "interrupt-latency=5us"], &[]),
        of(&[], &["sleepers=7"]),
        of(&[], &["sleepers=20"]),
    ]
}

/// The figure by which a recording differs from the sample that it differs least from.
pub(super) fn difference(recorded: &Sample, predicted: &[Sample]) -> Option<Difference> {
    let found = predicted.iter();
    let found = found.filter_map(|sample| Difference::between(recorded, sample));
    found.min_by(|a, b| a.excess().total_cmp(&b.excess()))
}

/// The waits of each series of a question on a machine that follows a hypothesis.
///
/// # Errors
/// If no simulated machine can answer the question, or a call fails there.
pub(super) fn predict(
    question: &Question,
    version: &str,
    hypothesis: &Hypothesis,
    around: &Surroundings,
) -> Result<Vec<Sample>, Error> {
    let mut machine = vec![hypothesis.on(version)];
    machine.extend(around.settings.iter().cloned());
    let mut question = Question {
        on: Some(Simulated {
            machine: machine.join(","),
            seed: SEED,
        }),
        ..question.clone()
    };
    question.schedule.count = question.schedule.count.min(WAITS);
    question.conditions.with.extend(&around.companions);
    simulate(&question)
}

pub(super) fn simulate(question: &Question) -> Result<Vec<Sample>, Error> {
    let none = || Error::invalid_input("no simulated machine is given");
    let simulated = question.on.as_ref().ok_or_else(none)?;
    let machine = machine(simulated, question)?;
    let asked = question.clone();
    let run = machine.run(simulated.seed, move |os| {
        let mut collected = Collected::of(0, || false, |_| ());
        let outcome = asked.run(&os, &mut collected);
        outcome.map(|()| collected.series)
    });
    let series = run.map_err(|error| Error::unsupported(error.to_string()))?;
    series
        .value?
        .into_iter()
        .map(|(_, taken)| sample(taken))
        .collect()
}

fn sample(taken: Option<Taken>) -> Result<Sample, Error> {
    let taken = taken.ok_or_else(|| Error::unsupported("a call was not made"))?;
    match taken.failed {
        Some(reason) => Err(Error::unsupported(reason)),
        None => Ok(Sample::of(taken.durations_ns)),
    }
}
