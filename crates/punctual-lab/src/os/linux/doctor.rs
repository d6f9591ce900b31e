//! What Linux permits a program that waits. The facts are the environment's; what a program may do
//! is found by doing it.

use super::tuning::{self, PERMIT_LATENCY, PERMIT_LOCKING};
use crate::Environment;
use crate::machine::{Finding, State};
use punctual::guard::PriorityGuard;
use punctual::{Error, Native, Priority};

/// A clock whose readings cost more is no use to spin on: it went through the kernel, or through the
/// hypervisor.
const DEAR_READING_NS: f64 = 200.0;

/// Leaving an idle state that takes longer is what shows in lateness: what a timer's interrupt and a
/// switch to the thread take together.
const LONG_EXIT_NS: u64 = 10_000;

pub(super) fn findings(machine: &Native, environment: &Environment) -> Vec<Finding> {
    let mut findings = Vec::from(permissions(machine, environment));
    findings.extend(facts(environment));
    findings
}

/// What is tried, and undone.
fn permissions(machine: &Native, environment: &Environment) -> [Finding; 4] {
    let contained = is_contained(environment);
    let raise = |priority| PriorityGuard::raise(machine, priority);
    let remedy = |outside, inside| Some(if contained { inside } else { outside });
    [
        Finding::attempted(
            "high priority",
            raise(Priority::High),
            "--priority high puts a thread ahead of ordinary ones",
            remedy(
                "sudo prlimit --pid $$ --nice=40",
                "docker run --cap-add=SYS_NICE …",
            ),
        ),
        Finding::attempted(
            "real-time",
            raise(Priority::Realtime),
            "--priority realtime puts a thread ahead of every ordinary one",
            remedy(
                "sudo prlimit --pid $$ --rtprio=99",
                "docker run --cap-add=SYS_NICE --ulimit rtprio=99 …",
            ),
        ),
        Finding::attempted(
            "memory lock",
            tuning::LockedMemory::lock(),
            "--tuned keeps memory from being paged out",
            remedy(PERMIT_LOCKING, "docker run --ulimit memlock=-1 …"),
        ),
        Finding::attempted(
            "idle latency",
            tuning::hold_latency(),
            "--tuned keeps processors from deep sleep",
            remedy(
                PERMIT_LATENCY,
                "docker run --device /dev/cpu_dma_latency --user root …",
            ),
        ),
    ]
}

fn is_contained(environment: &Environment) -> bool {
    let container = environment.container.as_deref();
    container.is_some_and(|kind| kind != "none")
}

/// What is read.
fn facts(environment: &Environment) -> Vec<Finding> {
    [
        processors(environment),
        quota(environment),
        high_resolution(environment),
        slack(environment),
        clock(environment),
        preemption(environment),
        idle(environment),
        frequency(environment),
        queue_time(environment),
    ]
    .into()
}

fn processors(environment: &Environment) -> Finding {
    const WHAT: &str = "processors";
    match (
        &environment.processors_usable,
        &environment.processors_online,
    ) {
        (Some(usable), Some(online)) if usable == online => {
            Finding::good(WHAT, format!("all of {online}; --pin to any"))
        }
        (Some(usable), Some(online)) => Finding::new(
            WHAT,
            State::Limited,
            format!("only {usable} of {online}; a cpuset may forbid what the command asks for"),
            Some(&format!("sudo taskset -pc {online} $$")),
        ),
        _ => unknown(WHAT),
    }
}

fn quota(environment: &Environment) -> Finding {
    use crate::environment::ProcessorQuota::{Limited, Unlimited};
    const WHAT: &str = "quota";
    let remedy = if is_contained(environment) {
        "docker update --cpu-quota=-1 CONTAINER"
    } else {
        "echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs"
    };
    match environment.processor_quota {
        Some(Unlimited) => Finding::good(WHAT, "none: nobody makes this program wait"),
        Some(quota @ Limited { .. }) => Finding::new(
            WHAT,
            State::Limited,
            format!("{quota}; a thread that is ready beyond it waits for the next period"),
            Some(remedy),
        ),
        None => unknown(WHAT),
    }
}

