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
mod os;
mod progress;
mod record;
mod replay;
mod share;
mod simulation;
mod statistics;
mod threads;
mod timers;
mod truth;
mod waiting;
mod watching;

use arguments::{Arguments, Explaining, Subject};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use failure::{Failure, INTERRUPTED};
use serde::Serialize;
use simulation::memory;
use std::fmt::Display;
use std::path::Path;
use std::process::{self, ExitCode};
use waiting::load;

fn main() -> ExitCode {
    match run(Arguments::parse().subject) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(subject: Subject) -> Result<(), Failure> {
    match subject {
        Subject::Waiting(plan) => print(plan.json, &plan.run()?),
        Subject::Threads(plan) => {
            let report = plan.run()?;
            print(plan.json, &report)?;
            if report.interrupted {
                process::exit(INTERRUPTED);
            }
            Ok(())
        }
        Subject::Margin(plan) => {
            let refused = |malformed| refuse(&format!("--trace: {malformed}"));
            print(plan.json, &plan.run().unwrap_or_else(refused))
        }
        Subject::Record(plan) => {
            println!("{}", plan.run()?.display());
            Ok(())
        }
        Subject::Simulation(plan) => print(plan.json, &plan.run()?),
        Subject::Driver(plan) => print(plan.json, &plan.run()?),
        Subject::Timers(plan) => plan.run(),
        Subject::Explain(arguments) => explain(&arguments),
        Subject::Watch(plan) => print(plan.json, &plan.run()?),
        Subject::Emulate(plan) => {
            require_built(&plan.punctual);
            print(plan.json, &plan.run()?)
        }
        Subject::BeExplained(program) => program.run(),
        Subject::BeSteered => emulating::calls::answer(),
        Subject::BeResumed(program) => program.run(),
        Subject::Disturb { condition } => truth::subject::disturb(&condition),
        Subject::KeepAwake { processor } => truth::awake::keep_awake(processor),
        Subject::SimulateMinutes { minutes } => memory::report(minutes),
        Subject::Work { work } => work.run(),
        Subject::CompileUnit { unit } => load::compile_unit(unit),
    }
}

fn explain(
    Explaining {
        plan,
        truth,
        compared,
    }: &Explaining,
) -> Result<(), Failure> {
    if !truth {
        return print(plan.json, &plan.run()?);
    }
    require_built(&compared.punctual);
    let report = compared.run()?;
    print(plan.json, &report)?;
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
