//! The answer of a measurement, in a sentence or two.

use crate::show::drift::Drift;
use punctual_data::quantity::{average_interval, nanos, period_ns, rounded};
use punctual_lab::calls;
use punctual_lab::conditions::Load;
use punctual_lab::measure::{Recording, SeriesRecord};
use punctual_lab::pace::{PaceRecord, PaceRecording};
use punctual_lab::waiters::{PUNCTUAL, TICKER};

/// What programs use if nothing chooses, by system.
const USUAL: [&str; 2] = ["std-sleep", "sleep"];

/// Of fewer waits, p99 is one of the two worst.
const FEWEST: u64 = 100;

/// A spin that is later than this at p99 lost its processor: it reads the clock every few tens of nanoseconds.
const SPIN_LATE_NS: u64 = 50_000;

/// What is answered when nothing can be.
const INSTEAD: &str = "Run longer, or without other programs.";

pub(super) fn of_deadlines(recording: &Recording) -> Option<String> {
    let measured = || recording.series.iter().filter(|series| series.count > 0);
    let named = |name: &str| measured().find(|series| series.method == name);
    let p99 = |series: &&SeriesRecord| series.per_deadline.p99_ns;
    let subject = named(PUNCTUAL).or_else(|| measured().min_by_key(p99))?;
    let lateness = &subject.per_deadline;
    if let Some(doubt) = doubt(recording, subject) {
        return Some(format!(
            "Can't tell how late {} wakes: {doubt}. {INSTEAD}",
            subject.method
        ));
    }
    let mut answer = format!(
        "{} wakes {} late in the median, {} at p99",
        subject.method,
        nanos(lateness.p50_ns),
        nanos(lateness.p99_ns)
    );
    let usual = USUAL.into_iter().find_map(named);
    let other = usual.or_else(|| measured().max_by_key(p99));
    if let Some(other) = other.filter(|other| other.method != subject.method) {
        let lateness = &other.per_deadline;
        let [p50, p99] = [lateness.p50_ns, lateness.p99_ns].map(nanos);
        answer += &format!("; {} {p50} and {p99}", other.method);
    }
    Some(answer + ".")
}

/// Why the figures say nothing about the machine itself.
fn doubt(recording: &Recording, subject: &SeriesRecord) -> Option<String> {
    if recording.question.on.is_some() {
        return None;
    }
    if subject.count < FEWEST {
        return Some(format!("it waited only {} times", subject.count));
    }
    if recording.question.conditions.load != Load::None {
        return None;
    }
    let spin = recording
        .series
        .iter()
        .find(|series| series.method == "spin");
    let spin_ns = spin.map_or(0, |spin| spin.per_deadline.p99_ns);
    if spin_ns > SPIN_LATE_NS {
        let late = nanos(spin_ns);
        return Some(format!("even a pure spin was {late} late at p99"));
    }
    let queue_ns = subject.queue.as_ref()?.p99_ns;
    let timer_ns = subject.timer.as_ref()?.p99_ns;
    (queue_ns > SPIN_LATE_NS && queue_ns > timer_ns).then(|| {
        let queued = nanos(queue_ns);
        format!("other threads had the processor for {queued} of its lateness at p99")
    })
}

/// Punctual's own loop, or the one that is off the least, and the one that is off the most.
pub fn of_beats(recording: &PaceRecording) -> Option<String> {
    let period_ns = period_ns(recording.question.schedule.period);
    let known = || {
        let ways = recording.series.iter();
        ways.filter(|way| way.error_s_per_day.is_some())
    };
    let off = |way: &&PaceRecord| rounded(way.error_s_per_day.unwrap_or_default().abs() * 1e9);
    let does = |way| Drift::of(way, period_ns).in_words();
    let ours = known().find(|way| way.way == TICKER);
    let subject = ours.or_else(|| known().min_by_key(off))?;
    let mut answer = format!(
        "A {} loop of {} {}, with a jitter of {}",
        subject.way,
        average_interval(period_ns),
        does(subject),
        nanos(rounded(subject.jitter_ns))
    );
    let worst = known().max_by_key(off);
    if let Some(worst) = worst.filter(|worst| worst.way != subject.way) {
        answer += &format!("; a {} loop {}", worst.way, does(worst));
    }
    Some(answer + ".")
}

pub(super) fn of_lengths(recording: &calls::Recording) -> Option<String> {
    let series = || recording.series.iter().filter(|one| one.mean_ns.is_some());
    let length_ns = series().next()?.length_ns;
    let of_length = || series().filter(|one| one.length_ns == length_ns);
    let mean = |one: &calls::SeriesRecord| one.mean_ns.unwrap_or_default();
    let off = |one: &&calls::SeriesRecord| mean(one).abs_diff(length_ns);
    let (best, worst) = (of_length().min_by_key(off)?, of_length().max_by_key(off)?);
    let shown = |one| average_interval(mean(one) as f64);
    let mut answer = format!(
        "For {}, {} takes {} in the mean",
        nanos(length_ns),
        best.call,
        shown(best)
    );
    let usual = USUAL.into_iter();
    let usual = usual.filter_map(|name| of_length().find(|one| one.call == name));
    let other = usual.chain([worst]).find(|one| one.call != best.call);
    if let Some(other) = other {
        answer += &format!("; {} {}", other.call, shown(other));
    }
    Some(answer + ".")
}
