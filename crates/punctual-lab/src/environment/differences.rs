//! The differences between two readings of the same machine.

use super::{Environment, ProcessorQuota};
use punctual_data::quantity::short_decimal;
use std::fmt::Display;

impl Environment {
    /// Describes, one sentence each, which facts differ in `later` that must not change during a
    /// measurement. The load is left out, because the measurement may cause it.
    pub fn differences(&self, later: &Self) -> Vec<String> {
        let mut found = Differences::default();
        macro_rules! compare {
            ($($name:literal: $fact:ident,)*) => {
                $(found.compare($name, self.$fact.as_ref(), later.$fact.as_ref());)*
            };
        }
        compare! {
            "the kernel": kernel,
            "the architecture": architecture,
            "the processor": processor,
            "the list of processors online": processors_online,
            "the list of processors this thread may use": processors_usable,
            "the processor quota": processor_quota,
            "the hypervisor": hypervisor,
            "the clock source": clock_source,
            "the tick rate in hertz": tick_rate_hertz,
            "whether timers are high-resolution": high_resolution_timers,
            "the thread's timer slack in ns": timer_slack_ns,
            "the widest timer interval in ns": timer_interval_maximum_ns,
            "the power plan": power_plan,
            "the preemption model": preemption,
            "the preemption mode": preemption_mode,
            "the idle driver": idle_driver,
            "the idle governor": idle_governor,
            "the deepest idle state": deepest_idle_state,
            "the exit latency of the deepest idle state in ns": idle_exit_latency_ns,
            "the frequency driver": frequency_driver,
            "the frequency governor": frequency_governor,
        }
        if let (Some(before), Some(after)) = (self.times_throttled, later.times_throttled) {
            found.throttled(after.saturating_sub(before));
        }
        found.sentences
    }
}

#[derive(Default)]
struct Differences {
    sentences: Vec<String>,
}

impl Differences {
    fn compare<T: PartialEq + Display>(
        &mut self,
        name: &str,
        before: Option<&T>,
        after: Option<&T>,
    ) {
        let sentence = match (before, after) {
            (Some(before), Some(after)) if before != after => {
                format!("{name} changed from {before} to {after}")
            }
            (Some(before), None) => format!("{name} was {before} and can no longer be read"),
            (None, Some(after)) => format!("{name} could not be read before and is now {after}"),
            _ => return,
        };
        self.sentences.push(sentence);
    }

    fn throttled(&mut self, times: u64) {
        match times {
            0 => {}
            1 => self
                .sentences
                .push("the processor quota made this program wait once".to_owned()),
            more => self.sentences.push(format!(
                "the processor quota made this program wait {more} times"
            )),
        }
    }
}

impl Display for ProcessorQuota {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unlimited => f.write_str("unlimited"),
            Self::Limited {
                quota_us,
                period_us,
            } => {
                let (quota, period) = (short_decimal(*quota_us, 3), short_decimal(*period_us, 3));
                write!(f, "{quota} of every {period} ms")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        Environment {
            clock_source: Some("tsc".into()),
            frequency_governor: Some("powersave".into()),
            processors_online: Some("0-7".parse().unwrap()),
            processor_quota: Some(ProcessorQuota::Unlimited),
            times_throttled: Some(3),
            load_average_1_minute: Some(0.1),
            clock_cost_ns: Some(24.0),
            ..Environment::default()
        }
    }

    #[test]
    fn the_same_machine_has_not_changed() {
        let later = Environment {
            load_average_1_minute: Some(8.0),
            clock_cost_ns: Some(25.0),
            ..environment()
        };
        assert!(environment().differences(&later).is_empty());
    }

    #[test]
    fn each_change_is_a_sentence() {
        let later = Environment {
            processors_online: Some("0-3".parse().unwrap()),
            processor_quota: Some(ProcessorQuota::Limited {
                quota_us: 12_500,
                period_us: 100_000,
            }),
            times_throttled: Some(15),
            clock_source: Some("hpet".into()),
            timer_slack_ns: Some(50_000),
            frequency_governor: None,
            ..environment()
        };
        assert_eq!(
            environment().differences(&later),
            [
                "the list of processors online changed from 0-7 to 0-3",
                "the processor quota changed from unlimited to 12.5 of every 100 ms",
                "the clock source changed from tsc to hpet",
                "the thread's timer slack in ns could not be read before and is now 50000",
                "the frequency governor was powersave and can no longer be read",
                "the processor quota made this program wait 12 times",
            ]
        );
    }
}
