//! Published measurements of how Windows ends timed waits, as data; replayed on simulated machines;
//! and what they leave open, as hypotheses that recordings settle.
//!
//! In come the cases of the folder `cases`, which are part of the program, and recordings of real
//! machines. Out come the results of simulated machines beside what was published, and the hypotheses
//! that recordings exclude.
//!
//! | to change | open |
//! |---|---|
//! | what a case or a file of cases can say | `schema`, `run`, `expect`; [`sources`] reads the files |
//! | the programs that replay a case | `replay` |
//! | when a result agrees with what was published | `check` |
//! | which case fixes which rule | `fixes` |
//! | what is open, the experiments that tell, and when a recording excludes it | [`settle`] |
//!
//! ```
//! let sources = punctual_evidence::sources();
//! let cases = sources.iter().flat_map(|source| &source.case);
//! let busy = cases.into_iter().find(|case| case.id == "svi-7-busy").unwrap();
//! assert_eq!(busy.runs()[0].expect[0].statement.to_string(), "mean 1 ±0.02");
//! ```

mod check;
mod expect;
mod fixes;
mod pool;
mod replay;
mod run;
mod schema;
pub mod settle;

pub use check::{Finding, Outcome, Wake, check, near};
pub use expect::{Expect, Expectation, Span, Whose};
pub use fixes::{Fixed, Other, fixes};
pub use replay::{
    Hypotheses, Prediction, Replay, RuleChange, Statement, Verdict, hypotheses, predictions, replay,
};
pub use run::{
    Companion, Either, Late, Loop, Method, Override, Priority, RequestedBy, Run, Settings, Step,
    Throttling,
};
pub use schema::{About, Case, Needs, Row, Source, Table};

use std::sync::OnceLock;

/// Every file of evidence.
const FILES: [&str; 13] = [
    include_str!("../cases/aqa.toml"),
    include_str!("../cases/doc.toml"),
    include_str!("../cases/epc.toml"),
    include_str!("../cases/grc.toml"),
    include_str!("../cases/mic.toml"),
    include_str!("../cases/msg.toml"),
    include_str!("../cases/ojn.toml"),
    include_str!("../cases/qt.toml"),
    include_str!("../cases/sil.toml"),
    include_str!("../cases/spd.toml"),
    include_str!("../cases/spn.toml"),
    include_str!("../cases/svi.toml"),
    include_str!("../cases/vd.toml"),
];

/// All evidence there is, in the order of the sources' names.
///
/// # Panics
/// If a file is not as the directory's README describes it: they are part of the program.
pub fn sources() -> Vec<Source> {
    static READ: OnceLock<Vec<Source>> = OnceLock::new();
    let read = |text| toml::from_str(text).unwrap_or_else(|error| panic!("evidence: {error}"));
    // Once, because some ask for each case again.
    let read = READ.get_or_init(|| FILES.into_iter().map(read).collect());
    read.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_left_out() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");
        let entries = std::fs::read_dir(directory).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let files = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
        assert_eq!(files.count(), FILES.len());
        assert_eq!(sources().len(), FILES.len());
    }
}
