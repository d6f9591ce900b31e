//! The experiments that tell the open rules apart.

use punctual_lab::calls::{Lengths, Question, When};
use punctual_lab::conditions::Companion;
use std::time::Duration;

/// Questions of at most a minute on a real Windows: of two hundred, the three that together tell the
/// most pairs of hypotheses apart on Windows 10 2004. To choose them takes longer than a stranger waits.
pub fn experiments() -> [Question; 3] {
    let of = |calls: &[&str], millis| Question {
        waiters: calls.iter().map(|&call| call.to_owned()).collect(),
        ..Question::of(Lengths::of(vec![Duration::from_millis(millis)]))
    };
    let mut due = of(&["sleep"], 15);
    due.schedule.at = When::Random;
    let class = Question {
        request: Some(Duration::from_millis(2)),
        ..of(&["queue-once", "high-res"], 1)
    };
    let mut idle = of(&["queue-once"], 20);
    idle.conditions.with = vec![Companion::requester(Duration::from_millis(1))];
    [due, class, idle]
}
