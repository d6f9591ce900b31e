//! What could be true of Windows, as far as the published measurements leave it open.

use punctual_windows::confidence::Call;
use punctual_windows::mechanisms::Mechanism;
use punctual_windows::{Rule, WINDOWS_10_2004};
use std::collections::BTreeSet;
use std::{fmt, iter};

/// The rules of ordinary waits of which no published measurement excludes either value: `due-time` from
/// Windows 10 on, `idle-expiry`, and `timer-queue-class`.
pub const OPEN: [&str; 3] = ["due-time", "idle-expiry", "timer-queue-class"];

/// A value for each rule that is open.
///
/// ```
/// use punctual_evidence::settle::hypotheses;
///
/// let all = hypotheses(&[]);
/// assert_eq!(all.len(), 8);
/// let text = "due-time=coarse idle-expiry=free-run timer-queue-class=process";
/// assert_eq!(all[0].to_string(), text);
/// assert_eq!(all[0].for_call("high-res").to_string(), "any");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypothesis {
    values: Vec<String>,
}

impl Hypothesis {
    /// The values, each as `rule=value`.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The part that decides how long a call takes. Hypotheses with the same part predict the same of
    /// it.
    #[must_use]
    pub fn for_call(&self, call: &str) -> Self {
        let decides = |value: &&String| {
            let is_ordinary = OPEN.contains(&rule_of(value));
            match Mechanism::named(call).map(|mechanism| mechanism.call) {
                Some(Call::HighResolution) => !is_ordinary,
                Some(_) => is_ordinary,
                None => true,
            }
        };
        Self {
            values: self.values.iter().filter(decides).cloned().collect(),
        }
    }

    /// The text of a simulated machine that follows it: a version with these rules.
    pub fn on(&self, version: &str) -> String {
        let values = self.values.iter().map(String::as_str);
        let parts: Vec<_> = std::iter::once(version).chain(values).collect();
        parts.join(",")
    }
}

/// The values between spaces; `any` if there is none.
impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.values.is_empty() {
            true => f.write_str("any"),
            false => f.write_str(&self.values.join(" ")),
        }
    }
}

/// The name of the rule in `rule=value`.
fn rule_of(value: &str) -> &str {
    value.split_once('=').map_or(value, |(rule, _)| rule)
}

/// Rules for high-resolution timers that come next to those in use. The published measurements exclude
/// each of the 193 combinations of these rules, so that none is certain. Those in use fail the fewest
/// statements, and these the fewest of those that differ in one rule of timers that are set once.
const RIVALS: [&str; 3] = ["hr-ticks=kept", "hr-next=tick", "hr-next=steps"];

/// What the published measurements leave open: every value of [`OPEN`], with the rules for
/// high-resolution timers that fail the fewest statements.
pub fn remaining() -> Vec<Hypothesis> {
    hypotheses(&RIVALS)
}

/// Every combination of the values of [`OPEN`] with the rules of Windows 10 2004, and with each of
/// these changes of them.
pub fn hypotheses(rivals: &[&str]) -> Vec<Hypothesis> {
    let mut all = vec![Vec::new()];
    for name in OPEN {
        let values = rule(name).values.iter();
        let values: Vec<_> = values
            .map(|value| vec![format!("{name}={value}")])
            .collect();
        all = each_with(&all, &values);
    }
    let names: BTreeSet<_> = rivals.iter().map(|rival| rule_of(rival)).collect();
    let member = |rival: Option<&str>| -> Vec<String> {
        let value = |&name: &&str| match rival.filter(|rival| rule_of(rival) == name) {
            Some(rival) => rival.to_owned(),
            None => format!("{name}={}", rule(name).value),
        };
        names.iter().map(value).collect()
    };
    let rivals = rivals.iter().map(|&rival| Some(rival));
    let members: Vec<_> = iter::once(None).chain(rivals).map(member).collect();
    let all = each_with(&all, &members).into_iter();
    all.map(|values| Hypothesis { values }).collect()
}

/// # Panics
/// If there is no such rule: their names are part of the program.
fn rule(name: &str) -> Rule {
    let rule = WINDOWS_10_2004.iter().find(|rule| rule.name == name);
    rule.unwrap_or_else(|| panic!("there is no rule {name}"))
}

/// Each of the first, followed by each of the second.
fn each_with(first: &[Vec<String>], second: &[Vec<String>]) -> Vec<Vec<String>> {
    let joined = |start: &Vec<String>| -> Vec<_> {
        second
            .iter()
            .map(|each| [&start[..], each].concat())
            .collect()
    };
    first.iter().flat_map(joined).collect()
}

/// The parts of hypotheses that decide a call, each once, in their order.
pub(super) fn parts(hypotheses: &[Hypothesis], call: &str) -> Vec<Hypothesis> {
    let mut parts = Vec::new();
    for part in hypotheses
        .iter()
        .map(|hypothesis| hypothesis.for_call(call))
    {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_remains_has_every_rival() {
        let remaining = remaining();
        assert_eq!(remaining.len(), 8 * (1 + RIVALS.len()));
        for rival in RIVALS {
            let has =
                |hypothesis: &&Hypothesis| hypothesis.values.iter().any(|value| value == rival);
            assert_eq!(remaining.iter().filter(has).count(), 8, "{rival}");
        }
    }

    #[test]
    fn there_is_every_combination_once() {
        // Any rule would do.
        let all = hypotheses(&["rearm=from-tick"]);
        assert_eq!(all.len(), 16);
        let mut texts: Vec<_> = all.iter().map(ToString::to_string).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 16);
        let usual = all[0].for_call("high-res");
        assert_eq!(usual.to_string(), "rearm=schedule");
        assert_eq!(all[0].for_call("sleep").values().len(), OPEN.len());
        assert_eq!(all[0].for_call("some-persona"), all[0]);
    }
}
