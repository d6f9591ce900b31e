//! What could be asked of the command `punctual` before this one was a program of its own, and its figures.

#[path = "../../../punctual-cli/tests/cli/can_be_asked/list.rs"]
mod list;

use super::{run, stdout};
use list::Line;

#[test]
fn what_could_be_asked_has_the_same_answer() {
    let lines: Vec<_> = Line::all(include_str!("../can-be-asked.tsv")).collect();
    assert!(lines.len() > 30, "{}", lines.len());
    let wrong = lines.iter().filter_map(|line| {
        let words: Vec<_> = line.asked.split(' ').collect();
        line.lacks(&stdout(&run(words[0], &words[1..])))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
