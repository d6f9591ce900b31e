//! Which hypotheses a recording excludes, and by which figure.

use super::hypothesis::{Hypothesis, parts};
use super::predict::{Surroundings, difference, predict, usual_surroundings};
use super::sample::{Difference, Sample};
use super::version::{Unfit, subject};
use crate::pool;
use punctual_data::quantity::write_duration;
use punctual_lab::Environment;
use punctual_lab::calls::{Question, Recording, SeriesRecord};
use punctual_lab::conditions::Companion;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::time::Duration;

/// What recordings of one machine say of every hypothesis.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The simulated version whose rules are in question.
    pub version: &'static str,
    /// Every hypothesis.
    pub judged: Vec<Judged>,
}

/// A hypothesis, and what excludes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The hypothesis.
    pub hypothesis: Hypothesis,
    /// The figure that exceeds its tolerance by most, if one does.
    pub excluded: Option<Exclusion>,
}

/// What excludes a hypothesis.
#[derive(Debug, Clone, PartialEq)]
pub struct Exclusion {
    /// Which recording, from 0.
    pub recording: usize,
    /// The call and the length, as in `sleep 1ms`.
    pub series: String,
    /// The figure. No machine that was simulated gives one nearer to the recording.
    pub difference: Difference,
}

impl Judgement {
    /// The hypotheses that nothing excludes.
    pub fn left(&self) -> impl Iterator<Item = &Hypothesis> {
        let left = self
            .judged
            .iter()
            .filter(|judged| judged.excluded.is_none());
        left.map(|judged| &judged.hypothesis)
    }

