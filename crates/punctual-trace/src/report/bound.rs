//! A bound on the wake-ups, and whether it was kept.

use super::{CauseRow, Report};
use crate::Cause;
use punctual_data::distribution::{Distribution, Figure};
use punctual_data::quantity::{parse_duration, show};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// `STATISTIC>LIMIT`: a condition that must not become true.
#[derive(Debug, Clone)]
pub struct Bound {
    limit: Limit,
    /// As it was typed.
    text: String,
}

#[derive(Debug, Clone, Copy)]
enum Limit {
    /// Of the lateness of all wake-ups.
    Lateness(Figure, Duration),
    /// The longest run of a cause.
    Cause(Cause, Duration),
    /// The number of wake-ups without an explanation.
    Unexplained(usize),
}

const UNEXPLAINED: &str = "unexplained";

/// What bounds are about.
pub struct Findings<'a> {
    lateness: Option<&'a Distribution>,
    /// Without the kernel's trace there is none.
    report: Option<&'a Report>,
}

impl<'a> Findings<'a> {
    /// Those of a report.
    pub fn of(report: &'a Report) -> Self {
        Self {
            lateness: (report.lateness.count > 0).then_some(&report.lateness.distribution),
            report: Some(report),
        }
    }

    /// Those of a loop without the kernel's trace.
    pub fn without_causes(lateness: Option<&'a Distribution>) -> Self {
        Self {
            lateness,
            report: None,
        }
    }
}

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, limit) = text.split_once('>').ok_or_else(|| {
            format!("'{text}' is not a bound; write the condition to fail on, such as 'p99>200us' or 'throttled>1ms'")
        })?;
        Ok(Self {
            limit: Limit::parse(name.trim(), limit.trim())?,
            text: text.to_owned(),
        })
    }
}

impl Bound {
    /// The value in words, if it is beyond the limit or there is none.
    pub fn violation(&self, findings: &Findings<'_>) -> Option<String> {
        self.limit.violation(findings)
    }
}

impl Limit {
    fn parse(name: &str, limit: &str) -> Result<Self, String> {
        if let Some(statistic) = Figure::named(name) {
            return Ok(Self::Lateness(statistic, parse_duration(limit)?));
        }
        if let Some(cause) = Cause::ALL.into_iter().find(|cause| cause.name() == name) {
            return Ok(Self::Cause(cause, parse_duration(limit)?));
        }
        if name == UNEXPLAINED {
            let count = limit.parse();
            let count = count
                .map_err(|_| format!("'{limit}' is not a number of times; write 0 or more"))?;
            return Ok(Self::Unexplained(count));
        }
        let causes = Cause::ALL.map(Cause::name).join(", ");
        Err(format!(
            "there is no statistic '{name}'; there are {}, {UNEXPLAINED}, and the causes {causes}",
            Figure::NAMES
        ))
    }

    fn violation(self, findings: &Findings<'_>) -> Option<String> {
        match self {
            Self::Lateness(figure, limit) => match &findings.lateness {
                None => Some("there is no wake-up whose lateness is known".to_owned()),
                Some(lateness) => {
                    let measured = Duration::from_nanos(figure.of(lateness));
                    let name = figure.name();
                    (measured > limit).then(|| format!("the {name} is {}", show(measured)))
                }
            },
            Self::Cause(..) | Self::Unexplained(_) if findings.report.is_none() => {
                Some("nothing is explained without the kernel's trace".to_owned())
            }
            Self::Cause(cause, limit) => {
                let row = longest(findings.report?, cause)?;
                let longest = Duration::from_nanos(row.longest_ns);
                (longest > limit)
                    .then(|| format!("{cause} ({}) once took {}", row.occupant, show(longest)))
            }
            Self::Unexplained(limit) => {
                let report = findings.report?;
                let count = report.of - report.explained();
                (count > limit).then(|| format!("{count} of {} are not explained", report.of))
            }
        }
    }
}

/// The row of a cause with the longest run.
fn longest(report: &Report, cause: Cause) -> Option<&CauseRow> {
    let rows = report.causes.iter().filter(|row| row.cause == cause);
    rows.max_by_key(|row| row.longest_ns)
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Tally;
    use crate::{Lateness, Names, Occupant, Reason, Segment, ThreadId, Verdict, Wait, WakeUp};

    /// Two wake-ups, 3 and 500 µs late, and one of which nothing is known.
    fn report() -> Report {
        let wake_up = |late_ns, verdict, lateness| WakeUp {
            wait: Wait {
                thread: ThreadId(7),
                began: punctual::Instant::ZERO,
                deadline: punctual::Instant::ZERO,
                woke: punctual::Instant::from_nanos(late_ns),
            },
            lateness,
            processor: None,
            verdict,
            woken_by: Vec::new(),
            preemption: None,
            segments: vec![Segment {
                cause: Cause::Throttled,
                occupant: Occupant::Idle,
                priority: None,
                ns: late_ns,
            }],
            stacks: Vec::new(),
        };
        let wake_ups = [
            wake_up(3_000, Verdict::Exact, Lateness::Known),
            wake_up(500_000, Verdict::Exact, Lateness::Known),
            wake_up(
                900_000_000,
                Verdict::Unexplained(Reason::NoTimer),
                Lateness::Unknown,
            ),
        ];
        Tally::of(&wake_ups, &Names::default()).report(None)
    }

    fn violation(text: &str, findings: &Findings<'_>) -> Option<String> {
        let bound: Bound = text.parse().unwrap();
        bound.violation(findings)
    }

    #[test]
    fn a_bound_is_broken_beyond_its_limit() {
        let report = report();
        let findings = Findings::of(&report);
        for kept in [
            "max>500us",
            "p50>4us",
            "throttled>500us",
            "unexplained>1",
            "slack>0ns",
        ] {
            assert_eq!(violation(kept, &findings), None, "{kept}");
        }
        for (broken, said) in [
            ("max>499us", "max is 500 µs"),
            ("throttled>499us", "throttled (idle) once took 500 µs"),
            ("unexplained > 0", "1 of 3"),
        ] {
            let violation = violation(broken, &findings).unwrap();
            assert!(violation.contains(said), "{violation}");
        }
    }

    #[test]
    fn nothing_keeps_no_bound() {
        let nothing = Tally::new(0).report(None);
        assert!(violation("p99>1s", &Findings::of(&nothing)).is_some());
        let no_trace = Findings::without_causes(None);
        for text in ["p99>1s", "throttled>1s", "unexplained>5"] {
            assert!(violation(text, &no_trace).is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_no_bound_is_refused_with_what_would_be() {
        for (text, said) in [
            ("p99", "such as"),
            ("p98>1ms", "interrupt-late"),
            ("p99>fast", "fast"),
            ("unexplained>1ms", "number"),
        ] {
            let error = text.parse::<Bound>().unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
