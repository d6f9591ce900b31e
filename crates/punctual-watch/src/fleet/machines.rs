//! Which machines are in which group, and how late they were.

use crate::fleet::client::Ask;
use crate::fleet::error::Error;
use crate::fleet::lateness::Lateness;
use crate::fleet::reply::{self, Sample, Value};
use crate::fleet::selector::{Selector, any_of, in_quotes};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

/// How many machines one question is about: 20 of 16 processors have 15,000 series, whose samples of a day are about
/// as many as Prometheus reads in a few seconds.
pub const BATCH: usize = 20;

/// A machine as Prometheus knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Machine {
    /// The job that asks it.
    pub job: String,
    /// Its address.
    pub instance: String,
}

impl Machine {
    fn of(sample: &Sample) -> Self {
        let label = |name: &str| sample.labels.get(name).cloned().unwrap_or_default();
        Self {
            job: label("job"),
            instance: label("instance"),
        }
    }
}

/// Which wake-ups count.
#[derive(Debug, Clone, PartialEq)]
pub struct Which {
    /// Each deadline counts, missed ones too; otherwise each wake-up.
    pub deadlines: bool,
    /// Only this way of waiting.
    pub method: Option<String>,
    /// Of how long a time.
    pub window: Duration,
    /// Its end, in seconds since 1970 UTC.
    pub end: f64,
}

impl Which {
    fn range(&self) -> String {
        format!("{}s", self.window.as_secs())
    }

    fn metric(&self) -> &'static str {
        match self.deadlines {
            true => "punctual_deadline_lateness_seconds",
            false => "punctual_wakeup_lateness_seconds",
        }
    }

    fn matchers(&self, machines: &[&str]) -> String {
        let instances = any_of("instance", machines);
        match &self.method {
            Some(method) => format!("{instances},method={}", in_quotes(method)),
            None => instances,
        }
    }
}

/// The machines that matched at any time in the window.
pub fn members(
    ask: &impl Ask,
    group: &Selector,
    which: &Which,
) -> Result<BTreeSet<Machine>, Error> {
    let range = which.range();
    let question =
        format!("group by (job, instance) (last_over_time(punctual_machine_info{group}[{range}]))");
    let found = ask.ask(&question, Some(which.end))?;
    Ok(found.iter().map(Machine::of).collect())
}

/// How late each of these machines was. `step` hears how many are done, and can stop it.
pub fn lateness(
    ask: &impl Ask,
    machines: &BTreeSet<Machine>,
    which: &Which,
    step: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Result<BTreeMap<Machine, Lateness>, Error> {
    let machines: Vec<_> = machines.iter().collect();
    let mut found = BTreeMap::new();
    for (number, batch) in (1..).zip(machines.chunks(BATCH)) {
        let instances: Vec<_> = batch
            .iter()
            .map(|machine| machine.instance.as_str())
            .collect();
        let all = of_batch(ask, &instances, which)?;
        // An address can be asked by several jobs, and be of another group in the other.
        let wanted = all
            .into_iter()
            .filter(|(machine, _)| batch.contains(&machine));
        found.extend(wanted);
        if step((number * BATCH).min(machines.len())).is_break() {
            return Err(Error::Stopped);
        }
    }
    Ok(found)
}

fn of_batch(
    ask: &impl Ask,
    instances: &[&str],
    which: &Which,
) -> Result<BTreeMap<Machine, Lateness>, Error> {
    let (metric, range) = (which.metric(), which.range());
    let matchers = which.matchers(instances);
    let classic =
        format!("sum by (job, instance, le) (increase({metric}_bucket{{{matchers}}}[{range}]))");
    let found = ask.ask(&classic, Some(which.end))?;
    let mut buckets: BTreeMap<Machine, Vec<(f64, f64)>> = BTreeMap::new();
    for sample in &found {
        let bound = sample.labels.get("le").map(|bound| reply::number(bound));
        if let (Some(Ok(bound)), Value::Number(count)) = (bound, &sample.value) {
            let of = buckets.entry(Machine::of(sample)).or_default();
            of.push((bound, *count));
        }
    }
    let mut lateness: BTreeMap<_, _> = buckets
        .into_iter()
        .map(|(machine, buckets)| (machine, Lateness::of_cumulative(buckets)))
        .collect();
    // Prometheus 3 can keep them as native histograms, which have no series of buckets.
    if lateness.len() < instances.len() {
        let native = format!("sum by (job, instance) (increase({metric}{{{matchers}}}[{range}]))");
        for sample in ask.ask(&native, Some(which.end))? {
            if let Value::Histogram(buckets) = &sample.value {
                let of = Lateness::of_single(buckets.clone());
                lateness.entry(Machine::of(&sample)).or_insert(of);
            }
        }
    }
    Ok(lateness)
}
