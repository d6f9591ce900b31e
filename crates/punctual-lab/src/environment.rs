//! The facts about a machine that a measurement of waiting depends on.
//!
//! A number about lateness means little without them: the same program is a thousand times later
//! where the tick ends its waits. So every recording holds them, in the order of what decides most.

mod clock_cost;
mod differences;
mod header;
mod processor_set;
pub mod windows;

pub use clock_cost::{clock_cost_ns, reading_cost_ns};
pub use processor_set::ProcessorSet;

use serde::{Deserialize, Serialize};

/// The machine on which a recording was made, as far as it could be read.
///
/// Each fact is `None` when it could not be read, and [`not_known`](Self::not_known) then says why.
/// Where a machine is known not to have a thing, such as a hypervisor, the fact is the word `none`.
///
/// ```
/// use punctual_lab::Environment;
///
/// let before = Environment {
///     clock_source: Some("tsc".into()),
///     ..Environment::default()
/// };
/// let mut after = before.clone();
/// after.clock_source = Some("hpet".into());
/// assert_eq!(
///     before.differences(&after),
///     ["the clock source changed from tsc to hpet"]
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The system's name and version, as it calls itself: `Debian GNU/Linux 12 (bookworm)`.
    pub system: Option<String>,
    /// The kernel's name and release: `Linux 6.1.0-18-amd64`.
    pub kernel: Option<String>,
    /// The architecture this program was compiled for: `x86_64`.
    pub architecture: Option<String>,
    /// The processor's model, as it calls itself.
    pub processor: Option<String>,
    /// The processors that the kernel uses.
    pub processors_online: Option<ProcessorSet>,
    /// The processors on which the measuring thread may run.
    pub processors_usable: Option<ProcessorSet>,
    /// How much processor time this program may use before it is made to wait.
    pub processor_quota: Option<ProcessorQuota>,
    /// How often the quota has made this program, or others under the same one, wait.
    pub times_throttled: Option<u64>,
    /// The machine, or the virtual machine's maker, as firmware names it: `LENOVO 20Y5CTO1WW`.
    pub product: Option<String>,
    /// The hypervisor under this machine: `KVM`, `none`, or `unnamed` where one hides its name.
    pub hypervisor: Option<String>,
    /// The kind of container this program runs in: `docker`, `none`.
    pub container: Option<String>,
    /// What the kernel's monotonic clock counts: `tsc`.
    pub clock_source: Option<String>,
    /// What it could count instead.
    pub clock_sources_available: Option<Vec<String>>,
    /// What one reading of the monotonic clock costs, in nanoseconds. The finest lateness that can
    /// be told apart.
    pub clock_cost_ns: Option<f64>,
    /// How often the periodic timer interrupt comes.
    pub tick_rate_hertz: Option<u64>,
    /// Whether a timer has an interrupt of its own (true), or waits for the tick.
    pub high_resolution_timers: Option<bool>,
    /// By how much the kernel may delay the measuring thread's timers. Zero for real-time threads.
    pub timer_slack_ns: Option<u64>,
    /// The spacing of timer interrupts as it is now, where waits end with them (Windows).
    pub timer_interval_ns: Option<u64>,
    /// The widest spacing: what it is when nobody has asked for less (Windows).
    pub timer_interval_maximum_ns: Option<u64>,
    /// The narrowest spacing that can be asked for (Windows).
    pub timer_interval_minimum_ns: Option<u64>,
    /// How often in a second the counter moves that is the monotonic clock (Windows).
    pub performance_counter_hertz: Option<u64>,
    /// Wine's version if this Windows is Wine, or `none`: its timers are another system's.
    pub wine: Option<String>,
    /// The plan that weighs speed against power, as people see it (Windows): `Balanced`.
    pub power_plan: Option<String>,
    /// How the kernel takes a processor from a thread, in its own word: `PREEMPT_DYNAMIC`.
    pub preemption: Option<String>,
    /// Which of the modes that a dynamic kernel has is chosen: `none`, `voluntary`, `full`, `lazy`.
    pub preemption_mode: Option<String>,
    /// What puts an idle processor to sleep: `intel_idle`.
    pub idle_driver: Option<String>,
    /// What chooses how deeply: `menu`.
    pub idle_governor: Option<String>,
    /// The deepest sleep that is enabled: `C10`.
    pub deepest_idle_state: Option<String>,
    /// How long a processor takes to leave that sleep.
    pub idle_exit_latency_ns: Option<u64>,
    /// What sets the processors' frequency: `amd-pstate-epp`.
    pub frequency_driver: Option<String>,
    /// What chooses the frequency: `powersave`. Several, if processors differ.
    pub frequency_governor: Option<String>,
    /// Whether this program runs as the superuser.
    pub superuser: Option<bool>,
    /// Whether it may raise its priority without regard to the two limits that follow
    /// (`CAP_SYS_NICE`).
    pub may_raise_priority: Option<bool>,
    /// The highest real-time priority that its limits allow, 0 (none) to 99.
    pub realtime_priority_limit: Option<u64>,
    /// How far its limits allow to lower the nice value: to 20 minus this, 0 to 40.
    pub nice_limit: Option<u64>,
    /// Whether the kernel says how long a thread was ready and did not run.
    pub queue_time_readable: Option<bool>,
    /// How many threads wanted a processor on average during the last minute.
    pub load_average_1_minute: Option<f64>,
    /// What could not be read, each with its reason: `the governor: FILE cannot be read (REASON)`.
    pub not_known: Vec<String>,
}

