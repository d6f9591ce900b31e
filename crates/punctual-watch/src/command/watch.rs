//! Watches: counts for months how late this machine wakes, and tells Prometheus.

mod flags;
mod settings;
#[cfg(test)]
mod tests;

pub use flags::WatchArgs;

use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::stop::{Heard, Signal, Stop};
use punctual_data::escape;
use punctual_watch::faults::Fault;
use punctual_watch::log::{Log, Severity};
use punctual_watch::settings::Settings;
use punctual_watch::watch::{Request, Watch};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Watches as this command line says, or only checks what it says.
pub fn watch(words: &[OsString], only_check: bool, stop: &Stop) -> Result<ExitCode, Failure> {
    let wanted = settings::of(words)?;
    if only_check {
        show(&wanted)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (asks, asked) = mpsc::channel();
    let guard = stop.guard();
    let asked_to_stop = AtomicBool::new(false);
    guard.pass_on(move |heard| {
        let request = request(heard);
        if request == Request::Stop && asked_to_stop.swap(true, Ordering::Relaxed) {
            std::process::exit(heard.signal.status().into());
        }
        // Nothing receives it when the watch has ended.
        let _ = asks.send(request);
    });
    let log = Log::stderr();
    let mut watch = Watch::start(wanted, log.clone()).map_err(Failure::run)?;
    while watch.wait(&asked) == Request::Reload {
        reload(words, &mut watch, &log);
    }
    end_soon();
    watch.stop();
    // It was asked to end, and has: to whoever looks after it, that is a success.
    Ok(ExitCode::SUCCESS)
}

/// Ends the process even if a part of the watch does not: a file system that answers no more holds whoever writes
/// to it.
fn end_soon() {
    /// A sampler ends after the wait that it is in, a tenth of a second at most; the rest ends in milliseconds.
    const GRACE: Duration = Duration::from_secs(5);
    const HELD: i32 = 1;
    // Without a thread, it ends when its parts do.
    let _ = thread::Builder::new().spawn(|| {
        thread::sleep(GRACE);
        std::process::exit(HELD);
    });
}

/// The end of a terminal ends what runs in it. A process that sends the same signal wants the settings read again,
/// as from every service.
fn request(heard: Heard) -> Request {
    match heard.signal {
        Signal::HangUp if heard.by_process => Request::Reload,
        Signal::HangUp | Signal::Interrupt | Signal::Terminate => Request::Stop,
    }
}

fn reload(words: &[OsString], watch: &mut Watch, log: &Log) {
    let problem = match settings::of(words) {
        Ok(wanted) => match watch.reload(wanted) {
            Ok(()) => return log.say(Severity::Notice, "the settings were read again"),
            Err(error) => error.to_string(),
        },
        Err(Failure::Usage(problem) | Failure::Run(problem) | Failure::Refused(problem, _)) => {
            problem
        }
        Err(Failure::Stopped) => return,
    };
    let faults = &watch.board().faults;
    faults.happened(
        Fault::Reload,
        format_args!("{problem}; the old settings stay"),
    );
}

fn show(settings: &Settings) -> Result<(), Failure> {
    output::print(|out| {
        for (name, value) in settings::lines(settings) {
            writeln!(out, "{name} = {}", escape::escaped(&value))?;
        }
        Ok(())
    })
}
