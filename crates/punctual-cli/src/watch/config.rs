//! The file of `--config`: the flags, one in a line, as `rate = 100`.

use super::flags::SettingArgs;
use crate::failure::Failure;
use crate::input;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use punctual_data::escape;
use std::collections::BTreeMap;
use std::path::Path;

/// A few dozen lines.
const LONGEST: u64 = 1 << 20;

/// The settings alone, as the parser of a line has them.
#[derive(Debug, Parser)]
#[command(disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    settings: SettingArgs,
}

/// Reads a file of settings.
pub fn read(file: &Path) -> Result<SettingArgs, Failure> {
    let name = escape::path(file);
    let text = input::text(file, LONGEST)
        .map_err(|error| Failure::flag("--config", format!("cannot read {name}: {error}")))?;
    parse(&text)
        .map_err(|wrong| Failure::Usage(format!("{name}, line {}: {}", wrong.line, wrong.problem)))
}

/// What is wrong with a file.
#[derive(Debug)]
struct Wrong {
    line: usize,
    problem: String,
}

fn parse(text: &str) -> Result<SettingArgs, Wrong> {
    let mut words = vec![String::new()];
    let mut given = BTreeMap::new();
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let wrong = |problem| Wrong { line, problem };
        let (name, word) = word(text).map_err(wrong)?;
        if let Some(before) = given.insert(name, line).filter(|_| !is_repeatable(name)) {
            let problem = format!("'{name}' is in line {before}, too; it is given once");
            return Err(wrong(problem));
        }
        words.push(word);
        // After each line, so that the error is that of the line.
        settings(&words).map_err(wrong)?;
    }
    settings(&words).map_err(|problem| Wrong { line: 1, problem })
}

/// A line as a word of the command line, and the name of its setting.
fn word(text: &str) -> Result<(&str, String), String> {
    let Some((name, value)) = text.split_once('=') else {
        let text = escape::escaped(text);
        return Err(format!(
            "'{text}' is not a setting; write one such as rate = 100"
        ));
    };
    let (name, value) = (name.trim(), value.trim());
    if !names().any(|known| known == name) {
        let names: Vec<_> = names().collect();
        let (name, names) = (escape::escaped(name), names.join(", "));
        return Err(format!("there is no setting '{name}'; there are {names}"));
    }
    if value.is_empty() {
        return Err(format!("'{name}' has no value"));
    }
    Ok((name, format!("--{name}={value}")))
}

fn settings(words: &[String]) -> Result<SettingArgs, String> {
    match Line::try_parse_from(words) {
        Ok(line) => Ok(line.settings),
        Err(error) => {
            // Quotes the line, so once more with the line as it is shown.
            let shown = words.iter().map(|word| escape::escaped(word).into_owned());
            let error = Line::try_parse_from(shown).err().unwrap_or(error);
            Err(first_line(&error))
        }
    }
}

/// The parser's errors name flags and end with the usage of the command line.
fn first_line(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::ArgumentConflict {
        return "it contradicts a line above it".to_owned();
    }
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// The names of all settings.
pub fn names() -> impl Iterator<Item = &'static str> {
    const NAMES: [&str; 11] = [
        "processors",
        "pin",
        "method",
        "rate",
        "budget",
        "listen",
        "textfile",
        "explain-late",
        "keep",
        "keep-bytes",
        "folder",
    ];
    debug_assert!(
        Line::command()
            .get_arguments()
            .filter_map(|flag| flag.get_long())
            .eq(NAMES)
    );
    NAMES.into_iter()
}

fn is_repeatable(name: &str) -> bool {
    matches!(name, "method" | "listen")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_file_says_what_flags_say() {
        let text = "# of this machine\n\nrate = 50\n  method=nanosleep\nmethod = std-sleep\n\
                    listen = unix:/run/a=b.sock\nexplain-late = 5ms\n";
        let settings = parse(text).unwrap();
        assert_eq!(settings.rate, Some(50));
        assert_eq!(settings.method, ["nanosleep", "std-sleep"]);
        assert_eq!(settings.explain_late, Some(Duration::from_millis(5)));
        assert_eq!(settings.listen.len(), 1);
        assert_eq!(settings.budget, None);
        assert_eq!(parse("").unwrap(), SettingArgs::default());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line, problem) in [
            ("rate = 50\nrate = 60", 2, "'rate' is in line 1, too"),
            ("\n\nspeed = 3", 3, "there is no setting 'speed'"),
            ("rate", 1, "'rate' is not a setting"),
            ("rate =", 1, "'rate' has no value"),
            ("#\nrate = 5", 2, "invalid value '5' for '--rate <HERTZ>'"),
            ("pin = 1\nprocessors = 0", 2, "contradicts a line above"),
            ("config = other", 1, "there is no setting 'config'"),
            ("--rate = 50", 1, "there is no setting '--rate'"),
            ("help = 1", 1, "there is no setting 'help'"),
            ("\u{1b}[35m = 1", 1, r"no setting '\u{1b}[35m'"),
            ("rate = \u{1b}[35m", 1, r"\u{1b}[35m"),
        ] {
            let wrong = parse(text).unwrap_err();
            assert_eq!(wrong.line, line, "{text}");
            assert!(wrong.problem.contains(problem), "{}", wrong.problem);
            assert!(!wrong.problem.contains('\u{1b}'), "{}", wrong.problem);
        }
    }
}
