//! The documents show what the command prints and draws. Every block between `<!-- generated:` and
//! `<!-- end -->` of README.md and of docs/ is made again and compared. The lines of the first
//! comment are commands, which run one after the other:
//!
//! - a final `>FILE` keeps a command's output for the following commands;
//! - a file that a command writes into `docs/` is a picture, which the block shows;
//! - all other output of a command is text in the block. A line `paragraphs N...` before the
//!   commands selects paragraphs of it, counted from 1;
//! - a block whose command is `punctual-evidence` is made by the tests of that command.
//!
//! Everything is simulated or recorded, so it is the same on every machine. To renew all of it:
//! `PUNCTUAL_BLESS=1 cargo test -p punctual-cli --test cli readme::`

mod faults;
mod formats;
mod links;

use crate::command::punctual;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- generated:\n";
const BEGIN_END: &str = "-->\n";
const END: &str = "<!-- end -->";
const RENEW: &str = "PUNCTUAL_BLESS=1 cargo test -p punctual-cli --test cli readme::";

/// The folder of the documents. The names in their commands are relative to it.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README.md and the files in docs/, relative to the root.
fn documents() -> Vec<String> {
    let in_docs = files_in("docs").into_iter();
    let documents = in_docs.filter(|name| name.ends_with(".md"));
    ["README.md".to_owned()]
        .into_iter()
        .chain(documents)
        .collect()
}

fn files_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| format!("{folder}/{}", name(entry.unwrap())))
        .collect();
    names.sort();
    names
}

/// Files of a folder and of those below it, relative to the root. Build results and hidden files
/// are left out.
fn files_below(folder: &str, is_wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = Path::new(folder).join(&name);
        let is_folder = root().join(&path).is_dir();
        if is_folder && name != "target" && !name.starts_with('.') {
            files.extend(files_below(path.to_str().unwrap(), is_wanted));
        } else if !is_folder && is_wanted(&name) {
            files.push(path);
        }
    }
    files
}

/// A checkout may have its system's line ends.
fn read(path: &Path) -> String {
    let text = fs::read_to_string(path);
    text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n")
}

/// The parts of a block.
#[derive(Debug, Default, PartialEq)]
struct Recipe {
    paragraphs: Vec<usize>,
    /// Of another command, whose tests make it.
    is_of_another: bool,
    commands: Vec<CommandLine>,
}

/// A command without its first word, and the file for its output.
#[derive(Debug, PartialEq)]
struct CommandLine {
    words: Vec<String>,
    kept_as: Option<String>,
}

impl Recipe {
    fn parse(text: &str) -> Self {
        let mut recipe = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let mut words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            let first = words.remove(0);
            if first == "paragraphs" {
                let numbers = words.iter().map(|number| number.parse().unwrap());
                recipe.paragraphs = numbers.collect();
                continue;
            }
            if ["last", "punctual-evidence"].contains(&first.as_str()) {
                recipe.is_of_another = true;
                continue;
            }
            assert_eq!(first, "punctual", "not a command of ours: {line}");
            let kept_as = words
                .last()
                .and_then(|word| word.strip_prefix('>'))
                .map(str::to_owned);
            words.truncate(words.len() - usize::from(kept_as.is_some()));
            recipe.commands.push(CommandLine { words, kept_as });
        }
        recipe
    }

    /// The requested parts of the output, in that order.
    fn chosen(&self, printed: &str) -> String {
        if self.paragraphs.is_empty() {
            return printed.trim_matches('\n').to_owned();
        }
        let paragraphs: Vec<_> = printed.trim_matches('\n').split("\n\n").collect();
        let chosen = self.paragraphs.iter().map(|number| {
            let chosen = paragraphs.get(number - 1);
            *chosen.unwrap_or_else(|| panic!("there is no paragraph {number} in:\n{printed}"))
        });
        chosen.collect::<Vec<_>>().join("\n\n")
    }
}

/// The results of a block's commands.
struct Made {
    /// The output that was not kept in a file.
    text: String,
    /// Names relative to the root, and contents.
    pictures: Vec<(String, String)>,
}

/// What commands printed that name no file, by their words: several blocks show parts of the same.
type Printed = BTreeMap<Vec<String>, String>;

