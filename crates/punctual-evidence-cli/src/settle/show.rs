//! What recordings exclude, for people and for an issue.

use punctual_data::clusters::near;
use punctual_data::markdown::Page;
use punctual_data::quantity::{self, percent};
use punctual_data::table::{Column, Table};
use punctual_data::text::{ATTENTION, Text, WIDTH, heading, notes, wrapped};
use punctual_evidence::settle::{Exclusion, Judgement, Side};
use punctual_lab::calls::{Question, Recording, SeriesRecord, When};
use punctual_lab::conditions::Load;
use serde_json::{Value, json};
use std::io;
use std::time::Duration;

/// Changes whenever a key changes its meaning or is removed.
const SCHEMA: &str = "punctual.settlement/2";

/// Recordings of one machine, and what they exclude.
pub struct Settlement {
    pub recordings: Vec<Recording>,
    pub judgement: Judgement,
}

impl Settlement {
    fn title(&self) -> String {
        let environment = self.recordings.first().map(|first| &first.environment);
        let facts = environment.map(|known| [known.system.as_deref(), known.kernel.as_deref()]);
        let facts: Vec<_> = facts.into_iter().flatten().flatten().collect();
        format!("What is settled on {}", facts.join(", "))
    }

    /// Whether no real machine was asked.
    fn is_simulated(&self) -> bool {
        self.recordings
            .iter()
            .any(|each| each.question.on.is_some())
    }

    fn sum(&self) -> String {
        let (left, all) = (self.judgement.left().count(), self.judgement.judged.len());
        match left {
            0 => format!(
                "None of {all} hypotheses remains: no rule that Punctual knows gives what was recorded. \
                 Please report it all the more."
            ),
            left => format!("{left} of {all} hypotheses remain."),
        }
    }

    /// What the figures leave out.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.is_simulated() {
            let remark = "the machine is simulated: this settles nothing about a real Windows";
            remarks.push(remark.to_owned());
        }
        let disturbed = self.recordings.iter().any(|each| {
            let known = &each.environment;
            let is_short = known.timer_interval_ns < known.timer_interval_maximum_ns;
            is_short && each.question.conditions.with.is_empty()
        });
        if disturbed {
            remarks.push(
                "another program requested a shorter timer interval, and that excludes less: close what \
                 plays sound or video, and browsers, and try once more"
                    .to_owned(),
            );
        }
        let changes = self
            .recordings
            .iter()
            .flat_map(|each| &each.environment_changes);
        remarks.extend(changes.cloned());
        remarks
    }

    fn values(&self) -> Table {
        let columns = vec![
            Column::left("hypothesis", 0),
            Column::left("verdict", 0),
            Column::left("by", 0),
        ];
        let values = self.judgement.values().into_iter();
        Table::of(columns).with(values.map(|(value, excluded)| {
            let by = excluded.map_or_else(String::new, figure);
            vec![value.to_owned(), verdict(excluded).to_owned(), by]
        }))
    }

    fn series(&self) -> impl Iterator<Item = (usize, &Recording, &SeriesRecord)> {
        let numbered = (1..).zip(&self.recordings);
        numbered.flat_map(|(number, recording)| {
            let series = recording.series.iter();
            series.map(move |series| (number, recording, series))
        })
    }

    fn measured(&self) -> Table {
        let columns = vec![
            Column::right("experiment", 0),
            Column::left("series", 0),
            Column::right("waits", 0),
            Column::right("mean", 0),
            Column::left("near", 0),
        ];
        Table::of(columns).with(self.series().map(|(number, _, series)| {
            vec![
                number.to_string(),
                name(series),
                series.durations_ns.len().to_string(),
                mean(series),
                near(&series.clusters, usize::MAX),
            ]
        }))
    }
}

/// What a machine was asked, in words.
pub fn asked(question: &Question) -> String {
    let schedule = &question.schedule;
    let lengths = schedule.lengths.iter();
    let lengths = Vec::from_iter(lengths.map(|&length| quantity::show(length))).join(" and ");
    let begun = match schedule.at {
        When::Tight => "one after the other",
        When::Random => "begun at random",
        When::Aligned => "begun after a tick",
    };
    let (calls, count) = (question.waiters.join(" and "), schedule.count);
    let mut text = format!("{calls} of {lengths}, {count} times, {begun}");
    if let Some(request) = question.request {
        text += &format!(", under its own request for {}", quantity::show(request));
    }
    for companion in &question.conditions.with {
        text += &format!(", beside {companion}");
    }
    if question.conditions.load != Load::None {
        text += &format!(", under the load {}", question.conditions.load);
    }
    text
}

fn verdict(excluded: Option<&Exclusion>) -> &'static str {
    match excluded {
        Some(_) => "excluded",
        None => "remains",
    }
}

/// The figure that excludes something.
fn figure(excluded: &Exclusion) -> String {
    let found = &excluded.difference;
    let only = match found.side {
        Side::Early => "",
        Side::Late => "only ",
    };
    format!(
        "experiment {}, {}: {only}{} of the waits took up to {}; predicted {}, tolerance {}",
        excluded.recording + 1,
        excluded.series,
        percent(found.recorded),
        quantity::show(found.up_to),
        percent(found.predicted),
        percent(found.tolerance),
    )
}

