//! Warnings about a measurement. Each names a cause and a flag to try.

use super::printed::Fact;
use punctual_data::quantity::{nanos, whole_nanos};
use punctual_lab::conditions::Load;
use punctual_lab::measure::{Recording, SeriesRecord};
use punctual_lab::waiters::PUNCTUAL;
use punctual_lab::{Machine, Native, REQUESTED, SLICED, TUNED};
use punctual_windows::mechanisms::SET_TIMER;
use std::time::Duration;

/// A smaller slack is invisible among the other costs of a wake-up.
const SLACK_WORTH_A_WORD_NS: u64 = 10_000;

/// A clock that takes longer than this is a system call or a device, and not a processor's counter
/// that is read in user space (20-40 ns).
const SLOW_CLOCK_NS: f64 = 200.0;

/// `USER_TIMER_MINIMUM`: `SetTimer` extends shorter times to this.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
const LEAST_OF_SET_TIMER_NS: u64 = 10_000_000;

/// If other programs kept half a processor busy over the last minute, every tail shows it.
pub const BUSY_LOAD_AVERAGE: f64 = 0.5;

/// With this many waits, p99.9 is at least the tenth worst. With fewer it depends on one wait.
const COUNT_FOR_TAIL: u64 = 10_000;

/// Punctual's waits that end later than this missed their spin, which ends within tens of
/// nanoseconds.
const LATE: Duration = Duration::from_micros(1);

/// The warnings, in words.
pub(super) fn of(recording: &Recording, facts: &[Fact]) -> Vec<String> {
    let measured = || recording.series.iter().filter(|series| series.count > 0);
    let mut warnings = Vec::from_iter(measured().filter_map(early));
    warnings.extend(recording.environment_changes.iter().map(|what| {
        format!(
            "the machine changed during the measurement: {what} (measure again, or only compare methods \
             with each other)"
        )
    }));
    warnings.extend(slack(recording, facts));
    match ticks(recording) {
        Some(ticks) => warnings.push(ticks),
        None => {
            let is_stalled = |series: &&SeriesRecord| {
                !is_set_timer(series) && coarse(recording, series, facts).is_none()
            };
            let most = |series: &&SeriesRecord| series.missed;
            let missing = || measured().filter(|series| series.missed > 0);
            let most_stalled = missing().filter(is_stalled).max_by_key(most);
            warnings.extend(most_stalled.map(stalled));
            let coarse = missing()
                .filter_map(|series| Some((series.missed, coarse(recording, series, facts)?)));
            warnings.extend(coarse.max_by_key(|found| found.0).map(|found| found.1));
        }
    }
    warnings.extend(least_of_set_timer(recording));
    let queued = measured().filter_map(|series| queued(recording, series));
    warnings.extend(queued.max_by_key(|found| found.0).map(|found| found.1));
    warnings.extend(budget_binds(recording));
    warnings.extend(slow_clock(recording));
    warnings.extend(others_running(recording));
    warnings.extend(tail_unknown(recording));
    warnings
}

fn early(series: &SeriesRecord) -> Option<String> {
    let SeriesRecord { method, early, .. } = series;
    (*early > 0).then(|| {
        format!(
            "{early} of {method}'s waits ended before their deadline. A program that uses it must read the \
             clock and wait again, as --method punctual does"
        )
    })
}

fn slack(recording: &Recording, facts: &[Fact]) -> Option<String> {
    let slack_ns = recording.environment.timer_slack_ns?;
    let delays = |method: &str| {
        facts
            .iter()
            .any(|fact| fact.slack_applies && fact.name == method)
    };
    let delayed = recording
        .series
        .iter()
        .filter(|series| delays(&series.method));
    let methods = delayed.count();
    (slack_ns >= SLACK_WORTH_A_WORD_NS && methods > 0).then(|| {
        format!(
            "the kernel may delay {methods} of these methods by up to {}, their timer slack. It does not \
             delay futex-waitv, timerfd and the punctual methods (try --method punctual)",
            nanos(slack_ns)
        )
    })
}

/// If waits end with timer interrupts, they last for up to two intervals. Deadlines closer together
/// than that are missed without a stall.
fn ticks(recording: &Recording) -> Option<String> {
    let interval_ns = recording.environment.timer_interval_ns?;
    let period_ns = period_ns(recording);
    let is_missed = recording.series.iter().any(|series| series.missed > 0);
    let request = match interval_ns {
        ..=1_000_000 => "",
        _ => "--request 1ms, or ",
    };
    (is_missed && interval_ns * 2 > period_ns).then(|| {
        format!(
            "plain waits end with timer interrupts. These come every {} here, and the deadlines are {} \
             apart (try {request}--method high-res)",
            nanos(interval_ns),
            nanos(period_ns)
        )
    })
}

/// Rounded down to whole nanoseconds.
fn period_ns(recording: &Recording) -> u64 {
    whole_nanos(recording.question.schedule.period.to_duration())
}

fn is_set_timer(series: &SeriesRecord) -> bool {
    series.method.trim_start_matches(REQUESTED) == SET_TIMER.name
}

fn least_of_set_timer(recording: &Recording) -> Option<String> {
    let mut series = recording.series.iter();
    let SeriesRecord { method, missed, .. } =
        series.find(|series| series.missed > 0 && is_set_timer(series))?;
    (period_ns(recording) < LEAST_OF_SET_TIMER_NS).then(|| {
        format!(
            "{method} missed {missed} deadlines. SetTimer waits for {} at least (try another --method, or a \
             longer --period)",
            nanos(LEAST_OF_SET_TIMER_NS)
        )
    })
}

