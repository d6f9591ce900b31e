//! The command lines that cases of the evidence name: each asks a simulated machine the case's question.

use crate::command::punctual;
use crate::effort;
use punctual_evidence::sources;
use std::collections::BTreeSet;
use std::thread;

/// Enough to show that the question can be asked.
const FEW: [(&str, [&str; 2]); 3] = [
    ("sleep", ["--count", "20"]),
    ("measure", ["--count", "20"]),
    ("pace", ["--duration", "1s"]),
];

/// The words after `punctual`, for a short answer.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<_> = line.split(' ').skip(1).map(str::to_owned).collect();
    let few = FEW.into_iter().find(|(command, _)| words[0] == *command);
    if let Some((_, few)) = few.filter(|(_, few)| !words.iter().any(|word| word == few[0])) {
        words.extend(few.map(str::to_owned));
    }
    if words[0] == "clocks"
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
    let cases = sources().into_iter().flat_map(|source| source.case);
    let lines: BTreeSet<_> = cases.flat_map(|case| case.ask).collect();
    assert!(lines.len() > 50, "{}", lines.len());
    let lines = Vec::from_iter(lines.into_iter().step_by(effort(3, 1) as usize));
    let halves = lines.split_at(lines.len() / 2);
    let refused = thread::scope(|scope| {
        let other = scope.spawn(|| failing(halves.1));
        [failing(halves.0), other.join().unwrap()].concat()
    });
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