fn high_resolution(environment: &Environment) -> Finding {
    const WHAT: &str = "timers";
    match environment.high_resolution_timers {
        Some(true) => Finding::good(WHAT, "high-resolution: each has an interrupt of its own"),
        Some(false) => Finding::new(
            WHAT,
            State::Limited,
            "only at the tick: boot without highres=off, with CONFIG_HIGH_RES_TIMERS",
            None,
        ),
        None => unknown(WHAT),
    }
}

fn slack(environment: &Environment) -> Finding {
    const WHAT: &str = "timer slack";
    match environment.timer_slack_ns {
        Some(nanos @ 0..=1) => Finding::good(WHAT, format!("{nanos} ns")),
        Some(nanos) => Finding::new(
            WHAT,
            State::Limited,
            format!(
                "{nanos} ns: nanosleep, poll and their like may end that much later (Punctual's \
                 own waits set it aside)"
            ),
            Some("echo 1 >/proc/$$/timerslack_ns"),
        ),
        None => unknown(WHAT),
    }
}

fn clock(environment: &Environment) -> Finding {
    const WHAT: &str = "clock";
    let (Some(source), Some(cost)) = (&environment.clock_source, environment.clock_cost_ns) else {
        return unknown(WHAT);
    };
    let effect = format!("{source}: {cost:.0} ns a reading");
    if cost <= DEAR_READING_NS {
        return Finding::good(WHAT, effect);
    }
    let available = environment.clock_sources_available.as_deref();
    let has_tsc = available.is_some_and(|sources| sources.iter().any(|name| name == "tsc"));
    let remedy = (has_tsc && source != "tsc").then_some(
        "echo tsc | sudo tee /sys/bus/clocksource/devices/clocksource0/current_clocksource",
    );
    let effect = effect + ", which is what a spin can tell apart";
    Finding::new(WHAT, State::Limited, effect, remedy)
}

fn preemption(environment: &Environment) -> Finding {
    const WHAT: &str = "preemption";
    let Some(model) = environment.preemption.as_deref() else {
        return unknown(WHAT);
    };
    let dynamic = model == "PREEMPT_DYNAMIC";
    let mode = environment.preemption_mode.as_deref();
    match (model, mode) {
        ("PREEMPT_RT" | "PREEMPT", _) => Finding::good(WHAT, model),
        (_, Some(mode @ ("full" | "lazy"))) => Finding::good(WHAT, format!("{model}, mode {mode}")),
        (_, None) if dynamic => Finding::new(
            WHAT,
            State::Unknown,
            "PREEMPT_DYNAMIC, whose mode only debugfs tells",
            Some("sudo mount -t debugfs nodev /sys/kernel/debug"),
        ),
        (_, mode) => Finding::new(
            WHAT,
            State::Limited,
            format!(
                "{}: a thread in the kernel keeps its processor from one that is ready",
                mode.unwrap_or(model)
            ),
            dynamic.then_some("echo full | sudo tee /sys/kernel/debug/sched/preempt"),
        ),
    }
}

fn idle(environment: &Environment) -> Finding {
    const WHAT: &str = "idle states";
    match (
        &environment.deepest_idle_state,
        environment.idle_exit_latency_ns,
    ) {
        (Some(state), Some(nanos)) if nanos > LONG_EXIT_NS => Finding::new(
            WHAT,
            State::Limited,
            format!("{state} takes {} µs to leave", nanos / 1_000),
            Some(&format!(
                "sudo cpupower idle-set -D {}",
                LONG_EXIT_NS / 1_000
            )),
        ),
        (Some(state), Some(nanos)) => {
            Finding::good(WHAT, format!("{state} takes {} µs to leave", nanos / 1_000))
        }
        _ if environment.idle_driver.as_deref() == Some("none") => {
            Finding::good(WHAT, "none that this kernel chooses")
        }
        _ => unknown(WHAT),
    }
}

