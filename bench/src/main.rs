//! Punctual beside its peers.

mod aim;
mod answering;
mod arguments;
mod driver;
mod emulating;
mod explaining;
mod failure;
mod given;
mod go;
mod group;
mod machine;
mod margin;
mod os;
mod progress;
mod record;
mod report;
mod share;
mod simulation;
mod statistics;
mod timers;
mod truth;
mod turns;
mod waiting;
mod watching;

use arguments::{Arguments, Explaining, Subject};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::child;
use serde::Serialize;
use simulation::model;
use std::fmt::Display;
use std::path::Path;
use std::process::{self, ExitCode};
use waiting::load;

fn main() -> ExitCode {
    let Arguments { json, subject } = Arguments::parse();
    punctual_command::run(|stop| {
        // What was measured by then is shown.
        let _heeding = stop.heed();
        let outcome = run(subject, json, stop);
        let failed = |error| punctual_command::failure::Failure::run(error);
        outcome.map(|()| stop.status()).map_err(failed)
    })
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
        other => return run_others(other, json, stop),
    };
    report.print(json, stop.is_asked_for())
}

fn run_others(subject: Subject, json: bool, stop: &Stop) -> Result<(), Failure> {
    match subject {
        Subject::Record(plan) => {
            println!("{}", plan.run(stop)?.display());
            Ok(())
        }
        Subject::Explain(arguments) => explain(json, &arguments),
        Subject::Watch(plan) => print(json, &plan.run()?),
        Subject::Emulate(plan) => {
            require_built(&plan.punctual);
            print(json, &plan.run()?)
        }
        Subject::BeExplained(program) => program.run(),
        Subject::BeSteered => emulating::calls::answer(),
        Subject::BeResumed(program) => program.run(),
        Subject::Disturb { condition } => truth::subject::disturb(&condition),
        Subject::KeepAwake { processor } => truth::awake::keep_awake(processor),
        Subject::SimulateMinutes { minutes } => model::report(minutes),
        Subject::SendDatagrams => load::send_datagrams(),
        Subject::BeLoad { part } => {
            child::run(&part);
            // It returns only after it has said why it cannot work.
            process::exit(1);
        }
        Subject::Simulation(_)
        | Subject::Driver(_)
        | Subject::Timers(_)
        | Subject::Margin(_)
        | Subject::Waiting(_) => {
            unreachable!()
        }
    }
}

fn explain(
    json: bool,
    Explaining {
        plan,
        truth,
        compared,
    }: &Explaining,
) -> Result<(), Failure> {
    if !truth {
        return print(json, &plan.run()?);
    }
    require_built(&compared.punctual);
    let report = compared.run()?;
    print(json, &report)?;
    match report.aims.iter().all(|aim| aim.reached) {
        true => Ok(()),
        false => Err("fewer wake-ups were agreed upon than should be".into()),
    }
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

fn print(json: bool, report: &(impl Display + Serialize)) -> Result<(), Failure> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        print!("{report}");
    }
    Ok(())
}
