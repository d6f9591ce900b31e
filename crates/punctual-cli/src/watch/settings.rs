//! From flags and a file to the settings of a watch, and back to the lines of a file.

use super::config;
use super::flags::{Listen, SettingArgs, WatchArgs};
use crate::failure::Failure;
use punctual_data::quantity::{write_duration, write_share};
use punctual_lab::environment::ProcessorSet;
use punctual_watch::settings::{LateSettings, Settings};
use punctual_watch::watched;
use std::env;
use std::fmt::Display;
use std::path::PathBuf;

/// How many late wake-ups are kept: a fortnight's, at some a day.
const KEEP: usize = 100;

/// How many bytes they take: all of a hundred recordings of a busy machine, of 2 MB each.
const KEEP_BYTES: u64 = 256 << 20;

/// The settings of the command line and of the file that it names, which is read now.
pub fn of(args: &WatchArgs) -> Result<Settings, Failure> {
    let file = args.config.as_deref().map(config::read).transpose()?;
    settings(merged(&args.settings, file.unwrap_or_default()))
}

/// What the command line says, and what the file says about the rest.
fn merged(given: &SettingArgs, file: SettingArgs) -> SettingArgs {
    let is_placed = given.processors.is_some() || given.pin.is_some();
    let given = given.clone();
    let list = |given: Vec<_>, file: Vec<_>| if given.is_empty() { file } else { given };
    SettingArgs {
        processors: given.processors.or(file.processors.filter(|_| !is_placed)),
        pin: given.pin.or(file.pin.filter(|_| !is_placed)),
        method: list(given.method, file.method),
        rate: given.rate.or(file.rate),
        budget: given.budget.or(file.budget),
        listen: match given.listen.is_empty() {
            true => file.listen,
            false => given.listen,
        },
        textfile: given.textfile.or(file.textfile),
        explain_late: given.explain_late.or(file.explain_late),
        keep: given.keep.or(file.keep),
        keep_bytes: given.keep_bytes.or(file.keep_bytes),
        folder: given.folder.or(file.folder),
    }
}

fn settings(args: SettingArgs) -> Result<Settings, Failure> {
    let defaults = Settings::default();
    let late = late(&args)?;
    let processors = match (args.pin, args.processors) {
        (Some(pin), _) => vec![pin],
        (None, set) => set.iter().flat_map(ProcessorSet::numbers).collect(),
    };
    let processors: Vec<_> = processors
        .into_iter()
        .map(|number| number as usize)
        .collect();
    if !processors.is_empty() {
        let flag = if args.pin.is_some() {
            "--pin"
        } else {
            "--processors"
        };
        watched::processors(&processors).map_err(|error| Failure::flag(flag, error))?;
    }
    let methods = match args.method.is_empty() {
        true => defaults.methods,
        false => without_repetition(args.method),
    };
    for method in &methods {
        watched::method(method).map_err(|error| Failure::flag("--method", error))?;
    }
    let listen = match args.listen.is_empty() {
        true => defaults.listen,
        false => places(&args.listen)?,
    };
    if listen.is_empty() && args.textfile.is_none() {
        let problem = "it would tell nobody; give an address, or --textfile";
        return Err(Failure::flag("--listen", problem));
    }
    Ok(Settings {
        processors,
        methods,
        rate_hertz: args.rate.unwrap_or(defaults.rate_hertz),
        budget: args.budget.unwrap_or(defaults.budget),
        listen,
        textfile: args.textfile,
        late,
    })
}

fn places(given: &[Listen]) -> Result<Vec<punctual_watch::settings::Address>, Failure> {
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
        for (flag, is_given) in [
            ("--keep", args.keep.is_some()),
            ("--keep-bytes", args.keep_bytes.is_some()),
            ("--folder", args.folder.is_some()),
        ] {
            if is_given {
                let problem = "no late wake-up is saved; say which with --explain-late";
                return Err(Failure::flag(flag, problem));
            }
        }
        return Ok(None);
    };
    let folder = args.folder.clone().or_else(usual_folder).ok_or_else(|| {
        let problem = "this user has no folder to keep late wake-ups in; name one";
        Failure::flag("--folder", problem)
    })?;
    Ok(Some(LateSettings {
        threshold,
        keep: args.keep.unwrap_or(KEEP),
        folder,
        keep_bytes: args.keep_bytes.unwrap_or(KEEP_BYTES),
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
    if !settings.processors.is_empty() {
        let numbers = settings
            .processors
            .iter()
            .map(|&number| u32::try_from(number));
        let set: ProcessorSet = numbers.flatten().collect();
        line("processors", &set);
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
