//! The tables, at most 80 columns wide.

use super::Row;
use super::workload::{Figures, SPAN};
use crate::aim::Aim;
use crate::machine::{Invocation, Machine};
use std::{fmt, iter};

/// As long as the longest name there is.
const NAME: usize = 29;

/// What comes first.
pub fn beginning(machine: &Machine, command: &Invocation) -> String {
    format!("{machine}\n{command}")
}

/// All with one number of timers; nothing without any.
pub fn table(rows: &[Row]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let heading = format!("\n{}", heading(first.timers));
    let lines = iter::once(heading).chain(rows.iter().map(Row::to_string));
    lines.collect::<Vec<_>>().join("\n")
}

/// What comes last.
pub fn end(aims: &[Aim]) -> String {
    let aims: String = aims.iter().map(Aim::to_string).collect();
    format!(
        "\nAims\n{aims}\n\
         Nanoseconds per operation: medians of the rounds, ± half the range. churn:\n\
         cancel one timer and insert another. Deadlines are spread evenly over {} s, to\n\
         the nanosecond; structures marked ms round them to milliseconds. bytes: memory\n\
         allocated per timer.",
        SPAN.as_secs()
    )
}

fn heading(timers: u64) -> String {
    let columns = ["insert", "cancel", "churn", "expire"].map(|column| format!("{column:>10}"));
    format!(
        "{:<NAME$}   {} {:>6}",
        format!("{timers} timers"),
        columns.concat(),
        "bytes"
    )
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.granularity_ns == 1 { "  " } else { "ms" };
        write!(f, "{:<NAME$} {unit}", self.structure)?;
        for time in [
            |figures: &Figures| figures.insert_ns,
            |figures: &Figures| figures.cancel_ns,
            |figures: &Figures| figures.churn_ns,
            |figures: &Figures| figures.expire_ns,
        ] {
            let half = (time(&self.highest) - time(&self.lowest)) / 2.0;
            write!(f, " {:>5.0}±{half:<3.0}", time(&self.medians))?;
        }
        write!(f, " {:>6.0}", self.medians.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::CONTENDERS;
    use super::*;
    use crate::timers::aims;
    use crate::timers::rounds::Rounds;

    fn rows(timers: u64) -> Vec<Row> {
        let mut rounds = Rounds::new(timers, CONTENDERS.iter());
        for ns in [9_000.0, 9_999.0] {
            let wide = Figures {
                insert_ns: ns,
                cancel_ns: ns,
                churn_ns: ns,
                expire_ns: ns,
                bytes: 99_999.0,
            };
            (0..CONTENDERS.len()).for_each(|place| rounds.add(place, wide));
        }
        rounds.rows()
    }

    #[test]
    fn everything_fits_eighty_columns() {
        let aims = aims::of(&rows(1_000_000));
        let text = [table(&rows(10_000_000)), end(&aims)].join("\n");
        assert!(text.lines().count() > 2 * CONTENDERS.len());
        for line in text.lines() {
            assert!(line.trim_end().chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn aims_compare_with_the_best_of_the_others() {
        let aims = aims::of(&rows(1_000_000));
        let values: Vec<_> = aims.iter().map(|aim| (aim.value, aim.reached)).collect();
        assert_eq!(values, [(Some(1.0), false), (Some(1.0), true)]);
    }
}
