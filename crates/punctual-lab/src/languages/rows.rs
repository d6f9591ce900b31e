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
    row("asyncio ≤3.12", "python-3.12-asyncio"),
    row("asyncio ≥3.13", "python-3.13-asyncio"),
    row("Go 1.14–1.15", "go-1.15"),
    row("Go 1.16–1.22", "go-1.16"),
    row("Go ≥1.23", "go-1.23"),
    row("Java Thread.sleep", "java-thread-sleep"),
    row("Java parkNanos", "java-park-nanos"),
    row(".NET Thread.Sleep", "dotnet-thread-sleep"),
    row(".NET ≤6 Task.Delay", "dotnet-6-task-delay"),
    row(".NET ≥7 Task.Delay", "dotnet-7-task-delay"),
    row("Node setTimeout", "node"),
    row("Deno setTimeout", "deno"),
    row("Rust ≤1.74", "rust-1.74"),
    row("Rust ≥1.75", "rust-1.75"),
    row("Rust tokio", "tokio"),
    row("C++ MSVC ≤17.8", "msvc"),
    row("C++ MSVC ≥17.9", "msvc-17.9"),
    row("C++ MinGW", "mingw"),
    row("C++ Boost.Thread", "boost-thread"),
    row("SDL2 SDL_Delay", "sdl2"),
    row("SDL3 SDL_Delay", "sdl3"),
    row("Ruby sleep", "ruby"),
    row("PHP usleep", "php"),
    row("Perl select", "perl-select"),
    row("Lua LuaSocket", "lua-socket"),
    row("Julia sleep", "julia"),
    row("Erlang receive", "erlang"),
    row("OCaml Thread.delay", "ocaml"),
    row("Zig sleep", "zig"),
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
    fn every_row_has_a_persona() {
        for row in LANGUAGES {
            let found = punctual_windows::personas::named(row.persona);
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
