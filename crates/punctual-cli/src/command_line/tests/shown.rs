//! Command lines in documents, packages and the GitHub action: each is one that this version reads.

use super::{Args, parsed};
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};

/// Where command lines are shown, relative to the root.
const PLACES: [&str; 8] = [
    "README.md",
    "action.yml",
    ".github",
    "bench/README.md",
    "crates",
    "docs",
    "fleet",
    "packaging",
];

/// A file, or those below a folder that people or services read.
fn files(place: &Path) -> Vec<PathBuf> {
    if place.is_dir() {
        let entries = fs::read_dir(place).unwrap();
        return entries
            .flat_map(|entry| files(&entry.unwrap().path()))
            .collect();
    }
    let end = place.extension().and_then(|end| end.to_str());
    let is_read = ["md", "yml", "yaml", "service", "conf"].contains(&end.unwrap_or_default());
    is_read.then(|| place.to_owned()).into_iter().collect()
}

/// The command lines of a text: those within backquotes, and lines that are nothing else.
fn shown(text: &str, is_markdown: bool) -> Vec<String> {
    let mut is_block = !is_markdown;
    let mut all = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        is_block ^= is_markdown && line.starts_with("```");
        let within = line.split('`').skip(1).step_by(2);
        let whole = is_block.then_some(line.trim());
        all.extend(within.chain(whole).filter_map(|line| {
            let line = line.strip_prefix("sudo ").unwrap_or(line);
            // A row of a table has more spaces.
            let words = line.strip_prefix("punctual ")?;
            (!words.starts_with(' ')).then(|| words.to_owned())
        }));
    }
    all
}

/// The words up to what is the shell's. What only stands for a value is left out.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
            continue;
        }
        for word in part.split_whitespace() {
            if word.starts_with(['|', '>', '<', '#', '&', ';']) {
                return words;
            }
            let stands_for_one =
                |word: &str| word == "…" || word.chars().all(|shown| shown.is_ascii_uppercase());
            if !stands_for_one(word) {
                words.push(word.trim_matches('"').to_owned());
            }
        }
    }
    words
}

/// What is wrong with a line, if it is not only that something is left out.
fn wrong(line: &str) -> Option<clap::Error> {
    let error = parsed(&words(line)).err()?;
    let empty = ContextValue::String(String::new());
    let left_out = match error.kind() {
        ErrorKind::InvalidValue => error.get(ContextKind::InvalidValue) == Some(&empty),
        kind => matches!(
            kind,
            ErrorKind::DisplayHelp
                | ErrorKind::MissingRequiredArgument
                | ErrorKind::TooFewValues
                | ErrorKind::WrongNumberOfValues
        ),
    };
    (!left_out).then_some(error)
}

#[test]
fn every_command_line_that_is_shown_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut count, mut problems) = (0, Vec::new());
    for file in PLACES.iter().flat_map(|place| files(&root.join(place))) {
        let text = fs::read_to_string(&file).unwrap();
        let mut text = text.replace("\r\n", "\n");
        if file.ends_with("docs/commands.md") {
            // Its first column has names of earlier versions.
            let second = text.lines().filter_map(|line| line.splitn(3, '|').nth(2));
            text = second.collect::<Vec<_>>().join("\n");
        }
        let is_markdown = file.extension().is_some_and(|end| end == "md");
        for line in shown(&text, is_markdown) {
            count += 1;
            let problem = wrong(&line);
            problems.extend(problem.map(|error| format!("{}: {line}: {error}", file.display())));
        }
    }
    assert!(count > 100, "{count}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_flag_that_the_action_gives_is_one_of_its_command() {
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.github/action");
    for name in ["measure", "run"] {
        let script = fs::read_to_string(action.join(name)).unwrap();
        let is_given = |line: &&str| line.contains("arguments=(") || line.contains("arguments+=(");
        let given: String = script.lines().filter(is_given).collect();
        assert!(given.contains(&format!("({name} ")), "{given}");
        let command = Args::command();
        let command = command.find_subcommand(name).unwrap();
        let mut flags = given
            .split(['(', ')', ' '])
            .filter_map(|word| word.strip_prefix("--"));
        let is_one = |flag: &str| {
            command
                .get_arguments()
                .any(|one| one.get_long() == Some(flag))
        };
        assert_eq!(flags.find(|flag| !is_one(flag)), None);
    }
}
