//! Which cases and which changes of rules a command line asks for.

use crate::command_line::{CaseArgs, RuleArgs};
use punctual_command::failure::Failure;
use punctual_evidence::{Case, RuleChange, sources};

impl CaseArgs {
    /// The requested cases, each with the short name of its source, in the order of the files; all of them if
    /// none is named.
    pub fn chosen(&self) -> Result<Vec<(String, Case)>, Failure> {
        let mut sources = sources();
        if let Some(wanted) = &self.source {
            let names: Vec<_> = sources
                .iter()
                .map(|source| source.source.name.clone())
                .collect();
            sources.retain(|source| source.source.name.eq_ignore_ascii_case(wanted));
            if sources.is_empty() {
                let names = names.join(", ");
                let problem = format!("there is no source '{wanted}'; there are {names}");
                return Err(Failure::flag("--source", problem));
            }
        }
        let mut cases = Vec::new();
        for source in sources {
            let name = &source.source.name;
            cases.extend(source.case.into_iter().map(|case| (name.clone(), case)));
        }
        let is_there = |id: &&String| cases.iter().any(|(_, case)| case.id == **id);
        if let Some(id) = self.case.iter().find(|id| !is_there(id)) {
            let ids: Vec<_> = cases.iter().map(|(_, case)| case.id.as_str()).collect();
            let problem = format!("there is no case '{id}'; there are {}", ids.join(", "));
            return Err(Failure::flag("--case", problem));
        }
        cases.retain(|(_, case)| self.case.is_empty() || self.case.contains(&case.id));
        Ok(cases)
    }
}

impl RuleArgs {
    /// The changes: a rule has one value at a time.
    pub fn changes(self) -> Result<Vec<RuleChange>, Failure> {
        for (index, change) in self.rule.iter().enumerate() {
            let name = change.name();
            if self.rule[..index]
                .iter()
                .any(|earlier| earlier.name() == name)
            {
                let problem = format!("'{name}' is given twice, and a rule has one value");
                return Err(Failure::flag("--rule", problem));
            }
        }
        Ok(self.rule)
    }
}
