//! What can be asked of a machine, and what is refused before anything runs.

use crate::args::PaceArgs;
use crate::choice::chosen;
use crate::failure::Failure;
use crate::measure::check::{INSTEAD, NO_INTERVAL};
use crate::quantity;
use crate::run::QUICK;
use punctual_lab::Machine;
use punctual_lab::method::Wishes;
use punctual_lab::pace::{Asked, Experiment, Plan, TICKER, WARM_UP, period_ns};
use std::time::Duration;

/// How long each way has unless told: enough to see half a millisecond of drift a second.
const DEFAULT_DURATION: Duration = Duration::from_secs(3);

/// What to run on such a machine, if it can be run.
pub(super) fn experiment<M: Machine>(args: &PaceArgs) -> Result<Experiment<M>, Failure> {
    let period = args.period.to_duration();
    if args.work >= period {
        let problem = format!(
            "{} of work leaves nothing of a period of {} to wait",
            quantity::show(args.work),
            quantity::show(period)
        );
        return Err(Failure::flag("--work", problem));
    }
    if args.request.is_some() && !M::HAS_INTERVAL {
        let problem = format!("{NO_INTERVAL}{INSTEAD}");
        return Err(Failure::flag("--request", problem));
    }
    let ways = chosen("--way", M::ways(), &args.way, |way| way.name)?;
    let ticks = ways.iter().any(|way| way.name == TICKER);
    for (flag, given) in [
        ("--late-rate", args.late_rate.is_some()),
        ("--budget", args.budget.is_some()),
    ] {
        if given && !ticks {
            let problem = "it is for way 'ticker', which --way leaves out";
            return Err(Failure::flag(flag, problem));
        }
    }
    Ok(Experiment {
        plan: Plan {
            period: args.period,
            duration: duration(args, ways.len())?,
            work: args.work,
        },
        ways,
        wishes: Wishes {
            period: args.period,
            late_rate: args.late_rate.unwrap_or_default(),
            budget: args.budget.unwrap_or_default(),
        },
        request: args.request,
        priority: args.priority.raised(),
        pin: args.pin,
    })
}

/// How long each way has.
fn duration(args: &PaceArgs, ways: usize) -> Result<Duration, Failure> {
    let period = args.period.to_duration();
    let least = period.saturating_mul(2);
    let too_short = |least| {
        format!(
            "too short to tell a period of {}; the least is {}",
            quantity::show(period),
            quantity::show(least)
        )
    };
    if !args.quick {
        let duration = args.duration.unwrap_or(DEFAULT_DURATION);
        if duration < least {
            return Err(Failure::flag("--duration", too_short(least)));
        }
        return Ok(duration);
    }
    let times = if args.request.is_some() { 2 } else { 1 };
    let turns = u32::try_from(ways * times).unwrap_or(u32::MAX).max(1);
    let warm_up = WARM_UP.max(period);
    let each = (QUICK / turns).saturating_sub(warm_up);
    if each < least {
        let problem = too_short(least.saturating_add(warm_up).saturating_mul(turns));
        return Err(Failure::flag("--quick", problem));
    }
    Ok(each)
}

/// What was asked, for the recording.
pub(super) fn asked<M>(args: &PaceArgs, experiment: &Experiment<M>) -> Asked {
    let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    Asked {
        period_ns: period_ns(args.period),
        duration_ns: nanos(experiment.plan.duration),
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
        late_rate: Some(experiment.wishes.late_rate.share()),
        budget: Some(experiment.wishes.budget.share()),
        on: args.on.as_ref().map(ToString::to_string),
        with: args.with.iter().map(ToString::to_string).collect(),
        request_ns: args.request.map(nanos),
        seed: args.on.as_ref().map(|_| args.seed),
    }
}
