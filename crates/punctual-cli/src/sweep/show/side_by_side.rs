//! Several machines: a row per request, a column per machine.

use super::{Curve, mean, short_ms};
use crate::show::confidence;
use punctual_data::escape::escaped;
use punctual_data::table::{Column, Table};
use punctual_data::text::{Text, WIDTH, wrapped};
use punctual_lab::sweep::MachineSweep;
use std::io;

/// The width of a request: the longest that is likely, `0.5001`, and some space.
const REQUEST: usize = 10;
/// The width of a machine: the longest label, `10-2004/2`, and a sign after a mean.
const MACHINE: usize = 9;

pub(super) fn write(
    out: &mut Text,
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
    let mut table = table(machines, labels);
    let glyph = |label: &String| {
        let mut curves = curves.iter();
        let curve = curves.find(|curve| curve.labels.contains(label));
        format!("{} ", curve.map_or(' ', |curve| curve.glyph))
    };
    let drawn_as = ["symbol".to_owned()].into_iter();
    table.push(drawn_as.chain(labels.iter().map(glyph)).collect());
    table.text(out)
}

pub(super) fn table(machines: &[MachineSweep], labels: &[String]) -> Table {
    let mut columns = vec![Column::left("requested", REQUEST)];
    // A sign may stand after a mean.
    let names = labels.iter().map(|label| format!("{label} "));
    columns.extend(names.map(|name| Column::right(&name, MACHINE + 1)));
    let rows = machines[0].rows.iter().enumerate().map(|(index, row)| {
        let request = format!("{:>6} ms ", short_ms(row.requested_ns));
        let means = machines.iter().map(|machine| {
            let row = &machine.rows[index];
            format!(
                "{}{:1}",
                mean(row),
                confidence::sign(row.confidence.as_ref())
            )
        });
        [request].into_iter().chain(means).collect()
    });
    Table::of(columns).with(rows)
}

/// The machine behind a label, with its hardware and settings.
fn describe(out: &mut Text, label: &str, machine: &str) -> io::Result<()> {
    let mut label = escaped(label);
    let machine = machine.replace(',', ", ");
    for line in wrapped(&machine, WIDTH - MACHINE - 1) {
        writeln!(out, "{label:MACHINE$} {line}")?;
        label = "".into();
    }
    Ok(())
}
