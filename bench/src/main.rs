//! Punctual beside its peers.

mod aim;
mod answering;
mod arguments;
mod conditions;
mod driver;
mod emulating;
mod explaining;
mod failure;
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
mod timers;
mod truth;
mod waiting;
mod watching;

use arguments::{Arguments, Driving, Explaining, Keeping, Replaying, Simulating, Subject};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use failure::Failure;
use record::arguments::Recordings;
use replay::files::{self, Recording};
use replay::trace::Malformed;
use serde::Serialize;
use simulation::memory;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use truth::condition::{self, Condition};
use waiting::load;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().subject {
        Subject::Work { work } => work.run(),
        Subject::CompileUnit { unit } => load::compile_unit(unit),
        Subject::Waiting(arguments) => measure(arguments),
        Subject::Conditions(command) => command.run(),
        Subject::Margin(arguments) => replay_all(arguments),
        Subject::Record(arguments) => record(arguments),
        Subject::Simulation(arguments) => simulate(&arguments),
        Subject::Driver(arguments) => drive(&arguments),
        Subject::Timers(arguments) => keep_timers(arguments),
        Subject::Explain(arguments) => explain(&arguments),
        Subject::Watch(arguments) => watch(&arguments),
        Subject::BeExplained(program) => program.run(),
        Subject::Emulate(arguments) => emulate(&arguments),
        Subject::BeSteered => emulating::calls::answer(),
        Subject::BeResumed(program) => program.run(),
        Subject::Disturb { condition } => truth::subject::disturb(&condition),
        Subject::KeepAwake { processor } => truth::awake::keep_awake(processor),
        Subject::SimulateMinutes { minutes } => memory::report(minutes),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: waiting::Flags) -> Result<(), Failure> {
    let plan = waiting::Plan {
        rates_hertz: without_repetitions(arguments.rates),
        loads: without_repetitions(arguments.loads),
        contenders: without_repetitions(arguments.contenders),
        seconds: arguments.seconds,
        quick: arguments.quick,
    };
    print(arguments.json, &plan.run()?)
}

fn simulate(arguments: &Simulating) -> Result<(), Failure> {
    let plan = simulation::Plan {
        quick: arguments.quick,
    };
    print(arguments.json, &plan.run()?)
}

fn drive(arguments: &Driving) -> Result<(), Failure> {
    let plan = driver::Plan {
        quick: arguments.quick,
    };
    print(arguments.json, &plan.run()?)
}

fn keep_timers(arguments: Keeping) -> Result<(), Failure> {
    let plan = timers::Plan {
        timers: without_repetitions(arguments.timers),
        structures: arguments.structures,
        never_empty: arguments.never_empty,
        quick: arguments.quick,
        json: arguments.json,
    };
    plan.run()
}

fn explain(arguments: &Explaining) -> Result<(), Failure> {
    if arguments.truth {
        return compare_with_truth(arguments);
    }
    let plan = explaining::Plan {
        quick: arguments.quick,
    };
    print(arguments.json, &plan.run()?)
}

fn watch(arguments: &watching::Flags) -> Result<(), Failure> {
    let plan = watching::Plan {
        quick: arguments.quick,
    };
    print(arguments.json, &plan.run()?)
}

fn emulate(arguments: &emulating::Flags) -> Result<(), Failure> {
    let punctual = arguments.punctual();
    if !punctual.is_file() {
        refuse(&not_built(&punctual));
    }
    let plan = emulating::Plan {
        quick: arguments.quick,
        punctual,
    };
    print(arguments.json, &plan.run()?)
}

fn not_built(punctual: &Path) -> String {
    format!(
        "--punctual: there is no {}; build it with cargo build --release -p punctual-cli",
        punctual.display()
    )
}

fn compare_with_truth(arguments: &Explaining) -> Result<(), Failure> {
    let chosen = |condition: &Condition| {
        let names = &arguments.conditions;
        names.is_empty() || names.iter().any(|name| name == condition.name)
    };
    let punctual = arguments.punctual();
    if !punctual.is_file() {
        refuse(&not_built(&punctual));
    }
    let plan = truth::Plan {
        conditions: condition::ALL.into_iter().filter(chosen).collect(),
        count: arguments.count,
        punctual,
        keep: arguments.keep.clone(),
    };
    let report = plan.run()?;
    print(arguments.json, &report)?;
    match report.aims.iter().all(|aim| aim.reached) {
        true => Ok(()),
        false => Err("fewer wake-ups were agreed upon than should be".into()),
    }
}

fn replay_all(arguments: Replaying) -> Result<(), Failure> {
    let traces = read_traces(&arguments)
        .unwrap_or_else(|malformed| refuse(&format!("--trace: {malformed}")));
    let plan = replay::Plan {
        traces,
        requested: without_repetitions(arguments.requested),
        budgets: without_repetitions(arguments.budgets),
    };
    print(arguments.json, &plan.run())
}

fn record(arguments: Recordings) -> Result<(), Failure> {
    let plan = record::Plan {
        name: arguments.name,
        folder: arguments.folder,
        rate_hertz: arguments.rate,
        loads: arguments.loads,
        rounds: arguments.rounds,
    };
    println!("{}", plan.run()?.display());
    Ok(())
}

fn read_traces(arguments: &Replaying) -> Result<Vec<Recording>, Malformed> {
    let paths = if arguments.traces.is_empty() {
        files::recorded()?
    } else {
        arguments.traces.clone()
    };
    let read = |path: PathBuf| Recording::read(&path, arguments.period);
    paths.into_iter().map(read).collect()
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

/// What is given twice is done once.
fn without_repetitions<T: PartialEq>(given: Vec<T>) -> Vec<T> {
    let mut once = Vec::new();
    for value in given {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    once
}
