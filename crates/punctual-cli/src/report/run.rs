//! Runs the commands that fit this machine, one after the other, and reads their JSON.
//!
//! They are separate processes. Each ends when this one does, for any reason, and cleans up by
//! itself. The command that the page shows is the one that ran.

use super::Material;
use super::document::Document;
use crate::explain;
use crate::words::Words;
use punctual::Period;
use punctual_command::failure::Failure;
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_lab::limits::with_limit;
use punctual_lab::pace::WARM_UP;
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native, measure, pace};
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often to check whether a command has ended, and to draw.
const LOOK: Duration = Duration::from_millis(50);

/// How long a command may clean up after a signal.
const GRACE: Duration = Duration::from_secs(3);

/// An estimate of the processor time for a simulated version, for the progress bar.
#[cfg(feature = "sim")]
const PER_SIMULATION: Duration = Duration::from_millis(250);

/// The methods to measure, if they exist here: each system's usual one, its best one, and ours.
const METHODS: [&str; 11] = [
    "std-sleep",
    "clock-nanosleep",
    "timerfd",
    "futex-waitv",
    "mach-wait-until",
    "kqueue",
    "sleep",
    "high-res",
    "punctual-coarse",
    "punctual",
    "spin",
];

/// The ways to keep a beat that are measured, if they exist here: the usual one, the system's best
/// one, and ours.
const WAYS: [&str; 6] = [
    "nanosleep",
    "sleep",
    "clock-nanosleep",
    "high-res-abs",
    "ticker",
    "ticker-coarse",
];

/// The methods to simulate: the usual one, Windows' best one, and ours.
#[cfg(feature = "sim")]
const PREDICTED: [&str; 3] = ["sleep", "high-res", "punctual"];

/// A command to run.
#[derive(Debug, Clone)]
struct Step {
    words: Words,
    takes: Duration,
    /// Without its result there is no report.
    is_needed: bool,
}

/// Runs everything.
pub(super) fn run(quick: bool, stop: &Stop) -> Result<Material, Failure> {
    let steps = steps(quick);
    let heeding = stop.heed();
    let all: Duration = steps.iter().map(|step| step.takes).sum();
    let progress = Progress::of("reporting", millis(all));
    let mut material = Material::default();
    let mut done = Duration::ZERO;
    for step in &steps {
        let outcome = step.run(stop, |elapsed| {
            progress.reach(millis(done + elapsed.min(step.takes)));
        })?;
        done += step.takes;
        match outcome {
            Outcome::Stopped => return Err(Failure::Stopped),
            Outcome::Printed(json) => {
                let document = Document::from_json(&json);
                material.documents.push(document.map_err(Failure::run)?);
            }
            Outcome::Failed(reason) if step.is_needed => return Err(Failure::run(reason)),
            Outcome::Failed(reason) => {
                let lacking = format!("{} failed: {reason}", step.words);
                material.lacking.push(lacking);
            }
        }
    }
    match heeding.end() {
        true => Err(Failure::Stopped),
        false => Ok(material),
    }
}

/// The period of the loops that are measured or explained.
const PERIOD: Period = Period::from_hertz(1_000);

/// The period of the beat.
const BEAT: Period = Period::from_hertz(100);

/// About half a minute in total, or ten seconds. Besides measuring, it takes time to read the
/// machine, to simulate, and to start programs.
fn steps(quick: bool) -> Vec<Step> {
    let (measured_s, explained_s, paced_ms) = if quick { (4, 1, 400) } else { (14, 4, 2_000) };
    let [measured, explained] = [measured_s, explained_s].map(Duration::from_secs);
    let offers = Native::waiters_for(Kind::Deadlines);
    let is_here = |name: &&str| offers.iter().any(|offer| offer.name == *name);
    let asked = |waiters: Vec<String>, length| measure::Question {
        waiters,
        ..measure::Question::of(measure::Deadlines {
            period: PERIOD,
            length: measure::Length::Duration(length),
        })
    };
    let methods = named(METHODS.into_iter().filter(is_here));
    let loop_of_ours = vec![explain::usual_method(false).to_owned()];
    let mut steps = vec![
        Step::new(
            crate::measure::words(&asked(methods, measured)),
            measured,
            true,
        ),
        Step::new(
            explain::words(&asked(loop_of_ours, explained)),
            explained,
            false,
        ),
    ];
    steps.push(paced(Duration::from_millis(paced_ms)));
    steps.extend(predictions());
    steps
}

