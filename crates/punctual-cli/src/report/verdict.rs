//! What it all amounts to, in sentences with the numbers in them.

use super::document::{Document, Explanation, described, simulated};
use super::text::{nanos, percent};
use super::{drift, pace};
use crate::measure::BUSY_LOAD_AVERAGE;
use crate::quantity::period_ns;
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::measure::Recording;
use punctual_lab::measure::SeriesRecord;
use punctual_lab::methods::PUNCTUAL;
use punctual_lab::pace::{PaceRecord, PaceRecording};
use punctual_lab::slack::SlackSweep;
use punctual_lab::sweep::{MachineSweep, Machines, SweepRecording};

/// Who has a processor for more than this share of the time does not wait, but polls.
const POLLS: f64 = 0.5;

/// One sentence or two for each document; simulated recordings have their own section.
pub(super) fn sentences(documents: &[Document]) -> Vec<String> {
    let are_all_simulated = documents.iter().all(|document| match document {
        Document::Recording(recording) => simulated(recording).is_some(),
        _ => true,
    });
    let of = |document: &Document| match document {
        Document::Recording(recording) if are_all_simulated || simulated(recording).is_none() => {
            measured(recording)
        }
        Document::Recording(_) => Vec::new(),
        Document::Sweep(sweep) => swept(sweep).into_iter().collect(),
        Document::Explanation(explanation) => explained(explanation).into_iter().collect(),
        Document::Pace(pace) => paced(pace).into_iter().collect(),
        Document::Slack(sweep) => slackened(sweep).into_iter().collect(),
        Document::Clocks(found) => clocked(found).into_iter().collect(),
    };
    documents.iter().flat_map(of).collect()
}

fn measured(recording: &Recording) -> Vec<String> {
    let machine = described(recording);
    let series = || recording.series.iter().filter(|series| series.count > 0);
    let waiting = || series().filter(|series| series.processor_share <= POLLS);
    let p99 = |series: &&SeriesRecord| series.per_deadline.p99_ns;
    let Some(best) = waiting().min_by_key(p99) else {
        return vec![format!("{machine}: nothing was measured that waits.")];
    };
    let period = whole_period_ns(recording);
    let mut sentences = vec![format!("{machine}: {}", grade(best, period))];
    if let Some(usual) = series().find(|series| series.method != best.method) {
        let late = &usual.per_deadline;
        let [p50, p99, max] = [late.p50_ns, late.p99_ns, late.max_ns].map(nanos);
        sentences.push(format!(
            "Asked to wake every {}, {} was {p50} late or less half of the time, later than {p99} \
             once in a hundred, and {max} at worst{}.",
            nanos(period),
            usual.method,
            missed(usual)
        ));
    }
    let ours = series().find(|series| series.method == PUNCTUAL);
    sentences.extend(ours.map(|ours| {
        let late = &ours.per_deadline;
        format!(
            "Punctual's own wait ended within {} half of the time and within {} in 99 of 100, for \
             {} of a processor.",
            nanos(late.p50_ns),
            nanos(late.p99_ns),
            percent(ours.processor_share)
        )
    }));
    sentences.extend(busy(recording));
    let early: Vec<_> = series().filter(|series| series.early > 0).collect();
    sentences.extend(early.iter().map(|series| {
        format!(
            "{} woke before its deadline {} times.",
            series.method, series.early
        )
    }));
    sentences
}

/// Cut to whole nanoseconds.
fn whole_period_ns(recording: &Recording) -> u64 {
    let period = recording.question.period.to_duration();
    u64::try_from(period.as_nanos()).unwrap_or(u64::MAX)
}

/// Whose tails these may be.
fn busy(recording: &Recording) -> Option<String> {
    let load = recording.environment.load_average_1_minute?;
    (load > BUSY_LOAD_AVERAGE).then(|| {
        format!(
            "The machine was not idle before it was measured ({load:.1} threads wanted a processor \
             in the last minute), which shows in what is rare."
        )
    })
}

