//! Whether the explanations are right: programs that know their own wake-ups are explained by Punctual
//! and, from a recording of `perf` at the same time, by an interpreter that shares no code with it.

mod agreement;
mod condition;
mod parts;
mod perf;
mod reference;
pub mod subject;
mod timeline;

use crate::failure::Failure;
use crate::given::{PUNCTUAL, is_among};
use crate::report::{Aim, Bound, Column, Report, Table, micros, plain};
use crate::row;
use crate::turns::Turns;
use agreement::{Agreement, Explanation};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use condition::{Condition, NAP};
use punctual_command::stop::Stop;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::{env, fs, thread};
use subject::Entry;
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

/// The share of wake-ups, in percent.
const LEAST_AGREED: f64 = 99.0;

/// How many disagreements of a condition are told; what is kept has all.
const TOLD: usize = 5;

const NOTE: &str = "Percent of the waits. agreed: both say the same deadline, lateness and length of every part; cause: which part \
     is the longest; length: of all parts together. unseen: perf has not recorded all of it. unexpl: Punctual does not \
     explain it. names: it has another name than the thread had.";

impl Plan {
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let temporary = env::temp_dir().join(format!("punctual-truth-{}", process::id()));
        let folder = self.keep.as_ref().unwrap_or(&temporary);
        fs::create_dir_all(folder)?;
        let report = self.run_in(folder, stop);
        if self.keep.is_none() {
            fs::remove_dir_all(&temporary)?;
        }
        report
    }

    fn run_in(&self, folder: &Path, stop: &Stop) -> Result<Report, Failure> {
        let percent = Column::figure;
        let mut table = Table::new(
            "conditions",
            "Wake-ups that both explained",
            vec![
                Column::words("condition", "condition", 14),
                Column::words("mostly", "mostly", 16),
                Column::figure("wake_ups", "waits", 6, plain::<0>),
                Column::figure("unseen", "unseen", 7, plain::<0>),
                percent("agreed", "agreed", 7, plain::<1>),
                percent("same_cause", "cause", 6, plain::<1>),
                percent("same_length", "length", 7, plain::<1>),
                Column::figure("unexplained", "unexpl", 7, plain::<0>),
                Column::figure("misnamed", "names", 6, plain::<0>),
            ],
        );
        let mut apart = Table::new(
            "disagreements",
            "Disagreements",
            vec![
                Column::words("condition", "condition", 14),
                Column::words("differs", "differs in", 28),
                Column::hidden("thread"),
                Column::figure("lateness_ns", "late, µs", 11, micros),
                Column::figure("reference_ns", "reference", 11, micros),
                Column::figure("punctual_ns", "Punctual", 11, micros),
                Column::hidden("verdict"),
                Column::hidden("reference"),
                Column::hidden("punctual"),
            ],
        );
        let (mut aims, mut note) = (Vec::new(), NOTE.to_owned());
        let is_chosen = |condition: &Condition| is_among(&self.conditions, condition.name);
        let chosen: Vec<_> = condition::ALL.into_iter().filter(is_chosen).collect();
        let turns = Turns::new(stop, chosen.len());
        keep_awake(&perf::sees_idle(folder)?)?;
        for condition in chosen {
            if turns.are_over() {
                break;
            }
            turns.announce(condition.name);
            let agreement = self.compare(condition, folder).unwrap_or_else(|error| {
                note += &format!(" {} was not compared: {error}.", condition.name);
                Agreement::default()
            });
            turns.advance();
            let percent = |part: u64| 100.0 * part as f64 / agreement.wake_ups as f64;
            // What could not be compared is not agreed upon.
            let agreed = (agreement.wake_ups > 0).then(|| percent(agreement.agreed));
            let what = format!("{}: wake-ups agreed upon, %", condition.name);
            aims.push(Aim::new(&what, Bound::AtLeast(LEAST_AGREED), agreed));
            table.push(row![
                condition.name,
                agreement.parts.greatest().unwrap_or("no timer"),
                agreement.wake_ups,
                agreement.unseen,
                agreed,
                agreed.map(|_| percent(agreement.same_cause)),
                agreed.map(|_| percent(agreement.same_length)),
                agreement.unexplained,
                agreement.misnamed,
            ]);
            for disagreement in agreement.disagreements.into_iter().take(TOLD) {
                let mut row = row![condition.name];
                row.extend(disagreement);
                apart.push(row);
            }
        }
        let (tables, answer) = (vec![table, apart], None);
        Ok(Report {
            answer,
            tables,
            aims,
            note,
        })
    }

    fn compare(&self, condition: Condition, folder: &Path) -> Result<Agreement, Failure> {
        let file = |end: &str| folder.join(format!("{}.{end}", condition.name));
        let [log, json, trace, recording] = ["log", "json", "trace", "perf"].map(file);
        let each = self.count.div_ceil(condition.threads).to_string();
        let (itself, shell) = (
            env::current_exe()?,
            format!("{NAP}\n{}\nexec \"$@\"", condition.shell),
        );
        let explanation = perf::record(&recording, &|perf| {
            perf.arg(&self.punctual)
                .args(["explain", "--json", "--save"])
                .arg(&trace)
                .arg("--");
            if !condition.shell.is_empty() {
                perf.args(["bash", "-c", &shell, "bash"]);
            }
            perf.arg(&itself)
                .args([subject::SUBCOMMAND, "--condition", condition.name]);
            perf.args(["--count", &each, "--log"]).arg(&log);
        })?;
        fs::write(json, &explanation)?;
        let explanation: Explanation = serde_json::from_slice(&explanation)?;
        let log: Vec<Entry> = serde_json::from_slice(&fs::read(log)?)?;
        let text = perf::text(&recording)?;
        let timeline = Timeline::new(&text)?;
        let truth = log.into_iter().map(|entry| {
            let verdict = reference::interpret(&timeline, &entry);
            (entry, verdict)
        });
        let truth: Vec<_> = truth.collect();
        fs::write(file("truth"), serde_json::to_vec(&truth)?)?;
        Agreement::of(condition, &truth, &explanation)
    }
}

/// Keeps all processors but some from idling, by processes that run only where nothing else does, until this one ends.
fn keep_awake(others: &BTreeSet<u16>) -> Result<(), Failure> {
    const SPIN: &str =
        "while kill -0 $PPID; do n=0; while [ $n -lt 9999 ]; do n=$((n + 1)); done; done";
    let all = 0..u16::try_from(thread::available_parallelism()?.get())?;
    for processor in all.filter(|processor| !others.contains(processor)) {
        let mut idle = Command::new("chrt");
        idle.args([
            "--idle",
            "0",
            "taskset",
            "-c",
            &processor.to_string(),
            "sh",
            "-c",
            SPIN,
        ]);
        idle.stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
    }
    Ok(())
}