/// A loop with each way for this long.
fn paced(each: Duration) -> Step {
    let offered = Native::waiters_for(Kind::Beats);
    let is_here = |name: &&str| offered.iter().any(|way| way.name == *name);
    let ways = named(WAYS.into_iter().filter(is_here));
    let takes = (each + WARM_UP) * u32::try_from(ways.len()).unwrap_or(u32::MAX);
    let question = pace::Question {
        waiters: ways,
        ..pace::Question::of(pace::Beats {
            length: pace::Length::Each(each),
            ..pace::Beats::every(BEAT)
        })
    };
    Step::new(crate::measure::words(&question), takes, false)
}

#[cfg(feature = "sim")]
fn predictions() -> Vec<Step> {
    use punctual_lab::question::Simulated;
    let machines = punctual_lab::sweep::simulated::usual_machines();
    let measured = machines.iter().map(|machine| {
        crate::measure::words(&measure::Question {
            waiters: named(PREDICTED.into_iter()),
            on: Some(Simulated {
                machine: machine.to_string(),
                seed: 1,
            }),
            ..measure::Question::of(measure::Deadlines::every(PERIOD))
        })
    });
    measured
        .chain([Words::of("sweep")])
        .map(|words| Step::new(words, PER_SIMULATION, false))
        .collect()
}

#[cfg(not(feature = "sim"))]
fn predictions() -> Vec<Step> {
    Vec::new()
}

fn named<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.map(str::to_owned).collect()
}

/// The result of a step.
enum Outcome {
    Printed(String),
    Failed(String),
    Stopped,
}

impl Step {
    fn new(mut words: Words, takes: Duration, is_needed: bool) -> Self {
        words.switch("--json", true);
        Self {
            words,
            takes,
            is_needed,
        }
    }

    fn run(&self, stop: &Stop, mut look: impl FnMut(Duration)) -> Result<Outcome, Failure> {
        let mut running = Running::start(&self.words).map_err(|error| {
            let error = with_limit(&error);
            Failure::run(format!("cannot run {}: {error}", self.words))
        })?;
        let began = Instant::now();
        let ended = loop {
            if let Some(ended) = running.child.try_wait().map_err(Failure::run)? {
                break ended;
            }
            if stop.is_asked_for() {
                running.let_clean_up();
                return Ok(Outcome::Stopped);
            }
            thread::sleep(LOOK);
            look(began.elapsed());
        };
        if stop.is_asked_for() {
            return Ok(Outcome::Stopped);
        }
        let (printed, said) = running.output();
        Ok(match ended.success() {
            true => Outcome::Printed(printed),
            false => Outcome::Failed(in_one_line(&said)),
        })
    }
}

/// The hidden subcommand whose command ends with its standard input.
const REPORT_STEP: &str = "report-step";

/// A running command. It has ended when this is dropped.
struct Running {
    child: Child,
    printed: Option<JoinHandle<String>>,
    said: Option<JoinHandle<String>>,
}

impl Running {
    fn start(words: &Words) -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(REPORT_STEP)
            .args(words.as_slice())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let printed = child.stdout.take().map(read_all);
        let said = child.stderr.take().map(read_all);
        Ok(Self {
            child,
            printed,
            said,
        })
    }

    /// Its standard output and its standard error.
    fn output(&mut self) -> (String, String) {
        let text = |reader: Option<JoinHandle<String>>| {
            reader
                .and_then(|reader| reader.join().ok())
                .unwrap_or_default()
        };
        (text(self.printed.take()), text(self.said.take()))
    }

    /// Tells it to end, and waits a while. It also ends when this process is killed.
    fn let_clean_up(&mut self) {
        drop(self.child.stdin.take());
        let began = Instant::now();
        while began.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(LOOK);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Killing fails if it has already ended; then it is only waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn in_one_line(said: &str) -> String {
    let lines: Vec<_> = said.lines().filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

/// Reads a pipe on a thread of its own: a full pipe would make the writer wait.
fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // If reading fails, the JSON is incomplete, and its reader reports that.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Args;
    use clap::Parser;

    #[test]
    fn every_step_is_a_command_that_there_is() {
        for step in [steps(true), steps(false)].concat() {
            let words = step.words.as_slice().iter().map(String::as_str);
            let words = ["punctual"].into_iter().chain(words);
            let parsed = Args::try_parse_from(words);
            assert!(parsed.is_ok(), "{}", parsed.unwrap_err());
        }
    }

    #[test]
    fn what_was_promised_is_enough_for_all_steps() {
        let takes = |quick| steps(quick).iter().map(|step| step.takes).sum();
        let (quick, long): (Duration, Duration) = (takes(true), takes(false));
        assert!(quick < Duration::from_secs(10), "{quick:?}");
        assert!(long < Duration::from_secs(35), "{long:?}");
    }
}