fn name(series: &SeriesRecord) -> String {
    let length = quantity::show(Duration::from_nanos(series.length_ns));
    format!("{} {length}", series.call)
}

fn mean(series: &SeriesRecord) -> String {
    let mean = series.mean_ns.map(Duration::from_nanos);
    mean.map_or_else(String::new, quantity::show)
}

impl Settlement {
    pub fn text(&self, out: &mut Text) -> io::Result<()> {
        const VALUE: usize = 30;
        if let Some(first) = self.recordings.first() {
            heading(out, "Machine")?;
            let lines = first.environment.lines();
            lines
                .iter()
                .try_for_each(|line| writeln!(out, "  {line}"))?;
        }
        heading(out, "What was recorded")?;
        for (number, recording, series) in self.series() {
            for (index, line) in wrapped(&asked(&recording.question), WIDTH - 3).enumerate() {
                match index {
                    0 => writeln!(out, "{number}  {line}")?,
                    _ => writeln!(out, "   {line}")?,
                }
            }
            let (mean, waits) = (mean(series), series.durations_ns.len());
            let (name, near) = (name(series), near(&series.clusters, WIDTH - 3));
            writeln!(out, "   {name}: mean {mean} of {waits} waits")?;
            writeln!(out, "   {near}")?;
        }
        heading(out, "What that says of the open rules")?;
        for (value, excluded) in self.judgement.values() {
            write!(out, "{value:VALUE$} ")?;
            match excluded {
                None => writeln!(out, "remains")?,
                Some(by) => {
                    out.styled(ATTENTION, "excluded")?;
                    writeln!(out)?;
                    for line in wrapped(&figure(by), WIDTH - 2) {
                        writeln!(out, "  {line}")?;
                    }
                }
            }
        }
        for line in wrapped(&self.sum(), WIDTH) {
            writeln!(out, "{line}")?;
        }
        notes(out, &self.remarks())?;
        if !self.is_simulated() {
            heading(out, "Please paste this into an issue of Punctual")?;
            self.page().write(out)?;
        }
        Ok(())
    }

    pub fn page(&self) -> Page {
        let questions = (1..).zip(&self.recordings).map(|(number, recording)| {
            format!("experiment {number}: {}", asked(&recording.question))
        });
        let mut remarks = vec![self.sum()];
        remarks.extend(questions);
        remarks.extend(self.remarks());
        let environment = self.recordings.first().map(|first| &first.environment);
        Page {
            title: self.title(),
            tables: vec![
                (String::new(), self.values()),
                ("Recorded".to_owned(), self.measured()),
            ],
            remarks,
            machine: environment.map_or_else(Vec::new, |known| known.lines()),
            ..Page::default()
        }
    }

    pub fn sheet(&self) -> Table {
        let names = "hypothesis excluded experiment series up_to_ns recorded_share \
                     predicted_share tolerance";
        let rows = self.judgement.judged.iter().map(|judged| {
            let mut row = vec![
                judged.hypothesis.to_string(),
                judged.excluded.is_some().to_string(),
            ];
            match &judged.excluded {
                None => row.extend(std::iter::repeat_n(String::new(), 6)),
                Some(by) => row.extend([
                    (by.recording + 1).to_string(),
                    by.series.clone(),
                    by.difference.up_to.as_nanos().to_string(),
                    by.difference.recorded.to_string(),
                    by.difference.predicted.to_string(),
                    by.difference.tolerance.to_string(),
                ]),
            }
            row
        });
        Table::sheet(names).with(rows)
    }

    /// As JSON.
    pub fn document(&self) -> Value {
        let judged = self.judgement.judged.iter().map(|judged| {
            json!({
                "hypothesis": judged.hypothesis.to_string(),
                "excluded": judged.excluded.as_ref().map(exclusion),
            })
        });
        let values = self.judgement.values().into_iter();
        let values = values.map(
            |(value, excluded)| json!({ "value": value, "excluded": excluded.map(exclusion) }),
        );
        json!({
            "schema": SCHEMA,
            "punctual_version": env!("CARGO_PKG_VERSION"),
            "version": self.judgement.version,
            "environment": self.recordings.first().map(|first| &first.environment),
            "simulated": self.is_simulated(),
            "questions": self.recordings.iter().map(|each| &each.question).collect::<Vec<_>>(),
            "remaining": self.judgement.left().count(),
            "values": values.collect::<Vec<_>>(),
            "hypotheses": judged.collect::<Vec<_>>(),
            "remarks": self.remarks(),
        })
    }
}

fn exclusion(by: &Exclusion) -> Value {
    let found = &by.difference;
    json!({
        "experiment": by.recording + 1,
        "series": by.series,
        "side": match found.side {
            Side::Early => "early",
            Side::Late => "late",
        },
        "up_to_ns": u64::try_from(found.up_to.as_nanos()).unwrap_or(u64::MAX),
        "recorded_share": found.recorded,
        "predicted_share": found.predicted,
        "tolerance": found.tolerance,
    })
}
