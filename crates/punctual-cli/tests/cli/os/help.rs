//! The help of every command, as it is kept in `tests/help`: a change of it is seen in review. To renew it:
//! `PUNCTUAL_BLESS=1 cargo test -p punctual-cli --test cli help`. Elsewhere the ways of waiting have other names.

#![cfg(all(feature = "sim", target_os = "linux"))]

use crate::command::{fits_80_columns, punctual};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What fits a screen.
const SCREEN: usize = 50;

fn help(command: &str, flag: &str) -> String {
    let mut asked = punctual();
    asked.env("COLUMNS", "80");
    let output = asked.args(command.split_whitespace()).arg(flag).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

/// The commands below one, which its help lists.
fn below(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The help of a command and of those below it, short and long.
fn helps(command: &str) -> String {
    let (short, long) = (help(command, "-h"), help(command, "--help"));
    fits_80_columns(&long);
    let lines = short.lines().count();
    assert!(lines <= SCREEN, "punctual {command} -h has {lines} lines");
    let mut all = format!("$ punctual {command} -h\n{short}\n$ punctual {command} --help\n{long}");
    for name in below(&short) {
        all += &format!("\n{}", helps(&format!("{command} {name}")));
    }
    all
}

#[test]
fn help_names_only_commands_that_there_are() {
    let commands = below(&help("", "-h"));
    for command in commands.iter().filter(|name| *name != "watch") {
        let text = helps(command);
        let words: Vec<_> = text.split_whitespace().collect();
        for pair in words
            .windows(2)
            .filter(|pair| pair[0].ends_with("'punctual"))
        {
            let named = pair[1].trim_end_matches(|last: char| !last.is_alphabetic());
            let is_there = commands.iter().any(|name| name == named);
            assert!(is_there, "the help of '{command}' names 'punctual {named}'");
        }
    }
}

#[test]
fn the_help_of_every_command_is_kept_and_the_short_one_fits_a_screen() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let commands = below(&help("", "-h"));
    // The help of the watch is another program's.
    let commands = commands.iter().filter(|name| *name != "watch");
    let now = commands.map(|name| (format!("{name}.txt"), helps(name)));
    let now: BTreeMap<_, _> = now.collect();
    assert!(now.len() >= 9, "{:?}", now.keys());
    if std::env::var_os("PUNCTUAL_BLESS").is_some() {
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        now.iter()
            .for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    }
    let kept = fs::read_dir(&folder).unwrap().map(|file| {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        (name, fs::read_to_string(file.path()).unwrap())
    });
    let kept: BTreeMap<_, _> = kept.collect();
    let names = now.keys().chain(kept.keys());
    let stale: BTreeSet<_> = names
        .filter(|name| now.get(*name) != kept.get(*name))
        .collect();
    assert!(
        stale.is_empty(),
        "tests/help has another help than the command: {stale:?}"
    );
}
