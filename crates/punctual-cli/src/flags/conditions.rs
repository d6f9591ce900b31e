//! The conditions of a wait: load, companions, and the scheduling of the waiting thread.

use super::StandingArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use punctual_lab::conditions::{Companion, Load, Priority, Slice};
use punctual_lab::question::Conditions;

/// The flags of `measure`, `pace` and `explain`.
#[derive(Debug, clap::Args)]
pub struct ConditionArgs {
    /// The load to run meanwhile: none, cpu, cpu:N, switch, memory, timers, or
    /// command:'SHELL COMMAND'
    ///
    /// cpu spins on every processor, or on N of them. switch changes threads as fast as it can.
    /// memory reads and writes more than the caches hold. timers makes hundreds of short sleeps.
    /// command runs your own command. A load is a separate process and ends with this one.
    /// Simulated machines have all of them but memory and command.
    #[arg(long, value_name = "LOAD", default_value = "none")]
    pub load: Load,

    /// What else runs on the machine: sleepers=20 (threads of another program, which sleep for 1 to
    /// 40 ms), requester=2ms (another process that requests a timer interval), or driver=1ms (a
    /// driver that requests one); may be given several times
    ///
    /// Every machine has sleepers. On this machine they are a separate process, which ends with
    /// this one.
    ///
    /// After a requester's interval may follow, between commas, what decides on Windows 11 whether its
    /// request counts: hidden (or minimised), honour (or opted-out) and ignore, as in
    /// requester=1ms,hidden,honour. Only simulated requesters can be hidden.
    #[arg(long, value_name = "WHO")]
    pub with: Vec<Companion>,

    #[command(flatten)]
    pub standing: StandingArgs,

    /// The priority of the waiting thread; above normal needs a privilege
    #[arg(long, value_name = "PRIORITY", default_value = "normal", value_parser = priority())]
    pub priority: Priority,

    /// The slice of the waiting thread, 0.1ms to 100ms, or default (Linux 6.12 or later); two to compare
    /// them: default,0.1ms
    ///
    /// The slice is how long a thread may compute before the system looks whose turn it is. On a busy
    /// machine, a thread with a short one gets its turn sooner. Of two, everything is tried with the first
    /// and once more with the second, in turns; the table marks the second with ~. Without this flag,
    /// Punctual's own ways of waiting set a short slice themselves; with it, they leave the slice alone.
    #[arg(long, value_name = "SLICE", value_delimiter = ',')]
    pub slice: Vec<Slice>,

    /// Keep the waiting thread on one processor
    #[arg(long, value_name = "PROCESSOR")]
    pub pin: Option<usize>,
}

fn priority() -> impl TypedValueParser<Value = Priority> {
    let named = |priority: Priority| {
        let help = match priority {
            Priority::Normal => "Unchanged",
            Priority::High => "Ahead of ordinary threads (Linux: nice -11)",
            Priority::Realtime => "Ahead of every ordinary thread, always (Linux: SCHED_FIFO)",
        };
        PossibleValue::new(priority.name()).help(help)
    };
    PossibleValuesParser::new(Priority::ALL.map(named)).try_map(|name| name.parse::<Priority>())
}

impl ConditionArgs {
    /// The conditions of a question.
    pub fn conditions(&self) -> Conditions {
        Conditions {
            load: self.load.clone(),
            with: self.with.clone(),
            standing: self.standing.standing(),
            priority: self.priority,
            pin: self.pin,
            slices: self.slice.clone(),
        }
    }
}
