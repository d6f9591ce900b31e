//! The facts that lateness depends on, for the info series: those that stay the same for days.

use crate::os;
use punctual_lab::{Environment, Machine, Native};
use std::collections::BTreeMap;

/// All that is known. Takes a few milliseconds.
pub(super) fn read() -> BTreeMap<&'static str, String> {
    let mut facts = Native::detect().map_or_else(|_| BTreeMap::new(), |os| of(os.environment()));
    facts.extend(os::own_facts());
    facts
}

/// Those of an environment. What is not known is not among them.
fn of(environment: Environment) -> BTreeMap<&'static str, String> {
    let precision = |is_high| match is_high {
        true => "high".to_owned(),
        false => "tick".to_owned(),
    };
    let facts = [
        ("system", environment.system),
        ("kernel", environment.kernel),
        ("processor", environment.processor),
        ("hypervisor", environment.hypervisor),
        ("container", environment.container),
        ("clock_source", environment.clock_source),
        (
            "timer_resolution",
            environment.high_resolution_timers.map(precision),
        ),
        (
            "tick",
            environment
                .tick_rate_hertz
                .map(|hertz| format!("{hertz} Hz")),
        ),
        ("idle_driver", environment.idle_driver),
        ("idle_governor", environment.idle_governor),
        ("deepest_idle_state", environment.deepest_idle_state),
        ("governor", environment.frequency_governor),
        ("frequency_driver", environment.frequency_driver),
        (
            "preemption",
            environment.preemption_mode.or(environment.preemption),
        ),
        ("power_plan", environment.power_plan),
        ("wine", environment.wine),
    ];
    facts
        .into_iter()
        .filter_map(|(name, fact)| Some((name, fact?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        let facts = of(Environment {
            kernel: Some("Linux 6.12.0".to_owned()),
            tick_rate_hertz: Some(250),
            high_resolution_timers: Some(true),
            ..Environment::default()
        });
        let expected = [
            ("kernel", "Linux 6.12.0"),
            ("tick", "250 Hz"),
            ("timer_resolution", "high"),
        ];
        assert_eq!(
            facts,
            expected.map(|(name, fact)| (name, fact.to_owned())).into()
        );
    }
}
