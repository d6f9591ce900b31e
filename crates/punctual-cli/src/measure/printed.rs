//! What a schedule's recordings show.

use super::flags::AsFlags;
use punctual_data::table::Table;
use punctual_data::text::Text;
use punctual_lab::confidence::Confidence;
use punctual_lab::recording::Recording;
use punctual_lab::waiters::Waiter;
use std::io;
use std::time::Duration;

/// The figures of a series under one value of a varied condition.
pub const FIGURES: usize = 4;

/// The most rows of the table without `--long`: with its head and title it has 25 lines.
pub const MOST_ROWS: usize = 23;

/// What a schedule's recordings show.
pub trait Printed: AsFlags {
    /// The answer in a sentence or two, if anything was measured.
    fn answer(recording: &Recording<Self>) -> Option<String>;

    fn title(recording: &Recording<Self>) -> String;

    /// The series that have something to show.
    fn measured(recording: &Recording<Self>) -> Vec<&Self::Record>;

    /// By what the best are found.
    fn rank(series: &Self::Record) -> f64;

    /// A row per series.
    fn table(series: &[&Self::Record]) -> Table;

    /// The names of the figures of a [row](Self::row).
    const FIGURES: [&'static str; FIGURES];

    /// The name of a series, and its figures in nanoseconds. The first decides under which value of a condition it is best, and
    /// the second between equals.
    fn row<'a>(
        recording: &Recording<Self>,
        series: &'a Self::Record,
    ) -> (String, [u64; FIGURES], Option<&'a Confidence>);

    /// What a series does, with its first figure.
    fn said(figure: &str) -> String;

    /// What else there is, as tables with their titles.
    fn more(recording: &Recording<Self>) -> Vec<(String, Table)>;

    /// The same for a terminal.
    fn write_more(recording: &Recording<Self>, out: &mut Text) -> io::Result<()>;

    /// How far figures can be trusted, if they are predictions.
    fn predicted(recording: &Recording<Self>) -> Vec<(String, &Confidence)> {
        let measured = Self::measured(recording).into_iter();
        let named = measured.filter_map(|series| {
            let (name, _, said) = Self::row(recording, series);
            Some((name, said?))
        });
        named.collect()
    }

    /// What to know about it, apart from what the machine lacks. Some of it depends on the waiters.
    fn remarks(recording: &Recording<Self>, facts: &[Fact]) -> Vec<String>;

    fn sheet(recording: &Recording<Self>) -> Table;
}

/// What remarks need of a waiter.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    pub name: &'static str,
    /// Whether timer slack delays it.
    pub slack_applies: bool,
    /// The unit in which it takes lengths.
    pub unit: Option<Duration>,
}

impl<M> From<&Waiter<M>> for Fact {
    fn from(waiter: &Waiter<M>) -> Self {
        Self {
            name: waiter.name,
            slack_applies: waiter.slack_applies,
            unit: waiter.lengths.map(|(unit, _)| unit),
        }
    }
}
