//! Settings that save power and cost time: idle states and frequency scaling.
//!
//! <https://docs.kernel.org/admin-guide/pm/cpuidle.html>,
//! <https://docs.kernel.org/admin-guide/pm/cpufreq.html>.

use super::source::Source;
use crate::Environment;
use std::collections::BTreeSet;

const PROCESSORS: &str = "/sys/devices/system/cpu";

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    if !source.exists(PROCESSORS) {
        source.not_known(
            "idle states and frequency",
            &format!("no folder {PROCESSORS}"),
        );
        return;
    }
    read_idle(source, into);
    read_frequency(source, into);
}

fn read_idle(source: &mut Source, into: &mut Environment) {
    let folder = format!("{PROCESSORS}/cpuidle");
    let said = |name: &str| source.some_text(&format!("{folder}/{name}"));
    into.idle_driver = said("current_driver").or_else(|| Some("none".to_owned()));
    // The file got this name when it became writable for all governors (Linux 5.7).
    into.idle_governor = said("current_governor").or_else(|| said("current_governor_ro"));
    let processor = into.processors_online.as_ref();
    let first = processor.and_then(|set| set.numbers().next()).unwrap_or(0);
    if let Some(deepest) = deepest(read_states(source, first)) {
        into.deepest_idle_state = Some(deepest.name);
        into.idle_exit_latency_ns = Some(deepest.exit_latency_us.saturating_mul(1000));
    }
}

#[derive(Debug, Clone, PartialEq)]
struct IdleState {
    /// The depth: state 0 is the shallowest.
    depth: u32,
    name: String,
    exit_latency_us: u64,
    enabled: bool,
}

fn read_states(source: &Source, processor: u32) -> Vec<IdleState> {
    let folder = format!("{PROCESSORS}/cpu{processor}/cpuidle");
    let names = source.names(&folder);
    let states = names.iter().filter_map(|entry| {
        let said = |name: &str| source.some_text(&format!("{folder}/{entry}/{name}"));
        Some(IdleState {
            depth: entry.strip_prefix("state")?.parse().ok()?,
            name: said("name")?,
            exit_latency_us: said("latency")?.parse().ok()?,
            enabled: said("disable").is_none_or(|disable| disable == "0"),
        })
    });
    states.collect()
}

fn deepest(states: Vec<IdleState>) -> Option<IdleState> {
    states
        .into_iter()
        .filter(|state| state.enabled)
        .max_by_key(|state| state.depth)
}

fn read_frequency(source: &mut Source, into: &mut Environment) {
    let folder = format!("{PROCESSORS}/cpufreq");
    let policies = source.names(&folder);
    let policies: Vec<_> = policies
        .iter()
        .filter(|name| name.starts_with("policy"))
        .collect();
    let said = |name: &str| {
        let texts = policies
            .iter()
            .filter_map(|policy| source.some_text(&format!("{folder}/{policy}/{name}")));
        distinct(texts)
    };
    into.frequency_driver = said("scaling_driver");
    into.frequency_governor = said("scaling_governor");
    if policies.is_empty() {
        into.frequency_driver = Some("none".to_owned());
        into.frequency_governor = Some("none".to_owned());
    } else if into.frequency_governor.is_none() {
        let reason = format!("{folder}/policy*/scaling_governor does not tell");
        source.not_known("frequency governor", &reason);
    }
}

/// Processors usually agree. If they do not, each answer is given once.
fn distinct(texts: impl Iterator<Item = String>) -> Option<String> {
    let texts: BTreeSet<_> = texts.collect();
    let joined = texts.into_iter().collect::<Vec<_>>().join(", ");
    (!joined.is_empty()).then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(depth: u32, name: &str, enabled: bool) -> IdleState {
        IdleState {
            depth,
            name: name.to_owned(),
            exit_latency_us: u64::from(depth) * 10,
            enabled,
        }
    }

    #[test]
    fn the_deepest_state_is_one_that_is_enabled() {
        let states = vec![
            state(10, "C10", false),
            state(2, "C3", true),
            state(9, "C9", true),
            state(0, "POLL", true),
        ];
        assert_eq!(deepest(states), Some(state(9, "C9", true)));
        assert_eq!(deepest(vec![state(1, "C1", false)]), None);
        assert_eq!(deepest(Vec::new()), None);
    }

    #[test]
    fn answers_that_differ_are_all_told() {
        let texts = |list: &[&str]| distinct(list.iter().map(|&text| text.to_owned()));
        assert_eq!(
            texts(&["powersave", "performance", "powersave"]).as_deref(),
            Some("performance, powersave")
        );
        assert_eq!(texts(&[]), None);
    }
}
