//! Asks the questions that fit this machine, one after the other, in this process.
//!
//! The command that the page shows for an answer asks the same.

use super::Material;
use super::document::{Document, Explanation};
use crate::command_line::{Args, Command};
use crate::explain;
use crate::words::Words;
use punctual::Period;
use punctual_command::arguments;
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::recording::Recording;
use punctual_lab::schedule::{Question, Schedule};
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native, measure, pace};
use std::time::Duration;

/// The methods to measure, if they exist here: each system's usual one, its best one, and ours.
const METHODS: [&str; 11] = [
    "std-sleep",
    "clock-nanosleep",
    "timerfd",
    "futex-waitv",
    "mach-wait-until",
    "kqueue",
    "sleep",
    "high-res",
    "punctual-coarse",
    "punctual",
    "spin",
];

/// The ways to keep a beat that are measured, if they exist here: the usual one, the system's best
/// one, and ours.
const WAYS: [&str; 6] = [
    "nanosleep",
    "sleep",
    "clock-nanosleep",
    "high-res-abs",
    "ticker",
    "ticker-coarse",
];

/// The methods to simulate: the usual one, Windows' best one, and ours.
#[cfg(feature = "sim")]
const PREDICTED: [&str; 3] = ["sleep", "high-res", "punctual"];

/// A question.
enum Step {
    Measure(measure::Question),
    Explain(measure::Question),
    Pace(pace::Question),
    /// Of simulated machines: requests of another process.
    #[cfg(feature = "sim")]
    Vary(punctual_lab::calls::Question),
}

impl Step {
    /// The command line that asks it.
    fn words(&self) -> Words {
        match self {
            Self::Measure(question) => crate::measure::words(question),
            Self::Explain(question) => explain::words(question),
            Self::Pace(question) => crate::measure::words(question),
            #[cfg(feature = "sim")]
            Self::Vary(question) => crate::measure::words(question),
        }
    }

    fn answer(&self, stop: &Stop) -> Result<Document, Failure> {
        Ok(match self {
            Self::Measure(question) => Document::Recording(Box::new(measured(question, stop)?)),
            Self::Pace(question) => Document::Pace(Box::new(measured(question, stop)?)),
            #[cfg(feature = "sim")]
            Self::Vary(question) => {
                let curve = super::document::Curve::of(&measured(question, stop)?);
                Document::Varied(Box::new(curve.expect("a condition is varied")))
            }
            Self::Explain(_) => {
                let Command::Explain(args) = parsed(&self.words())? else {
                    unreachable!("the words are those of explain");
                };
                let found = match explain::a_loop(&args, stop)? {
                    Ok(found) => Explanation::of_trace(found),
                    Err(found) => Explanation::of_accounts(found),
                };
                Document::Explanation(Box::new(found))
            }
        })
    }
}

fn measured<S: Schedule>(question: &Question<S>, stop: &Stop) -> Result<Recording<S>, Failure> {
    let (recording, spoiled) = crate::measure::ask(question, "--duration", stop)?;
    spoiled.map_or(Ok(recording), Err)
}

fn parsed(words: &Words) -> Result<Command, Failure> {
    let words = ["punctual"]
        .into_iter()
        .map(str::to_owned)
        .chain(words.as_slice().to_vec());
    let args = arguments::parse::<Args>(&words.map(Into::into).collect::<Vec<_>>());
    args.map(|args| args.command).map_err(Failure::run)
}

/// Asks everything. Without the first answer there is no report.
pub(super) fn run(quick: bool, stop: &Stop) -> Result<Material, Failure> {
    let guard = stop.guard();
    let mut material = Material::default();
    for step in steps(quick) {
        let answer = step.answer(stop);
        if stop.is_asked_for() {
            return Err(Failure::Stopped);
        }
        match answer {
            Ok(document) => material.documents.push(document),
            Err(Failure::Usage(reason) | Failure::Run(reason))
                if !material.documents.is_empty() =>
            {
                let lacking = format!("{} failed: {reason}", step.words());
                material.lacking.push(lacking);
            }
            Err(failure) => return Err(failure),
        }
    }
    match guard.end() {
        true => Err(Failure::Stopped),
        false => Ok(material),
    }
}

/// The period of the loops that are measured or explained.
const PERIOD: Period = Period::from_hertz(1_000);

/// The period of the beat.
const BEAT: Period = Period::from_hertz(100);

/// About half a minute in total, or ten seconds. Besides measuring, it takes time to read the
/// machine, and to simulate.
fn steps(quick: bool) -> Vec<Step> {
    let (measured_s, explained_s, paced_ms) = if quick { (4, 1, 400) } else { (14, 4, 2_000) };
    let asked = |waiters: Vec<String>, seconds| measure::Question {
        waiters,
        ..measure::Question::of(measure::Deadlines {
            period: PERIOD,
            length: measure::Length::Duration(Duration::from_secs(seconds)),
        })
    };
    let here = |names: &[&str], offered: &[&str]| -> Vec<String> {
        let here = names.iter().filter(|name| offered.contains(name));
        here.map(|name| (*name).to_owned()).collect()
    };
    let offered = |kind| -> Vec<&str> {
        let offers = Native::waiters_for(kind);
        offers.iter().map(|offer| offer.name).collect()
    };
    let loop_of_ours = vec![explain::usual_method(false).to_owned()];
    let mut steps = vec![
        Step::Measure(asked(here(&METHODS, &offered(Kind::Deadlines)), measured_s)),
        Step::Explain(asked(loop_of_ours, explained_s)),
        Step::Pace(pace::Question {
            waiters: here(&WAYS, &offered(Kind::Beats)),
            ..pace::Question::of(pace::Beats {
                length: pace::Length::Each(Duration::from_millis(paced_ms)),
                ..pace::Beats::every(BEAT)
            })
        }),
    ];
    steps.extend(predictions());
    steps
}

#[cfg(feature = "sim")]
fn predictions() -> impl Iterator<Item = Step> {
    use punctual_lab::calls;
    use punctual_lab::question::Simulated;
    use punctual_lab::simulated::{SimulatedMachine, usual_machines};
    let on = |machine: SimulatedMachine| {
        Some(Simulated {
            machine: machine.to_string(),
            seed: 1,
        })
    };
    let measured = usual_machines().into_iter().map(move |machine| {
        Step::Measure(measure::Question {
            waiters: PREDICTED.map(str::to_owned).to_vec(),
            on: on(machine),
            ..measure::Question::of(measure::Deadlines::every(PERIOD))
        })
    });
    let varied = usual_machines().into_iter().map(move |machine| {
        Step::Vary(calls::Question {
            waiters: vec!["sleep".to_owned()],
            on: on(machine),
            vary: "requester=1ms..15ms".parse().ok(),
            ..calls::Question::of(calls::Lengths {
                count: 200,
                ..calls::Lengths::of(vec![Duration::from_millis(1)])
            })
        })
    });
    measured.chain(varied)
}

#[cfg(not(feature = "sim"))]
fn predictions() -> Vec<Step> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_a_command_that_there_is() {
        for step in steps(true) {
            assert!(parsed(&step.words()).is_ok(), "{}", step.words());
        }
    }
}
