//! Remedies as the commands that people type.

use punctual_lab::machine::Remedy;

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
