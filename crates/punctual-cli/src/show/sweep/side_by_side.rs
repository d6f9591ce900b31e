//! Several machines: a row per request, a column per machine.

use super::{Curve, WIDTH, mark, mean, short_ms, wrapped};
use punctual_lab::simulated::sweep::MachineSweep;
use std::io::{self, Write};

/// Columns of a request: the longest that is likely, `0.5001`, and some air.
const REQUEST: usize = 10;
/// Columns of a machine: the longest label, `10-2004/2`, and a mark after a mean.
const MACHINE: usize = 9;

pub(super) fn table(
    out: &mut dyn Write,
    machines: &[MachineSweep],
    labels: &[String],
    curves: &[Curve],
) -> io::Result<()> {
    if machines
        .iter()
        .any(|machine| machine.machine != machine.version)
    {
        for (machine, label) in machines.iter().zip(labels) {
            describe(out, label, &machine.machine)?;
        }
    }
    let head: Vec<_> = labels
        .iter()
        .map(|label| format!("{label:>MACHINE$} "))
        .collect();
    writeln!(out, "{:REQUEST$}{}", "requested", head.concat().trim_end())?;
    for (index, row) in machines[0].rows.iter().enumerate() {
        let mut line = format!("{:>6} ms ", short_ms(row.requested_ns));
        for machine in machines {
            let row = &machine.rows[index];
            line += &format!("{:>MACHINE$}{}", mean(row), mark(row));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    let glyph = |label: &String| {
        let mut curves = curves.iter();
        let curve = curves.find(|curve| curve.labels.contains(label));
        curve.map_or(' ', |curve| curve.glyph)
    };
    let glyphs: Vec<_> = labels
        .iter()
        .map(|label| format!("{:>MACHINE$} ", glyph(label)))
        .collect();
    writeln!(out, "{:REQUEST$}{}", "drawn as", glyphs.concat().trim_end())
}

/// What a label stands for, hardware and settings included.
fn describe(out: &mut dyn Write, label: &str, machine: &str) -> io::Result<()> {
    let mut label = label;
    let machine = machine.replace(',', ", ");
    for line in wrapped(&machine, WIDTH - MACHINE - 1) {
        writeln!(out, "{label:MACHINE$} {line}")?;
        label = "";
    }
    Ok(())
}
