//! Warnings about a measurement. Each names a cause and a flag to try.

use super::printed::Fact;
use punctual_data::quantity::{nanos, whole_nanos};
use punctual_lab::conditions::Load;
use punctual_lab::measure::{Recording, SeriesRecord};
use punctual_lab::waiters::PUNCTUAL;
use punctual_lab::{Machine, Native, REQUESTED, SLICED, TUNED};
use punctual_windows::mechanisms::SET_TIMER;
use std::fmt;
use std::time::Duration;

/// Every warning.
#[derive(Debug, PartialEq)]
enum Warning {
    Slack {
        slack_ns: u64,
        methods: usize,
    },
    Queued {
        method: String,
        p99_ns: u64,
        /// Whether the thread may have a shorter slice than it had.
        slice_is_long: bool,
    },
    Ticks {
        interval_ns: u64,
        period_ns: u64,
    },
    /// The shortest wait of `SetTimer`.
    LeastOfSetTimer {
        method: String,
        missed: u64,
    },
    Stalled {
        method: String,
        missed: u64,
        longest_ns: u64,
    },
    /// Its call counts in a unit that is no shorter than half a period.
    Coarse {
        method: String,
        missed: u64,
        unit_ns: u64,
        period_ns: u64,
    },
    BudgetBinds {
        late_share: f64,
        asked: f64,
        budget: f64,
    },
    TailUnknown {
        count: u64,
    },
    OthersRunning {
        load: f64,
    },
    SlowClock {
        source: String,
        cost_ns: f64,
    },
    Early {
        method: String,
        early: u64,
    },
    Changed(String),
}

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
    let found = find(recording, facts);
    found.iter().map(ToString::to_string).collect()
}

fn find(recording: &Recording, facts: &[Fact]) -> Vec<Warning> {
    let measured = || recording.series.iter().filter(|series| series.count > 0);
    let mut warnings = Vec::new();
    warnings.extend(measured().filter_map(early));
    warnings.extend(
        recording
            .environment_changes
            .iter()
            .cloned()
            .map(Warning::Changed),
    );
    warnings.extend(slack(recording, facts));
    match ticks(recording) {
        Some(ticks) => warnings.push(ticks),
        None => {
            let is_coarse = |series: &&SeriesRecord| coarse(recording, series, facts).is_some();
            let stalled = measured().filter(|series| !is_coarse(series));
            warnings.extend(stalled.filter_map(self::stalled).max_by_key(missed));
            let coarse = measured().filter_map(|series| coarse(recording, series, facts));
            warnings.extend(coarse.max_by_key(missed));
        }
    }
    warnings.extend(least_of_set_timer(recording));
    warnings.extend(
        measured()
            .filter_map(|series| queued(recording, series))
            .max_by_key(queue_p99),
    );
    warnings.extend(budget_binds(recording));
    warnings.extend(slow_clock(recording));
    warnings.extend(others_running(recording));
    warnings.extend(tail_unknown(recording));
    warnings
}

fn early(series: &SeriesRecord) -> Option<Warning> {
    (series.early > 0).then(|| Warning::Early {
        method: series.method.clone(),
        early: series.early,
    })
}

fn slack(recording: &Recording, facts: &[Fact]) -> Option<Warning> {
    let slack_ns = recording.environment.timer_slack_ns?;
    let delayed = recording.series.iter().filter(|series| {
        facts
            .iter()
            .any(|fact| fact.slack_applies && fact.name == series.method)
    });
    let methods = delayed.count();
    (slack_ns >= SLACK_WORTH_A_WORD_NS && methods > 0)
        .then_some(Warning::Slack { slack_ns, methods })
}

/// If waits end with timer interrupts, they last for up to two intervals. Deadlines closer together
/// than that are missed without a stall.
fn ticks(recording: &Recording) -> Option<Warning> {
    let interval_ns = recording.environment.timer_interval_ns?;
    let period_ns = period_ns(recording);
    let is_missed = recording.series.iter().any(|series| series.missed > 0);
    (is_missed && interval_ns * 2 > period_ns).then_some(Warning::Ticks {
        interval_ns,
        period_ns,
    })
}

