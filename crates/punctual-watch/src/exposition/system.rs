//! What the system says about itself.

use super::{Number, Value};
use crate::board::{Reading, Readings};
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;
use std::fmt;

/// Writes all readings. Those of one name stand together.
pub fn encode(out: &mut DescriptorEncoder<'_>, readings: &Readings) -> fmt::Result {
    if !readings.facts.is_empty() {
        let facts: Vec<_> = readings
            .facts
            .iter()
            .map(|(&name, fact)| (name, Value(fact)))
            .collect();
        out.encode_descriptor(
            "machine",
            "What machine this is, and how it is set up.",
            None,
            MetricType::Info,
        )?
        .encode_info(&facts)?;
    }
    for (index, reading) in readings.numbers.iter().enumerate() {
        let is_told = readings.numbers[..index]
            .iter()
            .any(|earlier| earlier.name == reading.name);
        if !is_told {
            let same = readings.numbers[index..]
                .iter()
                .filter(|later| later.name == reading.name);
            family(out, reading, same)?;
        }
    }
    Ok(())
}

/// One family of readings. One that is not a finite number is not told: no reader has a use for it.
fn family<'a>(
    out: &mut DescriptorEncoder<'_>,
    first: &Reading,
    all: impl Iterator<Item = &'a Reading>,
) -> fmt::Result {
    let unit = first.unit.map(|unit| match unit {
        "seconds" => Unit::Seconds,
        "bytes" => Unit::Bytes,
        other => Unit::Other(other.to_owned()),
    });
    let number = |value| match first.rises {
        true => Number::Rises(value),
        false => Number::Is(value),
    };
    let kind = number(0.0).kind();
    let mut family =
        out.encode_descriptor(first.name, &sentence(first.help), unit.as_ref(), kind)?;
    for reading in all.filter(|reading| reading.value.is_finite()) {
        let labels: Vec<_> = reading
            .labels
            .iter()
            .map(|(name, value)| (*name, Value(value)))
            .collect();
        match labels.is_empty() {
            true => number(reading.value).encode(&mut family)?,
            false => number(reading.value).encode(&mut family.encode_family(&labels)?)?,
        }
    }
    Ok(())
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    let stop = if text.ends_with('.') { "" } else { "." };
    let text: String = first.into_iter().chain(chars).collect();
    text + stop
}
