//! What could be true of Windows, as far as the published measurements leave it open.

use crate::RuleChange;
use crate::search::Alternative;
use punctual_windows::WINDOWS_10_2004;
use punctual_windows::confidence::Call;
use punctual_windows::mechanisms::Mechanism;
use std::fmt;

/// The rules of ordinary waits of which no published measurement excludes either value: `due-time` from
/// Windows 10 on, `idle-expiry`, and `timer-queue-class`.
pub const OPEN: [&str; 3] = ["due-time", "idle-expiry", "timer-queue-class"];

/// A value for each rule that is open.
///
/// ```
/// use punctual_evidence::settle::hypotheses;
///
/// let all = hypotheses(&[Default::default()]);
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
pub fn rule_of(value: &str) -> &str {
    value.split_once('=').map_or(value, |(rule, _)| rule)
}

/// Rules for high-resolution timers that come next to those in use. The published measurements exclude
/// every combination of these rules, so that none is certain. `punctual evidence --search
/// high-resolution` shows that those in use fail the fewest statements, and that these fail the fewest of
/// those that differ in one rule of timers that are set once.
const RIVALS: [&str; 3] = ["hr-ticks=kept", "hr-next=tick", "hr-next=steps"];

/// What the published measurements leave open: every value of [`OPEN`], with the rules for
/// high-resolution timers that fail the fewest statements.
pub fn remaining() -> Vec<Hypothesis> {
    let rivals = RIVALS.iter().map(|rival| {
        let change: Result<RuleChange, _> = rival.parse();
        Alternative::of(change)
    });
    let members: Vec<_> = std::iter::once(Alternative::default())
        .chain(rivals)
        .collect();
    hypotheses(&members)
}

/// Every combination of the values of [`OPEN`] and of these rules for high-resolution timers. What an
/// alternative does not change is as on Windows 10 2004.
pub fn hypotheses(high_resolution: &[Alternative]) -> Vec<Hypothesis> {
    let mut all = vec![Vec::new()];
    for name in OPEN {
        let mut rules = WINDOWS_10_2004.iter();
        let rule = rules.find(|rule| rule.name == name);
        let values = rule.map_or(&[][..], |rule| rule.values);
        all = each_with(&all, values, |value| vec![format!("{name}={value}")]);
    }
    let changes = high_resolution.iter().flat_map(|member| &member.changes);
    let mut names: Vec<&str> = changes.map(RuleChange::name).collect();
    names.sort_unstable();
    names.dedup();
    let member = |member: &Alternative| -> Vec<String> {
        let value = |name: &&str| {
            let changes = member.changes.iter();
            let change = changes.clone().find(|change| change.name() == *name);
            change.map_or_else(|| usual(name), ToString::to_string)
        };
        names.iter().map(value).collect()
    };
    all = each_with(&all, high_resolution, member);
    all.into_iter()
        .map(|values| Hypothesis { values })
        .collect()
}

fn usual(name: &str) -> String {
    let mut rules = WINDOWS_10_2004.iter();
    let value = rules.find(|rule| rule.name == name);
    format!("{name}={}", value.map_or("", |rule| rule.value))
}

/// Each of the first, followed by what comes of each of the second.
fn each_with<T>(
    first: &[Vec<String>],
    second: &[T],
    of: impl Fn(&T) -> Vec<String>,
) -> Vec<Vec<String>> {
    let joined = |start: &Vec<String>| -> Vec<_> {
        second
            .iter()
            .map(|each| [&start[..], &of(each)].concat())
            .collect()
    };
    first.iter().flat_map(joined).collect()
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
        let changed = |text: &str| Alternative::of([text.parse().unwrap()]);
        // Any rule would do.
        let members = [Alternative::default(), changed("rearm=from-tick")];
        let all = hypotheses(&members);
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
