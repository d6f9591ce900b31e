//! What Linux permits a program that waits. The facts are the environment's; what a program may do
//! is found by doing it.

use super::tuning::{self, LockedMemory};
use crate::Environment;
use crate::environment::ProcessorQuota;
use crate::machine::{Finding, Matter, Remedy, State};
use punctual::guard::{PriorityGuard, SliceGuard};
use punctual::os::{Scheduling, Slice};
use punctual::{Error, Native, Priority};
use punctual_data::quantity::whole_nanos;
use std::time::Duration;

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
fn permissions(machine: &Native, environment: &Environment) -> [Finding; 5] {
    let contained = is_contained(environment);
    let found = machine.slice().ok();
    let raise = |priority| PriorityGuard::raise(machine, priority);
    [
        Finding::attempted(
            Matter::HighPriority,
            raise(Priority::High),
            Some(Remedy::PermitPriority { contained }),
        ),
        Finding::attempted(
            Matter::RealtimePriority,
            raise(Priority::Realtime),
            Some(Remedy::PermitRealtime { contained }),
        ),
        slice_of_its_own(SliceGuard::set(machine, Slice::SHORTEST), found),
        Finding::attempted(
            Matter::MemoryLock,
            LockedMemory::lock().map_err(Error::from),
            Some(Remedy::PermitLocking { contained }),
        ),
        Finding::attempted(
            Matter::IdleLatency,
            tuning::hold_latency().map_err(Error::from),
            Some(Remedy::PermitLatency { contained }),
        ),
    ]
}

/// What came of an attempt to set a slice. Only a sandbox forbids it: a kernel that has no slices must be
/// another one, and no command makes it that.
fn slice_of_its_own<T>(attempt: Result<T, Error>, found: Option<Duration>) -> Finding {
    let is_forbidden = attempt.as_ref().is_err_and(Error::is_not_permitted);
    let remedy = is_forbidden.then_some(Remedy::Unconfined);
    Finding::attempted(Matter::Slice(found.map(whole_nanos)), attempt, remedy)
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
    let usable = environment.processors_usable.clone();
    let both = usable.zip(environment.processors_online.clone());
    let is_good = both.as_ref().map(|(usable, online)| usable == online);
    let all = both
        .as_ref()
        .map(|(_, online)| Remedy::WidenProcessors(online.to_string()));
    Finding::judged(Matter::Processors(both), is_good, all)
}

fn quota(environment: &Environment) -> Finding {
    let quota = environment.processor_quota;
    let is_good = quota.map(|quota| quota == ProcessorQuota::Unlimited);
    let contained = is_contained(environment);
    Finding::judged(
        Matter::Quota(quota),
        is_good,
        Remedy::LiftQuota { contained },
    )
}

fn high_resolution(environment: &Environment) -> Finding {
    let has = environment.high_resolution_timers;
    Finding::judged(Matter::HighResolution(has), has, None)
}

fn slack(environment: &Environment) -> Finding {
    let slack = environment.timer_slack_ns;
    let is_good = slack.map(|slack| slack <= 1);
    Finding::judged(Matter::TimerSlack(slack), is_good, Remedy::LeastSlack)
}

fn clock(environment: &Environment) -> Finding {
    let source = environment.clock_source.clone();
    let Some((source, cost)) = source.zip(environment.clock_cost_ns) else {
        return Finding::unknown(Matter::Clock(None));
    };
    let matter = Matter::Clock(Some((source.clone(), cost)));
    if cost <= DEAR_READING_NS {
        return Finding::good(matter);
    }
    let available = environment.clock_sources_available.as_deref();
    let has_tsc = available.is_some_and(|sources| sources.iter().any(|name| name == "tsc"));
    let remedy = (has_tsc && source != "tsc").then_some(Remedy::UseTimeStampCounter);
    Finding::limited(matter, remedy)
}

