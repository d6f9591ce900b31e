//! What the rules say where nobody has published a number. Whoever has the machine can refute it.

use super::RuleChange;
use crate::{Companion, Expect, Expectation, Loop, Method, Run};
use punctual_windows::Version;

/// A number that nobody has published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// Of what.
    pub says: String,
    /// The version of Windows.
    pub version: &'static str,
    /// The mean time per iteration in milliseconds, or why there is none.
    pub simulated: String,
}

/// A rule that the evidence leaves open, and a question whose answer depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypotheses {
    /// The rule's name.
    pub rule: &'static str,
    /// The question.
    pub says: String,
    /// The version of Windows.
    pub version: &'static str,
    /// Each value of the rule, and the answer: the mean time per iteration in milliseconds, or why
    /// there is none. The first value is the version's own.
    pub answers: Vec<(&'static str, String)>,
}

/// The version whose rule the published text leaves most open.
const VERSION: &str = "windows-10-2004";

/// What is slept, and what another process asks for meanwhile, in milliseconds. For `Sleep(1)` the
/// text of GRC fixes 2, 6, 7 and 9 to 15; `Sleep(20)` would tell the values of `idle-expiry` apart.
const UNPUBLISHED: [(u32, u32); 6] = [(1, 1), (1, 3), (1, 4), (1, 5), (1, 8), (20, 1)];

/// All predictions, with some rules changed.
pub fn predictions(changes: &[RuleChange]) -> Vec<Prediction> {
    let predict = |(sleep, request)| Prediction {
        says: format!("Sleep({sleep}) under another process's request for {request}"),
        version: VERSION,
        simulated: mean(&run(sleep, request), changes),
    };
    UNPUBLISHED.into_iter().map(predict).collect()
}

/// The rules that are open, and for each a question that tells its values apart.
///
/// # Panics
/// Never: the rules that it names are there.
pub fn hypotheses() -> Vec<Hypotheses> {
    let random = Run {
        looping: Some(Loop {
            random_work: Some("40ms".to_owned()),
            ..Loop::new(Method::Sleep, "20ms")
        }),
        companions: Vec::new(),
        ..run(20, 1)
    };
    let queue = Run {
        looping: Some(Loop {
            request: Some("1ms".to_owned()),
            ..Loop::new(Method::TimerQueueOnce, "3ms")
        }),
        companions: Vec::new(),
        ..run(3, 1)
    };
    let questions = [
        (
            "due-time",
            "Sleep(20) begun at random moments",
            waits(random),
        ),
        (
            "idle-expiry",
            "Sleep(20) under another process's request for 1",
            run(20, 1),
        ),
        (
            "timer-queue-class",
            "a timer-queue timer of 3 under the process's own request for 1",
            queue,
        ),
    ];
    questions
        .map(|(rule, says, run)| answers(rule, says, &run))
        .into()
}

/// The same run, asked how long its waits are: iterations have the work in them.
fn waits(run: Run) -> Run {
    let statement = Expect::MeanWait {
        is: 0.0,
        within: f64::INFINITY,
    };
    Run {
        expect: vec![Expectation::exactly(statement)],
        ..run
    }
}

fn answers(rule: &'static str, says: &str, run: &Run) -> Hypotheses {
    let version = Version::named(VERSION).expect("a version that there is");
    let rules = version.rules;
    let found = rules.iter().find(|found| found.name == rule);
    let found = found.expect("a rule that there is");
    let others = found.values.iter().filter(|value| **value != found.value);
    let answer = |value: &'static str| {
        let change = format!("{rule}={value}").parse();
        (value, mean(run, &[change.expect("a value that there is")]))
    };
    Hypotheses {
        rule,
        says: says.to_owned(),
        version: VERSION,
        answers: [found.value]
            .iter()
            .chain(others)
            .copied()
            .map(answer)
            .collect(),
    }
}

fn mean(run: &Run, changes: &[RuleChange]) -> String {
    let change = |run: Run, change: &RuleChange| run.overridden(&change.over());
    let run = changes.iter().fold(run.clone(), change);
    match run.replay(VERSION) {
        Ok(findings) => findings.into_iter().map(|finding| finding.found).collect(),
        Err(error) => error.to_string(),
    }
}

fn run(sleep: u32, request: u32) -> Run {
    Run {
        looping: Some(Loop::new(Method::Sleep, format!("{sleep}ms"))),
        companions: vec![Companion::Requester {
            interval: format!("{request}ms"),
        }],
        expect: vec![Expectation::exactly(ANYTHING)],
        ..Run::default()
    }
}

/// A mean that is wanted for what it is.
const ANYTHING: Expect = Expect::Mean {
    is: 0.0,
    within: f64::INFINITY,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn whole_millis(changes: &[&str]) -> Vec<i64> {
        let changes: Vec<_> = changes
            .iter()
            .map(|change| change.parse().unwrap())
            .collect();
        let predictions = predictions(&changes);
        let round = |text: &str| format!("{:.0}", text.parse::<f64>().unwrap());
        predictions
            .iter()
            .map(|prediction| round(&prediction.simulated).parse().unwrap())
            .collect()
    }

    #[test]
    fn the_values_of_every_open_rule_answer_differently() {
        for Hypotheses { rule, answers, .. } in hypotheses() {
            assert!(answers.len() > 1, "{rule}");
            let answers = answers
                .iter()
                .map(|(_, answer)| answer.parse::<f64>().unwrap());
            let answers = Vec::from_iter(answers);
            let apart = answers
                .windows(2)
                .all(|pair| (pair[0] - pair[1]).abs() > 1.0);
            assert!(apart, "{rule}: {answers:?}");
        }
    }

    #[test]
    fn what_would_tell_the_values_of_a_rule_apart_is_predicted() {
        assert_eq!(whole_millis(&[]), [16, 15, 16, 15, 16, 32]);
        assert_eq!(whole_millis(&["idle-expiry=hold"])[5], 21);
    }

    /// The text of GRC fixes only 2, 6, 7, 8 and 9 to 15.
    #[test]
    fn sleep_1_under_every_request_of_another_process_is_the_same_on_other_hardware() {
        let predicted = [16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15];
        for (interval, quantum) in [("15.625ms", "1.28us"), ("15.6ms", "5.33us")] {
            for (request, predicted) in (1..).zip(predicted) {
                let mut run = run(1, request);
                let hardware = [("default-interval", interval), ("quantum", quantum)];
                run.machine = hardware
                    .map(|(name, value)| (name.into(), value.into()))
                    .into();
                let mean: f64 = mean(&run, &[]).parse().unwrap();
                assert_eq!(
                    mean.round(),
                    f64::from(predicted),
                    "{request} {interval} {quantum}"
                );
            }
        }
    }
}
