//! Runs the experiments that decide what is open, and says what recordings exclude.

mod show;

use crate::command_line::SettleArgs;
use crate::following::{following, showing};
use punctual_command::failure::{Failure, complain};
use punctual_command::stop::Stop;
use punctual_command::{input, output};
use punctual_data::{escape, json};
use punctual_evidence::settle::{
    self, Judgement, SCHEMA, Saved, Unfit, experiments, remaining, subject,
};
use punctual_lab::calls::{Question, Recording};
use punctual_lab::question::Simulated;
use punctual_lab::{Machine, Native};
use show::{Settlement, asked};
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

const SAVE: &str = "--save";

/// Runs the command.
pub fn settle(args: &SettleArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let recordings = match &args.from {
        Some(file) => saved(file)?.recordings,
        None => recorded(args, stop)?,
    };
    if args.from.is_some() || !stop.is_asked_for() {
        let judged = judged(&recordings, stop).map_err(|(place, unfit)| match &args.from {
            Some(file) => unfit_file(file, &unfit),
            None => Failure::run(format!("experiment {}: {unfit}", place + 1)),
        })?;
        if let Some(judgement) = judged {
            let settlement = Settlement {
                recordings,
                judgement,
            };
            output::in_format(
                args.format,
                &settlement.document(),
                |out| settlement.text(out),
                || settlement.page(),
                || settlement.sheet(),
            )?;
        }
    }
    Ok(stop.status())
}

/// `None` if a signal stopped it.
fn judged(recordings: &[Recording], stop: &Stop) -> Result<Option<Judgement>, (usize, Unfit)> {
    let guard = stop.guard_while_computing();
    let judged = settle::judge(recordings, &remaining(), &following("judging", stop));
    guard.end();
    judged
}

fn saved(file: &Path) -> Result<Saved, Failure> {
    let text = input::text(file, input::RECORDING).map_err(|error| unfit_file(file, &error))?;
    Saved::from_json(&text).map_err(|error| unfit_file(file, &error))
}

fn unfit_file(file: &Path, problem: &dyn Display) -> Failure {
    Failure::Usage(format!("{}: {problem}", escape::path(file)))
}

/// The recordings of the experiments until a signal comes, which are also written.
fn recorded(args: &SettleArgs, stop: &Stop) -> Result<Vec<Recording>, Failure> {
    let on = args.simulated();
    ensure_fit(on.as_ref())?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::run(format!("cannot find this program: {error}")))?;
    if let Some(file) = &args.save {
        output::ensure_writable(stop, &[(SAVE, file)], &[])?;
    }
    let questions = questions(args.quick, on.as_ref());
    let mut recordings = Vec::new();
    for (number, question) in (1..).zip(&questions) {
        let (guard, doing) = match on {
            None => (stop.guard(), "measuring"),
            Some(_) => (stop.guard_while_computing(), "simulating"),
        };
        if on.is_none() {
            complain(format_args!(
                "experiment {number} of {}: {}",
                questions.len(),
                asked(question)
            ));
        }
        let stops = stop.clone();
        let recorded = settle::record(
            question,
            &program,
            move || stops.is_asked_for(),
            showing(doing),
        );
        guard.end();
        recordings.push(recorded.map_err(Failure::run)?);
        if stop.is_asked_for() {
            break;
        }
    }
    recordings.retain(has_waits);
    if let Some(file) = &args.save {
        let saved = Saved {
            schema: SCHEMA.to_owned(),
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            recordings: recordings.clone(),
        };
        output::file(stop, file, |out| json::write(out, &saved))?;
    }
    Ok(recordings)
}

fn has_waits(recording: &Recording) -> bool {
    let mut series = recording.series.iter();
    series.any(|series| !series.durations_ns.is_empty())
}

/// Refuses a machine on which nothing can be settled, before anything runs.
fn ensure_fit(on: Option<&Simulated>) -> Result<(), Failure> {
    if on.is_none() && !Native::HAS_INTERVAL {
        return Err(Failure::Usage(
            "the open rules are those of Windows 10 and 11, and this system is neither; run \
             'punctual-evidence.exe settle' on one, or try 'punctual-evidence settle --on \
             windows-10-2004'"
                .to_owned(),
        ));
    }
    let environment = match on {
        Some(_) => Default::default(),
        None => Native::detect().map_err(Failure::run)?.environment(),
    };
    let refused = |unfit: Unfit| match (on, &unfit) {
        (Some(_), _) => {
            let hint = "try windows-10-1909, windows-10-2004 or windows-11";
            Failure::flag("--on", format!("its rules are not open; {hint}"))
        }
        (None, Unfit::Wine(version)) => Failure::Usage(format!(
            "this is Wine {version}, whose timing is that of the system below it; run it on a real \
             Windows 10 or 11"
        )),
        (None, _) => Failure::Usage(
            "the open rules are those of Windows 10 and 11, and this Windows is neither".to_owned(),
        ),
    };
    subject(&environment, on).map(drop).map_err(refused)
}

fn questions(quick: bool, on: Option<&Simulated>) -> [Question; 3] {
    experiments().map(|mut question| {
        if quick {
            question.schedule.count /= 10;
        }
        question.on = on.cloned();
        question
    })
}