/// How the best way of waiting that leaves the processor to others keeps this beat.
fn grade(best: &SeriesRecord, period_ns: u64) -> String {
    let p99 = best.per_deadline.p99_ns;
    let period = nanos(period_ns);
    let share = p99 as f64 / period_ns.max(1) as f64;
    let keeps = match share {
        ..0.01 => "keeps it to within a hundredth of the period",
        ..0.1 => "keeps it to within a tenth of the period",
        ..1.0 => "keeps it loosely, late by more than a tenth of the period at times",
        _ => "does not keep it: it is late by a whole period or more",
    };
    format!(
        "of the ways that wait for a beat of {period}, {} does best, and {keeps} (99th percentile \
         {}).",
        best.method,
        nanos(p99)
    )
}

fn missed(series: &SeriesRecord) -> String {
    match series.missed {
        0 => String::new(),
        1 => "; it missed one deadline while it waited for another".to_owned(),
        missed => format!("; it missed {missed} deadlines while it waited for others"),
    }
}

fn swept(sweep: &SweepRecording) -> Option<String> {
    let asked = sweep.machines.first()?.rows.first()?.requested_ns;
    let mean = |machine: &MachineSweep| {
        let row = machine.rows.iter().find(|row| row.requested_ns == asked)?;
        Some(format!(
            "{} on {}",
            nanos(row.sleep_1.mean_ns),
            machine.machine
        ))
    };
    let means: Vec<_> = sweep.machines.iter().filter_map(mean).collect();
    let takes = match sweep.question.machines == Machines::Native {
        true => "takes",
        false => "is predicted to take",
    };
    Some(format!(
        "While {} requests an interval of {}, Sleep(1) {takes} {}.",
        sweep.question.by,
        nanos(asked),
        means.join(", ")
    ))
}

fn explained(explanation: &Explanation) -> Option<String> {
    let most = explanation
        .causes
        .iter()
        .max_by_key(|cause| cause.total_ns)?;
    Some(format!(
        "Of the lateness of {}, most was {} ({}): {}.",
        explanation.subject,
        most.cause,
        most.who,
        percent(most.share)
    ))
}

fn slackened(sweep: &SlackSweep) -> Option<String> {
    let (least, most) = (sweep.rows.first()?, sweep.rows.last()?);
    let late =
        |row: &punctual_lab::slack::Row| nanos(row.nanosleep.p50_ns.saturating_sub(sweep.sleep_ns));
    Some(format!(
        "A sleep of {} is late by {} in the median with a timer slack of {}, and by {} with {}.",
        nanos(sweep.sleep_ns),
        late(least),
        nanos(least.slack_ns),
        late(most),
        nanos(most.slack_ns)
    ))
}

/// Only what nobody expects of a clock.
fn clocked(found: &ClocksRecording) -> Option<String> {
    let back = found.clocks.iter().filter(|clock| {
        let across = clock.across.as_ref();
        across.is_some_and(|across| across.back > 0)
    });
    let names: Vec<_> = back.map(|clock| clock.clock.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Read on one processor after another, {} went back.",
            names.join(", ")
        )
    })
}

fn paced(pace: &PaceRecording) -> Option<String> {
    let error = |way: &&PaceRecord| way.error_ppm.map_or(f64::INFINITY, f64::abs);
    let known = || pace.ways.iter().filter(|way| way.error_ppm.is_some());
    let by_error = |one: &&PaceRecord, other: &&PaceRecord| error(one).total_cmp(&error(other));
    let (best, worst) = (known().min_by(by_error)?, known().max_by(by_error)?);
    let off = |way: &PaceRecord| drift::in_a_day(way, period_ns(pace.question.period));
    Some(format!(
        "{}: a clock that counts beats of {:.3} ms is off most after a day if {} keeps them ({}), and \
         least if {} does ({}).",
        pace::machine(pace),
        period_ns(pace.question.period) / 1e6,
        worst.way,
        off(worst),
        best.way,
        off(best)
    ))
}
