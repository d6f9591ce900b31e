//! The environment for people: a header of aligned lines above a table of results.

use super::{Environment, ProcessorQuota};
use punctual_data::quantity::{exact_nanos, short_decimal};
use punctual_data::text::{WIDTH, cut, wrapped};
use std::{fmt, iter};

/// The column at which values begin: the longest label and two spaces.
const VALUE_COLUMN: usize = 12;

/// The number of unknown facts whose reasons a header shows. The recording has all.
const MOST_REASONS: usize = 3;

impl Environment {
    /// The facts for people, the most important first: a label and a value. Unknown facts are left
    /// out.
    ///
    /// ```
    /// let environment = punctual_lab::Environment {
    ///     system: Some("Debian".into()),
    ///     ..Default::default()
    /// };
    /// assert_eq!(environment.facts(), [("system", "Debian".to_owned())]);
    /// ```
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let facts = [
            ("system", self.system_line()),
            ("processor", self.processor_line()),
            ("machine", self.machine_line()),
            ("quota", self.quota_line()),
            ("timers", self.timers_line()),
            ("clock", self.clock_line()),
            ("preemption", self.preemption_line()),
            ("idle", self.idle_line()),
            ("frequency", self.frequency_line()),
            ("privileges", self.privileges_line()),
            ("load", self.load_line()),
        ];
        let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
        known.collect()
    }

    /// The environment as lines for people, the most important first. Each line begins with a label
    /// and is at most 80 columns wide. An unknown fact has a reason instead of a line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (label, value) in self.facts() {
            lines.extend(labelled(label, &value));
        }
        for (index, reason) in self.not_known.iter().take(MOST_REASONS).enumerate() {
            let label = if index == 0 { "not known" } else { "" };
            lines.extend(labelled(label, &cut(reason, WIDTH - VALUE_COLUMN)));
        }
        let more = self.not_known.len().saturating_sub(MOST_REASONS);
        if more > 0 {
            lines.extend(labelled("", &format!("and {more} more, in the recording")));
        }
        lines
    }

    fn system_line(&self) -> String {
        let wine = self.wine.as_deref().filter(|&wine| wine != "none");
        let wine = wine.map(|version| format!("which is Wine {version}"));
        let [system, kernel, architecture] =
            [&self.system, &self.kernel, &self.architecture].map(Option::clone);
        joined([system, wine, kernel, architecture])
    }

    fn processor_line(&self) -> String {
        let count = match (&self.processors_usable, &self.processors_online) {
            (Some(usable), Some(online)) if usable == online => Some(counted(online.count())),
            (Some(usable), Some(online)) => Some(format!(
                "{} of {} ({usable})",
                usable.count(),
                counted(online.count())
            )),
            (Some(only), None) | (None, Some(only)) => Some(counted(only.count())),
            (None, None) => None,
        };
        joined([self.processor.clone(), count])
    }

    fn machine_line(&self) -> String {
        let under = match self.hypervisor.as_deref() {
            Some("none") => Some("no hypervisor".to_owned()),
            Some("unnamed") => Some("under a hypervisor that hides its name".to_owned()),
            Some(name) => Some(format!("virtual, under {name}")),
            None => None,
        };
        let container = match self.container.as_deref() {
            Some("none") => Some("no container".to_owned()),
            Some(kind) => Some(format!("in a container ({kind})")),
            None => None,
        };
        joined([self.product.clone(), under, container])
    }

    /// A quota has a line only if it is a limit.
    fn quota_line(&self) -> String {
        match self.processor_quota {
            Some(quota @ ProcessorQuota::Limited { .. }) => {
                let processors = quota.processors();
                format!("{quota}, {processors:.2} processors; threads wait when it is used up")
            }
            _ => String::new(),
        }
    }

    fn timers_line(&self) -> String {
        let resolution = self.high_resolution_timers.map(|high| match high {
            true => "high-resolution".to_owned(),
            false => "only at the tick".to_owned(),
        });
        let tick = self.tick_rate_hertz.map(|hertz| format!("tick {hertz} Hz"));
        let slack = said("slack", self.timer_slack_ns.map(exact_nanos));
        let interval = said(
            "an interrupt every",
            self.timer_interval_ns.map(exact_nanos),
        );
        let [least, most] = [
            self.timer_interval_minimum_ns,
            self.timer_interval_maximum_ns,
        ];
        let bounds = least.map(exact_nanos).zip(most.map(exact_nanos));
        let bounds = bounds.map(|(least, most)| format!(" (of {least} to {most})"));
        let interval = interval.map(|interval| interval + &bounds.unwrap_or_default());
        joined([resolution, tick, slack, interval])
    }

    fn clock_line(&self) -> String {
        let cost = self
            .clock_cost_ns
            .map(|nanos| format!("{nanos:.0} ns a reading"));
        let others = self.clock_sources_available.as_ref().map(|all| {
            let others: Vec<_> = all
                .iter()
                .filter(|&name| Some(name) != self.clock_source.as_ref())
                .cloned()
                .collect();
            others.join(", ")
        });
        let others = said(
            "also available:",
            others.filter(|others| !others.is_empty()),
        );
        let rate = self.performance_counter_hertz;
        let rate = rate.map(|hertz| format!("{} counts a µs", short_decimal(hertz, 6)));
        joined([self.clock_source.clone(), rate, cost, others])
    }

    fn preemption_line(&self) -> String {
        let mode = said("mode", self.preemption_mode.as_ref());
        joined([self.preemption.clone(), mode])
    }

    fn idle_line(&self) -> String {
        let who = match (self.idle_driver.as_deref(), self.idle_governor.as_deref()) {
            (Some("none"), _) => Some("no idle driver".to_owned()),
            (Some(driver), Some(governor)) if driver != governor => {
                Some(format!("{driver}, governor {governor}"))
            }
            (Some(only), _) | (None, Some(only)) => Some(only.to_owned()),
            (None, None) => None,
        };
        let deepest = self.deepest_idle_state.as_ref().map(|state| {
            let exit = self.idle_exit_latency_ns.map_or(String::new(), |nanos| {
                format!(", {} to leave", exact_nanos(nanos))
            });
            format!("deepest state {state}{exit}")
        });
        joined([who, deepest])
    }

    fn frequency_line(&self) -> String {
        if self.frequency_governor.as_deref() == Some("none") {
            return "not scaled by this system".to_owned();
        }
        let governor = said("governor", self.frequency_governor.as_ref());
        let driver = said("driver", self.frequency_driver.as_ref());
        let plan = said("power plan", self.power_plan.as_ref());
        joined([governor, driver, plan])
    }

    fn privileges_line(&self) -> String {
        let who = self.superuser.map(|superuser| match superuser {
            true => "superuser".to_owned(),
            false => "ordinary user".to_owned(),
        });
        let priority = match (self.may_raise_priority, self.realtime_priority_limit) {
            (Some(true), _) => Some("may raise its priority".to_owned()),
            (Some(false), Some(limit)) if limit > 0 => {
                Some(format!("may use real-time priorities up to {limit}"))
            }
            (Some(false), _) => Some("may not use real-time priorities".to_owned()),
            (None, _) => None,
        };
        let nice = match (self.may_raise_priority, self.nice_limit) {
            (Some(false), Some(limit @ 1..=40)) => {
                Some(format!("nice down to {}", 20 - limit.cast_signed()))
            }
            _ => None,
        };
        joined([who, priority, nice])
    }

    fn load_line(&self) -> String {
        let load = self.load_average_1_minute.map(|load| {
            format!("{load:.2} threads wanted a processor on average in the last minute")
        });
        joined([load])
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines() {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

fn counted(processors: usize) -> String {
    match processors {
        1 => "1 processor".to_owned(),
        more => format!("{more} processors"),
    }
}

fn said(what: &str, value: Option<impl fmt::Display>) -> Option<String> {
    value.map(|value| format!("{what} {value}"))
}

fn joined<const N: usize>(facts: [Option<String>; N]) -> String {
    facts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// One label and its value. Lines break between words, and a word that is alone too wide is cut.
fn labelled(label: &str, value: &str) -> impl Iterator<Item = String> {
    let first = iter::once(label.to_owned());
    let labels = first.chain(iter::repeat(String::new()));
    let lines = wrapped(value, WIDTH - VALUE_COLUMN);
    labels
        .zip(lines)
        .map(|(label, line)| format!("{label:VALUE_COLUMN$}{}", cut(&line, WIDTH - VALUE_COLUMN)))
}

#[cfg(test)]
mod tests;
