//! Text from elsewhere does nothing, whichever way it comes and goes: it is shown escaped, on
//! standard output, on standard error and in pages.

mod arguments;
mod damage;
mod recordings;
mod traces;

use crate::command::Punctual;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::{fs, str};

pub const PUNCTUAL: Punctual = Punctual(&[]);

/// Everything that a terminal, a spreadsheet, Markdown, a page or a reader could take for something
/// else than text, without spaces.
pub const HOSTILE: &str = "=A1+B1\u{1b}]0;owned\u{7}\u{1b}[35m\r\n\tFORGED\u{8}\u{7f}\u{9b}2J\u{ad}\
    \u{61c}\u{200b}\u{202e}\u{2028}\u{2066}\u{feff}\u{e0041}|<b>`@you";

/// What of it is shown as text, on a page and in CSV.
pub const SHOWN: &str = r"\u{1b}]0;owned\u{7}\u{1b}[35m";
/// The same in Markdown.
const SHOWN_IN_MARKDOWN: &str = r"\\u{1b}\]0;owned\\u{7}\\u{1b}\[35m";

/// Our own styles.
const STYLES: [&str; 6] = ["0", "1", "4", "31", "32", "33"];

/// Whether a character could do something, or would not be seen.
fn is_dangerous(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Checks what was printed or written, and returns it without our own styles.
#[track_caller]
pub fn harmless(printed: &[u8]) -> String {
    let mut text = str::from_utf8(printed).expect("output is UTF-8").to_owned();
    for style in STYLES {
        text = text.replace(&format!("\u{1b}[{style}m"), "");
    }
    for line in text.lines() {
        assert!(!line.chars().any(is_dangerous), "{line:?}");
        assert!(!line.trim_start().starts_with("FORGED"), "{line:?}");
    }
    text
}

/// What a command said: whether it succeeded, and its standard output and standard error.
pub struct Said {
    pub succeeded: bool,
    pub printed: String,
    pub complained: String,
}

/// Runs a command as if it printed to a terminal. What it says is harmless.
#[track_caller]
pub fn run(command: &mut Command) -> Said {
    let output = command.env("CLICOLOR_FORCE", "1").output().unwrap();
    let [printed, complained] = [output.stdout, output.stderr].map(|said| harmless(&said));
    assert!(!complained.contains("panicked"), "{complained}");
    Said {
        succeeded: output.status.success(),
        printed,
        complained,
    }
}

/// Runs a command that fails, and shows what it was given.
#[track_caller]
pub fn quotes(command: &mut Command) {
    let said = run(command);
    assert!(!said.succeeded, "{}", said.printed);
    assert!(said.complained.contains(SHOWN), "{}", said.complained);
}

/// Runs a command that shows the hostile text, in each of its formats.
#[track_caller]
pub fn shows_in_all_formats(arguments: &[&str]) {
    for (format, shown) in [
        (&[][..], SHOWN),
        (&["--markdown"], SHOWN_IN_MARKDOWN),
        (&["--csv"], SHOWN),
    ] {
        let said = run(&mut PUNCTUAL.with(&[arguments, format].concat()));
        assert!(said.succeeded, "{}", said.complained);
        let text = said.printed;
        assert!(text.contains(shown), "{format:?}: {text}");
        match format {
            ["--markdown"] => {
                assert!(!text.contains("<b>") && !text.contains("@you"), "{text}");
            }
            ["--csv"] => no_cell_is_a_formula(&text),
            _ => {}
        }
    }
    shows_in_json(arguments);
}

/// JSON has the value itself.
#[track_caller]
pub fn shows_in_json(arguments: &[&str]) {
    let said = run(&mut PUNCTUAL.with(&[arguments, &["--json"]].concat()));
    assert!(said.succeeded, "{}", said.complained);
    assert!(
        has(&serde_json::from_str(&said.printed).unwrap()),
        "{}",
        said.printed
    );
}

fn has(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(HOSTILE),
        Value::Array(values) => values.iter().any(has),
        Value::Object(values) => values.values().any(has),
        _ => false,
    }
}

#[track_caller]
fn no_cell_is_a_formula(sheet: &str) {
    let mut reader = csv::Reader::from_reader(sheet.as_bytes());
    for row in reader.records() {
        for cell in &row.unwrap() {
            let is_text = cell.parse::<f64>().is_err();
            assert!(
                !(is_text && cell.starts_with(['=', '+', '-', '@'])),
                "{cell}"
            );
        }
    }
}

/// A page or a picture is as harmless as what is printed, and markup that is well-formed.
#[track_caller]
pub fn harmless_page(page: &Path) -> String {
    let page = harmless(&fs::read(page).unwrap());
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let parsed = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let mut elements = parsed.descendants();
    assert!(elements.all(|element| !element.has_tag_name("b")), "{page}");
    page
}

/// A page that shows the hostile text.
#[track_caller]
pub fn page_shows(page: &Path) {
    let page = harmless_page(page);
    assert!(page.contains(SHOWN), "{page}");
}
