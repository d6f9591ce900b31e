//! `punctual evidence --decide`: the experiments that would tell what the published measurements leave
//! open.

use super::following::following;
use crate::failure::Failure;
use crate::flags::FormatArgs;
use crate::interrupt::Stop;
use crate::output;
use crate::show::Show;
use crate::sleep::{near, words};
use punctual_data::markdown::Page;
use punctual_data::quantity;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, heading, titled, wrapped};
use punctual_evidence::settle::{
    self, Chosen, Decision, Foreseen, Predicted, candidates, remaining,
};
use punctual_lab::calls::clusters;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.decision/1";

/// The version whose rules are most open. Those of Windows 11 are open in the same way.
const VERSION: &str = "windows-10-2004";

/// How many experiments a stranger has the patience for.
const EXPERIMENTS: usize = 3;

const TITLE: &str = "The experiments that would decide what is open";

struct Decided(Decision);

/// Runs the command.
pub fn decide(format: FormatArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let heeding = stop.heed_while_computing();
    let following = following("deciding", stop);
    let decided = settle::decide(VERSION, remaining(), &candidates(), EXPERIMENTS, &following);
    drop(following);
    heeding.end();
    // Nothing is known of one that was stopped.
    if let Ok(decision) = decided {
        output::show(format, &Decided(decision))?;
    }
    Ok(stop.status())
}

/// A group of hypotheses that an experiment does not tell apart, and what one of them predicts.
struct Row<'a> {
    who: String,
    predicted: &'a Predicted,
}

fn rows(series: &Foreseen) -> Vec<Row<'_>> {
    let row = |group: &Vec<usize>| {
        let common = series.common(group);
        let who = match common.is_empty() {
            true => "any".to_owned(),
            false => common.join(" "),
        };
        Row {
            who,
            predicted: &series.predictions[group[0]].1,
        }
    };
    series.groups().iter().map(row).collect()
}

impl Row<'_> {
    /// On the usual machine.
    fn mean(&self) -> String {
        let mean = self.predicted.samples[0].mean_ns();
        quantity::show(Duration::from_secs_f64(mean / 1e9))
    }

    fn near(&self, width: usize) -> String {
        near(&clusters(self.predicted.samples[0].lengths_ns()), width)
    }
}

impl Decided {
    /// What is open: each rule with its values.
    fn open(&self) -> Vec<String> {
        let mut open: Vec<(String, Vec<String>)> = Vec::new();
        for value in self.0.hypotheses.iter().flat_map(|all| all.values()) {
            let (rule, value) = value.split_once('=').unwrap_or((value, ""));
            match open.iter_mut().find(|(known, _)| known == rule) {
                Some((_, values)) if values.iter().any(|known| known == value) => {}
                Some((_, values)) => values.push(value.to_owned()),
                None => open.push((rule.to_owned(), vec![value.to_owned()])),
            }
        }
        let shown = open.into_iter();
        shown
            .map(|(rule, values)| format!("{rule:18}{}", values.join(" or ")))
            .collect()
    }

    fn told(&self) -> String {
        format!(
            "Together they tell {} of {} pairs of {} hypotheses apart; {} experiments were tried.",
            self.0.told(),
            self.0.pairs(),
            self.0.hypotheses.len(),
            self.0.candidates,
        )
    }
}

/// What an experiment is good for.
fn worth(chosen: &Chosen) -> String {
    format!(
        "Tells {} pairs of hypotheses apart that those before it do not, in at most {}.",
        chosen.tells,
        quantity::show(chosen.takes())
    )
}

const HOW: &str = "\
Run them on a real Windows 10 or 11 with 'punctual settle'. What is predicted is
for a quiet machine; other programs' requests and sleeps are allowed for when a
recording is judged.";

