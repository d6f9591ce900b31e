//! Which calls of Windows the waits of languages become, as a list.

use super::Persona;
use crate::SCHEMA;
use punctual_data::markdown::Page;
use punctual_data::show::Show;
use punctual_data::table::Table;
use punctual_data::text::{Text, beside, heading};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::io;

/// The personas to show.
pub struct Personas {
    /// Those of one runtime stand together.
    pub personas: Vec<Persona>,
    /// Whether each is shown with all that is known about it.
    pub is_long: bool,
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

// Personas as a list, and one with all that is known about it.

/// The width of a name and its mark, with the spaces after them.
const NAME: usize = 30;
/// The width of what stands before a fact.
const FACT: usize = 10;

impl Show for Personas {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        match self.is_long {
            true => self
                .personas
                .iter()
                .try_for_each(|persona| facts(out, persona)),
            false => list(out, &self.personas),
        }
    }

    fn page(&self) -> Page {
        Page {
            title: "The waits of languages on Windows".to_owned(),
            tables: vec![(String::new(), table(&self.personas))],
            ..Page::default()
        }
    }

    fn sheet(&self) -> Table {
        table(&self.personas)
    }
}

fn mark(persona: &Persona) -> char {
    if persona.checked { '✓' } else { '~' }
}

/// One line each, under the names of their runtimes.
fn list(out: &mut Text, personas: &[Persona]) -> io::Result<()> {
    for group in personas.chunk_by(|one, other| one.runtime == other.runtime) {
        heading(out, group[0].runtime)?;
        for persona in group {
            let text = format!("{}; {}", persona.entry, persona.versions);
            let name = format!("{} {}", mark(persona), persona.id);
            beside(out, &name, NAME, &text)?;
        }
    }
    writeln!(out)?;
    writeln!(out, "✓ read in the runtime's source, ~ believed")?;
    writeln!(
        out,
        "'punctual windows personas NAME' shows the calls, clocks and requests of one"
    )
}

fn facts(out: &mut Text, persona: &Persona) -> io::Result<()> {
    heading(
        out,
        &format!("{}: {} {}", persona.id, persona.runtime, persona.entry),
    )?;
    let asks = match persona.fallback() {
        Some(fallback) => format!("{}; where there is none, {fallback}", asks(persona)),
        None => asks(persona),
    };
    let checked = match persona.checked {
        true => "✓ read in the source",
        false => "~ believed",
    };
    let sources = persona.sources.join("; ");
    let earliest = format!("{} and later", persona.earliest_windows);
    for (name, text) in [
        ("versions", persona.versions),
        ("Windows", &earliest),
        ("asks", &asks),
        ("early", &persona.early()),
        ("request", &persona.request()),
        ("row", checked),
        ("source", &sources),
        ("note", persona.note),
    ] {
        beside(out, name, FACT, text)?;
    }
    Ok(())
}

fn asks(persona: &Persona) -> String {
    format!("{}, rounded {}", persona.call(), persona.rounding())
}

fn table(personas: &[Persona]) -> Table {
    let names = [
        "persona", "runtime", "entry", "versions", "from", "asks", "fallback", "early", "request",
        "row", "sources", "note",
    ];
    Table::wide(names).with(personas.iter().map(|persona| {
        vec![
            persona.id.to_owned(),
            persona.runtime.to_owned(),
            persona.entry.to_owned(),
            persona.versions.to_owned(),
            persona.earliest_windows.to_owned(),
            asks(persona),
            persona.fallback().unwrap_or_default().to_owned(),
            persona.early(),
            persona.request(),
            mark(persona).to_string(),
            persona.sources.join("; "),
            persona.note.to_owned(),
        ]
    }))
}
