//! The printed words of a question, read as flags, give the same question: for all its fields.

use super::*;
use crate::command_line::{Args, Command};
use crate::doctor::{self, clocks};
use crate::{explain, measure};
use clap::Parser;
use proptest::prelude::*;
use punctual::Period;
use punctual_lab::calls::{Lengths, When};
use punctual_lab::conditions::{Slice, Throttling};
use punctual_lab::measure::Deadlines;
use punctual_lab::pace::Beats;
use punctual_lab::schedule::{Question, Schedule};
use punctual_lab::vary::{Condition, Vary};
use punctual_lab::{clocks as of_clocks, measure as of_measure, pace as of_pace};
use std::num::NonZeroUsize;
use std::time::Duration;

fn command(words: &Words) -> Command {
    let words = ["punctual"]
        .into_iter()
        .chain(words.as_slice().iter().map(String::as_str));
    let args = Args::try_parse_from(words);
    args.unwrap_or_else(|error| panic!("{error}")).command
}

fn nanos(range: impl Strategy<Value = u64>) -> impl Strategy<Value = Duration> {
    range.prop_map(Duration::from_nanos)
}

fn period() -> impl Strategy<Value = Period> {
    let length = (1_000_u64.., 1_u64..1_000).prop_map(|(nanos, parts)| (nanos, parts));
    let period = length.prop_map(|(nanos, parts)| {
        let exact = Period::try_from_nanos_fraction(nanos, parts);
        exact.unwrap_or(Period::from_hertz(60))
    });
    let measurable = |period: &Period| period.to_duration() >= Duration::from_micros(1);
    period.prop_filter("at least a microsecond", measurable)
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-z][a-z0-9-]{0,14}", 0..4)
}

fn load() -> impl Strategy<Value = Load> {
    let processes = prop::option::of(1..=1024_usize);
    prop_oneof![
        Just(Load::None),
        processes.prop_map(|count| Load::Cpu {
            processes: count.and_then(NonZeroUsize::new),
        }),
        Just(Load::Switch),
        Just(Load::Memory),
        Just(Load::Timers),
        "[^\0]*[^\0\\s][^\0]*".prop_map(Load::Command),
    ]
}

fn companion() -> impl Strategy<Value = Companion> {
    prop_oneof![
        (nanos(1_u64..), standing())
            .prop_map(|(interval, standing)| Companion::Requester { interval, standing }),
        nanos(1_u64..).prop_map(|interval| Companion::Driver { interval }),
        (1..=1_000_usize).prop_map(|threads| Companion::Sleepers {
            threads: NonZeroUsize::new(threads).unwrap(),
        }),
    ]
}

fn standing() -> impl Strategy<Value = Standing> {
    let throttling = prop::sample::select(Throttling::ALL.to_vec());
    (any::<bool>(), prop::option::of(throttling))
        .prop_map(|(hidden, throttling)| Standing { hidden, throttling })
}

fn company() -> impl Strategy<Value = Vec<Companion>> {
    prop::collection::vec(companion(), 0..3)
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let priority = prop::sample::select(Priority::ALL.to_vec());
    let slices = prop::collection::vec(slice(), 0..=Slice::MOST);
    let all = (
        load(),
        company(),
        standing(),
        priority,
        any::<Option<usize>>(),
        slices,
    );
    all.prop_map(|(load, with, standing, priority, pin, slices)| Conditions {
        load,
        with,
        standing,
        priority,
        pin,
        slices,
    })
}

fn slice() -> impl Strategy<Value = Slice> {
    prop_oneof![
        Just(Slice::Default),
        nanos(100_000..=100_000_000_u64).prop_map(Slice::Of),
    ]
}

fn learning() -> impl Strategy<Value = (Option<LateRate>, Option<Budget>)> {
    let late_rate = prop::option::of(0.0001..=0.25_f64);
    let budget = prop::option::of(0.0..=1.0_f64);
    (late_rate, budget).prop_map(|(rate, budget)| {
        (
            rate.map(|share| LateRate::new(share).unwrap()),
            budget.map(|share| Budget::new(share).unwrap()),
        )
    })
}

/// Empty if this build has no simulated machines.
#[cfg(feature = "sim")]
fn simulated() -> impl Strategy<Value = Option<Simulated>> {
    let machines = ["windows-xp", "windows-10-2004", "windows-11,processors=2"];
    let machine = prop::sample::select(machines.map(str::to_owned).to_vec());
    prop::option::of(
        (machine, any::<u64>()).prop_map(|(machine, seed)| Simulated { machine, seed }),
    )
}

#[cfg(not(feature = "sim"))]
fn simulated() -> impl Strategy<Value = Option<Simulated>> {
    Just(None)
}

fn request() -> impl Strategy<Value = Option<Duration>> {
    prop::option::of(nanos(1_u64..))
}

fn vary() -> impl Strategy<Value = Vary> {
    let condition = prop::sample::select(Condition::ALL.to_vec());
    (condition, ascending(100, 10_000_000, 20))
        .prop_map(|(condition, values)| Vary { condition, values })
}

