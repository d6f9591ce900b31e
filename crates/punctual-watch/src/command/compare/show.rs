//! Two groups of machines compared, as tables.

use punctual_data::markdown::Page;
use punctual_data::quantity;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, notes, titled, wrapped};
use punctual_watch::fleet::comparison::Group;
use punctual_watch::fleet::{Address, Compared, Comparison, Question};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::io;
use std::time::Duration;

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.fleet-comparison/1";

/// A question and its answer.
pub struct Found {
    pub question: Question,
    pub prometheus: Address,
    pub comparison: Comparison,
}

impl Found {
    fn title(&self) -> String {
        let what = match self.question.deadlines {
            true => "Lateness per deadline",
            false => "Lateness per wake-up",
        };
        let method = self.question.method.as_ref();
        let method = method.map_or_else(String::new, |method| format!(" of {method}"));
        let window = quantity::show_asked(self.question.window);
        format!("{what}{method}, the last {window}")
    }

    fn groups(&self) -> [(&'static str, String, &Group); 2] {
        let (asked, found) = (&self.question, &self.comparison);
        [
            ("match", asked.matching.to_string(), &found.matching),
            ("against", asked.against.to_string(), &found.against),
        ]
    }

    fn machines(&self, widths: [usize; 5]) -> Table {
        let [name, machines, silent, waits, selector] = widths;
        let columns = vec![
            Column::of_rows("group", name),
            Column::right("machines", machines),
            Column::right("silent", silent),
            Column::right("wake-ups", waits),
            Column::left("  labels", selector),
        ];
        Table::of(columns).with(self.groups().map(|(name, selector, group)| {
            vec![
                name.to_owned(),
                group.machines.to_string(),
                group.silent.to_string(),
                counted(group.wake_ups),
                format!("  {selector}"),
            ]
        }))
    }

    fn percentiles(&self, widths: [usize; 6]) -> Table {
        let [name, matching, against, ratio, interval, verdict] = widths;
        let columns = vec![
            Column::of_rows("percentile", name),
            Column::right("match", matching),
            Column::right("against", against),
            Column::right("ratio", ratio),
            Column::right("95 % interval", interval),
            Column::left("  match is", verdict),
        ];
        let rows = self.comparison.percentiles.iter().map(|found| {
            let (from, to) = found.ratio.interval;
            vec![
                found.percentile.to_string(),
                seconds(found.matching),
                seconds(found.against),
                format!("{:.2}", found.ratio.ratio),
                format!("{from:.2} to {to:.2}"),
                format!("  {}", found.ratio.verdict().name()),
            ]
        });
        Table::of(columns).with(rows)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let found = &self.comparison;
        if found.in_both > 0 {
            remarks.push(format!(
                "{} machines were in both groups within the window, and are left out",
                found.in_both
            ));
        }
        if found.matching.silent + found.against.silent > 0 {
            remarks.push(
                "silent machines had too few wake-ups in the window for the highest percentile"
                    .to_owned(),
            );
        }
        remarks
    }
}

/// A number of wake-ups in three digits.
fn counted(count: f64) -> String {
    match count {
        ..1e4 => format!("{count:.0}"),
        ..1e6 => format!("{:.0} k", count / 1e3),
        ..1e9 => format!("{:.1} M", count / 1e6),
        _ => format!("{:.1} G", count / 1e9),
    }
}

/// Seconds of a histogram are at most a few and never negative.
fn seconds(seconds: f64) -> String {
    quantity::show(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

impl Found {
    /// As text for a terminal.
    pub fn text(&self, out: &mut Text) -> io::Result<()> {
        titled(out, &self.title())?;
        for (name, selector, group) in self.groups() {
            let (machines, wake_ups) = (group.machines, counted(group.wake_ups));
            let silent = match group.silent {
                0 => String::new(),
                silent => format!(", {silent} silent"),
            };
            writeln!(
                out,
                "{name:8} {machines} machines{silent}, {wake_ups} wake-ups"
            )?;
            for line in wrapped(&selector, WIDTH - 9) {
                writeln!(out, "{:8} {line}", "")?;
            }
        }
        writeln!(out)?;
        self.percentiles([8, 10, 10, 7, 16, 16]).text(out)?;
        notes(out, &self.remarks())
    }

    /// As Markdown for an issue tracker.
    pub fn page(&self) -> Page {
        Page {
            title: self.title(),
            tables: vec![
                (String::new(), self.percentiles([0; 6])),
                ("Machines".to_owned(), self.machines([0; 5])),
            ],
            remarks: self.remarks(),
            ..Page::default()
        }
    }

    /// As CSV for a spreadsheet.
    pub fn sheet(&self) -> Table {
        let names = "percentile match_machines against_machines match_s against_s ratio \
                     ratio_from ratio_to verdict";
        let found = &self.comparison;
        let rows = found.percentiles.iter().map(|compared| {
            vec![
                compared.percentile.to_string(),
                found.matching.machines.to_string(),
                found.against.machines.to_string(),
                compared.matching.to_string(),
                compared.against.to_string(),
                compared.ratio.ratio.to_string(),
                compared.ratio.interval.0.to_string(),
                compared.ratio.interval.1.to_string(),
                compared.ratio.verdict().name().to_owned(),
            ]
        });
        Table::sheet(names).with(rows)
    }
}

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (asked, found) = (&self.question, &self.comparison);
        let [matching, against] = self.groups().map(|(_, selector, group)| {
            json!({
                "selector": selector,
                "machines": group.machines,
                "silent": group.silent,
                "wake_ups": group.wake_ups,
            })
        });
        json!({
            "schema": SCHEMA,
            "punctual_version": env!("CARGO_PKG_VERSION"),
            "prometheus": self.prometheus.to_string(),
            "window_s": asked.window.as_secs(),
            "end_unix_s": found.end,
            "lateness_per": if asked.deadlines { "deadline" } else { "wake-up" },
            "method": asked.method,
            "seed": asked.seed,
            "confidence": punctual_watch::fleet::resampling::CONFIDENCE,
            "match": matching,
            "against": against,
            "machines_in_both": found.in_both,
            "percentiles": found.percentiles.iter().map(compared).collect::<Vec<_>>(),
        })
        .serialize(serializer)
    }
}

fn compared(found: &Compared) -> Value {
    let (from, to) = found.ratio.interval;
    json!({
        "percentile": found.percentile.to_string(),
        "match_s": found.matching,
        "against_s": found.against,
        "ratio": found.ratio.ratio,
        "interval": [from, to],
        "verdict": found.ratio.verdict().name(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_wake_ups_have_three_digits() {
        for (count, shown) in [
            (0.0, "0"),
            (9_999.0, "9999"),
            (86_400.0, "86 k"),
            (1.2345e8, "123.5 M"),
            (3e9, "3.0 G"),
        ] {
            assert_eq!(counted(count), shown);
        }
    }
}
