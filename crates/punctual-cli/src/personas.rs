//! `punctual personas`: which calls of Windows the waits of languages become.

mod show;

use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_lab::personas::{Persona, named, personas};
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

// The command line of `punctual personas`.

/// List the waits of languages and their runtimes, and the calls of Windows that they become.
///
/// A persona is one entry of a runtime in the versions that do the same: the call that it makes, how
/// it rounds a length, what it does if Windows ends the wait early, and what it requests of the timer
/// interval. Simulated machines run them by their names: as calls of 'sleep', methods of 'measure' and
/// ways of 'pace'.
///
/// Rows marked ✓ were read in the runtime's source. Rows marked ~ are believed: release notes, a
/// thread, or another file of the project say so.
#[derive(Debug, clap::Args)]
#[command(after_long_help = PERSONAS_EXAMPLES)]
pub struct PersonasArgs {
    /// A persona to show with all that is known about it [default: a list of all]
    #[arg(value_name = "NAME", value_parser = named)]
    pub name: Vec<Persona>,

    #[command(flatten)]
    pub format: FormatArgs,
}

const PERSONAS_EXAMPLES: &str = "\
Examples:
  punctual personas
  punctual personas python-3.10 python-3.11
  punctual sleep 1ms --call python-3.10 --on windows-10-2004
  punctual measure --method java-thread-sleep --on windows-11
  punctual pace --way go-ticker --on windows-10-2004";
