//! From flags and a file to the settings of a watch, and back to the lines of a file: that of `--config` has the
//! flags, one in a line, as `rate = 100`.

use super::flags::{Listen, SettingArgs, WatchArgs};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, Args, Command, FromArgMatches};
use punctual_command::failure::Failure;
use punctual_command::{arguments, input};
use punctual_data::escape::{self, escaped};
use punctual_data::quantity::{write_duration, write_share};
use punctual_watch::settings::{Address, LateSettings, Settings};
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The settings of a command line and of the file that it names, which is read now. What the command line says wins.
pub fn of(words: &[OsString]) -> Result<Settings, Failure> {
    let mut command = WatchArgs::augment_args(Command::new("punctual-watch"));
    let mut read = |words: &[OsString]| {
        let matches = arguments::matches(&mut command, words)?;
        Ok((WatchArgs::from_arg_matches(&matches)?, matches))
    };
    let refused = |error: clap::Error| Failure::Usage(in_a_line(&error));
    let (args, given) = read(words).map_err(refused)?;
    let Some(file) = &args.config else {
        return settings(args.settings);
    };
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let of_file = settings_in(file)?.into_iter();
    let of_file = of_file.filter(|setting| !is_given(&setting.id));
    let of_file = of_file.map(|setting| setting.word.into());
    let all: Vec<_> = words.iter().cloned().chain(of_file).collect();
    settings(read(&all).map_err(refused)?.0.settings)
}

fn settings(args: SettingArgs) -> Result<Settings, Failure> {
    let listen = places(&args.listen)?;
    if listen.is_empty() && args.textfile.is_none() {
        let problem = "it would tell nothing; give an address, or --textfile";
        return Err(Failure::flag("--listen", problem));
    }
    Ok(Settings {
        late: late(&args)?,
        processors: args.processors.unwrap_or_default(),
        methods: without_repetition(args.method),
        rate_hertz: args.rate,
        budget: args.budget,
        listen,
        textfile: args.textfile,
    })
}

fn places(given: &[Listen]) -> Result<Vec<Address>, Failure> {
    let places = given.iter().filter_map(|listen| match listen {
        Listen::At(address) => Some(address.clone()),
        Listen::Nowhere => None,
    });
    let places = without_repetition(places.collect());
    if !places.is_empty() && given.contains(&Listen::Nowhere) {
        let problem = "'none' contradicts the addresses beside it; leave one out";
        return Err(Failure::flag("--listen", problem));
    }
    Ok(places)
}

fn late(args: &SettingArgs) -> Result<Option<LateSettings>, Failure> {
    let Some(threshold) = args.explain_late else {
        return Ok(None);
    };
    let folder = args.folder.clone().or_else(usual_folder).ok_or_else(|| {
        let problem = "this user has no folder to keep late wake-ups in; name one";
        Failure::flag("--folder", problem)
    })?;
    Ok(Some(LateSettings {
        threshold,
        keep: args.keep,
        folder,
        keep_bytes: args.keep_bytes,
    }))
}

/// systemd gives a service its folder (`StateDirectory=`); users have one for what a program keeps.
///
/// <https://specifications.freedesktop.org/basedir-spec/latest/>
fn usual_folder() -> Option<PathBuf> {
    let of = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let given = of("STATE_DIRECTORY");
    let kept = || of("XDG_STATE_HOME").or_else(|| of("LOCALAPPDATA"));
    let home = || of("HOME").map(|home| home.join(".local").join("state"));
    given.or_else(|| {
        kept()
            .or_else(home)
            .map(|state| state.join("punctual-watch"))
    })
}

fn without_repetition<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    let mut kept = Vec::with_capacity(values.len());
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Settings as lines of a file, in the order of the flags.
pub fn lines(settings: &Settings) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let mut line = |name, value: &dyn Display| lines.push((name, value.to_string()));
    if settings.processors.count() > 0 {
        line("processors", &settings.processors);
    }
    for method in &settings.methods {
        line("method", method);
    }
    line("rate", &settings.rate_hertz);
    line("budget", &write_share(settings.budget));
    if settings.listen.is_empty() {
        line("listen", &"none");
    }
    for address in &settings.listen {
        line("listen", address);
    }
    if let Some(folder) = &settings.textfile {
        line("textfile", &folder.display());
    }
    if let Some(late) = &settings.late {
        line("explain-late", &write_duration(late.threshold));
        line("keep", &late.keep);
        line("keep-bytes", &late.keep_bytes);
        line("folder", &late.folder.display());
    }
    lines
}

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
pub fn settings_in(file: &Path) -> Result<Vec<Setting>, Failure> {
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
fn in_a_line(error: &clap::Error) -> String {
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
