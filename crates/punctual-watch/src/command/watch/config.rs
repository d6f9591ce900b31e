//! The file of `--config`: the flags, one in a line, as `rate = 100`.

use super::flags::SettingArgs;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Args, Command};
use punctual_command::arguments;
use punctual_command::failure::Failure;
use punctual_command::input;
use punctual_data::escape::{self, escaped};
use std::path::Path;

/// A few dozen lines.
const LONGEST: u64 = 1 << 20;

/// A line of a file, understood.
#[derive(Debug)]
pub struct Setting {
    /// The parser's name of the flag.
    pub id: String,
    /// The line as a word of the command line.
    pub word: String,
    line: usize,
}

/// Reads a file of settings. Each has a value that it can have.
pub fn read(file: &Path) -> Result<Vec<Setting>, Failure> {
    let name = escape::path(file);
    let text = input::text(file, LONGEST)
        .map_err(|error| Failure::flag("--config", format!("cannot read {name}: {error}")))?;
    parse(&text)
        .map_err(|(line, problem)| Failure::Usage(format!("{name}, line {line}: {problem}")))
}

/// The settings of a text, or a line and what is wrong with it.
fn parse(text: &str) -> Result<Vec<Setting>, (usize, String)> {
    let command = SettingArgs::augment_args(Command::new("settings"));
    let mut command = command.no_binary_name(true).disable_help_flag(true);
    let mut settings: Vec<Setting> = Vec::new();
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let wrong = |problem| (line, problem);
        let (flag, word) = flag_and_word(&command, text).map_err(wrong)?;
        let id = flag.get_id().to_string();
        let before = settings.iter().find(|before| before.id == id);
        if let Some(before) = before.filter(|_| !matches!(flag.get_action(), ArgAction::Append)) {
            let (name, line) = (flag.get_long().unwrap_or_default(), before.line);
            return Err(wrong(format!(
                "'{name}' is in line {line}, too; it is given once"
            )));
        }
        match arguments::matches(&mut command, &[word.clone().into()]) {
            // What a setting needs beside it may stand anywhere.
            Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
                return Err(wrong(in_a_line(&error)));
            }
            _ => settings.push(Setting { id, word, line }),
        }
    }
    Ok(settings)
}

/// The flag that a line sets, and the line as a word of the command line.
fn flag_and_word<'a>(command: &'a Command, line: &str) -> Result<(&'a Arg, String), String> {
    let Some((name, value)) = line.split_once('=') else {
        let line = escaped(line);
        return Err(format!(
            "'{line}' is not a setting; write one such as rate = 100"
        ));
    };
    let (name, value) = (name.trim(), value.trim());
    let names = |flag: &'a Arg| flag.get_long_and_visible_aliases().unwrap_or_default();
    let Some(flag) = command
        .get_arguments()
        .find(|flag| names(flag).contains(&name))
    else {
        let all: Vec<_> = command.get_arguments().flat_map(names).collect();
        let (name, all) = (escaped(name), all.join(", "));
        return Err(format!("there is no setting '{name}'; there are {all}"));
    };
    match value.is_empty() {
        true => Err(format!("'{name}' has no value")),
        false => Ok((flag, format!("--{name}={value}"))),
    }
}

/// What is wrong, without the usage of a command line.
pub fn in_a_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().take_while(|line| !line.is_empty());
    let line = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    line.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_flags_say() {
        let text = "# of this machine\n\nrate = 50\n  method=nanosleep\nmethod = std-sleep\n\
                    listen = unix:/run/a=b.sock\nkeep = 7\npin=0\n";
        let words: Vec<_> = parse(text).unwrap().into_iter().map(|it| it.word).collect();
        assert_eq!(
            words,
            [
                "--rate=50",
                "--method=nanosleep",
                "--method=std-sleep",
                "--listen=unix:/run/a=b.sock",
                "--keep=7",
                "--pin=0"
            ]
        );
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line, problem) in [
            ("rate = 50\nrate = 60", 2, "'rate' is in line 1, too"),
            ("\n\nspeed = 3", 3, "there is no setting 'speed'"),
            ("rate", 1, "'rate' is not a setting"),
            ("rate =", 1, "'rate' has no value"),
            ("#\nrate = 5", 2, "invalid value '5' for '--rate <HERTZ>'"),
            (
                "pin = 0\nprocessors = 0",
                2,
                "'processors' is in line 1, too",
            ),
            ("config = other", 1, "there is no setting 'config'"),
            ("--rate = 50", 1, "there is no setting '--rate'"),
            ("help = 1", 1, "there is no setting 'help'"),
            ("\u{1b}[35m = 1", 1, r"no setting '\u{1b}[35m'"),
            ("rate = \u{1b}[35m", 1, r"\u{1b}[35m"),
        ] {
            let (found, said) = parse(text).unwrap_err();
            assert_eq!(found, line, "{text}");
            assert!(said.contains(problem), "{said}");
            assert!(!said.contains('\u{1b}'), "{said}");
        }
    }
}
