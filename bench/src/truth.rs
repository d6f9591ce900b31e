//! Whether the explanations are right: programs that know their own wake-ups are explained by Punctual
//! and, from a recording of `perf` at the same time, by an interpreter that shares no code with it.

mod agreement;
pub mod awake;
pub mod condition;
mod log;
mod ours;
mod parts;
mod perf;
mod reference;
mod report;
mod script;
pub mod subject;
mod timeline;

use crate::aim::{Aim, Bound};
use crate::failure::Failure;
use crate::given::{PUNCTUAL, is_among};
use crate::group::Group;
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use crate::waiting::load::Load;
use agreement::Agreement;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use condition::{Around, Condition};
use log::Entry;
use ours::Found;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs};
use timeline::Timeline;

/// What is compared.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Plan {
    /// What happens to the program; may be given several times [default: all].
    #[arg(
        long = "condition",
        value_name = "NAME",
        requires = "truth",
        value_parser = PossibleValuesParser::new(condition::names())
    )]
    pub conditions: Vec<String>,

    /// How many waits the program makes, all its threads together. Its report has no more than 10,000.
    #[arg(
        long,
        value_name = "NUMBER",
        requires = "truth",
        default_value_t = 400,
        value_parser = RangedU64ValueParser::<usize>::new().range(2..=10_000)
    )]
    pub count: usize,

    /// The command `punctual` [default: of this repository, as `cargo build --release` makes it].
    #[arg(
        long,
        value_name = "FILE",
        requires = "truth",
        default_value = PUNCTUAL,
        hide_default_value = true
    )]
    pub punctual: PathBuf,

    /// Keeps the recordings, logs and explanations in this folder.
    #[arg(long, value_name = "FOLDER", requires = "truth")]
    pub keep: Option<PathBuf>,
}

/// Everything that was compared.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub conditions: Vec<Agreement>,
    /// Why nothing was.
    pub skipped: Option<String>,
    pub aims: Vec<Aim>,
}

/// The share of wake-ups, in percent.
const LEAST_AGREED: f64 = 99.0;

/// About how long one condition takes.
const ABOUT: Duration = Duration::from_secs(4);

/// How long a program that already runs is explained.
const ATTACHED: &str = "2s";

impl Plan {
    pub fn run(&self) -> Result<Report, Failure> {
        let skipped = perf::is_absent();
        let mut conditions = Vec::new();
        if skipped.is_none() {
            let folder = Folder::new(self.keep.as_deref())?;
            let _awake = awake::keep(&perf::sees_idle(&folder.0)?)?;
            let is_chosen = |condition: &Condition| is_among(&self.conditions, condition.name);
            let chosen: Vec<_> = condition::ALL.into_iter().filter(is_chosen).collect();
            let progress = Progress::new(ABOUT * u32::try_from(chosen.len())?)?;
            for condition in chosen {
                progress.announce(condition.to_string());
                conditions.push(self.compare(condition, &folder).unwrap_or_else(|error| {
                    Agreement {
                        condition: condition.to_string(),
                        skipped: Some(error.to_string()),
                        ..Agreement::default()
                    }
                }));
                progress.advance(ABOUT);
            }
        }
        // What could not be compared is not agreed upon.
        let aims = conditions.iter();
        let aims = aims.map(|row| {
            let what = format!("{}: wake-ups agreed upon, %", row.condition);
            Aim::new(&what, Bound::AtLeast(LEAST_AGREED), row.percent())
        });
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            aims: aims.collect(),
            conditions,
            skipped,
        })
    }

    fn compare(&self, condition: Condition, folder: &Folder) -> Result<Agreement, Failure> {
        let file = |end: &str| folder.0.join(format!("{condition}.{end}"));
        let [log, json, trace, recording] = ["log", "json", "trace", "perf"].map(file);
        let _load = match condition.around {
            Around::Load => Some(Load::Busy.start()?),
            _ => None,
        };
        let mut command: Vec<OsString> = vec![self.punctual.clone().into(), "explain".into()];
        command.extend(["--json", "--save"].map(OsString::from));
        command.push(trace.into());
        let program = self.program(condition, &log)?;
        let attached = match condition.around {
            Around::Quota => Some(Attached::start(&program)?),
            _ => None,
        };
        match &attached {
            Some(attached) => command.extend(attached.flags()),
            None => command.extend(["--".into()].into_iter().chain(program)),
        }
        let status = perf::record(&recording, command.iter().map(OsString::as_os_str), &json)?;
        if let Some(attached) = attached {
            attached.end()?;
        }
        if !status.success() {
            return Err(format!("punctual explain: {status}").into());
        }
        let found = ours::read(&json)?;
        let mut log = log::read(&log)?;
        if condition.around == Around::Quota {
            traced(&mut log, &found);
        }
        let threads: BTreeSet<u32> = log.iter().map(|entry| entry.thread).collect();
        let lines = script::read(&perf::script(&recording)?)?;
        let timeline = Timeline::new(&lines, &threads);
        let log = log.into_iter().map(|entry| {
            let verdict = reference::interpret(&timeline, &entry);
            (entry, verdict)
        });
        let log: Vec<_> = log.collect();
        fs::write(file("truth"), reference::text(&log))?;
        Ok(Agreement::of(condition, &log, &found))
    }

    /// The command that is explained.
    fn program(&self, condition: Condition, log: &Path) -> Result<Vec<OsString>, Failure> {
        let itself: OsString = env::current_exe()?.into();
        let each = self.count.div_ceil(condition.threads as usize);
        let arguments = [
            subject::SUBCOMMAND.into(),
            "--condition".into(),
            condition.name.into(),
            "--count".into(),
            each.to_string().into(),
            "--log".into(),
            log.as_os_str().to_owned(),
        ];
        let shell = ["sh", "-c", "exec \"$@\"", "sh"].map(OsString::from);
        let before = match condition.around {
            Around::Renamed => shell.as_slice(),
            _ => &[],
        };
        Ok(before
            .iter()
            .cloned()
            .chain([itself])
            .chain(arguments)
            .collect())
    }
}