fn preemption(environment: &Environment) -> Finding {
    let Some(model) = environment.preemption.clone() else {
        return Finding::unknown(Matter::Preemption(None));
    };
    let mode = environment.preemption_mode.clone();
    let is_dynamic = model == "PREEMPT_DYNAMIC";
    let preempts = matches!(model.as_str(), "PREEMPT_RT" | "PREEMPT")
        || matches!(mode.as_deref(), Some("full" | "lazy"));
    let is_unknown = is_dynamic && mode.is_none();
    let matter = Matter::Preemption(Some((model, mode)));
    if preempts {
        Finding::good(matter)
    } else if is_unknown {
        Finding::new(matter, State::Unknown, Some(Remedy::MountDebugFs))
    } else {
        Finding::limited(matter, is_dynamic.then_some(Remedy::PreemptFully))
    }
}

fn idle(environment: &Environment) -> Finding {
    let state = environment.deepest_idle_state.clone();
    match state.zip(environment.idle_exit_latency_ns) {
        Some((state, nanos)) if nanos > LONG_EXIT_NS => Finding::limited(
            Matter::IdleStates(Some(Some((state, nanos)))),
            Some(Remedy::LimitIdleStates {
                microseconds: LONG_EXIT_NS / 1_000,
            }),
        ),
        Some(deepest) => Finding::good(Matter::IdleStates(Some(Some(deepest)))),
        None if environment.idle_driver.as_deref() == Some("none") => {
            Finding::good(Matter::IdleStates(Some(None)))
        }
        None => Finding::unknown(Matter::IdleStates(None)),
    }
}

fn frequency(environment: &Environment) -> Finding {
    let governor = environment.frequency_governor.clone();
    let is_good = governor
        .as_deref()
        .map(|name| ["performance", "none"].contains(&name));
    Finding::judged(
        Matter::Frequency(governor),
        is_good,
        Remedy::HighestFrequency,
    )
}

fn queue_time(environment: &Environment) -> Finding {
    match environment.queue_time_readable {
        Some(true) => Finding::good(Matter::QueueTime),
        _ => Finding::new(Matter::QueueTime, State::Missing, None),
    }
}

/// What would let a method be made.
pub(super) fn remedy_for(name: &str, error: &Error) -> Option<Remedy> {
    match name {
        "io-uring" if error.is_not_permitted() => Some(Remedy::EnableIoUring),
        _ if error.is_not_permitted() => Some(Remedy::Unconfined),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_sandbox_can_be_left_and_an_old_kernel_cannot() {
        let found = Some(Duration::from_micros(1_400));
        let made = slice_of_its_own(Ok(()), found);
        assert_eq!(made.state, State::Good);
        assert_eq!(made.matter, Matter::Slice(Some(1_400_000)));
        let attempt = |error| slice_of_its_own(Err::<(), _>(error), None);
        let sandboxed = attempt(Error::not_permitted("a sandbox forbids it"));
        assert_eq!(sandboxed.remedy, Some(Remedy::Unconfined));
        let old = attempt(Error::unsupported("that needs Linux 6.12"));
        assert_eq!((old.state, old.remedy), (State::Missing, None));
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
        let remedy = |environment: &Environment| quota(environment).remedy.unwrap();
        assert_eq!(remedy(&environment), Remedy::LiftQuota { contained: false });
        environment.container = Some("docker".to_owned());
        assert_eq!(remedy(&environment), Remedy::LiftQuota { contained: true });
    }

    #[test]
    fn a_dear_clock_is_left_for_a_cheap_one_where_there_is_one() {
        let mut environment = Environment {
            clock_source: Some("hpet".to_owned()),
            clock_cost_ns: Some(1_200.0),
            ..Environment::default()
        };
        let found = clock(&environment);
        assert_eq!((found.state, found.remedy), (State::Limited, None));
        environment.clock_sources_available = Some(vec!["tsc".to_owned(), "hpet".to_owned()]);
        let found = clock(&environment);
        assert_eq!(found.remedy, Some(Remedy::UseTimeStampCounter));
    }

    #[test]
    fn a_dynamic_kernel_can_be_told_to_preempt() {
        let mut environment = Environment {
            preemption: Some("PREEMPT_DYNAMIC".to_owned()),
            preemption_mode: Some("voluntary".to_owned()),
            ..Environment::default()
        };
        let found = preemption(&environment);
        assert_eq!(found.remedy, Some(Remedy::PreemptFully));
        environment.preemption_mode = Some("full".to_owned());
        assert_eq!(preemption(&environment).state, State::Good);
        environment.preemption_mode = None;
        assert_eq!(preemption(&environment).state, State::Unknown);
    }
}
