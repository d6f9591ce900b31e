//! What can be asked: a line for each name of a wait, a condition, a machine, a format and a flag, with a seeded
//! question and figures of its answer.
//!
//! A name or a command may change, and its line with it. The figures stay.

mod library;
mod list;

use crate::command::punctual;
use crate::os::IS_LINUX;
use list::Line;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;

const LINES: &str = include_str!("../can-be-asked.tsv");

/// The lines that are about this system.
fn lines() -> impl Iterator<Item = Line> {
    Line::all(LINES).filter(|line| IS_LINUX || !line.kind.starts_with("linux-"))
}

/// What a command says, on whichever stream, or what a file has.
fn said(command: &str) -> String {
    if let Some(file) = command.strip_prefix("file ") {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        return fs::read_to_string(file).unwrap();
    }
    let mut asked = punctual();
    asked.env("COLUMNS", "80");
    asked.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = asked
        .args(command.split_whitespace().skip(1))
        .output()
        .unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn what_could_be_asked_has_the_same_answer() {
    let mut commands: BTreeMap<_, Vec<Line>> = BTreeMap::new();
    for line in lines().filter(|line| line.kind != "library") {
        commands.entry(line.asked).or_default().push(line);
    }
    assert!(commands.len() > 300, "{}", commands.len());
    let commands = Vec::from_iter(commands);
    let wrong = |commands: &[(&str, Vec<Line>)]| {
        let mut wrong = Vec::new();
        for (command, lines) in commands {
            let answer = said(command);
            wrong.extend(lines.iter().filter_map(|line| line.lacks(&answer)));
        }
        wrong
    };
    let (one, other) = commands.split_at(commands.len() / 2);
    let wrong = thread::scope(|scope| {
        let one = scope.spawn(|| wrong(one));
        [wrong(other), one.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The names that a refusal lists.
fn listed(command: &str, after: &str) -> Vec<String> {
    let said = said(command);
    let (_, names) = said.split_once(after).expect(command);
    let names = names.split(['\n', ';']).next().unwrap_or_default();
    names.split(", ").map(str::to_owned).collect()
}

/// The flags of a command and of its subcommands, each with the command's words.
fn flags(command: &str, into: &mut BTreeSet<String>) {
    let help = said(&format!("punctual {command} --help"));
    let mut below = false;
    for line in help.lines() {
        below = (below || line == "Commands:") && !line.is_empty();
        let indented = line
            .strip_prefix("  ")
            .filter(|text| !text.starts_with(' '));
        let name = indented.and_then(|text| text.split(' ').next());
        // The help of the watch is another program's, which may not be there.
        if let Some(name) = name.filter(|name| below && !["help", "watch"].contains(name)) {
            flags(format!("{command} {name}").trim_start(), into);
        }
        let flag = line.trim_start().trim_start_matches("-q, ");
        let flag = flag.split(' ').next().unwrap_or_default();
        if line.starts_with("  ") && flag.starts_with("--") {
            into.insert(format!("{command} {flag}"));
        }
    }
}

/// What the program itself says that there is.
fn names() -> BTreeSet<(&'static str, String)> {
    let mut names = BTreeSet::new();
    for (command, kind) in [
        ("measure --method", "deadline"),
        ("measure --beat --method", "beat"),
        ("measure --for --method", "call"),
    ] {
        let simulated = listed(
            &format!("punctual {command} none --on windows-11"),
            "there are ",
        );
        names.extend(simulated.into_iter().map(|name| (kind, name)));
    }
    let machines: Value = serde_json::from_str(&said("punctual windows rules --json")).unwrap();
    let each = |of: &str| machines[of].as_array().unwrap().clone();
    let name = |of: &Value| of["name"].as_str().unwrap().to_owned();
    names.extend(
        each("machines")
            .iter()
            .map(|machine| ("machine", name(machine))),
    );
    for rule in each("rules") {
        let values = rule["values"].as_array().unwrap();
        names.extend(values.iter().map(|value| {
            (
                "rule",
                format!("{}={}", name(&rule), value.as_str().unwrap()),
            )
        }));
    }
    let personas = said("punctual windows personas --csv");
    let personas = personas
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').next());
    names.extend(personas.map(|persona| ("persona", persona.to_owned())));
    let mut all = BTreeSet::new();
    flags("", &mut all);
    names.extend(all.into_iter().map(|flag| ("flag", flag)));
    names
}

#[test]
fn every_name_is_on_the_list() {
    let list: BTreeSet<_> = lines()
        .map(|line| (line.kind, line.name.to_owned()))
        .collect();
    let names = names();
    assert!(names.len() > 320, "{}", names.len());
    let missing: Vec<_> = names.difference(&list).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
