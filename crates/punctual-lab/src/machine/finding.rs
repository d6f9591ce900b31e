//! What was found out about a machine.

use punctual::Error;
use serde::{Deserialize, Serialize};

/// One thing on which punctual waiting depends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its name: `timer slack`.
    pub what: String,
    /// How it stands.
    pub state: State,
    /// What that means for waits.
    pub effect: String,
    /// The command that would make it good, where there is one.
    pub remedy: Option<String>,
}

/// How a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As waiting would have it.
    Good,
    /// There, and worse than it could be.
    Limited,
    /// Not there, or not permitted.
    Missing,
    /// Nothing tells.
    Unknown,
}

impl Finding {
    /// It is as waiting would have it.
    pub fn good(what: impl Into<String>, effect: impl Into<String>) -> Self {
        Self::new(what, State::Good, effect, None)
    }

    /// It is not, and this would help, if anything does.
    pub fn new(
        what: impl Into<String>,
        state: State,
        effect: impl Into<String>,
        remedy: Option<&str>,
    ) -> Self {
        Self {
            what: what.into(),
            state,
            effect: effect.into(),
            remedy: remedy.map(str::to_owned),
        }
    }

    /// What an attempt came to. If it failed and there is a remedy, that says more than the error.
    pub fn attempted<T>(
        what: impl Into<String>,
        attempt: Result<T, Error>,
        effect: impl Into<String>,
        remedy: Option<&str>,
    ) -> Self {
        match (attempt, remedy) {
            (Ok(_), _) => Self::good(what, effect),
            (Err(error), None) => Self::new(what, State::Missing, error.to_string(), None),
            (Err(_), remedy) => {
                let effect = format!("not permitted: {}", effect.into());
                Self::new(what, State::Missing, effect, remedy)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_is_refused_comes_with_the_remedy() {
        let refused: Result<(), _> = Err(Error::not_permitted("no"));
        let finding = Finding::attempted("priority", refused, "is raised", Some("sudo thing"));
        assert_eq!(finding.state, State::Missing);
        assert_eq!(finding.effect, "not permitted: is raised");
        assert_eq!(finding.remedy.as_deref(), Some("sudo thing"));
        let made = Finding::attempted("priority", Ok(()), "is raised", Some("sudo thing"));
        assert_eq!((made.state, made.remedy), (State::Good, None));
    }
}