fn frequency(environment: &Environment) -> Finding {
    const WHAT: &str = "frequency";
    match environment.frequency_governor.as_deref() {
        Some("performance") => Finding::good(WHAT, "governor performance"),
        Some("none") => Finding::good(WHAT, "not scaled by this system"),
        Some(governor) => Finding::new(
            WHAT,
            State::Limited,
            format!("governor {governor}: a processor that was idle begins slowly"),
            Some("sudo cpupower frequency-set -g performance"),
        ),
        None => unknown(WHAT),
    }
}

fn queue_time(environment: &Environment) -> Finding {
    const WHAT: &str = "schedstat";
    match environment.queue_time_readable {
        Some(true) => Finding::good(WHAT, "tells how long a thread was ready and did not run"),
        _ => Finding::new(
            WHAT,
            State::Missing,
            "nothing tells timer from queue without a trace: the kernel has no CONFIG_SCHED_INFO",
            None,
        ),
    }
}

fn unknown(what: &str) -> Finding {
    Finding::new(what, State::Unknown, "nothing here tells", None)
}

/// What would let a method be made.
pub(super) fn remedy_for_method(name: &str, error: &Error) -> Option<&'static str> {
    match name {
        "io-uring" if error.is_not_permitted() => Some("sudo sysctl kernel.io_uring_disabled=0"),
        _ if error.is_not_permitted() => Some("docker run --security-opt seccomp=unconfined …"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::ProcessorQuota;

    /// The finding of that name on a machine of which only this is known.
    fn finding(what: &str, environment: &Environment) -> Finding {
        let found = facts(environment);
        found.into_iter().find(|found| found.what == what).unwrap()
    }

    #[test]
    fn what_is_not_known_is_not_called_good() {
        let nothing = Environment::default();
        assert!(
            facts(&nothing)
                .iter()
                .all(|found| found.state != State::Good)
        );
    }

    #[test]
    fn a_quota_is_lifted_where_it_was_set() {
        let mut environment = Environment {
            processor_quota: Some(ProcessorQuota::Limited {
                quota_us: 50_000,
                period_us: 100_000,
            }),
            ..Environment::default()
        };
        let remedy = |environment: &Environment| finding("quota", environment).remedy.unwrap();
        assert!(remedy(&environment).contains("cgroup.procs"));
        environment.container = Some("docker".to_owned());
        assert!(remedy(&environment).starts_with("docker update"));
    }

    #[test]
    fn a_dear_clock_is_left_for_a_cheap_one_where_there_is_one() {
        let mut environment = Environment {
            clock_source: Some("hpet".to_owned()),
            clock_cost_ns: Some(1_200.0),
            ..Environment::default()
        };
        let found = finding("clock", &environment);
        assert_eq!((found.state, found.remedy), (State::Limited, None));
        environment.clock_sources_available = Some(vec!["tsc".to_owned(), "hpet".to_owned()]);
        let found = finding("clock", &environment);
        assert!(found.remedy.unwrap().starts_with("echo tsc"));
    }

    #[test]
    fn a_dynamic_kernel_can_be_told_to_preempt() {
        let mut environment = Environment {
            preemption: Some("PREEMPT_DYNAMIC".to_owned()),
            preemption_mode: Some("voluntary".to_owned()),
            ..Environment::default()
        };
        let found = finding("preemption", &environment);
        assert!(found.remedy.unwrap().contains("echo full"));
        environment.preemption_mode = Some("full".to_owned());
        assert_eq!(finding("preemption", &environment).state, State::Good);
        environment.preemption_mode = None;
        assert_eq!(finding("preemption", &environment).state, State::Unknown);
    }
}
