//! `punctual resolution sweep`: which request suits a machine best.

use super::{origin, print, run_on, simulated};
use crate::args::ResolutionSweepArgs;
use crate::failure::Failure;
use crate::run::EXIT_INTERRUPTED;
use crate::show;
use indicatif::{ProgressBar, ProgressStyle};
use punctual::os::windows::{Win32Lab, WindowsOs};
use punctual::{Error, Native};
use punctual_lab::resolution::recording::Swept;
use punctual_lab::resolution::sweep::{self, Plan, Row};
use punctual_lab::resolution::{self, OnWindows};
use punctual_lab::{Environment, Machine};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A range of this many takes five minutes, and is finer than anybody has found a difference.
const MOST_ROWS: u128 = 1_001;

pub(super) fn sweep(args: &ResolutionSweepArgs) -> Result<ExitCode, Failure> {
    let plan = plan(args)?;
    let sleeps = plan.sleeps;
    let asked = plan.intervals.len();
    let (environment, rows) = match simulated(&args.machine) {
        Some(machine) => {
            let found = run_on(&machine, &args.machine, move |os| {
                let rows = sweep::run(os, &plan, |_| ControlFlow::Continue(()));
                rows.map(|rows| (os.environment(), rows))
            })?;
            let (mut environment, rows) = found.map_err(Failure::run)?;
            environment.system = Some(format!("{machine}, simulated"));
            (environment, rows)
        }
        None => native(&plan)?,
    };
    let interrupted = rows.len() < asked;
    let swept = Swept {
        schema: Swept::SCHEMA.to_owned(),
        origin: origin(&args.machine),
        environment,
        sleeps,
        interrupted,
        recommended_ns: sweep::recommended(&rows).map(|row| row.requested_ns),
        rows,
    };
    print(args.json, &swept, show::resolution::swept)?;
    Ok(match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => ExitCode::SUCCESS,
    })
}

fn plan(args: &ResolutionSweepArgs) -> Result<Plan, Failure> {
    let rows = args.range.steps(args.step);
    if rows > MOST_ROWS {
        let problem =
            format!("that is {rows} requests; write a longer step, for at most {MOST_ROWS}");
        return Err(Failure::flag("--step", problem));
    }
    let sleeps = u32::try_from(args.count)
        .map_err(|_| Failure::flag("--count", "write at most 4294967295"))?;
    Ok(Plan {
        intervals: args.range.in_steps_of(args.step),
        sleeps,
    })
}

fn native(plan: &Plan) -> Result<(Environment, Vec<Row>), Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    let swept = resolution::native(Sweep { plan });
    let rows = swept
        .map_err(|error| Failure::flag("--on", format!("{error} (try --on windows-10-2004)")))??;
    Ok((machine.environment(), rows))
}

struct Sweep<'a> {
    plan: &'a Plan,
}

impl OnWindows for Sweep<'_> {
    type Output = Result<Vec<Row>, Failure>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        ctrlc::set_handler(move || stops.store(true, Ordering::Relaxed))
            .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
        let bar = progress_bar(self.plan);
        let rows: Result<_, Error> = sweep::run(os, self.plan, |_| {
            bar.inc(1);
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        bar.finish_and_clear();
        rows.map_err(Failure::run)
    }
}

/// On a terminal only; drawn on standard error.
fn progress_bar(plan: &Plan) -> ProgressBar {
    let bar = ProgressBar::new(plan.intervals.len() as u64);
    let style = ProgressStyle::with_template("sweeping {bar:40} {percent:>3} %, {eta} left")
        .expect("the template is a constant");
    bar.set_style(style);
    bar
}
