//! What can be asked of a machine, and what is refused before anything runs.

use super::percentiles;
use crate::args::MeasureArgs;
use crate::choice::chosen;
use crate::failure::Failure;
use crate::quantity;
use crate::run::QUICK;
use punctual::Period;
use punctual_lab::Native;
use punctual_lab::experiment::{REQUESTED, TUNED};
use punctual_lab::method::Wishes;
use punctual_lab::methods::PUNCTUAL;
use punctual_lab::recording::Asked;
use punctual_lab::{Experiment, Machine, Plan};
use std::time::Duration;

/// How many times each method waits unless told: enough to say something of 99.9 %, and with all
/// methods at 1 ms a third of a minute.
const DEFAULT_COUNT: u64 = 1_000;

/// What to run on such a machine, if it can be run.
pub fn experiment<M: Machine>(args: &MeasureArgs) -> Result<Experiment<M>, Failure> {
    let offers = chosen("--method", M::methods(), &args.method, |offer| offer.name)?;
    let is_chosen = |name: &str| offers.iter().any(|offer| offer.name == name);
    // As tables name it: with the mark of a series that is measured besides.
    let is_measured = |name: &str| {
        let marked = [(REQUESTED, args.request.is_some()), (TUNED, args.tuned)];
        let marked = marked.into_iter().filter(|(_, is_measured)| *is_measured);
        let mut plain = marked.filter_map(|(mark, _)| name.strip_prefix(mark));
        is_chosen(name) || plain.any(is_chosen)
    };
    for (flag, given) in [
        ("--late-rate", args.late_rate.is_some()),
        ("--budget", args.budget.is_some()),
    ] {
        if given && !is_chosen(PUNCTUAL) {
            let problem = "it is for method 'punctual', which --method leaves out";
            return Err(Failure::flag(flag, problem));
        }
    }
    for bound in &args.fail_if {
        if let Some(method) = bound
            .method
            .as_deref()
            .filter(|method| !is_measured(method))
        {
            let problem = format!("'{bound}' is about '{method}', which is not measured");
            return Err(Failure::flag("--fail-if", problem));
        }
    }
    if args.request.is_some() && !M::HAS_INTERVAL {
        let problem = format!("{NO_INTERVAL}{INSTEAD}");
        return Err(Failure::flag("--request", problem));
    }
    if args.tuned && !M::CAN_BE_TUNED {
        return Err(Failure::flag("--tuned", nothing_to_tune(args)));
    }
    let series = offers.len() * times_measured(args);
    percentiles::check(args, series)?;
    let wishes = Wishes {
        period: args.period,
        late_rate: args.late_rate.unwrap_or_default(),
        budget: args.budget.unwrap_or_default(),
    };
    Ok(Experiment {
        plan: plan(args, series)?,
        offers,
        wishes,
        request: args.request,
        tuned: args.tuned,
        priority: args.priority.raised(),
        pin: args.pin,
    })
}

/// Where there is what this machine lacks, if anywhere.
pub const INSTEAD: &str = if cfg!(feature = "sim") {
    " (try --on windows-10-2004)"
} else {
    ""
};

pub const NO_INTERVAL: &str = "nobody can ask this system for a timer interval";

/// How many series each method has: under its own request and tuned, it is measured again.
fn times_measured(args: &MeasureArgs) -> usize {
    1 + usize::from(args.request.is_some()) + usize::from(args.tuned)
}

fn nothing_to_tune(args: &MeasureArgs) -> &'static str {
    if args.on.is_some() {
        "the processors of a simulated machine do not sleep and its memory stays: there is nothing \
         to tune"
    } else {
        "there is nothing to tune here: only Linux has /dev/cpu_dma_latency"
    }
}

/// Tries what the measuring thread will do, and undoes it.
pub fn tuning(machine: &Native, args: &MeasureArgs) -> Result<(), Failure> {
    if args.tuned {
        let refused = |error| Failure::run(format!("--tuned: {error}"));
        drop(machine.tune().map_err(refused)?);
    }
    Ok(())
}

fn plan(args: &MeasureArgs, methods: usize) -> Result<Plan, Failure> {
    let period = args.period;
    let methods = methods as u64;
    let (waits, takes) = match args.duration {
        Some(duration) => {
            let waits = waits_within("--duration", duration, period, methods)?;
            (waits, Some(duration))
        }
        None if args.quick => {
            let waits = waits_within("--quick", QUICK, period, methods)?;
            (waits, Some(QUICK))
        }
        None => (args.count.unwrap_or(DEFAULT_COUNT), None),
    };
    Ok(Plan {
        period,
        waits,
        takes,
    })
}

/// How often each method can wait when all of them, warm-up included, are to take this long.
fn waits_within(
    flag: &str,
    duration: Duration,
    period: Period,
    methods: u64,
) -> Result<u64, Failure> {
    let all = period.index_after(duration) / methods;
    let plan = |waits| Plan {
        period,
        waits,
        takes: None,
    };
    match all.checked_sub(plan(all).warm_up()) {
        Some(waits) if waits > 0 => Ok(waits),
        _ => {
            let once = plan(1);
            let problem = format!(
                "too short for {methods} methods to wait even once; the least is {}",
                quantity::show(once.expected_duration(methods))
            );
            Err(Failure::flag(flag, problem))
        }
    }
}

/// What was asked, for the recording.
pub fn asked<M>(args: &MeasureArgs, experiment: &Experiment<M>) -> Asked {
    let plan = experiment.plan;
    Asked {
        period_ns: u64::try_from(plan.period.to_duration().as_nanos()).unwrap_or(u64::MAX),
        count: plan.waits,
        warm_up_count: plan.warm_up(),
        block_count: plan.waits_per_block(),
        methods: experiment
            .offers
            .iter()
            .map(|offer| offer.name.to_owned())
            .collect(),
        load: args.load.clone(),
        priority: args.priority.name().to_owned(),
        pin: args.pin,
        late_rate: experiment.wishes.late_rate.share(),
        budget: experiment.wishes.budget.share(),
        on: args.on.as_ref().map(ToString::to_string),
        with: args.with.iter().map(ToString::to_string).collect(),
        request_ns: args
            .request
            .map(|interval| u64::try_from(interval.as_nanos()).unwrap_or(u64::MAX)),
        tuned: args.tuned,
        seed: args.on.as_ref().map(|_| args.seed),
    }
}
