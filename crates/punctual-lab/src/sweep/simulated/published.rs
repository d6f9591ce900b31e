//! Published means of `Sleep(1)`. Every other row of a sweep is a prediction.

use crate::simulated::SimulatedMachine;
use crate::sweep::{By, Published};
use punctual_sim::windows::MachineParameters;
use punctual_sim::windows::machine::Companion;
use std::time::Duration;

/// A publication: its versions, its requests (in milliseconds), and its result.
struct Statement {
    case: &'static str,
    versions: &'static [&'static str],
    requests: std::ops::RangeInclusive<u32>,
    says: Says,
}

#[derive(Clone, Copy)]
enum Says {
    /// The mean, to the nearest tenth.
    Mean(f64),
    /// The mean is the request.
    Request,
    /// As printed: "about", so that any mean in between agrees.
    Between(f64, f64),
    /// The same, on a machine on which other programs slept.
    BetweenAmongOthers(f64, f64),
}

/// The tolerance of a mean that is published to the nearest tenth.
const TENTH: f64 = 0.05;

const V1909: &[&str] = &["windows-10-1909"];
const V2004: &[&str] = &["windows-10-2004"];

/// The tolerances are those of the evidence. The article's text gives no result for 2004 at 1, 3, 4
/// and 5, and for other versions only the result at 1.
const STATEMENTS: [Statement; 7] = [
    Statement {
        case: "grc-1909-1",
        versions: &["windows-xp", "windows-10-1909"],
        requests: 1..=1,
        says: Says::Mean(2.0),
    },
    Statement {
        case: "grc-1909-1",
        versions: &["windows-7", "windows-8"],
        requests: 1..=1,
        says: Says::Mean(1.0),
    },
    Statement {
        case: "grc-1909-self",
        versions: V1909,
        requests: 2..=15,
        says: Says::Request,
    },
    Statement {
        case: "grc-2004-2",
        versions: V2004,
        requests: 2..=2,
        // About 64 times a second.
        says: Says::Between(1000.0 / 64.5, 1000.0 / 63.5),
    },
    Statement {
        case: "grc-2004-6",
        versions: V2004,
        requests: 6..=6,
        says: Says::Mean(12.0),
    },
    Statement {
        case: "grc-2004-7",
        versions: V2004,
        requests: 7..=7,
        says: Says::Mean(14.0),
    },
    Statement {
        case: "grc-2004-8",
        versions: V2004,
        requests: 8..=8,
        says: Says::BetweenAmongOthers(14.2, 14.8),
    },
];

/// The same, with the request made by the process that sleeps.
const STATEMENTS_OF_OWN_REQUESTS: [Statement; 2] = [
    Statement {
        case: "grc-2004-own",
        versions: &["windows-10-2004", "windows-11"],
        requests: 1..=1,
        says: Says::Mean(2.0),
    },
    Statement {
        case: "grc-2004-own",
        versions: &["windows-10-2004", "windows-11"],
        requests: 2..=15,
        says: Says::Request,
    },
];

impl Published {
    /// What is published for this version under this request, if anything. Publications are about
    /// visible programs on usual machines: with other rules, on other hardware, and with other
    /// requesters, everything is a prediction.
    pub(super) fn find(
        machine: &SimulatedMachine,
        by: By,
        requested: Duration,
        mean: Duration,
    ) -> Option<Self> {
        let only_sleeps = |companion: &Companion| matches!(companion, Companion::Sleepers { .. });
        let usual = machine.has_usual_rules()
            && machine.standing.is_usual()
            && machine.parameters == MachineParameters::default()
            && machine.companions.iter().all(only_sleeps);
        let about = |statement: &&Statement| {
            statement.versions.contains(&machine.version.name)
                && statement
                    .requests
                    .clone()
                    .any(|request| requested == Duration::from_millis(u64::from(request)))
        };
        let statements = match by {
            By::Other => &STATEMENTS[..],
            By::Own => &STATEMENTS_OF_OWN_REQUESTS,
            By::Parent => &[],
        };
        let statement = statements.iter().filter(|_| usual).find(about)?;
        let requested_ms = requested.as_secs_f64() * 1e3;
        let (from_ms, to_ms, others_slept) = statement.says.range(requested_ms);
        let mean_ms = mean.as_secs_f64() * 1e3;
        Some(Self {
            case: statement.case.to_owned(),
            from_ms,
            to_ms,
            others_slept,
            agrees: (from_ms..=to_ms).contains(&mean_ms),
        })
    }
}

impl Says {
    /// The means that agree, and whether other programs slept.
    fn range(self, requested_ms: f64) -> (f64, f64, bool) {
        match self {
            Self::Mean(mean) => (mean - TENTH, mean + TENTH, false),
            Self::Request => (requested_ms - TENTH, requested_ms + TENTH, false),
            Self::Between(from, to) => (from, to, false),
            Self::BetweenAmongOthers(from, to) => (from, to, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_statement_is_a_case_of_the_evidence() {
        let sources = punctual_sim::evidence::sources();
        let ids: Vec<_> = sources
            .iter()
            .flat_map(|source| &source.case)
            .map(|case| &case.id)
            .collect();
        for Statement { case, .. } in STATEMENTS.iter().chain(&STATEMENTS_OF_OWN_REQUESTS) {
            assert!(ids.iter().any(|id| id == case), "{case}");
        }
    }

    #[test]
    fn nothing_is_published_of_other_hardware() {
        let find = |machine: &str| {
            let millisecond = Duration::from_millis(1);
            let machine = machine.parse().unwrap();
            Published::find(&machine, By::Other, millisecond, millisecond)
        };
        assert!(find("windows-7").is_some_and(|published| published.agrees));
        assert!(find("windows-xp").is_some_and(|published| !published.agrees));
        assert_eq!(find("windows-7,processors=2"), None);
        assert_eq!(find("windows-7,due-time=precise"), None);
        assert_eq!(find("windows-11"), None);
    }
}
