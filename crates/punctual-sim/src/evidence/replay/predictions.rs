//! What the rules say where nobody has published a number. Whoever has the machine can refute it.

use super::RuleChange;
use crate::evidence::{Companion, Expect, Expectation, Loop, Method, Run};

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
