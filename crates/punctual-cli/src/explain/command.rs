//! Explains a command, and all that it starts.
//!
//! The command is never ended unless that was asked for. It stays in this process's group, so it
//! has the terminal, and Ctrl-C reaches it as it would without us. A signal that is sent to us alone
//! is passed on to the command and all that it has started. We wait for the command, and our exit
//! status is the command's.

use super::capture::{Extras, Known, of_command};
use super::live::Ended;
use super::program::{LOOK, Look, Stopped};
use super::{ExplainArgs, check_files};
use crate::os::{Family, killed_by, own_thread};
use punctual_command::failure::{Failure, complain};
use punctual_command::stop::{Signal, Stop};
use punctual_lab::Native;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

/// How long a command may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);

/// Runs the command and watches it until it ends. If there is a `--duration`, it ends the command
/// after that.
pub(super) fn run(args: &ExplainArgs, stop: &Stop) -> Result<(Ended, ExitCode), Failure> {
    let extras = Extras::of(args, || of_command(&args.command[0]))?;
    let machine = Native::detect().map_err(Failure::run)?;
    check_files(args, stop)?;
    let subject = title(args);
    let guard = stop.guard();
    let known = Known {
        subject: subject.clone(),
        callers: own_thread().into_iter().collect(),
        extras,
        ..Known::default()
    };
    let mut look = Look::begin(args, machine, known, stop)?;
    if stop.is_asked_for() {
        return Err(Failure::Stopped);
    }
    let family = Family::to_come();
    let mut child = start(args)?;
    look.follow(child.id());
    guard.pass_on(move |heard| {
        // What comes from the terminal, the command has got.
        if heard.by_process {
            family.signal(heard.signal);
        }
    });
    let watched = watch(&mut look, args, &mut child);
    let ended = match watched {
        Ok(Some(status)) => own_status(status),
        Ok(None) => {
            look.pause()?;
            end(&mut child)?;
            stop.status()
        }
        Err(failure) => {
            complain(format_args!("tracing failed, and '{subject}' goes on"));
            child.wait().map_err(Failure::run)?;
            return Err(failure);
        }
    };
    Ok((look.finish(guard)?, ended))
}

/// The command's status if it ended before the time was up.
fn watch(
    look: &mut Look,
    args: &ExplainArgs,
    child: &mut Child,
) -> Result<Option<ExitStatus>, Failure> {
    let (mut ended, mut is_told) = (None, false);
    look.watch(args.duration, |stopped| {
        if let (Some(stopped), false) = (stopped, is_told) {
            is_told = true;
            let why = match stopped {
                Stopped::Full => "the trace is full",
                Stopped::Happened => "it has happened, and the trace has ended",
            };
            complain(format_args!("{why}; the command goes on"));
        }
        ended = child.try_wait().map_err(Failure::run)?;
        Ok(ended.is_some())
    })?;
    Ok(ended)
}

fn start(args: &ExplainArgs) -> Result<Child, Failure> {
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]);
    if !args.format.is_text() {
        // Standard output is only for the report.
        #[expect(clippy::disallowed_methods, reason = "the command writes there")]
        command.stdout(Stdio::from(io::stderr()));
    }
    command.spawn().map_err(|error| {
        let name = args.command[0].to_string_lossy();
        Failure::run(format!("cannot run {name}: {error}"))
    })
}

/// Ends the command and all that it has started: first politely, then by force.
fn end(child: &mut Child) -> Result<(), Failure> {
    let family = Family::to_come();
    family.signal(Signal::Terminate);
    let began = Instant::now();
    while family.lives() {
        // The command is waited for, or it would stay in the family.
        child.try_wait().map_err(Failure::run)?;
        thread::sleep(LOOK / 10);
        if began.elapsed() > GRACE {
            family.kill();
        }
        if began.elapsed() > 2 * GRACE {
            complain(format_args!(
                "something that the command started does not end"
            ));
            break;
        }
    }
    Ok(())
}

/// The command's exit status, as a shell has it.
fn own_status(status: ExitStatus) -> ExitCode {
    const SIGNALLED: i32 = 128;
    let code = status.code();
    let code = code.or_else(|| Some(SIGNALLED + killed_by(status)?));
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// The command as a title: one line, shortened.
fn title(args: &ExplainArgs) -> String {
    const MOST_CHARACTERS: usize = 120;
    let words = args.command.iter().map(|word| word.to_string_lossy());
    let command = words.collect::<Vec<_>>().join(" ");
    let line = command.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
