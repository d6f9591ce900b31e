//! The summary of the page, in sentences with numbers. The first says whether the machine is fit for the requested period,
//! and what to change.

use super::document::{Curve, Document, Explanation, described, found, is_of_a_run, simulated};
use super::pace;
use crate::measure::{self, BUSY_LOAD_AVERAGE};
use punctual_data::distribution::Distribution;
use punctual_data::quantity::{self, nanos, percent_in_words, period_ns};
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::measure::{Recording, SeriesRecord};
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
    let Some(best) = best(recording) else {
        return vec![format!(
            "{machine}: there is no measurement of a method that waits and never wakes early."
        )];
    };
    let mut sentences = vec![fitness(recording, best)];
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

/// The method that never waits.
const SPIN: &str = "spin";

/// A method that uses a processor for more than this share of the time polls and does not wait.
const POLLS: f64 = 0.5;

/// If 99 of 100 waits are late by at most this share of the period, most programs work well: the
/// eye does not see so small a delay of a video frame, and the error of a sample's time is at most
/// a tenth of the period.
const FIT: f64 = 1.0 / PERIODS_OF_LATENESS as f64;

/// The ratio of a fit period to its lateness.
const PERIODS_OF_LATENESS: u64 = 10;

/// The method with the lowest p99 among those that leave the processor to others and never wake before a deadline: what
/// wakes early has not kept it.
pub(super) fn best(recording: &Recording) -> Option<&SeriesRecord> {
    let waiting = recording
        .series
        .iter()
        .filter(|series| series.count > 0 && series.early == 0 && series.processor_share <= POLLS);
    waiting.min_by_key(|series| series.per_deadline.p99_ns)
}

/// What never waits keeps every deadline, unless its processor is taken away: the run's own control. If its p99 is neither
/// as good as the best method's nor fit, others had the processor, and the best method was only lucky.
fn disturbed<'a>(recording: &'a Recording, best: &SeriesRecord) -> Option<&'a SeriesRecord> {
    let mut spins = recording
        .series
        .iter()
        .filter(|series| series.method == SPIN);
    let worse = |spin: &&SeriesRecord| spin.per_deadline.p99_ns > best.per_deadline.p99_ns;
    spins.find(|spin| worse(spin) && late(recording, spin) > FIT)
}

/// The verdict, and what to change.
fn fitness(recording: &Recording, best: &SeriesRecord) -> String {
    if let Some(spin) = disturbed(recording, best) {
        return format!(
            "Can't tell whether {} is fit for a period of {}: 1 in 100 deadlines of {SPIN}, which never gives up its \
             processor, was late by {} or more, so that others had the processor. Measure again for longer, or \
             without other programs.",
            described(recording),
            quantity::show(recording.question.schedule.period.to_duration()),
            nanos(spin.per_deadline.p99_ns)
        );
    }
    let fit = match late(recording, best) {
        ..=FIT => "is fit for",
        ..1.0 => "is only just fit for",
        _ => "is not fit for",
    };
    format!(
        "{} {fit} a period of {}: with {}, 99 of 100 deadlines are met within {}. {}",
        described(recording),
        quantity::show(recording.question.schedule.period.to_duration()),
        best.method,
        nanos(best.per_deadline.p99_ns),
        change(recording, best)
    )
}

/// The p99 as a share of the period.
fn late(recording: &Recording, series: &SeriesRecord) -> f64 {
    series.per_deadline.p99_ns as f64 / period_ns(recording.question.schedule.period)
}

fn change(recording: &Recording, best: &SeriesRecord) -> String {
    if late(recording, best) <= FIT {
        // The first method is what programs use without further thought.
        let usual = recording.series.iter().find(|series| series.count > 0);
        return match usual.filter(|usual| late(recording, usual) > FIT) {
            Some(usual) => format!(
                "To get that, wait with {} rather than {}.",
                best.method, usual.method
            ),
            None => "Nothing needs to change.".to_owned(),
        };
    }
    let load = recording.environment.load_average_1_minute;
    if load.is_some_and(|load| load > BUSY_LOAD_AVERAGE) {
        return "Stop the other programs that need a processor, then measure again.".to_owned();
    }
    // The queue made it late, not the timer.
    let p99 = |part: &Option<Distribution>| part.as_ref().map_or(0, |part| part.p99_ns);
    let queued = p99(&best.queue);
    if queued > p99(&best.timer) && queued > best.per_deadline.p99_ns / 2 {
        return "Other threads had the processor: give the thread that waits a higher priority \
                (--priority high), or a processor of its own (--pin)."
            .to_owned();
    }
    let least = best.per_deadline.p99_ns.saturating_mul(PERIODS_OF_LATENESS);
    format!("It is fit for a period of {} or more.", nanos(least))
}
