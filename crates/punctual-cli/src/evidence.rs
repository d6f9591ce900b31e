//! `punctual evidence`: replays published measurements and shows them next to the simulated
//! results.

mod fixes;
mod flags;
mod following;
mod from;
mod json;
mod show;

pub use flags::EvidenceArgs;
pub use following::following;

use punctual_command::failure::Failure;
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_evidence::{
    Case, Hypotheses, Prediction, Replay, RuleChange, Source, Verdict, hypotheses, predictions,
    replay, sources,
};
use serde::{Serialize, Serializer};
use std::process::ExitCode;

const EXIT_DOES_NOT_HOLD: u8 = 3;

/// A case, the short name of its source, and the result of its replay.
pub struct Row {
    pub source: String,
    pub case: Case,
    pub replay: Replay,
}

/// All results.
pub struct Replayed {
    pub rows: Vec<Row>,
    pub predicted: Vec<Prediction>,
    /// The rules that are open.
    pub hypotheses: Vec<Hypotheses>,
    /// The rules that were changed.
    pub changes: Vec<RuleChange>,
}

impl Serialize for Replayed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json::document(self).serialize(serializer)
    }
}

/// Runs the command.
pub fn evidence(args: EvidenceArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.from {
        return from::from(file, args.format, stop);
    }
    check_rules(&args.rule)?;
    let chosen = chosen(sources(), &args)?;
    if args.search.is_some() {
        let cases: Vec<_> = chosen.iter().map(|(_, case)| case).collect();
        return fixes::search(&cases, args.format, stop);
    }
    let rows = replay_all(chosen, &args.rule);
    // These belong to no source.
    let is_whole = args.case.is_empty() && args.source.is_none();
    let (predicted, hypotheses) = if is_whole {
        (predictions(&args.rule), hypotheses())
    } else {
        Default::default()
    };
    let replayed = Replayed {
        rows,
        predicted,
        hypotheses,
        changes: args.rule,
    };
    crate::show::in_format(args.format, &replayed)?;
    let fails = replayed
        .rows
        .iter()
        .any(|row| row.replay.verdict() == Verdict::Fails);
    Ok(if fails {
        ExitCode::from(EXIT_DOES_NOT_HOLD)
    } else {
        ExitCode::SUCCESS
    })
}

/// A rule has one value at a time.
fn check_rules(changes: &[RuleChange]) -> Result<(), Failure> {
    for (index, change) in changes.iter().enumerate() {
        let name = change.name();
        if changes[..index]
            .iter()
            .any(|earlier| earlier.name() == name)
        {
            let problem = format!("'{name}' is given twice, and a rule has one value");
            return Err(Failure::flag("--rule", problem));
        }
    }
    Ok(())
}

/// The requested cases, in the order of the files; all of them if none is named.
fn chosen(sources: Vec<Source>, args: &EvidenceArgs) -> Result<Vec<(String, Case)>, Failure> {
    let names: Vec<_> = sources
        .iter()
        .map(|source| source.source.name.clone())
        .collect();
    let is_wanted = |name: &str| {
        args.source
            .as_ref()
            .is_none_or(|wanted| wanted.eq_ignore_ascii_case(name))
    };
    if let Some(wanted) = args
        .source
        .as_ref()
        .filter(|_| !names.iter().any(|name| is_wanted(name)))
    {
        let problem = format!(
            "there is no source '{wanted}'; there are {}",
            names.join(", ")
        );
        return Err(Failure::flag("--source", problem));
    }
    let sources = sources
        .into_iter()
        .filter(|source| is_wanted(&source.source.name));
    let cases: Vec<_> = sources
        .flat_map(|source| {
            let name = source.source.name;
            source
                .case
                .into_iter()
                .map(move |case| (name.clone(), case))
        })
        .collect();
    for id in &args.case {
        if !cases.iter().any(|(_, case)| case.id == *id) {
            let ids: Vec<_> = cases.iter().map(|(_, case)| case.id.as_str()).collect();
            let problem = format!("there is no case '{id}'; there are {}", ids.join(", "));
            return Err(Failure::flag("--case", problem));
        }
    }
    let is_named = |case: &Case| args.case.is_empty() || args.case.contains(&case.id);
    Ok(cases
        .into_iter()
        .filter(|(_, case)| is_named(case))
        .collect())
}

fn replay_all(cases: Vec<(String, Case)>, changes: &[RuleChange]) -> Vec<Row> {
    let progress = Progress::of("replaying", cases.len() as u64);
    let replay_one = |(number, (source, case)): (u64, (String, Case))| {
        progress.reach(number);
        let replay = replay(&case, changes);
        Row {
            source,
            case,
            replay,
        }
    };
    (0..).zip(cases).map(replay_one).collect()
}
