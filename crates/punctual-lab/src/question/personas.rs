//! Whether a question's personas can wait on its machine.

use super::{Kind, Refusal, Simulated};

/// Refuses personas that are asked of this computer, or of a Windows that their runtime does not run
/// on.
#[cfg(feature = "sim")]
pub(crate) fn ensure_personas(
    kind: Kind,
    names: &[String],
    on: Option<&Simulated>,
) -> Result<(), Refusal> {
    let found = names.iter().map(|name| crate::personas::named(name));
    for persona in found.flatten() {
        let machine = on.map(|simulated| simulated.machine.as_str());
        let version = machine.map(|machine| machine.split(',').next().unwrap_or(machine));
        if version.is_none_or(|version| !persona.runs_on(version)) {
            return Err(Refusal::Persona {
                kind,
                name: persona.id,
                earliest: persona.earliest_windows,
            });
        }
    }
    Ok(())
}

/// Without simulated machines there are no personas: their names are unknown.
#[cfg(not(feature = "sim"))]
pub(crate) fn ensure_personas(_: Kind, _: &[String], _: Option<&Simulated>) -> Result<(), Refusal> {
    Ok(())
}
