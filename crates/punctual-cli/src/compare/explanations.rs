//! Compares explanations of `punctual explain --json` with the first.

use super::{CompareArgs, SCHEMA, ensure_alike};
use crate::explain::Explanation;
use punctual_command::failure::Failure;
use punctual_data::means::CONFIDENCE;
use punctual_trace::Report;
use punctual_trace::report::comparison::{Comparisons, compare as compare_reports};

/// An explanation with its name in the output.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) explanation: Explanation,
}

impl Named {
    fn report(&self) -> (&str, &Report) {
        (&self.name, &self.explanation.report)
    }
}

/// Compares each with the first, and shows the results.
pub(super) fn compare(args: &CompareArgs, explanations: &[Named]) -> Result<(), Failure> {
    let Some((baseline, others)) = explanations.split_first() else {
        return Ok(());
    };
    let comparisons: Vec<_> = others
        .iter()
        .map(|other| {
            let differences = differences(&baseline.explanation, &other.explanation);
            compare_reports(baseline.report(), other.report(), differences)
        })
        .collect();
    for found in &comparisons {
        ensure_alike(args, (&found.baseline, &found.other), &found.differences)?;
    }
    let comparisons = Comparisons {
        schema: SCHEMA,
        confidence: CONFIDENCE,
        comparisons,
        is_long: args.long,
    };
    crate::show::in_format(args.format, &comparisons)
}

fn differences(before: &Explanation, after: &Explanation) -> Vec<String> {
    let machines = (before.machine(), after.machine());
    let mut differences = Vec::new();
    if before.subject != after.subject {
        let (before, after) = (&before.subject, &after.subject);
        differences.push(format!(
            "what was explained was '{before}' and became '{after}'"
        ));
    }
    if machines.0.system != machines.1.system {
        let name = |system: &Option<String>| system.clone().unwrap_or_else(|| "unknown".to_owned());
        let (before, after) = (name(&machines.0.system), name(&machines.1.system));
        differences.push(format!("the system was {before} and became {after}"));
    }
    differences.extend(machines.0.differences(&machines.1));
    differences
}
