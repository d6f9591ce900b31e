//! What can be asked of a machine, and what is refused before anything runs.

use crate::args::PaceArgs;
use crate::choice::chosen;
use crate::failure::Failure;
use crate::measure::check::NO_INTERVAL;
use crate::quantity;
use punctual_lab::Machine;
use punctual_lab::method::Wishes;
use punctual_lab::pace::{Asked, Experiment, Plan, period_ns};
use std::time::Duration;

/// What to run on such a machine, if it can be run.
pub(super) fn experiment<M: Machine>(args: &PaceArgs) -> Result<Experiment<M>, Failure> {
    let period = args.period.truncated();
    if args.work >= period {
        let problem = format!(
            "{} of work leaves nothing of a period of {} to wait",
            quantity::show(args.work),
            quantity::show(period)
        );
        return Err(Failure::flag("--work", problem));
    }
    let least = period.saturating_mul(2);
    if args.duration < least {
        let problem = format!(
            "too short to tell a period of {}; the least is {}",
            quantity::show(period),
            quantity::show(least)
        );
        return Err(Failure::flag("--duration", problem));
    }
    if args.request.is_some() && !M::HAS_INTERVAL {
        let problem = format!("{NO_INTERVAL} (try --on windows-10-2004)");
        return Err(Failure::flag("--request", problem));
    }
    Ok(Experiment {
        plan: Plan {
            period: args.period,
            duration: args.duration,
            work: args.work,
        },
        ways: chosen("--way", M::ways(), &args.way, |way| way.name)?,
        wishes: Wishes {
            period: args.period,
            late_rate: Default::default(),
            budget: Default::default(),
        },
        request: args.request,
        priority: args.priority.raised(),
        pin: args.pin,
    })
}

/// What was asked, for the recording.
pub(super) fn asked<M>(args: &PaceArgs, experiment: &Experiment<M>) -> Asked {
    let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    Asked {
        period_ns: period_ns(args.period),
        duration_ns: nanos(args.duration),
        work_ns: nanos(args.work),
        warm_up_count: experiment.plan.warm_up(),
        ways: experiment
            .ways
            .iter()
            .map(|way| way.name.to_owned())
            .collect(),
        load: args.load.clone(),
        priority: args.priority.name().to_owned(),
        pin: args.pin,
        on: args.on.as_ref().map(ToString::to_string),
        with: args.with.iter().map(ToString::to_string).collect(),
        request_ns: args.request.map(nanos),
        seed: args.on.as_ref().map(|_| args.seed),
    }
}
