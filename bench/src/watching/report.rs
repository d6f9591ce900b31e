//! The tables, at most 80 columns wide.

use super::Report;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.machine, self.command)?;
        writeln!(
            f,
            "\n{:12} {:20} {:>6} {:>20} {:>18}",
            "1 kHz", "beside it", "waits", "p50, µs", "ratio"
        )?;
        for row in &self.lateness {
            writeln!(
                f,
                "{:12} {:20} {:>6} {:>20} {:>18}",
                row.way,
                row.stage.name(),
                row.waits,
                row.p50_ns.shown(1e3, 1),
                row.ratio.shown(1.0, 3),
            )?;
        }
        writeln!(f, "Medians of the turns' medians, with their ranges.\n")?;
        for share in &self.shares {
            writeln!(
                f,
                "{:20} {:.2} % of one processor, {:.2} % of each",
                share.stage.name(),
                share.of_one_processor * 100.0,
                share.of_each_processor * 100.0
            )?;
        }
        if let Some(busy) = &self.busy {
            writeln!(
                f,
                "\nUnder load, the recorder costs per 100,000 events, ms: {}",
                busy.milliseconds_per_100_000.shown(1.0, 1)
            )?;
            writeln!(
                f,
                "  {:.0} events; processor time without, ms: {}; with: {}",
                busy.events_each.median,
                busy.untraced_seconds.shown(1e-3, 0),
                busy.traced_seconds.shown(1e-3, 0)
            )?;
        }
        if let Some(reason) = &self.recorder_unknown {
            writeln!(f, "\nThe flight recorder was not measured: {reason}")?;
        }
        writeln!(f, "\nAims")?;
        self.aims.iter().try_for_each(|aim| write!(f, "{aim}"))
    }
}