/// A program that already runs, in a group with a quota.
struct Attached {
    program: Child,
    _group: Group,
}

impl Attached {
    fn start(program: &[OsString]) -> Result<Self, Failure> {
        let group = Group::new("truth")?;
        group.set_quota(reference::QUOTA, reference::QUOTA_PERIOD)?;
        let (itself, arguments) = program.split_first().ok_or("no command")?;
        let mut command = Command::new(itself);
        // As many waits as there is time for.
        let is_count = |argument: &&OsString| *argument == OsStr::new("--count");
        let count = arguments.iter().position(|argument| is_count(&argument));
        for (index, argument) in arguments.iter().enumerate() {
            match count {
                Some(count) if index == count + 1 => command.arg("1000000"),
                _ => command.arg(argument),
            };
        }
        command.arg("--statistics").arg(group.statistics());
        command.arg("--until-input-ends").stdin(Stdio::piped());
        let program = command.spawn()?;
        group.add(program.id())?;
        Ok(Self {
            program,
            _group: group,
        })
    }

    fn flags(&self) -> [OsString; 4] {
        [
            "--pid",
            &self.program.id().to_string(),
            "--duration",
            ATTACHED,
        ]
        .map(OsString::from)
    }

    fn end(mut self) -> Result<(), Failure> {
        drop(self.program.stdin.take());
        let status = self.program.wait()?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("the program: {status}").into()),
        }
    }
}

/// Only the waits between the first and the last that Punctual has found: the others were before or
/// after its trace.
fn traced(log: &mut Vec<Entry>, found: &[Found]) {
    let ends = || found.iter().map(|found| found.end);
    let (first, last) = (ends().min().unwrap_or(u64::MAX), ends().max().unwrap_or(0));
    log.retain(|entry| first < entry.asked && entry.woke < last);
}

/// A folder that is removed, unless it was asked for.
struct Folder(PathBuf, bool);

impl Folder {
    fn new(keep: Option<&Path>) -> Result<Self, Failure> {
        let temporary = || env::temp_dir().join(format!("punctual-truth-{}", process::id()));
        let path = keep.map_or_else(temporary, Path::to_owned);
        fs::create_dir_all(&path)?;
        Ok(Self(path, keep.is_some()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.1 {
            // What cannot be removed is in the system's folder for such.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
