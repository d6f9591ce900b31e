//! The tables, at most 80 columns wide.

use super::Report;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        let reading = &self.reading;
        writeln!(
            f,
            "\n{} events in {:.1} MB{:20} million events a second",
            reading.events,
            reading.bytes as f64 / 1e6,
            ""
        )?;
        for (what, rate) in [
            ("from pages to events", &reading.events_per_second),
            (
                "from pages to explained wake-ups",
                &reading.explained_events_per_second,
            ),
        ] {
            writeln!(f, "  {what:40} {}", rate.shown(1e6, 2))?;
        }
        match &self.cost_unknown {
            Some(reason) => writeln!(f, "\nThe cost of a trace was not measured: {reason}")?,
            None => self.costs(f)?,
        }
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))
    }
}

impl Report {
    fn costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{:12} {:>6} {:>20} {:>20} {:>18}",
            "1 kHz", "waits", "p50 untraced, µs", "p50 traced, µs", "ratio"
        )?;
        for row in &self.cost {
            writeln!(
                f,
                "{:12} {:>6} {:>20} {:>20} {:>18}",
                row.name,
                row.waits_each,
                row.untraced_p50_ns.shown(1e3, 1),
                row.traced_p50_ns.shown(1e3, 1),
                row.ratio.shown(1.0, 3),
            )?;
        }
        writeln!(f, "Medians of the turns' medians, with their ranges.")
    }
}
