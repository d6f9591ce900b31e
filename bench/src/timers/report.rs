//! The tables, at most 80 columns wide.

use super::workload::{Figures, SPAN};
use super::{Report, Row};
use std::fmt;

/// As long as the longest name there is.
const NAME: usize = 29;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        let mut timers = 0;
        for row in &self.rows {
            if row.timers != timers {
                timers = row.timers;
                writeln!(f, "\n{}", heading(timers))?;
            }
            writeln!(f, "{row}")?;
        }
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))?;
        writeln!(
            f,
            "\n\
             Nanoseconds for each operation, medians of the rounds; ± is half of what lies\n\
             between the least and the most. Churn is to cancel one of all and insert\n\
             another. Deadlines are spread evenly over {} s, to the nanosecond; those marked\n\
             ms round them to milliseconds. Bytes are what is allocated for each timer.",
            SPAN.as_secs()
        )
    }
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

    fn rows() -> Vec<Row> {
        let wide = |ns: f64| Figures {
            insert_ns: ns,
            cancel_ns: ns,
            churn_ns: ns,
            expire_ns: ns,
            bytes: 99_999.0,
        };
        let rounds = [wide(9_000.0), wide(9_999.0)];
        let row = |contender: &super::super::Contender| contender.row(1_000_000, &rounds, &rounds);
        CONTENDERS
            .iter()
            .map(|contender| row(contender).unwrap())
            .collect()
    }

    #[test]
    fn everything_fits_eighty_columns() {
        let rows = rows();
        let lines = rows.iter().map(Row::to_string).chain([heading(10_000_000)]);
        for line in lines.chain(aims::of(&rows).iter().map(ToString::to_string)) {
            assert!(line.trim_end().chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn aims_compare_with_the_best_of_the_others() {
        let aims = aims::of(&rows());
        let values: Vec<_> = aims.iter().map(|aim| (aim.value, aim.reached)).collect();
        assert_eq!(values, [(Some(1.0), false), (Some(1.0), true)]);
    }
}