fn asked<S: Schedule>(schedule: impl Strategy<Value = S>) -> impl Strategy<Value = Question<S>> {
    let what = (schedule, names(), conditions());
    let request = (request(), prop::option::of(vary()));
    let how = (learning(), request, any::<bool>(), simulated());
    (what, how).prop_map(|((schedule, mut waiters, conditions), how)| {
        let ((late_rate, budget), (mut request, vary), tuned, on) = how;
        if let Some(vary) = &vary {
            request = request.filter(|_| vary.condition != Condition::Request);
            // Of a varied condition, the flags choose a method if none is given.
            waiters.push("one".to_owned());
        }
        Question {
            schedule,
            waiters,
            conditions,
            late_rate,
            budget,
            request,
            tuned,
            vary,
            on,
        }
    })
}

fn deadlines() -> impl Strategy<Value = Deadlines> {
    let length = prop_oneof![
        (1_u64..).prop_map(of_measure::Length::Count),
        nanos(any::<u64>()).prop_map(of_measure::Length::Duration),
    ];
    (period(), length).prop_map(|(period, length)| Deadlines { period, length })
}

fn beats() -> impl Strategy<Value = Beats> {
    let length = prop_oneof![
        Just(of_pace::Length::Quick),
        nanos(any::<u64>()).prop_map(of_pace::Length::Each),
    ];
    let all = (period(), length, nanos(any::<u64>()));
    all.prop_map(|(period, length, work)| Beats {
        period,
        length,
        work,
    })
}

fn lengths() -> impl Strategy<Value = Lengths> {
    let at = prop::sample::select(When::ALL.to_vec());
    let all = (
        ascending(1, 1_000_000_000, 4),
        at,
        1_u64..,
        nanos(any::<u64>()),
    );
    all.prop_map(|(lengths, at, count, work)| Lengths {
        lengths,
        at,
        count,
        work,
    })
}

/// What the words of a question ask.
fn asks<S: measure::AsFlags>(question: &Question<S>) -> measure::Asked {
    let Command::Measure(args) = command(&measure::words(question)) else {
        panic!("another command");
    };
    args.question().unwrap()
}

fn ascending(unit_ns: u64, most: u64, count: usize) -> impl Strategy<Value = Vec<Duration>> {
    let all = prop::collection::btree_set(1..=most, 1..=count);
    all.prop_map(move |units| {
        let times = units.into_iter().map(|units| units * unit_ns);
        times.map(Duration::from_nanos).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::effort(50, 200)))]

    #[test]
    fn of_deadlines(question in asked(deadlines())) {
        let measure::Asked::Deadlines(asked) = asks(&question) else {
            panic!("another schedule");
        };
        prop_assert_eq!(asked, question);
    }

    #[test]
    fn of_beats(question in asked(beats())) {
        let measure::Asked::Beats(asked) = asks(&question) else {
            panic!("another schedule");
        };
        prop_assert_eq!(asked, question);
    }

    #[test]
    fn of_lengths(question in asked(lengths())) {
        let question = Question { tuned: false, ..question };
        let measure::Asked::Lengths(asked) = asks(&question) else {
            panic!("another schedule");
        };
        prop_assert_eq!(asked, question);
    }

    #[test]
    fn of_explained_loops(question in asked(deadlines()), method in "[a-z][a-z0-9-]{0,14}") {
        let question = of_measure::Question {
            waiters: vec![method],
            late_rate: None,
            budget: None,
            tuned: false,
            vary: None,
            // On this machine a loop cannot be explained under a request.
            request: question.request.filter(|_| question.on.is_some()),
            ..question
        };
        let Command::Explain(args) = command(&explain::words(&question)) else {
            panic!("another command");
        };
        prop_assert_eq!(args.question(), question);
    }

    #[test]
    fn of_clocks_questions(
        duration in nanos(50_000_000_u64..), with in company(), on in simulated()
    ) {
        let question = of_clocks::Question { duration, with, on };
        let Command::Doctor(args) = command(&clocks::words(&question)) else {
            panic!("another command");
        };
        let Some(doctor::Instead::Clocks(args)) = args.instead else {
            panic!("another action");
        };
        prop_assert_eq!(args.question().unwrap(), question);
    }

    #[test]
    #[cfg(feature = "sim")]
    fn of_languages(
        length in nanos(0..=60_000_000_000_u64),
        machine in prop::sample::select(vec!["windows-7", "windows-11,processors=2"]),
        all in any::<bool>(),
        with in company(),
        at in prop::sample::select(punctual_lab::calls::When::ALL.to_vec()),
        (count, seed) in (1_u64.., any::<u64>()),
    ) {
        let usual = punctual_lab::languages::Question::of(length);
        let one = vec!["python-3.10".to_owned()];
        let question = punctual_lab::languages::Question {
            machines: vec![machine.to_owned()],
            personas: if all { usual.personas } else { one },
            with,
            at,
            count,
            seed,
            length,
        };
        let Command::Windows(args) = command(&crate::windows::languages::words(&question)) else {
            panic!("another command");
        };
        prop_assert_eq!(args.languages.question().unwrap(), question);
    }

}

#[test]
fn words_reach_a_shell_as_they_are() {
    let mut words = Words::of("measure");
    words.flag("--load", "command:it's");
    words.flag("--with", "requester=2ms");
    words.flag("--method", "");
    let line = words.to_string();
    assert_eq!(
        line,
        "punctual measure --load 'command:it'\\''s' --with requester=2ms --method ''"
    );
    let mut words = Words::of("measure");
    words.flag("--load", "command:it's\n\u{1b}1\u{202e}\\");
    assert_eq!(
        words.to_string(),
        r"punctual measure --load $'command:it\'s\012\0331\342\200\256\\'"
    );
}