/// `SetTimer` has a warning of its own.
fn stalled(series: &SeriesRecord) -> String {
    format!(
        "{} missed {} deadlines. The machine stalls for longer than a period, up to {} (try --priority \
         realtime, or a longer --period)",
        series.method,
        series.missed,
        nanos(series.per_deadline.max_ns)
    )
}

/// A call that rounds up to its unit wakes up to a unit late, and so misses deadlines that are closer together than two.
fn coarse(recording: &Recording, series: &SeriesRecord, facts: &[Fact]) -> Option<String> {
    let SeriesRecord { method, missed, .. } = series;
    let fact = facts.iter().find(|fact| fact.name == plain(method))?;
    let (unit_ns, period_ns) = (whole_nanos(fact.unit?), period_ns(recording));
    let explains = unit_ns * 2 > period_ns && series.per_wake.p99_ns < unit_ns * 2;
    (*missed > 0 && explains).then(|| {
        format!(
            "{method} missed {missed} deadlines. It counts in whole {} and rounds up, and the deadlines are \
             {} apart (try another --method, or a longer --period)",
            nanos(unit_ns),
            nanos(period_ns)
        )
    })
}

/// A method's name without a mark.
fn plain(method: &str) -> &str {
    let marks = [REQUESTED, TUNED, SLICED].into_iter();
    let mut unmarked = marks.filter_map(|mark| method.strip_prefix(mark));
    unmarked.next().unwrap_or(method)
}

/// Most of the tail is the queue's part: the timer was on time, and other threads had the
/// processor. With the queue's p99.
fn queued(recording: &Recording, series: &SeriesRecord) -> Option<(u64, String)> {
    let method = &series.method;
    let p99_ns = series.queue.as_ref()?.p99_ns;
    let slice = match has_long_slice(recording, method) {
        true => "--slice 0.1ms, ",
        false => "",
    };
    (p99_ns > series.timer.as_ref()?.p99_ns).then(|| {
        let said = format!(
            "in 1 % of {method}'s wake-ups the thread was ready for {} or more before it got a processor. \
             Other threads had it (try {slice}--priority high, or --pin to an idle processor)",
            nanos(p99_ns)
        );
        (p99_ns, said)
    })
}

/// Whether a series of this machine had the thread's own slice, as far as the question says it. Sleepers
/// set a short one if the question sets none.
fn has_long_slice(recording: &Recording, method: &str) -> bool {
    let slices = &recording.question.conditions.slices;
    let slice = match method.starts_with(SLICED) {
        true => slices.get(1),
        false => slices.first(),
    };
    match slice {
        Some(slice) => slice.set().is_none(),
        None => Native::HAS_SLICES && recording.question.on.is_none() && !is_ours(method),
    }
}

/// Whether a method is one of Punctual's own.
fn is_ours(method: &str) -> bool {
    method.trim_start_matches(TUNED).starts_with(PUNCTUAL)
}

/// More waits of method `punctual` were late than requested, beyond chance, and a larger budget
/// could have changed that: the timer was late, and not the queue, against which no spin helps.
fn budget_binds(recording: &Recording) -> Option<String> {
    let mut series = recording.series.iter();
    let series = series.find(|series| series.method == PUNCTUAL)?;
    let asked = recording.question.late_rate.unwrap_or_default().share();
    let budget = recording.question.budget.unwrap_or_default().share();
    let by_timer = series.timer.as_ref().unwrap_or(&series.per_wake);
    let late_share = by_timer.share_above(whole_nanos(LATE));
    let standard_error = (asked * (1.0 - asked) / series.count.max(1) as f64).sqrt();
    let beyond_chance = late_share > 2.0 * asked + 3.0 * standard_error;
    (beyond_chance && budget < 1.0).then(|| {
        format!(
            "{:.1} % of the waits of method punctual ended late, and {:.1} % were requested. A processor \
             budget of {:.0} % is too small for that here (try --budget {:.0}%)",
            late_share * 100.0,
            asked * 100.0,
            budget * 100.0,
            (budget * 400.0).clamp(1.0, 100.0)
        )
    })
}

fn slow_clock(recording: &Recording) -> Option<String> {
    let cost_ns = recording.environment.clock_cost_ns?;
    let source = recording.environment.clock_source.as_deref();
    let source = source.unwrap_or("unknown");
    (cost_ns > SLOW_CLOCK_NS).then(|| {
        format!(
            "reading the clock takes {cost_ns:.0} ns, with the clock source {source}. No spin can be more \
             precise than that (try booting with clocksource=tsc)"
        )
    })
}

fn others_running(recording: &Recording) -> Option<String> {
    let load = recording.environment.load_average_1_minute?;
    let asked_for_it = recording.question.conditions.load != Load::None;
    (load > BUSY_LOAD_AVERAGE && !asked_for_it).then(|| {
        format!(
            "other programs kept {load:.1} processors busy over the last minute. The worst waits may come \
             from that (try again when the machine is quiet)"
        )
    })
}

fn tail_unknown(recording: &Recording) -> Option<String> {
    let count = recording.series.iter().map(|series| series.count).max()?;
    let worst = match count.div_ceil(1_000) {
        1 => "the single worst".to_owned(),
        worst => format!("the worst {worst}"),
    };
    (count < COUNT_FOR_TAIL).then(|| {
        format!("with {count} waits, p99.9 depends on {worst} (try --count {COUNT_FOR_TAIL})")
    })
}

#[cfg(test)]
mod tests;
