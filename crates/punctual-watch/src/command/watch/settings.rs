//! From flags and a file to the settings of a watch, and back to the lines of a file.

use super::config;
use super::flags::{Listen, SettingArgs, WatchArgs};
use clap::parser::ValueSource;
use clap::{Args, Command, FromArgMatches};
use punctual_command::arguments;
use punctual_command::failure::Failure;
use punctual_data::quantity::{write_duration, write_share};
use punctual_watch::settings::{Address, LateSettings, Settings};
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;

/// The settings of a command line and of the file that it names, which is read now. What the command line says wins.
pub fn of(words: &[OsString]) -> Result<Settings, Failure> {
    let mut command = WatchArgs::augment_args(Command::new("punctual-watch"));
    let mut read = |words: &[OsString]| {
        let matches = arguments::matches(&mut command, words)?;
        Ok((WatchArgs::from_arg_matches(&matches)?, matches))
    };
    let refused = |error: clap::Error| Failure::Usage(config::in_a_line(&error));
    let (args, given) = read(words).map_err(refused)?;
    let Some(file) = &args.config else {
        return settings(args.settings);
    };
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let of_file = config::read(file)?.into_iter();
    let of_file = of_file.filter(|setting| !is_given(&setting.id));
    let of_file = of_file.map(|setting| setting.word.into());
    let all: Vec<_> = words.iter().cloned().chain(of_file).collect();
    settings(read(&all).map_err(refused)?.0.settings)
}

fn settings(args: SettingArgs) -> Result<Settings, Failure> {
    let listen = places(&args.listen)?;
    if listen.is_empty() && args.textfile.is_none() {
        let problem = "it would tell nobody; give an address, or --textfile";
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
