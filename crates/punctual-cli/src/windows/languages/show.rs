//! What a cell of the table of languages is in words.

use punctual_data::quantity;
use punctual_lab::calls::When;
use punctual_lab::confidence::Confidence;
use punctual_lab::languages::{Cell, Question, Recording, Row};
use punctual_windows::confidence::text as confidence;

/// The mark of a row that nobody has read in the runtime's source.
const UNCHECKED: &str = "~";

/// Stands where a runtime does not run.
pub(super) const NOWHERE: &str = "–";

/// What the table is about.
pub fn title(recording: &Recording) -> String {
    let Question {
        length, at, with, ..
    } = &recording.question;
    let mut title = format!("What a wait of {} takes, in ms", quantity::show(*length));
    title += match at {
        When::Tight => ", in a tight loop",
        When::Random => ", begun at random moments",
        When::Aligned => ", begun just after a tick",
    };
    for companion in with {
        title += &format!(", with {companion}");
    }
    if recording.interrupted {
        title += " (stopped early)";
    }
    title
}

/// The short name of a machine, with its number if several have its version.
pub fn version(machines: &[String], index: usize) -> String {
    let short = |machine: &str| {
        let version = machine.split(',').next().unwrap_or_default();
        version.trim_start_matches("windows-").to_owned()
    };
    // A file may have more cells than machines.
    let Some(name) = machines.get(index).map(|machine| short(machine)) else {
        return "?".to_owned();
    };
    let like = |among: &[String]| among.iter().filter(|other| short(other) == name).count();
    match like(machines) {
        1 => name,
        _ => format!("{name}/{}", like(&machines[..=index])),
    }
}

/// The label of a row, with a mark if it was not read in the runtime's source.
pub fn marked_label(row: &Row) -> String {
    let mark = if row.checked { "" } else { UNCHECKED };
    format!("{}{mark}", row.label)
}

/// The mean with three digits or so, and the deviation if it shows.
pub fn cell(cell: &Cell) -> String {
    let ms = |nanos: u64| nanos as f64 / 1e6;
    let (mean, deviation) = (ms(cell.mean_ns), ms(cell.deviation_ns));
    let digits = match mean {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    let mean = format!("{mean:.digits$}");
    let deviation = match deviation {
        ..0.05 => return mean,
        ..9.95 => format!("{deviation:.1}"),
        _ => format!("{deviation:.0}"),
    };
    format!("{mean}±{deviation}")
}

pub(super) fn confidences(recording: &Recording) -> impl Iterator<Item = &Confidence> {
    let cells = recording
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().flatten());
    cells.map(|cell| &cell.confidence)
}

/// What the signs mean.
pub fn legend(recording: &Recording) -> Vec<String> {
    let mut legend = vec!["mean±standard deviation, if that is 0.05 or more".to_owned()];
    legend.extend(confidence::legend(confidences(recording)));
    if recording.rows.iter().any(|row| row.cells.contains(&None)) {
        legend.push(format!("{NOWHERE}: the runtime does not run there"));
    }
    if recording.rows.iter().any(|row| !row.checked) {
        legend.push(format!("{UNCHECKED}: not checked in the runtime's source"));
    }
    legend
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_lab::confidence::Level;

    fn shown(mean_us: u64, deviation_us: u64) -> String {
        cell(&Cell {
            count: 1,
            mean_ns: mean_us * 1_000,
            deviation_ns: deviation_us * 1_000,
            min_ns: 0,
            max_ns: 0,
            confidence: Confidence {
                level: Level::Inferred,
                case: None,
                rests_on: Vec::new(),
                unusual: Vec::new(),
            },
        })
    }

    #[test]
    fn a_cell_has_three_digits_and_the_deviation_that_shows() {
        assert_eq!(shown(1_953, 0), "1.95");
        assert_eq!(shown(9_996, 49), "10.0");
        assert_eq!(shown(15_625, 9_940), "15.6±9.9");
        assert_eq!(shown(15_625, 15_600), "15.6±16");
        assert_eq!(shown(250_400, 60), "250±0.1");
        assert!(
            [shown(15_625, 9_940), shown(99_900, 99_900)]
                .iter()
                // The columns of the table have ten.
                .all(|cell| { cell.chars().count() + 1 < 10 })
        );
    }

    #[test]
    fn machines_of_one_version_are_told_apart() {
        let machines = ["windows-7", "windows-7,processors=2", "windows-xp"].map(str::to_owned);
        let named: Vec<_> = (0..3).map(|index| version(&machines, index)).collect();
        assert_eq!(named, ["7/1", "7/2", "xp"]);
    }
}
