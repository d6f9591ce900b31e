//! What the rules say where nobody has published a number, and what each value of an open rule would give.

use crate::command_line::HypothesesArgs;
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_data::markdown::Page;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, heading};
use punctual_evidence::{Hypotheses, Prediction, RuleChange};
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.hypotheses/1";

const PREDICTED: &str = "Predictions, for which no measurement is published";
const OPEN: &str = "Open rules, and what each of their values predicts";
const UNIT: &str = "Values are means in milliseconds.";

struct Open {
    predicted: Vec<Prediction>,
    hypotheses: Vec<Hypotheses>,
    changes: Vec<RuleChange>,
}

/// Runs the command.
pub fn hypotheses(args: HypothesesArgs) -> Result<ExitCode, Failure> {
    let changes = args.rules.changes()?;
    let open = Open {
        predicted: punctual_evidence::predictions(&changes),
        hypotheses: punctual_evidence::hypotheses(),
        changes,
    };
    output::in_format(
        args.format,
        &open.document(),
        |out| open.text(out),
        || open.page(),
        || open.sheet(),
    )?;
    Ok(ExitCode::SUCCESS)
}

impl Open {
    /// For each value: the version, what is predicted, the rule with the value, and the prediction.
    fn rows(&self) -> Vec<Vec<String>> {
        let predicted = self.predicted.iter().map(|prediction| {
            let Prediction {
                version,
                says,
                simulated,
            } = prediction;
            vec![
                (*version).to_owned(),
                says.clone(),
                String::new(),
                simulated.clone(),
            ]
        });
        let open = self.hypotheses.iter().flat_map(|open| {
            open.answers.iter().map(|(value, simulated)| {
                let rule = format!("{}={value}", open.rule);
                vec![
                    open.version.to_string(),
                    open.says.to_string(),
                    rule,
                    simulated.clone(),
                ]
            })
        });
        predicted.chain(open).collect()
    }

    fn text(&self, out: &mut Text) -> io::Result<()> {
        heading(out, PREDICTED)?;
        for Prediction {
            says,
            version,
            simulated,
        } in &self.predicted
        {
            writeln!(out, "{version}: {says:48} {simulated}")?;
        }
        heading(out, OPEN)?;
        for open in &self.hypotheses {
            writeln!(out, "{}: {}", open.version, open.says)?;
            for (value, simulated) in &open.answers {
                let rule = format!("{}={value}", open.rule);
                writeln!(out, "  {rule:44} {simulated}")?;
            }
        }
        writeln!(out)?;
        writeln!(out, "{UNIT}")
    }

    fn page(&self) -> Page {
        let names = ["version", "predicted", "rule"];
        let mut columns = names.map(|name| Column::left(name, 0)).to_vec();
        columns.push(Column::right("simulated", 0));
        let changes = self
            .changes
            .iter()
            .map(|change| format!("changed: {change}"));
        Page {
            title: "What is open of the rules of Windows".to_owned(),
            tables: vec![(String::new(), Table::of(columns).with(self.rows()))],
            remarks: changes.chain([UNIT.to_owned()]).collect(),
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        Table::sheet("version predicted rule simulated_ms").with(self.rows())
    }

    fn document(&self) -> Value {
        let prediction = |prediction: &Prediction| {
            json!({
                "says": prediction.says,
                "version": prediction.version,
                "simulated": prediction.simulated,
            })
        };
        // The first value is the version's own.
        let hypothesis = |open: &Hypotheses| {
            let answer = |(value, simulated): &(&str, String)| json!({"value": value, "simulated": simulated});
            json!({
                "rule": open.rule,
                "says": open.says,
                "version": open.version,
                "answers": open.answers.iter().map(answer).collect::<Vec<_>>(),
            })
        };
        json!({
            "schema": SCHEMA,
            "punctual_version": env!("CARGO_PKG_VERSION"),
            "rules_changed": self.changes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "predictions": self.predicted.iter().map(prediction).collect::<Vec<_>>(),
            "hypotheses": self.hypotheses.iter().map(hypothesis).collect::<Vec<_>>(),
        })
    }
}
