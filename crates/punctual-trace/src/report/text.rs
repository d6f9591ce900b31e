//! A report as text, at most 80 columns wide.

mod answer;
mod lanes;
mod lateness;
mod stacks;
mod timeline;
mod worst;

pub use answer::{answer, counted};
pub use lateness::{table as lateness_table, write as lateness};
pub use timeline::draw as timeline;
pub use worst::list as worst;

use super::{Report, named};
use punctual_data::quantity::nanos;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, cut, wrapped};
use std::io;

/// How many wake-ups are explained, and on which processors they were.
///
/// # Errors
/// When the text cannot be written.
pub fn counts(out: &mut Text, report: &Report) -> io::Result<()> {
    let explained = report.explained();
    write!(out, "  {explained} of {} explained", report.of)?;
    if explained > 0 {
        let (exact, ambiguous) = (report.exact, report.ambiguous);
        write!(out, ": {exact} exact, {ambiguous} ambiguous")?;
    }
    writeln!(out, "{}", on_processors(&report.processors))?;
    for row in &report.unexplained {
        for line in wrapped(
            &format!("{} not explained: {}", row.count, row.because),
            WIDTH - 2,
        ) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

fn on_processors(processors: &[u16]) -> String {
    let list: Vec<_> = processors.iter().map(u16::to_string).collect();
    match list.as_slice() {
        [] => String::new(),
        [one] => format!("; on processor {one}"),
        several => format!("; on processors {}", several.join(", ")),
    }
}

/// The width of the columns before the numbers: a cause, and a name of a thread with some room.
const LEFT_WIDTH: usize = 45;

/// The causes that took most of the lateness.
pub fn causes(report: &Report, most: usize) -> Table {
    let rows = || report.causes.iter().take(most);
    let longest_cause = rows().map(|row| row.cause.name().len()).max();
    let cause_width = longest_cause.unwrap_or_default().max(14) + 1;
    let occupant_width = LEFT_WIDTH - cause_width;
    let columns = vec![
        Column::left("cause", cause_width),
        Column::left("occupant", occupant_width),
        Column::right("times", 7),
        Column::right("total", 10),
        Column::right("longest", 10),
        Column::right("share", 7),
    ];
    Table::of(columns).with(rows().map(|row| {
        let occupant = named(&row.occupant, row.priority.as_ref());
        vec![
            row.cause.to_string(),
            cut(&occupant, occupant_width - 1),
            row.wakeups.to_string(),
            nanos(row.total_ns),
            nanos(row.longest_ns),
            format!("{:.1}%", row.share * 100.0),
        ]
    }))
}

/// How many causes that table leaves out.
pub fn left_out(report: &Report, most: usize) -> Option<String> {
    let more = report.causes.len().checked_sub(most + 1)?;
    Some(format!(
        "and {} more; --long shows each wake-up, --json all",
        more + 1
    ))
}

/// All causes, for programs.
pub fn sheet(report: &Report) -> Table {
    let names = "cause occupant priority wakeups runs total_ns max_ns longest_ns share";
    Table::sheet(names).with(report.causes.iter().map(|row| {
        vec![
            row.cause.to_string(),
            row.occupant.clone(),
            row.priority.clone().unwrap_or_default(),
            row.wakeups.to_string(),
            row.runs.to_string(),
            row.total_ns.to_string(),
            row.max_ns.to_string(),
            row.longest_ns.to_string(),
            row.share.to_string(),
        ]
    }))
}