    /// Every value of every open rule. It is excluded if all hypotheses that have it are; then with
    /// the figure that exceeds its tolerance by least.
    pub fn values(&self) -> Vec<(&str, Option<&Exclusion>)> {
        let mut values: Vec<&str> = Vec::new();
        let rules = self
            .judged
            .first()
            .map_or(0, |first| first.hypothesis.values().len());
        for rule in 0..rules {
            for judged in &self.judged {
                let value = judged.hypothesis.values()[rule].as_str();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        let excluded = |value: &str| {
            let has_it = |judged: &&Judged| judged.hypothesis.values().iter().any(|v| v == value);
            let with_it = self.judged.iter().filter(has_it);
            let excluded: Option<Vec<_>> = with_it.map(|judged| judged.excluded.as_ref()).collect();
            excluded.and_then(|excluded| {
                excluded
                    .into_iter()
                    .min_by(|one, other| by_excess(one, other))
            })
        };
        values
            .iter()
            .map(|&value| (value, excluded(value)))
            .collect()
    }
}

/// Orders by how far the figures exceed their tolerances.
fn by_excess(one: &Exclusion, other: &Exclusion) -> Ordering {
    let [one, other] = [one, other].map(|excluded| excluded.difference.excess());
    one.total_cmp(&other)
}

/// A series, and what each part of a hypothesis that decides it predicts: the waits on each of the machines
/// on which it was simulated.
struct Compared {
    recording: usize,
    call: String,
    series: String,
    recorded: Sample,
    predictions: Vec<(Hypothesis, Vec<Sample>)>,
}

impl Compared {
    fn exclusion(&self, hypothesis: &Hypothesis) -> Option<Exclusion> {
        let part = hypothesis.for_call(&self.call);
        let (_, predicted) = self.predictions.iter().find(|(of, _)| *of == part)?;
        let difference = difference(&self.recorded, predicted)?;
        difference.excludes().then(|| Exclusion {
            recording: self.recording,
            series: self.series.clone(),
            difference,
        })
    }

    fn tells_anything(&self) -> bool {
        let mut predicted = self.predictions.iter().map(|(_, predicted)| predicted);
        let first = predicted.next();
        predicted.any(|other| Some(other) != first)
    }
}

/// Compares recordings of one machine with what every hypothesis predicts for it. The machine is
/// simulated with its own default interval, and with what requests were in force there.
///
/// `progress` is given the share that is done, and stops it by breaking; then there is no judgement.
///
/// # Errors
/// The place of the first recording that settles nothing, and why.
pub fn judge(
    recordings: &[Recording],
    hypotheses: &[Hypothesis],
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Result<Option<Judgement>, (usize, Unfit)> {
    let mut version = None;
    let mut compared = Vec::new();
    for (place, recording) in recordings.iter().enumerate() {
        let at = |unfit: Unfit| (place, unfit);
        let found = subject(&recording.environment, recording.question.on.as_ref());
        let found = *version.get_or_insert(found.map_err(at)?);
        let share = |done: f64| progress((place as f64 + done) / recordings.len() as f64);
        match compare(place, recording, found, hypotheses, &share).map_err(at)? {
            Some(series) => compared.extend(series),
            None => return Ok(None),
        }
    }
    if !compared.is_empty() && !compared.iter().any(Compared::tells_anything) {
        return Err((0, Unfit::TellsNothing));
    }
    let judged = |hypothesis: &Hypothesis| {
        let found = compared
            .iter()
            .filter_map(|series| series.exclusion(hypothesis));
        Judged {
            hypothesis: hypothesis.clone(),
            excluded: found.max_by(by_excess),
        }
    };
    Ok(version.map(|version| Judgement {
        version,
        judged: hypotheses.iter().map(judged).collect(),
    }))
}

/// `None` if it was stopped.
fn compare(
    place: usize,
    recording: &Recording,
    version: &str,
    hypotheses: &[Hypothesis],
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Result<Option<Vec<Compared>>, Unfit> {
    let surroundings = surroundings_of(recording);
    let mut compared = Vec::new();
    let count = recording.series.len();
    for (index, series) in recording.series.iter().enumerate() {
        let recorded = Sample::of(series.durations_ns.clone());
        if recorded.lengths_ns().is_empty() {
            continue;
        }
        let parts = parts(hypotheses, &series.call);
        let simulations = parts.len() * surroundings.len();
        let share = |done: usize| {
            progress((index as f64 + done as f64 / simulations as f64) / count as f64)
        };
        let question = question_of(recording, series);
        let simulated = pool::map(simulations, &share, |index| {
            let part = &parts[index / surroundings.len()];
            let around = &surroundings[index % surroundings.len()];
            predict(&question, version, part, around)
        });
        let simulated: Option<Vec<_>> = simulated.into_iter().collect();
        let Some(simulated) = simulated else {
            return Ok(None);
        };
        let simulated: Result<Vec<_>, _> = simulated.into_iter().collect();
        let simulated = simulated.map_err(|error| Unfit::NotSimulated(error.to_string()))?;
        let samples: Vec<Sample> = simulated.into_iter().flatten().collect();
        let of_part = samples.chunks(surroundings.len()).map(<[_]>::to_vec);
        let length = Duration::from_nanos(series.length_ns);
        compared.push(Compared {
            recording: place,
            call: series.call.clone(),
            series: format!("{} {}", series.call, write_duration(length)),
            recorded,
            predictions: parts.into_iter().zip(of_part).collect(),
        });
    }
    match compared.is_empty() {
        true => Err(Unfit::Empty),
        false => Ok(Some(compared)),
    }
}

/// What asks for this series alone.
fn question_of(recording: &Recording, series: &SeriesRecord) -> Question {
    let mut question = recording.question.clone();
    question.schedule.lengths = vec![Duration::from_nanos(series.length_ns)];
    question.waiters = vec![series.call.clone()];
    question
}

/// The usual surroundings, but with what is known of the machine: its default interval and its smallest,
/// and the interval that was in force, which is a request by another process if it is not the
/// default.
fn surroundings_of(recording: &Recording) -> Vec<Surroundings> {
    let Environment {
        timer_interval_ns,
        timer_interval_maximum_ns,
        timer_interval_minimum_ns,
        ..
    } = recording.environment;
    let known = [
        ("default-interval", timer_interval_maximum_ns),
        ("smallest-interval", timer_interval_minimum_ns),
    ];
    let known: Vec<_> = known
        .iter()
        .filter_map(|(name, nanos)| Some(format!("{name}={}ns", (*nanos)?)))
        .collect();
    let in_force = timer_interval_ns
        .filter(|interval| timer_interval_maximum_ns.is_some_and(|default| *interval < default))
        .map(|nanos| Companion::requester(Duration::from_nanos(nanos)));
    let mut surroundings = usual_surroundings();
    for around in &mut surroundings {
        around.settings.extend(known.iter().cloned());
        around.companions.extend(in_force);
    }
    surroundings
}
