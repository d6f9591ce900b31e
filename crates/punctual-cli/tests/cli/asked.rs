//! The command lines that cases of the evidence name: each asks a simulated machine the case's question.

use crate::command::punctual;
use crate::effort;
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, thread};

/// Enough to show that the question can be asked.
const FEW: [(&str, [&str; 2]); 2] = [
    ("--beat", ["--duration", "1s"]),
    ("measure", ["--count", "20"]),
];

/// The command lines that the files of cases have.
fn lines() -> BTreeSet<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../punctual-evidence/cases");
    let mut lines = BTreeSet::new();
    for file in fs::read_dir(cases).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let quoted = text.split('"').filter(|part| part.starts_with("punctual "));
        lines.extend(quoted.map(str::to_owned));
    }
    lines
}

/// The words after `punctual`, for a short answer.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<_> = line.split(' ').skip(1).map(str::to_owned).collect();
    let few = FEW
        .into_iter()
        .find(|(word, _)| words.iter().any(|said| said == word));
    if let Some((_, few)) = few.filter(|(_, few)| !words.iter().any(|word| word == few[0])) {
        words.extend(few.map(str::to_owned));
    }
    if words.get(1).is_some_and(|word| word == "clocks")
        && let Some(on) = words.iter().position(|word| word == "--on")
    {
        // Clocks of one processor are not compared with another's, which takes as long as all else.
        words[on + 1] += ",processors=1";
    }
    words
}

/// Those that are refused, or fail.
fn failing(lines: &[String]) -> Vec<String> {
    let run = |line: &String| {
        let words = words(line);
        let output = punctual().args(&words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        (!output.status.success()).then(|| format!("{line}: {said}"))
    };
    lines.iter().filter_map(run).collect()
}

#[test]
fn every_case_is_asked_by_the_commands_that_it_names() {
    let lines = lines();
    assert!(lines.len() > 50, "{}", lines.len());
    let lines = Vec::from_iter(lines.into_iter().step_by(effort(3, 1) as usize));
    let halves = lines.split_at(lines.len() / 2);
    let refused = thread::scope(|scope| {
        let other = scope.spawn(|| failing(halves.1));
        [failing(halves.0), other.join().unwrap()].concat()
    });
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