impl Show for Decided {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        const MEAN: usize = 9;
        heading(out, TITLE)?;
        writeln!(out, "Open are, on {}:", self.0.version)?;
        for open in self.open() {
            writeln!(out, "  {open}")?;
        }
        for (number, chosen) in (1..).zip(&self.0.chosen) {
            titled(
                out,
                &format!("{number}. {}", words(&chosen.experiment.question)),
            )?;
            for line in wrapped(&worth(chosen), WIDTH) {
                writeln!(out, "{line}")?;
            }
            for series in &chosen.series {
                let call = &series.question.calls[0];
                let length = quantity::show(series.question.lengths[0]);
                writeln!(out, "{call} {length}")?;
                for row in rows(series) {
                    for line in wrapped(&row.who, WIDTH - 2) {
                        writeln!(out, "  {line}")?;
                    }
                    let near = row.near(WIDTH - 4 - MEAN - 7);
                    writeln!(out, "    mean {:>MEAN$}  {near}", row.mean())?;
                }
            }
        }
        writeln!(out)?;
        for line in wrapped(&self.told(), WIDTH) {
            writeln!(out, "{line}")?;
        }
        out.lines(HOW)
    }

    fn page(&self) -> Page {
        let tables = self.0.chosen.iter().map(|chosen| {
            let columns = vec![
                Column::of_rows("call", 0),
                Column::left("hypothesis", 0),
                Column::right("mean", 0),
                Column::left("near", 0),
            ];
            let table = chosen.series.iter().flat_map(|series| {
                rows(series).into_iter().map(|row| {
                    let (mean, near) = (row.mean(), row.near(usize::MAX));
                    vec![series.question.calls[0].clone(), row.who, mean, near]
                })
            });
            let table = Table::of(columns).with(table);
            (words(&chosen.experiment.question).to_string(), table)
        });
        Page {
            title: TITLE.to_owned(),
            tables: tables.collect(),
            remarks: vec![self.told(), HOW.replace('\n', " ")],
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        let names = ["command", "call", "length_ns", "hypothesis", "mean_ns"];
        let rows = self.0.chosen.iter().flat_map(|chosen| {
            let command = words(&chosen.experiment.question).to_string();
            chosen.series.iter().flat_map(move |series| {
                let command = command.clone();
                series.predictions.iter().map(move |(part, predicted)| {
                    vec![
                        command.clone(),
                        series.question.calls[0].clone(),
                        series.question.lengths[0].as_nanos().to_string(),
                        part.to_string(),
                        format!("{:.0}", predicted.samples[0].mean_ns()),
                    ]
                })
            })
        });
        Table::sheet(&names).with(rows)
    }
}

impl Serialize for Decided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let decision = &self.0;
        let texts = decision.hypotheses.iter().map(ToString::to_string);
        json!({
            "schema": SCHEMA,
            "punctual_version": env!("CARGO_PKG_VERSION"),
            "version": decision.version,
            "hypotheses": texts.collect::<Vec<_>>(),
            "pairs": decision.pairs(),
            "pairs_told_apart": decision.told(),
            "experiments_tried": decision.candidates,
            "experiments": decision.chosen.iter().map(experiment).collect::<Vec<_>>(),
        })
        .serialize(serializer)
    }
}

fn experiment(chosen: &Chosen) -> Value {
    json!({
        "command": words(&chosen.experiment.question).to_string(),
        "question": chosen.experiment.question,
        "pairs_told_apart": chosen.tells,
        "takes_at_most_ns": u64::try_from(chosen.takes().as_nanos()).unwrap_or(u64::MAX),
        "series": chosen.series.iter().map(series).collect::<Vec<_>>(),
    })
}

/// The mean and the clusters are those on the usual machine. What stands in one group is not told apart.
fn series(series: &Foreseen) -> Value {
    let prediction = |place: &usize| {
        let (part, predicted) = &series.predictions[*place];
        let sample = &predicted.samples[0];
        json!({
            "hypothesis": part.to_string(),
            "mean_ns": sample.mean_ns(),
            "clusters": clusters(sample.lengths_ns()),
        })
    };
    let group = |group: &Vec<usize>| group.iter().map(prediction).collect::<Vec<_>>();
    json!({
        "call": series.question.calls[0],
        "length_ns": u64::try_from(series.question.lengths[0].as_nanos()).unwrap_or(u64::MAX),
        "groups": series.groups().iter().map(group).collect::<Vec<_>>(),
    })
}
