//! The facts about a machine on which lateness depends.
//!
//! The same program is a thousand times later on a machine where the tick ends its waits. So every
//! recording holds these facts, the most important first.

mod differences;
mod header;
mod processor_set;
pub mod windows;

pub use processor_set::ProcessorSet;

use punctual::Os;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::Duration;

/// The machine on which a recording was made, as far as it could be read.
///
/// A fact is `None` if it could not be read; [`not_known`](Self::not_known) then has the reason. If
/// a machine is known to lack something, such as a hypervisor, the fact is the word `none`.
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
    /// How much processor time this program may use before it has to wait.
    pub processor_quota: Option<ProcessorQuota>,
    /// How often the quota has made this program, or others under the same quota, wait.
    pub times_throttled: Option<u64>,
    /// The machine, or the maker of the virtual machine, as firmware names it: `LENOVO 20Y5CTO1WW`.
    pub product: Option<String>,
    /// The hypervisor below this machine: `KVM`, `none`, or `unnamed` if it hides its name.
    pub hypervisor: Option<String>,
    /// The kind of container this program runs in: `docker`, `none`.
    pub container: Option<String>,
    /// What the kernel's monotonic clock counts: `tsc`.
    pub clock_source: Option<String>,
    /// What else it could count.
    pub clock_sources_available: Option<Vec<String>>,
    /// The cost of one reading of the monotonic clock, in nanoseconds. Smaller differences in
    /// lateness cannot be seen.
    pub clock_cost_ns: Option<f64>,
    /// The rate of the periodic timer interrupt.
    pub tick_rate_hertz: Option<u64>,
    /// Whether each timer has an interrupt of its own (true), or waits for the tick (false).
    pub high_resolution_timers: Option<bool>,
    /// How much the kernel may delay the measuring thread's timers. Zero for real-time threads.
    pub timer_slack_ns: Option<u64>,
    /// The current time between timer interrupts, on systems where they end waits (Windows).
    pub timer_interval_ns: Option<u64>,
    /// The longest time between them, when no program requests less (Windows).
    pub timer_interval_maximum_ns: Option<u64>,
    /// The shortest interval that can be requested (Windows).
    pub timer_interval_minimum_ns: Option<u64>,
    /// On Windows, how often the system clock moves on, from `GetSystemTimeAdjustment`. It is the longest
    /// interval, whatever is in force.
    pub system_time_increment_ns: Option<u64>,
    /// On Windows, by how much the system clock moves on each time.
    pub system_time_adjustment_ns: Option<u64>,
    /// The counts per second of the monotonic clock's counter (Windows).
    pub performance_counter_hertz: Option<u64>,
    /// Wine's version, or `none` on a real Windows. Wine's timers are those of the system below.
    pub wine: Option<String>,
    /// The power plan, by its display name (Windows): `Balanced`.
    pub power_plan: Option<String>,
    /// How the kernel preempts threads, in its own word: `PREEMPT_DYNAMIC`.
    pub preemption: Option<String>,
    /// The mode that a dynamic kernel uses: `none`, `voluntary`, `full`, `lazy`.
    pub preemption_mode: Option<String>,
    /// The driver that puts idle processors to sleep: `intel_idle`.
    pub idle_driver: Option<String>,
    /// The governor that chooses how deeply they sleep: `menu`.
    pub idle_governor: Option<String>,
    /// The deepest sleep that is enabled: `C10`.
    pub deepest_idle_state: Option<String>,
    /// How long a processor takes to leave that sleep.
    pub idle_exit_latency_ns: Option<u64>,
    /// The driver that sets the processors' frequency: `amd-pstate-epp`.
    pub frequency_driver: Option<String>,
    /// The governor that chooses the frequency: `powersave`. Several, if processors differ.
    pub frequency_governor: Option<String>,
    /// Whether this program runs as the superuser.
    pub superuser: Option<bool>,
    /// Whether it may raise its priority regardless of the two limits below (`CAP_SYS_NICE`).
    pub may_raise_priority: Option<bool>,
    /// The highest real-time priority that its limits allow, 0 (none) to 99.
    pub realtime_priority_limit: Option<u64>,
    /// How far its limits allow it to lower the nice value: to 20 minus this, 0 to 40.
    pub nice_limit: Option<u64>,
    /// Whether the kernel tells how long a thread was ready but not running.
    pub queue_time_readable: Option<bool>,
    /// How many threads wanted a processor on average during the last minute.
    pub load_average_1_minute: Option<f64>,
    /// What could not be read, each with its reason: `the governor: FILE cannot be read (REASON)`.
    pub not_known: Vec<String>,
}

