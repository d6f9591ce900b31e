//! Findings in words: the name of a thing, what its state means for waits, in one line each.

use super::Row;
use crate::refusal::command;
use punctual::os::Slice;
use punctual_data::quantity::show;
use punctual_lab::environment::ProcessorQuota;
use punctual_lab::machine::{Finding, Matter, State};
use std::time::Duration;

/// A finding as people and programs read it.
pub(super) fn row(finding: &Finding) -> Row {
    Row {
        what: what(&finding.matter),
        state: finding.state,
        effect: effect(finding),
        remedy: finding.remedy.as_ref().map(command),
    }
}

fn what(matter: &Matter) -> String {
    let name = match matter {
        Matter::HighPriority => "high priority",
        Matter::RealtimePriority => "real-time",
        Matter::Slice(_) => "slice",
        Matter::MemoryLock => "memory lock",
        Matter::IdleLatency => "idle latency",
        Matter::Processors(_) => "processors",
        Matter::Quota(_) => "quota",
        Matter::HighResolution(_) => "timers",
        Matter::TimerSlack(_) => "timer slack",
        Matter::Clock(_) => "clock",
        Matter::Preemption(_) => "preemption",
        Matter::IdleStates(_) => "idle states",
        Matter::Frequency(_) => "frequency",
        Matter::QueueTime => "schedstat",
        Matter::TimerInterval(_) => "interval",
        Matter::Administrator => "administrator",
        Matter::PowerPlan(_) => "power plan",
        Matter::Wine(_) => "system",
        Matter::Method(name) => return format!("method {name}"),
        Matter::Methods(_) => "methods",
        Matter::KernelTrace => "kernel trace",
    };
    name.to_owned()
}

/// A failed attempt shows its error, or with a remedy, what the permission would be good for.
fn effect(finding: &Finding) -> String {
    let means = meaning(&finding.matter, finding.state);
    match (&finding.refusal, &finding.remedy) {
        (Some(error), None) => error.to_string(),
        (Some(error), Some(_)) => means.map_or_else(
            || error.to_string(),
            |means| format!("not permitted: {means}"),
        ),
        (None, _) => means.unwrap_or_else(|| "the system does not tell".to_owned()),
    }
}

/// The meaning for waits, if the system tells.
fn meaning(matter: &Matter, state: State) -> Option<String> {
    let is_good = state == State::Good;
    Some(match matter {
        Matter::HighPriority => "--priority high puts a thread ahead of ordinary ones".to_owned(),
        Matter::RealtimePriority => {
            "--priority realtime puts a thread ahead of every ordinary one".to_owned()
        }
        Matter::Slice(found) if is_good => slice_means((*found)?),
        Matter::Slice(_) => {
            "with a short slice of its own (--slice), a thread gets its turn sooner".to_owned()
        }
        Matter::MemoryLock => "--tuned keeps memory from being paged out".to_owned(),
        Matter::IdleLatency => "--tuned keeps processors out of deep sleep".to_owned(),
        Matter::Processors(both) => match both.as_ref()? {
            (_, online) if is_good => format!("all of {online}; --pin chooses one"),
            (usable, online) => {
                format!("only {usable} of {online}; a cpuset may forbid what the command asks for")
            }
        },
        Matter::Quota(quota) => match (*quota)? {
            ProcessorQuota::Unlimited => "none: the program may always run".to_owned(),
            limited => {
                format!("{limited}; a thread that is ready beyond it waits for the next period")
            }
        },
        Matter::HighResolution(has) => match (*has)? {
            true => "high-resolution: each has its own interrupt".to_owned(),
            false => {
                "only at the tick: boot without highres=off, with CONFIG_HIGH_RES_TIMERS".to_owned()
            }
        },
        Matter::TimerSlack(slack) => slack_means((*slack)?),
        Matter::Clock(clock) => clock_means(clock.as_ref()?, is_good),
        Matter::Preemption(model) => preemption_means(model.as_ref()?, state),
        Matter::IdleStates(deepest) => match deepest.as_ref()? {
            Some((state, nanos)) => format!("{state} takes {} µs to leave", nanos / 1_000),
            None => "none that this kernel chooses".to_owned(),
        },
        Matter::Frequency(governor) => frequency_means(governor.as_deref()?, is_good),
        Matter::QueueTime if is_good => {
            "tells how long a thread was ready and did not run".to_owned()
        }
        Matter::QueueTime => {
            "timer and queue cannot be told apart without a trace: the kernel has no CONFIG_SCHED_INFO"
                .to_owned()
        }
        Matter::TimerInterval(minimum) => format!(
            "interrupts can be requested every {:?} (--request, resolution hold)",
            Duration::from_nanos((*minimum)?)
        ),
        Matter::Administrator if is_good => {
            "powercfg /energy can list the programs that request an interval".to_owned()
        }
        Matter::Administrator => {
            "only administrators can list the programs that request an interval (resolution who)"
                .to_owned()
        }
        Matter::PowerPlan(plan) if is_good => plan.clone()?,
        Matter::PowerPlan(plan) => format!(
            "{}: idle processors sleep deeply and start slowly",
            plan.as_ref()?
        ),
        Matter::Wine(version) => {
            format!("this Windows is Wine {version}: its timers are those of another system")
        }
        Matter::Method(_) => return None,
        Matter::Methods(count) => format!("all {count} ways of waiting can be measured"),
        Matter::KernelTrace => "'punctual explain' can say why each wake-up was late".to_owned(),
    })
}