/// Rounded down to whole nanoseconds.
fn period_ns(recording: &Recording) -> u64 {
    whole_nanos(recording.question.schedule.period.to_duration())
}

fn is_set_timer(series: &SeriesRecord) -> bool {
    series.method.trim_start_matches(REQUESTED) == SET_TIMER.name
}

fn least_of_set_timer(recording: &Recording) -> Option<Warning> {
    let mut series = recording.series.iter();
    let series = series.find(|series| series.missed > 0 && is_set_timer(series))?;
    (period_ns(recording) < LEAST_OF_SET_TIMER_NS).then(|| Warning::LeastOfSetTimer {
        method: series.method.clone(),
        missed: series.missed,
    })
}

/// `SetTimer` has a warning of its own.
fn stalled(series: &SeriesRecord) -> Option<Warning> {
    (series.missed > 0 && !is_set_timer(series)).then(|| Warning::Stalled {
        method: series.method.clone(),
        missed: series.missed,
        longest_ns: series.per_deadline.max_ns,
    })
}

/// A call that rounds up to its unit wakes up to a unit late, and so misses deadlines that are closer together than two.
fn coarse(recording: &Recording, series: &SeriesRecord, facts: &[Fact]) -> Option<Warning> {
    let mut facts = facts.iter();
    let fact = facts.find(|fact| fact.name == plain(&series.method))?;
    let (unit_ns, period_ns) = (whole_nanos(fact.unit?), period_ns(recording));
    let explains = unit_ns * 2 > period_ns && series.per_wake.p99_ns < unit_ns * 2;
    (series.missed > 0 && explains).then(|| Warning::Coarse {
        method: series.method.clone(),
        missed: series.missed,
        unit_ns,
        period_ns,
    })
}

/// A method's name without a mark.
fn plain(method: &str) -> &str {
    let marks = [REQUESTED, TUNED, SLICED].into_iter();
    let mut unmarked = marks.filter_map(|mark| method.strip_prefix(mark));
    unmarked.next().unwrap_or(method)
}

fn missed(warning: &Warning) -> u64 {
    match warning {
        Warning::Stalled { missed, .. } | Warning::Coarse { missed, .. } => *missed,
        _ => 0,
    }
}