/// How much processor time a program may use before it is made to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessorQuota {
    /// As much as there is.
    Unlimited,
    /// This much in each period; what is ready beyond it waits for the next.
    Limited {
        /// Processor time in each period, of all processors together.
        quota_us: u64,
        /// The period.
        period_us: u64,
    },
}

impl ProcessorQuota {
    /// The quota as a number of processors; infinite when there is no limit.
    pub fn processors(self) -> f64 {
        match self {
            Self::Unlimited => f64::INFINITY,
            // Microseconds of hours fit a float exactly; a display needs less.
            #[allow(clippy::cast_precision_loss, reason = "for display and comparison")]
            Self::Limited {
                quota_us,
                period_us,
            } => quota_us as f64 / period_us as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_null_and_reads_back() {
        let nothing = Environment::default();
        let json = serde_json::to_value(&nothing).unwrap();
        assert!(json["timer_slack_ns"].is_null());
        assert!(json.as_object().unwrap().contains_key("clock_cost_ns"));
        assert_eq!(
            serde_json::from_value::<Environment>(json).unwrap(),
            nothing
        );
    }

    #[test]
    fn an_older_recording_without_a_fact_reads_as_not_known() {
        let environment: Environment = serde_json::from_str(r#"{"clock_source":"tsc"}"#).unwrap();
        assert_eq!(environment.clock_source.as_deref(), Some("tsc"));
        assert_eq!(environment.tick_rate_hertz, None);
    }

    #[test]
    fn everything_reads_back() {
        let environment = Environment {
            processors_online: Some("0-3,8".parse().unwrap()),
            processor_quota: Some(ProcessorQuota::Limited {
                quota_us: 150_000,
                period_us: 100_000,
            }),
            clock_cost_ns: Some(24.5),
            not_known: vec!["the governor: no".into()],
            ..Environment::default()
        };
        let json = serde_json::to_string(&environment).unwrap();
        assert!(json.contains(r#""processors_online":"0-3,8""#), "{json}");
        assert!(
            json.contains(r#"{"limited":{"quota_us":150000,"period_us":100000}}"#),
            "{json}"
        );
        assert_eq!(
            serde_json::from_str::<Environment>(&json).unwrap(),
            environment
        );
    }
}
