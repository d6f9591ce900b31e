//! `punctual doctor clocks`: how good a machine's clocks are.

mod flags;
mod show;

pub use flags::{ClocksArgs, words};

use crate::refusal::refused;
use crate::run;
use crate::show::View;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_lab::clocks::{ClockRecord, ClocksRecording, Progress, Question, SCHEMA, examine};
use punctual_lab::machine::Unavailable;
use punctual_lab::question::Conditions;
use punctual_lab::{Environment, Machine, Native};
use std::process::ExitCode;
use std::time::Duration;

/// The clocks that there are, and the others.
type Found = (Vec<ClockRecord>, Vec<Unavailable>);

/// Runs the command.
pub fn clocks(args: &ClocksArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let company = Conditions {
        with: question.with.clone(),
        ..Conditions::default()
    };
    let recording = match &question.on {
        Some(on) => simulated::run((on, &company, &question, stop))?,
        None => native(&company, &question, stop)?,
    };
    crate::show::in_format(args.format, &View(&recording))?;
    Ok(stop.status())
}

/// Steps of progress for the rates, which take nearly all of the time.
struct Bar(progress::Progress);

impl Bar {
    fn of(duration: Duration) -> Self {
        Self(progress::Progress::of(
            "comparing rates",
            milliseconds(duration),
        ))
    }
}

impl Progress for Bar {
    fn reach(&mut self, elapsed: Duration) {
        self.0.reach(milliseconds(elapsed));
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn native(
    company: &Conditions,
    question: &Question,
    stop: &Stop,
) -> Result<ClocksRecording, Failure> {
    let duration = question.duration;
    let possible = company.ensure_companions::<Native>();
    // The length does not depend on the company.
    possible.map_err(|refusal| refused(refusal, "--duration", false))?;
    let machine = Native::detect().map_err(Failure::run)?;
    let guard = stop.guard();
    let running = run::start(company, stop)?;
    let cancel = stop.cancel_on(&machine);
    let environment = machine.environment();
    let mut bar = Bar::of(duration);
    let examined = examine(&machine, &Native::clocks(), duration, &cancel, &mut bar);
    let found = examined.map_err(Failure::run)?;
    // A companion that ended early was not there all the time.
    for companion in &running {
        companion.check().map_err(Failure::run)?;
    }
    Ok(ClocksRecording {
        interrupted: guard.end(),
        ..recording(question, environment, found)
    })
}

#[cfg(feature = "sim")]
mod simulated {
    use super::{Bar, Progress, Question, recording};
    use crate::run::simulated::machine;
    use punctual::Cancel;
    use punctual_command::failure::Failure;
    use punctual_command::stop::Stop;
    use punctual_lab::Machine;
    use punctual_lab::clocks::{ClocksRecording, examine};
    use punctual_lab::confidence::of_clocks;
    use punctual_lab::question::{Conditions, Simulated};
    use punctual_lab::simulated::SimulatedOs;
    use std::time::Duration;

    pub(super) fn run(
        (simulated, company, question, stop): (&Simulated, &Conditions, &Question, &Stop),
    ) -> Result<ClocksRecording, Failure> {
        let duration = question.duration;
        let machine = machine(simulated, company)?;
        let guard = stop.guard_while_computing();
        let stops = stop.clone();
        let run = machine.run(simulated.seed, move |os| {
            let environment = os.environment();
            let cancel = Cancel::on(os.clone());
            let mut watched = Watched {
                bar: Bar::of(duration),
                stop: stops,
                cancel: cancel.clone(),
            };
            let clocks = SimulatedOs::clocks();
            let examined = examine(&os, &clocks, duration, &cancel, &mut watched);
            examined.map(|found| (environment, found))
        });
        let (mut environment, found) = run.map_err(Failure::run)?.value.map_err(Failure::run)?;
        environment.system = Some(format!("{machine}, simulated"));
        Ok(ClocksRecording {
            interrupted: guard.end(),
            confidence: Some(of_clocks(&machine)),
            ..recording(question, environment, found)
        })
    }

    /// Shows progress, and cancels the comparison on request.
    struct Watched {
        bar: Bar,
        stop: Stop,
        cancel: Cancel<SimulatedOs>,
    }

    impl Progress for Watched {
        fn reach(&mut self, elapsed: Duration) {
            self.bar.reach(elapsed);
            if self.stop.is_asked_for() {
                self.cancel.cancel();
            }
        }
    }
}

fn recording(
    question: &Question,
    environment: Environment,
    (clocks, unavailable): Found,
) -> ClocksRecording {
    ClocksRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment,
        question: question.clone(),
        interrupted: false,
        confidence: None,
        unavailable,
        clocks,
    }
}
