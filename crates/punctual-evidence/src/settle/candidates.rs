//! The experiments to choose from.

use punctual_lab::calls::{Question, When};
use punctual_lab::conditions::Companion;
use std::time::Duration;

/// A question that takes at most a minute on a real Windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// The question: one or more calls, which wait for one length.
    pub question: Question,
}

impl Experiment {
    /// The same for a first look: a tenth of the waits.
    #[must_use]
    pub fn quick(&self) -> Self {
        let mut quick = self.clone();
        quick.question.count = (quick.question.count / 10).max(1);
        quick
    }

    /// The questions that ask each call with each length alone, in the order of the series.
    pub fn alone(&self) -> Vec<Question> {
        let of_call = |call: &String| -> Vec<_> {
            let lengths = self.question.lengths.iter();
            lengths
                .map(|&length| Question {
                    calls: vec![call.clone()],
                    lengths: vec![length],
                    ..self.question.clone()
                })
                .collect()
        };
        self.question.calls.iter().flat_map(of_call).collect()
    }
}

/// The three that [`decide`](super::decide()) chooses of the [`candidates`] on Windows 10 2004. They are
/// written down because the choice takes longer than a stranger waits.
pub fn experiments() -> Vec<Experiment> {
    let of = |calls: &[&str], millis: u64| Question {
        calls: calls.iter().map(|&call| call.to_owned()).collect(),
        ..Question::of(vec![Duration::from_millis(millis)])
    };
    let due = Question {
        at: When::Random,
        ..of(&["sleep"], 15)
    };
    let class = own_request(&of(&["queue-once", "high-res"], 1), Some(2_000));
    let idle = request_of_others(&of(&["queue-once"], 20), 1_000);
    vec![Experiment { question: due }, class, idle]
}

/// The calls of an experiment, and the lengths in microseconds that are tried.
struct Tried {
    calls: &'static [&'static str],
    micros: &'static [u64],
}

/// Waits of 1 ms show the rhythm of waits; those of about a default interval, whether it counts from the
/// tick; those of more, whether idle intervals count. Timer queues have a class of their own.
/// High-resolution timers end in steps of half a millisecond, and take little time beside other calls.
const TRIED: [Tried; 4] = [
    Tried {
        calls: &["sleep"],
        micros: &[1_000, 2_000, 15_000, 20_000],
    },
    Tried {
        calls: &["queue-once"],
        micros: &[1_000, 2_000, 15_000, 20_000],
    },
    Tried {
        calls: &["high-res"],
        micros: &[500, 550, 900, 1_000, 1_200, 1_500, 2_300],
    },
    Tried {
        calls: &["queue-once", "high-res"],
        micros: &[1_000, 2_000],
    },
];

/// Requests of the process itself, in microseconds.
const OWN: [Option<u64>; 4] = [None, Some(1_000), Some(2_000), Some(500)];

/// Requests of another process, while the process itself has none.
const OTHERS: [u64; 2] = [1_000, 8_000];

/// All experiments, in a fixed order.
pub fn candidates() -> Vec<Experiment> {
    let mut all = Vec::new();
    for Tried { calls, micros } in TRIED {
        for &micros in micros {
            for at in [When::Tight, When::Random] {
                let plain = Question {
                    calls: calls.iter().map(|&call| call.to_owned()).collect(),
                    at,
                    ..Question::of(vec![Duration::from_micros(micros)])
                };
                all.extend(OWN.map(|own| own_request(&plain, own)));
                all.extend(OTHERS.map(|others| request_of_others(&plain, others)));
            }
        }
    }
    all
}

fn own_request(plain: &Question, micros: Option<u64>) -> Experiment {
    Experiment {
        question: Question {
            request: micros.map(Duration::from_micros),
            ..plain.clone()
        },
    }
}

fn request_of_others(plain: &Question, micros: u64) -> Experiment {
    let mut question = plain.clone();
    let interval = Duration::from_micros(micros);
    question.conditions.with = vec![Companion::requester(interval)];
    Experiment { question }
}
