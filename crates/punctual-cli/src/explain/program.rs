//! Explains another program: its timers show what it waited for.

use super::capture::{self, Before, Known};
use super::{ExplainArgs, check_files};
use crate::failure::Failure;
use crate::interrupt::cancel_on_ctrl_c;
use crate::os::{is_alive, threads_of};
use crate::{progress, quantity};
use indicatif::{ProgressBar, ProgressStyle};
use punctual::Cancel;
use punctual_lab::Machine;
use punctual_lab::Native;
use punctual_lab::limits::with_limit;
use punctual_trace::{Capture, Recording};
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long to watch a process by default.
const DEFAULT_DURATION: Duration = Duration::from_secs(10);

/// How often to drain the trace and to check for the end.
const LOOK: Duration = Duration::from_millis(100);

/// Follows a running process.
pub(super) fn process(args: &ExplainArgs, process: u32) -> Result<(Box<Recording>, bool), Failure> {
    let threads = threads_of(process);
    if threads.is_empty() {
        let problem = format!("there is no process {process}, or it is hidden from you");
        return Err(Failure::flag("--pid", problem));
    }
    let machine = Native::detect().map_err(Failure::run)?;
    check_files(args)?;
    let duration = args.duration.unwrap_or(DEFAULT_DURATION);
    let subject = format!("process {process}, {}", quantity::show(duration));
    let look = Look::begin(machine)?;
    look.finish(subject, threads, Some(duration), || Ok(!is_alive(process)))
}

/// Starts a command, and follows it and all that it starts.
pub(super) fn command(args: &ExplainArgs) -> Result<(Box<Recording>, bool), Failure> {
    let machine = Native::detect().map_err(Failure::run)?;
    check_files(args)?;
    let words: Vec<_> = args
        .command
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    let subject = title(&words.join(" "));
    let look = Look::begin(machine)?;
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]);
    if !args.format.is_text() {
        // Standard output is only for the report.
        #[expect(clippy::disallowed_methods, reason = "the command writes there")]
        command.stdout(Stdio::from(io::stderr()));
    }
    let child = command.spawn();
    let child = child.map_err(|error| {
        let error = with_limit(&error);
        Failure::run(format!("cannot run {}: {error}", words[0]))
    })?;
    let mut child = Started(child);
    let threads = vec![(child.0.id(), String::new())];
    look.finish(subject, threads, args.duration, || {
        let ended = child.0.try_wait().map_err(Failure::run)?;
        Ok(ended.is_some())
    })
}

/// A command as a title: one line, shortened.
fn title(command: &str) -> String {
    const MOST_CHARACTERS: usize = 120;
    let words: Vec<_> = command.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A command that ends when this is dropped.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        // Killing fails if it has already ended; then it is only waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A running trace of everything.
struct Look {
    machine: Native,
    before: Before,
    stop: Cancel<Native>,
    capture: Capture,
}

impl Look {
    fn begin(machine: Native) -> Result<Self, Failure> {
        let before = Before::read(&machine);
        let stop = cancel_on_ctrl_c(&machine)?;
        let capture = Capture::prepare().map_err(Failure::run)?;
        capture.starter().start(None).map_err(Failure::run)?;
        Ok(Self {
            machine,
            before,
            stop,
            capture,
        })
    }

    /// Watches until the program ends, the time is up, the trace is full, or Ctrl-C.
    fn finish(
        mut self,
        subject: String,
        threads: Vec<(u32, String)>,
        duration: Option<Duration>,
        mut is_over: impl FnMut() -> Result<bool, Failure>,
    ) -> Result<(Box<Recording>, bool), Failure> {
        let (start, bar) = (Instant::now(), progress_bar(duration));
        let is_late = || duration.is_some_and(|duration| start.elapsed() >= duration);
        while !self.stop.is_cancelled() && !is_late() && !self.capture.is_full() {
            thread::sleep(LOOK.min(duration.unwrap_or(LOOK)));
            self.capture.drain().map_err(Failure::run)?;
            bar.set_position(millis(start.elapsed()));
            bar.tick();
            if is_over()? {
                break;
            }
        }
        bar.finish_and_clear();
        let recording = capture::recording(
            self.capture,
            Known {
                question: None,
                subject,
                after: self.machine.environment(),
                before: self.before,
                threads,
                waits: None,
            },
        );
        let recording = Box::new(recording.map_err(Failure::run)?);
        Ok((recording, self.stop.is_cancelled()))
    }
}

/// Shown only on a terminal, on standard error.
fn progress_bar(duration: Option<Duration>) -> ProgressBar {
    if let Some(duration) = duration {
        return progress::bar("tracing", millis(duration));
    }
    let style = ProgressStyle::with_template("tracing {spinner} {elapsed}");
    ProgressBar::new_spinner().with_style(style.expect("the template is a constant"))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
