//! `punctual settle`: runs the experiments that decide what is open, and says what they exclude.

mod flags;
mod show;

pub use flags::SettleArgs;
pub use show::Settlement;

use crate::evidence::following;
use crate::run::{self, Prepared};
use crate::sleep::{recording, words};
use punctual_command::failure::{Failure, complain};
use punctual_command::output;
use punctual_command::stop::Stop;
use punctual_data::json;
use punctual_evidence::settle::{SCHEMA, Saved, Unfit, experiments, judge, remaining, subject};
use punctual_lab::calls::{Question, Recording};
use punctual_lab::question::Simulated;
use punctual_lab::{Machine, Native};
use std::process::ExitCode;

const SAVE: &str = "--save";

/// Runs the command.
pub fn settle(args: &SettleArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let on = args.on.simulated();
    ensure_fit(on.as_ref())?;
    let questions = questions(args, on.as_ref());
    let prepared: Result<Vec<_>, _> = questions
        .iter()
        .map(|question| Prepared::of(question, "--quick"))
        .collect();
    let prepared = prepared?;
    if let Some(file) = &args.save {
        output::ensure_writable(stop, &[(SAVE, file)], &[])?;
    }
    let mut recordings: Vec<Recording> = Vec::new();
    for (number, (question, prepared)) in (1..).zip(questions.iter().zip(&prepared)) {
        if on.is_none() {
            let (of, words) = (questions.len(), words(question));
            complain(format_args!("experiment {number} of {of}: {words}"));
        }
        let ran = run::ask(question, prepared, stop)?;
        if let Some(failure) = ran.spoiled {
            return Err(failure);
        }
        recordings.push(recording(question, &ran));
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
    if !stop.is_asked_for() {
        show(args, recordings, stop)?;
    }
    Ok(stop.status())
}

fn has_waits(recording: &Recording) -> bool {
    let mut series = recording.series.iter();
    series.any(|series| !series.durations_ns.is_empty())
}

fn show(args: &SettleArgs, recordings: Vec<Recording>, stop: &Stop) -> Result<(), Failure> {
    let heeding = stop.heed_while_computing();
    let judged = judge(&recordings, &remaining(), &following("judging", stop));
    heeding.end();
    match judged {
        Ok(None) => Ok(()),
        Ok(Some(judgement)) => crate::show::in_format(
            args.format,
            &Settlement {
                recordings,
                judgement,
            },
        ),
        Err((place, unfit)) => Err(Failure::run(format!("experiment {}: {unfit}", place + 1))),
    }
}

/// Refuses a machine on which nothing can be settled, before anything runs.
fn ensure_fit(on: Option<&Simulated>) -> Result<(), Failure> {
    if on.is_none() && !Native::HAS_INTERVAL {
        return Err(Failure::Usage(
            "the open rules are those of Windows 10 and 11, and this system is neither; run \
             'punctual.exe settle' on one, or try 'punctual settle --on windows-10-2004'"
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

fn questions(args: &SettleArgs, on: Option<&Simulated>) -> Vec<Question> {
    let asked = experiments().into_iter().map(|question| Question {
        count: match args.quick {
            true => question.count / 10,
            false => question.count,
        },
        on: on.cloned(),
        ..question
    });
    asked.collect()
}