/// Runs the commands in a folder that looks like the root, as far as they name its files.
fn make(recipe: &Recipe, folder: &Path, known: &mut Printed) -> Made {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    let mut made = Made {
        text: String::new(),
        pictures: Vec::new(),
    };
    for command in &recipe.commands {
        for word in &command.words {
            let (here, there) = (folder.join(word), root().join(word));
            let is_picture = here.extension() == Some(OsStr::new("svg"));
            if is_picture || there.is_file() {
                fs::create_dir_all(here.parent().unwrap()).unwrap();
            }
            if there.is_file() && !is_picture && !here.exists() {
                fs::copy(there, here).unwrap();
            }
        }
        let names_files = command.words.iter().any(|word| word.contains('.'));
        let printed = match known.get(&command.words).filter(|_| !names_files) {
            Some(printed) => printed.clone(),
            None => printed_by(&command.words, folder),
        };
        if !names_files {
            known.insert(command.words.clone(), printed.clone());
        }
        match &command.kept_as {
            Some(name) => fs::write(folder.join(name), printed).unwrap(),
            None => made.text += &printed,
        }
        let pictures = command.words.iter().filter(|word| word.ends_with(".svg"));
        made.pictures
            .extend(pictures.map(|name| (name.clone(), read(&folder.join(name)))));
    }
    made
}

fn printed_by(words: &[String], folder: &Path) -> String {
    let output = punctual().args(words).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "punctual {}: {said}",
        words.join(" ")
    );
    String::from_utf8(output.stdout).unwrap()
}

/// A document with every block made again, and its pictures.
fn renewed(name: &str, folder: &Path, known: &mut Printed) -> (String, Vec<(String, String)>) {
    let document = read(&root().join(name));
    let (mut renewed, mut pictures) = (String::new(), Vec::new());
    let mut rest = document.as_str();
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let unclosed = || panic!("{name}: a block without '{END}':\n{after}");
        let (recipe, body) = after.split_once(BEGIN_END).unwrap_or_else(unclosed);
        let (shown, after) = body.split_once(END).unwrap_or_else(unclosed);
        let parsed = Recipe::parse(recipe);
        if parsed.is_of_another {
            renewed += &format!("{before}{BEGIN}{recipe}{BEGIN_END}{shown}{END}");
            rest = after;
            continue;
        }
        let made = make(&parsed, folder, known);
        renewed += &format!("{before}{BEGIN}{recipe}{BEGIN_END}");
        if made.pictures.is_empty() {
            renewed += &format!("```text\n{}\n```\n", parsed.chosen(&made.text));
        } else {
            renewed += shown;
        }
        renewed += END;
        for (picture, drawn) in made.pictures {
            // From a document in docs/, the name is relative to docs/.
            let file = picture.trim_start_matches("docs/");
            assert!(
                shown.contains(file),
                "{name}: {picture} is drawn, and not shown"
            );
            pictures.push((picture, drawn));
        }
        rest = after;
    }
    (renewed + rest, pictures)
}

#[test]
fn what_the_documents_show_is_what_the_command_prints_and_draws() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let (mut wanted, mut known) = (Vec::new(), Printed::new());
    for name in documents() {
        let (document, pictures) = renewed(&name, &folder, &mut known);
        wanted.push((name, document));
        wanted.extend(pictures);
    }
    let drawn: BTreeSet<_> = wanted.iter().map(|(name, _)| name.clone()).collect();
    for picture in files_in("docs/pictures") {
        assert!(drawn.contains(&picture), "no document draws {picture}");
    }
    let is_renewing = std::env::var_os("PUNCTUAL_BLESS").is_some();
    let mut stale = Vec::new();
    for (name, wanted) in wanted {
        let file = root().join(&name);
        if file.is_file() && read(&file) == wanted {
            continue;
        }
        if is_renewing {
            fs::write(&file, wanted).unwrap();
        } else {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "not what the command prints or draws any more: {}. If the change is meant, renew all of it \
         with\n  {RENEW}\nand look at it",
        stale.join(", ")
    );
}

#[test]
fn recipes_are_read() {
    let recipe =
        Recipe::parse("paragraphs 2 1\npunctual doctor --json >a.json\npunctual windows rules\n");
    let command = |words: &[&str], kept_as: Option<&str>| CommandLine {
        words: words.iter().map(|&word| word.to_owned()).collect(),
        kept_as: kept_as.map(str::to_owned),
    };
    let commands = vec![
        command(&["doctor", "--json"], Some("a.json")),
        command(&["windows", "rules"], None),
    ];
    assert_eq!(
        recipe,
        Recipe {
            paragraphs: vec![2, 1],
            commands,
            ..Recipe::default()
        }
    );
    assert_eq!(recipe.chosen("\none\n1\n\ntwo\n\nthree\n"), "two\n\none\n1");
}
