//! The experiments that tell the most hypotheses apart.

use super::candidates::Experiment;
use super::hypothesis::{Hypothesis, rule_of};
use super::predict::{Predicted, Stopped, predict, usual_surroundings};
use super::sample::Sample;
use crate::pool;
use punctual_lab::calls::{Question, When};
use std::ops::ControlFlow;
use std::time::Duration;

/// The experiments, and what they leave open.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The version of Windows.
    pub version: String,
    /// What could be true.
    pub hypotheses: Vec<Hypothesis>,
    /// The experiments, the most telling first.
    pub chosen: Vec<Chosen>,
    /// How many experiments there were to choose from.
    pub candidates: usize,
}

/// An experiment, and what is predicted of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The experiment.
    pub experiment: Experiment,
    /// Its series.
    pub series: Vec<Foreseen>,
    /// How many pairs of hypotheses it tells apart that those before it do not.
    pub tells: usize,
}

/// What is predicted of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreseen {
    /// The question that asks for it alone.
    pub question: Question,
    /// What each part of a hypothesis that decides it predicts.
    pub predictions: Vec<(Hypothesis, Predicted)>,
    /// For each prediction, and each: whether a recording would tell them apart.
    told: Vec<Vec<bool>>,
    /// For each hypothesis the place of its own prediction.
    of: Vec<usize>,
}

/// Two of the hypotheses, by their places.
type Pair = (usize, usize);

impl Decision {
    /// How many pairs of hypotheses there are.
    pub fn pairs(&self) -> usize {
        pairs(self.hypotheses.len()).len()
    }

    /// How many of them the experiments tell apart.
    pub fn told(&self) -> usize {
        self.chosen.iter().map(|chosen| chosen.tells).sum()
    }
}

impl Chosen {
    /// About how long it takes on a machine that is not simulated: at most this, if no wait is late.
    pub fn takes(&self) -> Duration {
        self.series.iter().map(Foreseen::takes).sum()
    }
}

impl Foreseen {
    /// The longest that it may take.
    fn takes(&self) -> Duration {
        /// Half of the longest usual interval: what a call that begins at random computes before.
        const COMPUTES_NS: f64 = 7_812_500.0;
        let samples = self.predictions.iter();
        let samples = samples.flat_map(|(_, predicted)| &predicted.samples);
        let longest = samples.map(Sample::mean_ns).fold(0.0, f64::max);
        let computes = match self.question.at {
            When::Random => COMPUTES_NS,
            When::Tight | When::Aligned => 0.0,
        };
        Duration::from_secs_f64((longest + computes) / 1e9 * self.question.count as f64)
    }

    /// What the predictions at these places have in common and others have not, each as `rule=value`;
    /// several values of a rule have a bar between them. Nothing if all have it.
    pub fn common(&self, places: &[usize]) -> Vec<String> {
        let all: Vec<_> = self.predictions.iter().map(|(part, _)| part).collect();
        let some: Vec<_> = places.iter().map(|&place| all[place]).collect();
        let Some(first) = all.first() else {
            return Vec::new();
        };
        let of_rule = |index: usize| {
            let (here, anywhere) = (values(&some, index), values(&all, index));
            let rule = rule_of(&first.values()[index]);
            (here.len() < anywhere.len()).then(|| format!("{rule}={}", here.join("|")))
        };
        (0..first.values().len()).filter_map(of_rule).collect()
    }

    fn tells(&self, (one, other): Pair) -> bool {
        self.told[self.of[one]][self.of[other]]
    }

    /// The places in `predictions` of those that it does not tell apart, directly or by way of others,
    /// together.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for place in 0..self.predictions.len() {
            let is_like = |group: &Vec<usize>| group.iter().any(|&other| !self.told[place][other]);
            let (like, unlike): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_like);
            groups = unlike;
            let mut group: Vec<_> = like.into_iter().flatten().chain([place]).collect();
            group.sort_unstable();
            groups.push(group);
        }
        groups.sort();
        groups
    }
}