/// How much processor time a program may use before it has to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessorQuota {
    /// Unlimited.
    Unlimited,
    /// This much per period. A thread that needs more waits for the next period.
    Limited {
        /// Processor time per period, of all processors together.
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
            // A float holds microseconds of hours exactly, which is enough for a display.
            #[allow(clippy::cast_precision_loss, reason = "for display and comparison")]
            Self::Limited {
                quota_us,
                period_us,
            } => quota_us as f64 / period_us as f64,
        }
    }
}

/// The quota of a group of threads. On Linux, that is a control group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupQuota {
    /// The group's name: its path below `/sys/fs/cgroup`.
    pub group: String,
    /// How much processor time it may use in a period, in microseconds, all its threads and
    /// processors together.
    pub quota_us: u64,
    /// How long a period is, in microseconds.
    pub period_us: u64,
    /// In how many periods it has used up its quota so far.
    pub times_throttled: u64,
    /// For how long its threads have been held back by that, the times of all processors added up.
    pub throttled_ns: Option<u64>,
}

// The cost of one reading of a clock.

/// Readings per batch. A batch must be long compared with the clock's step (100 ns if the hardware
/// counts at 10 MHz), and short enough that few batches are interrupted.
const READINGS_PER_BATCH: u32 = 32;

/// Batches. Their median counts, so interrupted batches do not matter.
const MOST_BATCHES: usize = 200;

/// No batch begins after this time: a clock that costs a system call (1 µs) must not delay a start.
const LONGEST: Duration = Duration::from_millis(1);

/// The cost of one reading of the machine's monotonic clock, in nanoseconds: the median of many
/// small batches. Takes little more than a millisecond at most.
pub fn clock_cost_ns<O: Os>(os: &O) -> f64 {
    // The reading that ends a batch is one of them.
    let batch = median_batch(os, READINGS_PER_BATCH - 1, &|| os.now());
    per_reading(batch)
}

/// The cost of one reading of another clock, in nanoseconds, found in the same way. `now_ns` is the
/// cost of a reading of the machine's own clock.
pub fn reading_cost_ns<O: Os, T>(os: &O, now_ns: f64, read: &dyn Fn() -> T) -> f64 {
    let batch = median_batch(os, READINGS_PER_BATCH, read);
    let own = now_ns / f64::from(READINGS_PER_BATCH);
    (per_reading(batch) - own).max(0.0)
}

/// How long so many readings take, plus one of the machine's own clock.
fn median_batch<O: Os, T>(os: &O, readings: u32, read: &dyn Fn() -> T) -> Duration {
    let start = os.now();
    let mut batches = Vec::with_capacity(MOST_BATCHES);
    loop {
        let before = os.now();
        for _ in 0..readings {
            black_box(read());
        }
        let after = os.now();
        batches.push(after.duration_since(before));
        if batches.len() == MOST_BATCHES || after.duration_since(start) >= LONGEST {
            break;
        }
    }
    batches.sort_unstable();
    batches[batches.len() / 2]
}

fn per_reading(batch: Duration) -> f64 {
    let tenths = (batch * 10 / READINGS_PER_BATCH).as_nanos();
    // Saturates at seven minutes a reading.
    f64::from(u32::try_from(tenths).unwrap_or(u32::MAX)) / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::os::VirtualOs;

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

    #[test]
    fn finds_the_cost_that_a_clock_was_given() {
        let os = VirtualOs::new().with_call_cost(Duration::from_nanos(25));
        assert_eq!(clock_cost_ns(&os), 25.0);
    }

    #[test]
    fn a_slow_clock_is_read_few_times() {
        let os = VirtualOs::new().with_call_cost(Duration::from_micros(100));
        let start = os.now();
        assert_eq!(clock_cost_ns(&os), 100_000.0);
        assert!(os.now().duration_since(start) < Duration::from_millis(5));
    }
}
