//! The rows that the table usually has.

/// A row: what people call it, and its persona.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// The language and its versions, in at most 19 characters.
    pub label: &'static str,
    /// The name of the persona.
    pub persona: &'static str,
}

const fn row(label: &'static str, persona: &'static str) -> Language {
    Language { label, persona }
}

/// The rows, languages of a kind together.
pub const LANGUAGES: &[Language] = &[
    row("Python ≤3.10", "python-3.10"),
    row("Python ≥3.11", "python-3.11"),
];

/// What people call a persona: the label of its row, or its name.
pub fn label_of(persona: &str) -> String {
    let mut rows = LANGUAGES.iter();
    let row = rows.find(|row| row.persona == persona);
    row.map_or(persona, |row| row.label).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    #[cfg(feature = "sim")]
    fn every_row_has_a_persona() {
        for row in LANGUAGES {
            let found = punctual_sim::personas::named(row.persona);
            assert!(found.is_ok(), "{}", row.persona);
        }
    }

    #[test]
    fn every_label_has_room_and_is_one_of_a_kind() {
        for row in LANGUAGES {
            assert!(row.label.chars().count() <= 19, "{}", row.label);
        }
        let labels: BTreeSet<_> = LANGUAGES.iter().map(|row| row.label).collect();
        assert_eq!(labels.len(), LANGUAGES.len());
    }
}
