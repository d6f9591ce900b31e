//! A machine's refusal of a question, as the failure of a command.

use punctual_command::failure::Failure;
use punctual_data::quantity;
use punctual_lab::machine::{Refused, Remedy};
use punctual_lab::question::{Refusal, Wish};
use punctual_lab::vary::Condition;

/// A machine's refusal of a question, with the flag that caused it. `length_flag` is the flag
/// for how long it takes.
pub fn refused(refusal: Refusal, length_flag: &str, is_simulated: bool) -> Failure {
    let flag = match &refusal {
        Refusal::Unknown { .. } | Refusal::Twice(_) | Refusal::Persona { .. } => "--method",
        Refusal::Unheard {
            wish: Wish::LateRate,
            ..
        } => "--late-rate",
        Refusal::Unheard {
            wish: Wish::Budget, ..
        } => "--budget",
        Refusal::NoInterval => "--request",
        Refusal::Vary(_) => "--vary",
        Refusal::NothingToTune | Refusal::LengthsTuned => "--tuned",
        Refusal::NoSlices
        | Refusal::SliceTwice(_)
        | Refusal::TooManySlices
        | Refusal::OneSlice
        | Refusal::Slice(_) => "--slice",
        Refusal::TooShort { .. } => length_flag,
        Refusal::TooMuchWork { .. } => "--work",
        Refusal::Companion { .. } => "--with",
        Refusal::Standing { standing, .. } if standing.hidden => "--hidden",
        Refusal::Standing { .. } => "--throttling",
        Refusal::Load(_) => "--load",
        Refusal::Pin(_) => "--pin",
        Refusal::Machine(_) => "--on",
        Refusal::Priority(error) => return Failure::run(format!("--priority: {error}")),
        Refusal::Tune(refused) => return Failure::run(format!("--tuned: {}", tuning(refused))),
    };
    Failure::flag(flag, problem(&refusal, is_simulated))
}

/// Where to find what this machine lacks.
pub const INSTEAD: &str = if cfg!(feature = "sim") {
    " (try --on windows-10-2004)"
} else {
    ""
};

/// Where to find what only Windows 11 has.
const INSTEAD_11: &str = if cfg!(feature = "sim") {
    " (try --on windows-11)"
} else {
    ""
};

/// Why the machine cannot be tuned, and the command that would permit it.
fn tuning(refused: &Refused) -> String {
    match &refused.remedy {
        Some(remedy) => format!("{}; to permit it: {}", refused.error, command(remedy)),
        None => refused.error.to_string(),
    }
}

/// What is wrong, and what would be right.
fn problem(refusal: &Refusal, is_simulated: bool) -> String {
    match refusal {
        Refusal::Unheard {
            name: Some(name), ..
        } => format!("it applies to '{name}', which --method leaves out"),
        Refusal::Vary(Condition::Slack) => {
            format!("{refusal}; on Windows, write request=1ms..15ms")
        }
        Refusal::Vary(_) => format!("{refusal}; on Linux, write slack=1ns..1ms{INSTEAD}"),
        Refusal::NoInterval => format!("{refusal}{INSTEAD}"),
        Refusal::NothingToTune if is_simulated => {
            "there is nothing to tune on a simulated machine: its processors do not sleep, and \
             its memory stays in place"
                .to_owned()
        }
        Refusal::NothingToTune => {
            "there is nothing to tune here: only Linux has /dev/cpu_dma_latency".to_owned()
        }
        Refusal::TooShort { tried, least } => format!(
            "too short for a turn of each of {tried}; the least is {}",
            quantity::show(*least)
        ),
        Refusal::TooMuchWork { work, period } => format!(
            "{} of work leaves no time to wait in a period of {}",
            quantity::show(*work),
            quantity::show(*period)
        ),
        Refusal::Companion { companion, reason } => {
            let hint = if cfg!(feature = "sim") {
                "; simulated machines can have it (try --on windows-10-2004)"
            } else {
                ""
            };
            format!("{companion} is not available here: {reason}{hint}")
        }
        Refusal::Standing { reason, .. } => format!("{reason}{INSTEAD_11}"),
        Refusal::Persona { .. } if !is_simulated => {
            format!("{refusal} (try --on windows-10-2004)")
        }
        refusal => refusal.to_string(),
    }
}

/// The command of a remedy. `$$` is the shell in which it is typed.
pub fn command(remedy: &Remedy) -> String {
    let command = match remedy {
        Remedy::PermitPriority { contained: false } => "sudo prlimit --pid $$ --nice=40",
        Remedy::PermitPriority { contained: true } => "docker run --cap-add=SYS_NICE …",
        Remedy::PermitRealtime { contained: false } => "sudo prlimit --pid $$ --rtprio=99",
        Remedy::PermitRealtime { contained: true } => {
            "docker run --cap-add=SYS_NICE --ulimit rtprio=99 …"
        }
        Remedy::PermitLocking { contained: false } => "sudo prlimit --pid $$ --memlock=unlimited",
        Remedy::PermitLocking { contained: true } => "docker run --ulimit memlock=-1 …",
        // For the current user only, until the next boot.
        Remedy::PermitLatency { contained: false } => "sudo chown \"$USER\" /dev/cpu_dma_latency",
        Remedy::PermitLatency { contained: true } => {
            "docker run --device /dev/cpu_dma_latency --user root …"
        }
        Remedy::AddLatencyDevice => "docker run --device /dev/cpu_dma_latency …",
        Remedy::WidenProcessors(online) => return format!("sudo taskset -pc {online} $$"),
        Remedy::LiftQuota { contained: false } => "echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs",
        Remedy::LiftQuota { contained: true } => "docker update --cpu-quota=-1 CONTAINER",
        Remedy::LeastSlack => "echo 1 >/proc/$$/timerslack_ns",
        Remedy::UseTimeStampCounter => {
            "echo tsc | sudo tee /sys/bus/clocksource/devices/clocksource0/current_clocksource"
        }
        Remedy::MountDebugFs => "sudo mount -t debugfs nodev /sys/kernel/debug",
        Remedy::PreemptFully => "echo full | sudo tee /sys/kernel/debug/sched/preempt",
        Remedy::LimitIdleStates { microseconds } => {
            return format!("sudo cpupower idle-set -D {microseconds}");
        }
        Remedy::HighestFrequency => "sudo cpupower frequency-set -g performance",
        Remedy::EnableIoUring => "sudo sysctl kernel.io_uring_disabled=0",
        Remedy::Unconfined => "docker run --security-opt seccomp=unconfined …",
        Remedy::BecomeAdministrator => "powershell Start-Process cmd -Verb RunAs",
        // The alias of the plan for high performance, in every language.
        Remedy::HighPerformancePlan => "powercfg /setactive SCHEME_MIN",
        Remedy::Command(command) => command,
    };
    command.to_owned()
}
