//! `punctual personas`: which calls of Windows the waits of languages become.

mod flags;
mod show;

pub use flags::PersonasArgs;

use punctual_command::failure::Failure;
use punctual_lab::personas::{Persona, personas};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::process::ExitCode;

/// The schema that this version writes.
const SCHEMA: &str = "punctual.personas/1";

/// The personas to show.
pub struct Personas {
    personas: Vec<Persona>,
    /// Whether each is shown with all that is known about it.
    is_long: bool,
}

/// Runs the command.
pub fn run(args: &PersonasArgs) -> Result<ExitCode, Failure> {
    let is_long = !args.name.is_empty();
    let personas = match is_long {
        true => args.name.clone(),
        false => personas(),
    };
    crate::show::in_format(args.format, &Personas { personas, is_long })?;
    Ok(ExitCode::SUCCESS)
}

impl Serialize for Personas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let personas = self.personas.iter().map(persona).collect::<Vec<_>>();
        let document = json!({ "schema": SCHEMA, "personas": personas });
        document.serialize(serializer)
    }
}

fn persona(persona: &Persona) -> Value {
    json!({
        "name": persona.id,
        "runtime": persona.runtime,
        "entry": persona.entry,
        "versions": persona.versions,
        "earliest_windows": persona.earliest_windows,
        "checked": persona.checked,
        "sources": persona.sources,
        "note": (!persona.note.is_empty()).then_some(persona.note),
        "call": persona.call(),
        "fallback": persona.fallback(),
        "rounding": persona.rounding(),
        "early": persona.early(),
        "request": persona.request(),
        "has_schedule": persona.is_periodic(),
    })
}
