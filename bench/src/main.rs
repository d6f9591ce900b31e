//! Punctual beside its peers.

mod answering;
mod arguments;
mod beside;
mod driver;
mod emulating;
mod explaining;
mod failure;
mod given;
mod go;
mod margin;
mod os;
mod record;
mod report;
mod simulation;
mod statistics;
mod timers;
mod truth;
mod turns;
mod waiting;
mod watching;

use arguments::{Arguments, Child, Explaining, Subject};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::child;
use simulation::model;
use std::path::Path;
use std::process::{self, ExitCode};
use waiting::load;

fn main() -> ExitCode {
    let Arguments { json, subject } = Arguments::parse();
    if let Subject::Child(child) = subject {
        // Without threads of its own that hear signals: it may be traced.
        return run_child(child).map_or_else(failed, |()| ExitCode::SUCCESS);
    }
    punctual_command::run(|stop| {
        // What was measured by then is shown.
        let _guard = stop.guard();
        let outcome = run(subject, json, stop);
        let failed = |error| punctual_command::failure::Failure::run(error);
        outcome.map(|()| stop.status()).map_err(failed)
    })
}

fn failed(error: Failure) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

fn run_child(child: Child) -> Result<(), Failure> {
    match child {
        Child::BeExplained(program) => program.run(),
        Child::BeSteered(work) => work.run(),
        Child::BeResumed(program) => program.run(),
        Child::SimulateMinutes { minutes } => model::report(minutes),
        Child::SendDatagrams => load::send_datagrams(),
        Child::BeLoad { part } => {
            child::run(&part);
            // It returns only after it has said why it cannot work.
            process::exit(1);
        }
    }
}

fn run(subject: Subject, json: bool, stop: &Stop) -> Result<(), Failure> {
    let report = match subject {
        Subject::Simulation(plan) => plan.run(stop)?,
        Subject::Driver(plan) => plan.run(stop)?,
        Subject::Timers(plan) => plan.run(stop)?,
        Subject::Waiting(plan) => plan.run(stop)?,
        Subject::Margin(plan) => plan.run().unwrap_or_else(|malformed| {
            refuse(&format!("--trace: {malformed}"));
        }),
        Subject::Emulate(plan) => {
            require_built(&plan.punctual);
            plan.run(stop)?
        }
        Subject::Explain(Explaining { plan, truth, .. }) if !truth => plan.run(stop)?,
        Subject::Explain(Explaining { compared, .. }) => {
            require_built(&compared.punctual);
            let report = compared.run(stop)?;
            report.print(json, stop.is_asked_for())?;
            return match report.aims.iter().all(|aim| aim.reached) {
                true => Ok(()),
                false => Err("fewer wake-ups were agreed upon than should be".into()),
            };
        }
        Subject::Watch(plan) => plan.run(stop)?,
        Subject::Record(plan) => {
            println!("{}", plan.run(stop)?.display());
            return Ok(());
        }
        Subject::Child(child) => return run_child(child),
    };
    report.print(json, stop.is_asked_for())
}

fn require_built(punctual: &Path) {
    if !punctual.is_file() {
        refuse(&format!(
            "--punctual: there is no {}; build it with cargo build --release -p punctual-cli",
            punctual.display()
        ));
    }
}

/// Ends the program as for any other bad input, with exit status 2.
fn refuse(what: &str) -> ! {
    Arguments::command()
        .error(ErrorKind::ValueValidation, what)
        .exit()
}
