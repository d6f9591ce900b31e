//! The documents show what the command prints: blocks between `<!-- generated:` and `<!-- end -->` whose command is
//! `punctual-evidence`. To renew them: `PUNCTUAL_BLESS=1 cargo test -p punctual-evidence-cli documents::`

use crate::{run, stdout};
use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- generated:\n";
const END: &str = "<!-- end -->";

/// What a block shows of a command's output: all of it, or the paragraph that the line before the command names by its
/// number (`paragraphs 3`) or as the `last`. Nothing of another command.
fn shown(recipe: &str) -> Option<String> {
    let (chosen, command) = recipe.rsplit_once('\n').unwrap_or(("", recipe));
    let mut words = command.strip_prefix("punctual-evidence ")?.split(' ');
    let output = run(words.next().unwrap(), &Vec::from_iter(words));
    assert!(output.status.success(), "{command}");
    let text = stdout(&output);
    let text = text.trim_matches('\n');
    let mut paragraphs = text.split("\n\n");
    let shown = match chosen.strip_prefix("paragraphs ") {
        Some(number) => paragraphs.nth(number.parse::<usize>().unwrap() - 1),
        None if chosen == "last" => paragraphs.last(),
        None => Some(text),
    };
    Some(shown.unwrap().to_owned())
}

/// A document with every block of this command made again, and how many there are.
fn renewed(document: &str) -> (String, usize) {
    let (mut renewed, mut rest, mut blocks) = (String::new(), document, 0);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (recipe, body) = after.split_once("\n-->\n").unwrap();
        let (old, after) = body.split_once(END).unwrap();
        let new = shown(recipe).map(|shown| format!("```text\n{shown}\n```\n"));
        blocks += usize::from(new.is_some());
        let new = new.as_deref().unwrap_or(old);
        renewed += &format!("{before}{BEGIN}{recipe}\n-->\n{new}{END}");
        rest = after;
    }
    (renewed + rest, blocks)
}

#[test]
fn what_the_documents_show_is_what_the_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = 0;
    for file in ["README.md", "docs/settling.md"] {
        let file = root.join(file);
        let document = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
        let (wanted, blocks) = renewed(&document);
        all += blocks;
        if std::env::var_os("PUNCTUAL_BLESS").is_some() {
            fs::write(&file, wanted).unwrap();
        } else {
            assert!(wanted == document, "{} is stale", file.display());
        }
    }
    assert_eq!(all, 2);
}