/// Most of the tail is the queue's part: the timer was on time, and other threads had the
/// processor.
fn queued(recording: &Recording, series: &SeriesRecord) -> Option<Warning> {
    let (timer, queue) = (series.timer.as_ref()?, series.queue.as_ref()?);
    (queue.p99_ns > timer.p99_ns).then(|| Warning::Queued {
        method: series.method.clone(),
        p99_ns: queue.p99_ns,
        slice_is_long: has_long_slice(recording, &series.method),
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

fn queue_p99(warning: &Warning) -> u64 {
    match warning {
        Warning::Queued { p99_ns, .. } => *p99_ns,
        _ => 0,
    }
}

/// More waits of method `punctual` were late than requested, beyond chance, and a larger budget
/// could have changed that: the timer was late, and not the queue, against which no spin helps.
fn budget_binds(recording: &Recording) -> Option<Warning> {
    let series = recording
        .series
        .iter()
        .find(|series| series.method == PUNCTUAL)?;
    let asked = recording.question.late_rate.unwrap_or_default().share();
    let budget = recording.question.budget.unwrap_or_default().share();
    let by_timer = series.timer.as_ref().unwrap_or(&series.per_wake);
    let late_share = by_timer.share_above(whole_nanos(LATE));
    let standard_error = (asked * (1.0 - asked) / series.count.max(1) as f64).sqrt();
    let beyond_chance = late_share > 2.0 * asked + 3.0 * standard_error;
    (beyond_chance && budget < 1.0).then_some(Warning::BudgetBinds {
        late_share,
        asked,
        budget,
    })
}

fn slow_clock(recording: &Recording) -> Option<Warning> {
    let cost_ns = recording.environment.clock_cost_ns?;
    let source = recording.environment.clock_source.clone();
    (cost_ns > SLOW_CLOCK_NS).then(|| Warning::SlowClock {
        source: source.unwrap_or_else(|| "unknown".to_owned()),
        cost_ns,
    })
}

fn others_running(recording: &Recording) -> Option<Warning> {
    let load = recording.environment.load_average_1_minute?;
    let asked_for_it = recording.question.conditions.load != Load::None;
    (load > BUSY_LOAD_AVERAGE && !asked_for_it).then_some(Warning::OthersRunning { load })
}

fn tail_unknown(recording: &Recording) -> Option<Warning> {
    let count = recording.series.iter().map(|series| series.count).max()?;
    (count < COUNT_FOR_TAIL).then_some(Warning::TailUnknown { count })
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slack { slack_ns, methods } => write!(
                f,
                "the kernel may delay {methods} of these methods by up to {}, their timer slack. \
                 It does not delay futex-waitv, timerfd and the punctual methods (try --method \
                 punctual)",
                nanos(*slack_ns)
            ),
            Self::Queued {
                method,
                p99_ns,
                slice_is_long,
            } => write!(
                f,
                "in 1 % of {method}'s wake-ups the thread was ready for {} or more before it got a \
                 processor. Other threads had it (try {}--priority high, or --pin to an idle \
                 processor)",
                nanos(*p99_ns),
                if *slice_is_long {
                    "--slice 0.1ms, "
                } else {
                    ""
                }
            ),
            Self::Ticks {
                interval_ns,
                period_ns,
            } => write!(
                f,
                "plain waits end with timer interrupts. These come every {} here, and the \
                 deadlines are {} apart (try {}--method high-res)",
                nanos(*interval_ns),
                nanos(*period_ns),
                match *interval_ns {
                    ..=1_000_000 => "",
                    _ => "--request 1ms, or ",
                }
            ),
            Self::LeastOfSetTimer { method, missed } => write!(
                f,
                "{method} missed {missed} deadlines. SetTimer waits for {} at least (try another \
                 --method, or a longer --period)",
                nanos(LEAST_OF_SET_TIMER_NS)
            ),
            Self::Stalled {
                method,
                missed,
                longest_ns,
            } => write!(
                f,
                "{method} missed {missed} deadlines. The machine stalls for longer than a period, \
                 up to {} (try --priority realtime, or a longer --period)",
                nanos(*longest_ns)
            ),
            Self::Coarse {
                method,
                missed,
                unit_ns,
                period_ns,
            } => write!(
                f,
                "{method} missed {missed} deadlines. It counts in whole {} and rounds up, and the \
                 deadlines are {} apart (try another --method, or a longer --period)",
                nanos(*unit_ns),
                nanos(*period_ns)
            ),
            Self::BudgetBinds {
                late_share,
                asked,
                budget,
            } => write!(
                f,
                "{:.1} % of the waits of method punctual ended late, and {:.1} % were requested. A \
                 processor budget of {:.0} % is too small for that here (try --budget {:.0}%)",
                late_share * 100.0,
                asked * 100.0,
                budget * 100.0,
                (budget * 400.0).clamp(1.0, 100.0)
            ),
            Self::TailUnknown { count } => write!(
                f,
                "with {count} waits, p99.9 depends on {} (try --count {COUNT_FOR_TAIL})",
                match count.div_ceil(1_000) {
                    1 => "the single worst".to_owned(),
                    worst => format!("the worst {worst}"),
                }
            ),
            Self::OthersRunning { load } => write!(
                f,
                "other programs kept {load:.1} processors busy over the last minute. The worst \
                 waits may come from that (try again when the machine is quiet)"
            ),
            Self::SlowClock { source, cost_ns } => write!(
                f,
                "reading the clock takes {cost_ns:.0} ns, with the clock source {source}. No spin \
                 can be more precise than that (try booting with clocksource=tsc)"
            ),
            Self::Early { method, early } => write!(
                f,
                "{early} of {method}'s waits ended before their deadline. A program that uses it \
                 must read the clock and wait again, as --method punctual does"
            ),
            Self::Changed(what) => write!(
                f,
                "the machine changed during the measurement: {what} (measure again, or only \
                 compare methods with each other)"
            ),
        }
    }
}

#[cfg(test)]
mod tests;
