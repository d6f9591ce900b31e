//! `punctual measure`: what was asked is checked, run, and shown.

use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::quantity;
use crate::run::{Collected, cancel_on_ctrl_c, run};
use crate::show;
use punctual::guard::{PinGuard, PriorityGuard};
use punctual::{Native, Period};
use punctual_lab::load::RunningLoad;
use punctual_lab::method::{Offer, Wishes};
use punctual_lab::methods::PUNCTUAL;
use punctual_lab::recording::{Asked, Recording, SCHEMA, SeriesRecord};
use punctual_lab::{Experiment, Load, Machine, Plan};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// How many times each method waits unless told: enough to say something of 99.9 %, and with all
/// methods at 1 ms a quarter of a minute.
const DEFAULT_COUNT: u64 = 1_000;

/// What a shell shows for a command ended by Ctrl-C: 128 and the number of SIGINT.
const EXIT_INTERRUPTED: u8 = 130;
const EXIT_BOUND_BROKEN: u8 = 3;

/// Runs the command.
pub fn measure(args: MeasureArgs) -> Result<ExitCode, Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let experiment = check(&machine, &args)?;
    let asked = asked(&args, &experiment);
    let environment = machine.environment();
    // First of all, so that whoever sees the load run can stop it in an orderly way.
    let stop = cancel_on_ctrl_c(&machine)?;
    let load = start(&args.load)?;
    let collected = run(&machine, experiment, stop)?;
    // Only a load that lasted to the end was there all the time.
    let load_ended = load.and_then(|load| load.check().err());
    let mut environment_changes = environment.differences(&machine.environment());
    environment_changes.extend(load_ended.iter().map(ToString::to_string));
    let recording = recording(environment, environment_changes, asked, &collected);
    print(&machine, &args, &recording)?;
    match load_ended {
        Some(error) => Err(Failure::run(error)),
        None => Ok(verdict(&args, &recording)),
    }
}

/// Refuses what cannot be run, before anything is.
fn check(machine: &Native, args: &MeasureArgs) -> Result<Experiment<Native>, Failure> {
    let offers = chosen(machine.methods(), &args.method)?;
    let is_chosen = |name: &str| offers.iter().any(|offer| offer.name == name);
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
        if let Some(method) = bound.method.as_deref().filter(|method| !is_chosen(method)) {
            let problem = format!("'{bound}' is about '{method}', which is not measured");
            return Err(Failure::flag("--fail-if", problem));
        }
    }
    check_scheduling(machine, args)?;
    let wishes = Wishes {
        late_rate: args.late_rate.unwrap_or_default(),
        budget: args.budget.unwrap_or_default(),
    };
    Ok(Experiment {
        plan: plan(args, offers.len())?,
        offers,
        wishes,
        priority: args.priority.raised(),
        pin: args.pin,
    })
}

/// The methods named, in the machine's order; all of them if none is.
fn chosen(offers: Vec<Offer<Native>>, names: &[String]) -> Result<Vec<Offer<Native>>, Failure> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !offers.iter().any(|offer| offer.name == name) {
            let known: Vec<_> = offers.iter().map(|offer| offer.name).collect();
            let problem = format!(
                "there is no method '{name}'; there are {}",
                known.join(", ")
            );
            return Err(Failure::flag("--method", problem));
        }
        if !seen.insert(name) {
            let problem = format!("'{name}' is given twice, and each method is measured once");
            return Err(Failure::flag("--method", problem));
        }
    }
    let is_chosen =
        |offer: &Offer<Native>| names.is_empty() || names.iter().any(|name| offer.name == name);
    Ok(offers.into_iter().filter(is_chosen).collect())
}

/// Tries on this thread what the measuring thread will do, and undoes it.
fn check_scheduling(machine: &Native, args: &MeasureArgs) -> Result<(), Failure> {
    if let Some(processor) = args.pin {
        let pinned = PinGuard::pin(machine, processor);
        drop(pinned.map_err(|error| Failure::flag("--pin", error))?);
    }
    if let Some(priority) = args.priority.raised() {
        let refused = |error| format!("--priority {}: {error}", args.priority.name());
        let raised = PriorityGuard::raise(machine, priority);
        drop(raised.map_err(|error| Failure::run(refused(error)))?);
    }
    Ok(())
}

fn plan(args: &MeasureArgs, methods: usize) -> Result<Plan, Failure> {
    let period = args.period;
    let waits = match args.duration {
        Some(duration) => waits_within(duration, period, methods as u64)?,
        None => args.count.unwrap_or(DEFAULT_COUNT),
    };
    Ok(Plan { period, waits })
}

/// How often each method can wait when all of them, warm-up included, are to take this long.
fn waits_within(duration: Duration, period: Period, methods: u64) -> Result<u64, Failure> {
    let all = period.index_after(duration) / methods;
    let plan = Plan { period, waits: all };
    match all.checked_sub(plan.warm_up()) {
        Some(waits) if waits > 0 => Ok(waits),
        _ => {
            let once = Plan { period, waits: 1 };
            let problem = format!(
                "too short for {methods} methods to wait even once; the least is {}",
                quantity::show(once.expected_duration(methods))
            );
            Err(Failure::flag("--duration", problem))
        }
    }
}

fn asked(args: &MeasureArgs, experiment: &Experiment<Native>) -> Asked {
    let plan = experiment.plan;
    Asked {
        period_ns: u64::try_from(plan.period.truncated().as_nanos()).unwrap_or(u64::MAX),
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
    }
}

/// Starts a load on as many processors as this program may use.
fn start(load: &Load) -> Result<Option<RunningLoad>, Failure> {
    if *load == Load::None {
        return Ok(None);
    }
    let program = std::env::current_exe().map_err(|error| {
        Failure::run(format!("cannot find this program to start a load: {error}"))
    })?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let running = load.start(&program, processors).map_err(Failure::run)?;
    Ok(Some(running))
}

fn recording(
    environment: punctual_lab::Environment,
    environment_changes: Vec<String>,
    asked: Asked,
    collected: &Collected,
) -> Recording {
    Recording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment,
        environment_changes,
        asked,
        interrupted: collected.interrupted,
        unavailable: collected.unavailable.clone(),
        series: collected.series.iter().map(SeriesRecord::from).collect(),
    }
}

/// A reader that has seen enough (`| head`) is no failure.
fn print(machine: &Native, args: &MeasureArgs, recording: &Recording) -> Result<(), Failure> {
    match write(machine, args, recording) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::run(error)),
        _ => Ok(()),
    }
}

fn write(machine: &Native, args: &MeasureArgs, recording: &Recording) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, recording)?;
        writeln!(out)
    } else {
        let slack_applies = |name: &str| {
            let mut offers = machine.methods().into_iter();
            offers.any(|offer| offer.name == name && offer.slack_applies)
        };
        show::recording(&mut out, recording, &slack_applies)
    }
}

fn verdict(args: &MeasureArgs, recording: &Recording) -> ExitCode {
    let broken: Vec<_> = args
        .fail_if
        .iter()
        .flat_map(|bound| bound.violations(&recording.series))
        .collect();
    for violation in &broken {
        anstream::eprintln!("bound broken: {violation}");
    }
    if recording.interrupted {
        ExitCode::from(EXIT_INTERRUPTED)
    } else if broken.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_BOUND_BROKEN)
    }
}