/// The values that parts have for the rule at this place, each once.
fn values<'a>(parts: &[&'a Hypothesis], index: usize) -> Vec<&'a str> {
    let mut values = Vec::new();
    for part in parts {
        let (_, value) = part.values()[index].split_once('=').unwrap_or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn pairs(count: usize) -> Vec<Pair> {
    let with_later = |one| (one + 1..count).map(move |other| (one, other));
    (0..count).flat_map(with_later).collect()
}

/// Chooses so many of the candidates, one after the other: each time the one that tells the most pairs of
/// hypotheses apart that those before it do not. Equals are chosen by how many pairs they tell apart
/// in all, then by their order. Once nothing more can be told apart, what follows tells the most pairs
/// once more.
///
/// A candidate that a simulated machine cannot answer is left out. `progress` is given the share that is
/// done, and stops it by breaking; threads call it at any time.
///
/// # Errors
/// If it was stopped.
pub fn decide(
    version: &str,
    hypotheses: Vec<Hypothesis>,
    candidates: &[Experiment],
    count: usize,
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Result<Decision, Stopped> {
    let mut questions: Vec<_> = candidates.iter().flat_map(Experiment::alone).collect();
    // Each once: experiments share questions, and equals come in no order of their own.
    let mut distinct = Vec::new();
    questions.retain(|question| {
        let is_new = !distinct.contains(question);
        distinct.extend(is_new.then(|| question.clone()));
        is_new
    });
    let foreseen = foresee(version, &hypotheses, &questions, progress)?;
    let mut left = Vec::new();
    for experiment in candidates {
        let of = |question: &Question| {
            let place = questions.iter().position(|known| known == question);
            foreseen[place?].as_ref()
        };
        let series: Option<Vec<_>> = experiment.alone().iter().map(of).collect();
        left.extend(series.map(|series| (experiment, series)));
    }
    let all = pairs(hypotheses.len());
    let (mut open, mut chosen) = (all.clone(), Vec::new());
    while chosen.len() < count && !left.is_empty() {
        let told = |series: &[&Foreseen], pairs: &[Pair]| {
            let is_told = |pair: &&Pair| series.iter().any(|series| series.tells(**pair));
            pairs.iter().filter(is_told).count()
        };
        let worth = |&place: &usize| {
            let (_, series) = &left[place];
            (told(series, &open), told(series, &all))
        };
        // The first of equals.
        let best = (0..left.len()).rev().max_by_key(worth).unwrap_or(0);
        let (experiment, series) = left.remove(best);
        let before = open.len();
        open.retain(|&pair| !series.iter().any(|series| series.tells(pair)));
        chosen.push(Chosen {
            experiment: experiment.clone(),
            series: series.into_iter().cloned().collect(),
            tells: before - open.len(),
        });
    }
    Ok(Decision {
        version: version.to_owned(),
        hypotheses,
        chosen,
        candidates: candidates.len(),
    })
}

/// What is predicted of each question that asks for one series; nothing of one that no simulated machine
/// can answer.
fn foresee(
    version: &str,
    hypotheses: &[Hypothesis],
    questions: &[Question],
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Result<Vec<Option<Foreseen>>, Stopped> {
    let surroundings = usual_surroundings();
    let mut simulations = Vec::new();
    for question in questions {
        for part in parts(hypotheses, &question.calls[0]) {
            let around = surroundings.iter();
            simulations.extend(around.map(|around| (question, part.clone(), around)));
        }
    }
    let wanted = (simulations.len() + questions.len()).max(1);
    let share = |done: usize| progress(done as f64 / wanted as f64);
    let simulated = pool::map(simulations.len(), &share, |index| {
        let (question, part, around) = &simulations[index];
        let series = predict(question, version, part, around).ok()?;
        series.into_iter().next()
    });
    let mut samples = simulated.into_iter();
    let mut predicted = Vec::new();
    for question in questions {
        let mut predictions = Vec::new();
        for part in parts(hypotheses, &question.calls[0]) {
            let samples: Option<Vec<_>> = samples.by_ref().take(surroundings.len()).collect();
            let samples: Option<Vec<_>> = samples.ok_or(Stopped)?.into_iter().collect();
            predictions.extend(samples.map(|samples| (part, Predicted { samples })));
        }
        predicted.push(predictions);
    }
    let share = |done: usize| share(simulations.len() + done);
    let compared = pool::map(questions.len(), &share, |index| {
        compared(&questions[index], predicted[index].clone(), hypotheses)
    });
    let compared: Option<Vec<_>> = compared.into_iter().collect();
    compared.ok_or(Stopped)
}

/// The parts of hypotheses that decide a call, each once, in their order.
pub(super) fn parts(hypotheses: &[Hypothesis], call: &str) -> Vec<Hypothesis> {
    let mut parts = Vec::new();
    for part in hypotheses
        .iter()
        .map(|hypothesis| hypothesis.for_call(call))
    {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

/// `None` if something could not be predicted.
fn compared(
    question: &Question,
    predictions: Vec<(Hypothesis, Predicted)>,
    hypotheses: &[Hypothesis],
) -> Option<Foreseen> {
    let place = |hypothesis: &Hypothesis| {
        let part = hypothesis.for_call(&question.calls[0]);
        predictions.iter().position(|(of, _)| *of == part)
    };
    let of: Option<Vec<_>> = hypotheses.iter().map(place).collect();
    let mut told = vec![vec![false; predictions.len()]; predictions.len()];
    for (one, other) in pairs(predictions.len()) {
        let is_told = predictions[one].1.is_told_from(&predictions[other].1);
        told[one][other] = is_told;
        told[other][one] = is_told;
    }
    Some(Foreseen {
        question: question.clone(),
        of: of?,
        predictions,
        told,
    })
}
