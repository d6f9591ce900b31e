//! The page's first sentence: whether the machine is fit for the requested period, and what to
//! change.

use super::document::described;
use crate::measure::BUSY_LOAD_AVERAGE;
use punctual_data::distribution::Distribution;
use punctual_data::quantity::{self, nanos, period_ns};
use punctual_lab::measure::{Recording, SeriesRecord};

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
pub(super) fn sentences(recording: &Recording, best: &SeriesRecord) -> String {
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
