//! The summary of the page, in sentences with numbers.

use super::document::{Curve, Document, Explanation, described, found, is_of_a_run, simulated};
use super::{fitness, pace};
use crate::measure::{self, BUSY_LOAD_AVERAGE};
use punctual_data::quantity::{nanos, percent_in_words};
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::measure::Recording;
use punctual_lab::measure::SeriesRecord;
use punctual_lab::pace::PaceRecording;
use punctual_lab::vary::Condition;
use punctual_lab::waiters::PUNCTUAL;
use punctual_windows::confidence::text as confidence;

/// One or two sentences for each document. Simulated recordings have their own section.
pub(super) fn sentences(documents: &[Document]) -> Vec<String> {
    let are_all_simulated = documents.iter().all(|document| match document {
        Document::Recording(recording) => simulated(recording).is_some(),
        _ => true,
    });
    let of = |document: &Document| match document {
        Document::Recording(recording) if are_all_simulated || simulated(recording).is_none() => {
            match is_of_a_run(recording) {
                true => run(recording),
                false => measured(recording),
            }
        }
        Document::Recording(_) => Vec::new(),
        Document::Varied(curve) if curve.is_simulated => Vec::new(),
        Document::Varied(curve) => varied(curve).into_iter().collect(),
        Document::Explanation(explanation) => explained(explanation).into_iter().collect(),
        Document::Pace(pace) => paced(pace).into_iter().collect(),
        Document::Clocks(found) => clocked(found).into_iter().collect(),
        Document::Languages(_) => Vec::new(),
    };
    let mut sentences: Vec<_> = documents.iter().flat_map(of).collect();
    sentences.extend(
        Condition::ALL
            .iter()
            .filter_map(|condition| predicted(documents, *condition)),
    );
    sentences
}

fn measured(recording: &Recording) -> Vec<String> {
    let machine = described(recording);
    let series = || recording.series.iter().filter(|series| series.count > 0);
    let Some(best) = fitness::best(recording) else {
        return vec![format!(
            "{machine}: there is no measurement of a method that waits and never wakes early."
        )];
    };
    let mut sentences = vec![fitness::sentences(recording, best)];
    if let Some(usual) = series().find(|series| series.method != best.method) {
        let late = &usual.per_deadline;
        let [p50, p99, max] = [late.p50_ns, late.p99_ns, late.max_ns].map(nanos);
        sentences.push(format!(
            "{} was late by at most {p50} half of the time, by at most {p99} in 99 of 100, and by \
             {max} at worst{}.",
            usual.method,
            missed(usual)
        ));
    }
    let ours = series().find(|series| series.method == PUNCTUAL);
    sentences.extend(ours.map(|ours| {
        let late = &ours.per_deadline;
        format!(
            "Punctual's own wait was late by at most {} half of the time, and by at most {} in 99 of \
             100. It used {} of a processor.",
            nanos(late.p50_ns),
            nanos(late.p99_ns),
            percent_in_words(ours.processor_share)
        )
    }));
    sentences.extend(busy(recording));
    let early: Vec<_> = series().filter(|series| series.early > 0).collect();
    sentences.extend(early.iter().map(|series| {
        format!(
            "{} woke {} times before its deadline.",
            series.method, series.early
        )
    }));
    sentences
}

/// A program had its reasons to wait: there is no best of its ways.
fn run(recording: &Recording) -> Vec<String> {
    let longer = |series: &SeriesRecord| {
        let late = &series.per_wake;
        format!(
            "{} took at most {} longer than asked half of the time, and at most {} in 99 of 100",
            series.method,
            nanos(late.p50_ns),
            nanos(late.p99_ns)
        )
    };
    let all: Vec<_> = recording.series.iter().map(longer).collect();
    let said = match all.is_empty() {
        true => "no call was made ten times".to_owned(),
        false => all.join("; "),
    };
    vec![format!("{}: {said}.", described(recording))]
}

/// A busy machine may explain the rarest waits.
fn busy(recording: &Recording) -> Option<String> {
    let load = recording.environment.load_average_1_minute?;
    (load > BUSY_LOAD_AVERAGE).then(|| {
        format!(
            "The machine was busy before the measurement: {load:.1} threads wanted a processor on average in \
             the last minute. On an idle machine the rarest waits may be less late."
        )
    })
}

fn missed(series: &SeriesRecord) -> String {
    match series.missed {
        0 => String::new(),
        1 => ". It missed one deadline while it waited for another".to_owned(),
        missed => format!(". It missed {missed} deadlines while it waited for others"),
    }
}

fn varied(curve: &Curve) -> Option<String> {
    Some(format!("{}: {}", curve.machine, curve.found.answer()?))
}

/// What simulated machines do under the least value of a condition.
fn predicted(documents: &[Document], condition: Condition) -> Option<String> {
    let is_asked = |curve: &&Curve| curve.is_simulated && curve.found.condition == condition;
    let curves: Vec<_> = found!(documents, Varied).filter(is_asked).collect();
    let least = curves.first()?.found.rows.first()?;
    let does = |curve: &&Curve| {
        let mut rows = curve.found.of_series(&least.name);
        let row = rows.find(|row| row.value_ns == least.value_ns)?;
        let (figure, on) = (nanos(row.figures_ns[0]), &curve.machine);
        Some(match confidence::word(row.confidence.as_ref()).as_str() {
            "" => format!("{figure} on {on}"),
            trusted => format!("{figure} on {on} ({trusted})"),
        })
    };
    let does: Vec<_> = curves.iter().filter_map(does).collect();
    Some(format!(
        "Under {condition} of {}, the {} of {} is predicted to be {}.",
        nanos(least.value_ns),
        curves[0].found.names[0],
        least.name,
        does.join(", ")
    ))
}

fn explained(explanation: &Explanation) -> Option<String> {
    let most = explanation
        .causes
        .iter()
        .max_by_key(|cause| cause.total_ns)?;
    let part = match most.share {
        share if share > 0.5 => "Most",
        _ => "The largest part",
    };
    let occupant = match most.occupant.as_str() {
        "" => String::new(),
        occupant => format!(" ({occupant})"),
    };
    Some(format!(
        "{part} of the lateness of {} was {}{occupant}: {}.",
        explanation.subject,
        most.cause,
        percent_in_words(most.share)
    ))
}

/// Only clocks that went back, which nobody expects.
fn clocked(found: &ClocksRecording) -> Option<String> {
    let back = found.clocks.iter().filter(|clock| {
        let across = clock.across.as_ref();
        across.is_some_and(|across| across.back > 0)
    });
    let names: Vec<_> = back.map(|clock| clock.clock.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} went back between readings on two processors.",
            names.join(", ")
        )
    })
}

fn paced(pace: &PaceRecording) -> Option<String> {
    let answer = measure::of_beats(pace)?;
    Some(format!("{}: {answer}", pace::machine(pace)))
}
