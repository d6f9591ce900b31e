//! `--fail-if`: a bound on the results, and whether it was kept.

use crate::statistics::{NAMES, statistic};
use punctual_data::distribution::Figure;
use punctual_data::quantity::{parse_duration, parse_share, show};
use punctual_lab::measure::SeriesRecord;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// `[METHOD.]STATISTIC>LIMIT`: a condition that must not become true.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The method that it applies to; all of them if none.
    pub method: Option<String>,
    limit: Limit,
    /// As it was typed.
    text: String,
}

#[derive(Debug, Clone, Copy)]
enum Limit {
    Lateness(Figure, Duration),
    Count(Counter, u64),
    ProcessorShare(f64),
}

/// A statistic that is a count: its name, and the function that finds it.
type Counter = (&'static str, fn(&SeriesRecord) -> u64);

const COUNTERS: [Counter; 2] = [
    ("early", |series| series.early),
    ("missed", |series| series.missed),
];

const PROCESSOR: &str = "processor";

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (subject, limit) = text.split_once('>').ok_or_else(|| {
            format!("'{text}' is not a bound; write the condition to fail on, such as 'p99>200us' or 'punctual.p99>5us'")
        })?;
        let (method, statistic) = split_subject(subject.trim());
        Ok(Self {
            method: method.map(str::to_owned),
            limit: Limit::parse(statistic, limit.trim())?,
            text: text.to_owned(),
        })
    }
}

/// Method and statistic. The dot of `p99.9` is not a separator, because no method begins with a
/// digit.
fn split_subject(subject: &str) -> (Option<&str>, &str) {
    match subject.split_once('.') {
        Some((method, statistic))
            if !statistic.starts_with(|first: char| first.is_ascii_digit()) =>
        {
            (Some(method), statistic)
        }
        _ => (None, subject),
    }
}

impl Limit {
    fn parse(name: &str, limit: &str) -> Result<Self, String> {
        if let Some(statistic) = statistic(name) {
            return Ok(Self::Lateness(statistic, parse_duration(limit)?));
        }
        if let Some(counter) = COUNTERS.into_iter().find(|known| known.0 == name) {
            let count = limit
                .parse()
                .map_err(|_| format!("'{limit}' is not a number of times"))?;
            return Ok(Self::Count(counter, count));
        }
        if name == PROCESSOR {
            return Ok(Self::ProcessorShare(parse_share(limit)?));
        }
        Err(format!(
            "there is no statistic '{name}'; there are {NAMES}, early, missed, {PROCESSOR}"
        ))
    }

    /// The measured value in words, if it is beyond the limit. Lateness counts per deadline, so
    /// that missed deadlines cannot make a machine look better.
    fn violation(self, series: &SeriesRecord) -> Option<String> {
        match self {
            Self::Lateness(figure, limit) => {
                let measured = Duration::from_nanos(figure.of(&series.per_deadline));
                let name = figure.name();
                (measured > limit).then(|| format!("{name} per deadline is {}", show(measured)))
            }
            Self::Count((name, of), limit) => {
                let measured = of(series);
                (measured > limit).then(|| format!("{name} is {measured}"))
            }
            Self::ProcessorShare(limit) => {
                let measured = series.processor_share;
                (measured > limit).then(|| format!("processor share is {:.1} %", measured * 100.0))
            }
        }
    }
}

impl Bound {
    /// The violations of this bound, a sentence for each method. A method that was never measured
    /// also breaks it.
    pub fn violations(&self, series: &[SeriesRecord]) -> Vec<String> {
        let concerns = |record: &&SeriesRecord| {
            let method = self.method.as_ref();
            record.count > 0 && method.is_none_or(|method| *method == record.method)
        };
        let concerned: Vec<_> = series.iter().filter(concerns).collect();
        if concerned.is_empty() {
            let whom = self.method.as_deref().unwrap_or("any method");
            return vec![format!("{self}: there is no measurement of {whom}")];
        }
        let violation = |record: &&SeriesRecord| {
            let measured = self.limit.violation(record)?;
            Some(format!("{self}: for {} the {measured}", record.method))
        };
        concerned.iter().filter_map(violation).collect()
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