fn slack_means(nanos: u64) -> String {
    match nanos {
        0..=1 => format!("{nanos} ns"),
        _ => format!(
            "{nanos} ns: nanosleep, poll and similar calls may end that much later (Punctual's own \
             waits set it aside)"
        ),
    }
}

fn slice_means(nanos: u64) -> String {
    format!(
        "{}, and a thread may set its own, {} to {} (--slice): on a busy machine one with a short slice gets \
         its turn sooner. Punctual's waits set a short one",
        show(Duration::from_nanos(nanos)),
        show(Slice::SHORTEST),
        show(Slice::LONGEST)
    )
}

fn clock_means((source, cost): &(String, f64), is_good: bool) -> String {
    let finest = match is_good {
        true => "",
        false => "; a spin cannot be finer than that",
    };
    format!("{source}: {cost:.0} ns a reading{finest}")
}

fn preemption_means((model, mode): &(String, Option<String>), state: State) -> String {
    match (state, mode) {
        (State::Good, Some(mode)) => format!("{model}, mode {mode}"),
        (State::Good, None) => model.clone(),
        (State::Unknown, _) => format!("{model}: only debugfs tells its mode"),
        (_, mode) => format!(
            "{}: a thread in the kernel keeps its processor from one that is ready",
            mode.as_ref().unwrap_or(model)
        ),
    }
}

fn frequency_means(governor: &str, is_good: bool) -> String {
    match governor {
        "none" => "not scaled by this system".to_owned(),
        governor if is_good => format!("governor {governor}"),
        governor => format!("governor {governor}: a processor that was idle starts slowly"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Error;
    use punctual_lab::machine::Remedy;

    #[test]
    fn a_failed_attempt_with_a_remedy_says_what_it_would_be_good_for() {
        let refused = Err::<(), _>(Error::not_permitted("no"));
        let remedy = Remedy::PermitLocking { contained: false };
        let finding = Finding::attempted(Matter::MemoryLock, refused, Some(remedy));
        let row = row(&finding);
        assert_eq!(
            row.effect,
            "not permitted: --tuned keeps memory from being paged out"
        );
        assert!(row.remedy.unwrap().contains("--memlock=unlimited"));
    }

    #[test]
    fn a_slice_is_shown_with_what_could_be_set() {
        let row = row(&Finding::good(Matter::Slice(Some(1_400_000))));
        assert_eq!(row.what, "slice");
        for part in ["1.40 ms", "100 µs to 100 ms", "--slice"] {
            assert!(row.effect.contains(part), "{}", row.effect);
        }
    }

    #[test]
    fn a_failed_attempt_without_a_remedy_says_why() {
        let refused = Err::<(), _>(Error::unsupported("there is none"));
        let finding = Finding::attempted(Matter::Method("nap"), refused, None);
        let row = row(&finding);
        assert_eq!(
            (row.what.as_str(), row.effect.as_str()),
            ("method nap", "there is none")
        );
    }

    #[test]
    fn what_the_system_does_not_tell_has_no_meaning() {
        for matter in [
            Matter::Processors(None),
            Matter::TimerSlack(None),
            Matter::Clock(None),
            Matter::IdleStates(None),
        ] {
            let row = row(&Finding::unknown(matter));
            assert_eq!(row.effect, "the system does not tell");
        }
    }
}
