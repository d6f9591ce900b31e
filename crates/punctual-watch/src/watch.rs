//! A watch: samplers, observer, recorder and tellers, started and stopped together.

mod running;

use super::locked;
use crate::board::Board;
use crate::error::Error;
use crate::faults::Faults;
use crate::log::{Log, Severity};
use crate::os::starter::{self, News};
use crate::settings::{Address, Settings};
use punctual_lab::environment::ProcessorSet;
use running::Running;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a watch looks after itself if nothing asks for signs of life: often enough for `systemctl status`.
const LOOKS_EVERY: Duration = Duration::from_secs(30);

/// What a running watch is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// To take over the settings as they are now.
    Reload,
    /// To end.
    Stop,
}

/// A watch that runs. It ends when it is dropped.
#[derive(Debug)]
pub struct Watch {
    settings: Settings,
    log: Log,
    running: Running,
    progress: Progress,
}

impl Watch {
    /// Starts everything, tells whoever started this process, and says in the log what is watched.
    ///
    /// # Errors
    /// If it cannot listen where it is to, if a processor or a way of waiting is not there, or if the recorder's folder
    /// cannot be used. Whatever fails later is said and counted, and the watch goes on.
    pub fn start(settings: Settings, log: Log) -> Result<Self, Error> {
        let faults = Arc::new(Faults::saying(log.clone()));
        let running = Running::start(&settings, faults)?;
        let watch = Self {
            progress: Progress::of(running.board()),
            settings,
            log,
            running,
        };
        watch.say_what_it_does();
        starter::tell(News::Ready(&watch.status()));
        Ok(watch)
    }

    /// Everything that it counts.
    pub fn board(&self) -> &Arc<Board> {
        self.running.board()
    }

    /// Where it answers, with the ports that the system chose.
    pub fn addresses(&self) -> &[Address] {
        self.running.addresses()
    }

    /// Takes over other settings. What has been counted of a processor and a method stays counted.
    ///
    /// # Errors
    /// As [`Self::start`]. The watch then goes on with its old settings.
    pub fn reload(&mut self, settings: Settings) -> Result<(), Error> {
        starter::tell(News::Reloading);
        let outcome = self.take_over(settings);
        self.progress = Progress::of(self.running.board());
        starter::tell(News::Ready(&self.status()));
        outcome
    }

    fn take_over(&mut self, settings: Settings) -> Result<(), Error> {
        if settings == self.settings {
            return Ok(());
        }
        self.running.change(&self.settings, &settings)?;
        self.settings = settings;
        self.say_what_it_does();
        Ok(())
    }

    /// Returns the next request, and gives signs of life meanwhile. If nothing can ask any more, that is a request to
    /// stop.
    pub fn wait(&mut self, requests: &Receiver<Request>) -> Request {
        let every = starter::wants_life_every().unwrap_or(LOOKS_EVERY);
        let mut next = Instant::now() + every;
        loop {
            match requests.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(request) => return request,
                Err(RecvTimeoutError::Disconnected) => return Request::Stop,
                Err(RecvTimeoutError::Timeout) => {
                    next = Instant::now() + every;
                    self.look();
                }
            }
        }
    }

    /// Whoever started this process is told that it lives, if it does what it is for: else it starts another.
    fn look(&mut self) {
        let status = self.status();
        if self.progress.goes_on(self.running.board()) {
            starter::tell(News::Alive(&status));
        } else {
            starter::tell(News::Status(&status));
            let said = "no sampler has waited for a while: the watch hangs, or this machine gives it no processor";
            self.log.say(Severity::Error, said);
        }
    }

    /// Ends everything. The files and the last counts stay as they are.
    pub fn stop(self) {
        starter::tell(News::Stopping);
        self.running.stop();
        self.log.say(Severity::Info, "ended");
    }

    fn say_what_it_does(&self) {
        for line in of(&self.settings, self.addresses(), self.running.board()) {
            self.log.say(Severity::Info, line);
        }
    }

    fn status(&self) -> String {
        status(self.running.board())
    }
}

/// What had been counted the last time that something looked.
#[derive(Debug, Default, PartialEq, Eq)]
struct Progress {
    wakes: u64,
    renewed: Option<Instant>,
}

impl Progress {
    fn of(board: &Board) -> Self {
        Self {
            wakes: board.wakes(),
            renewed: locked(&board.readings).renewed,
        }
    }

    /// Whether any sampler has woken since the last look. A machine on which all watched processors are offline has
    /// no samplers that wait: there the observer must have read something.
    ///
    /// One that wakes is enough: a program of a greater priority may hold the processors of all others for long, and
    /// that is to be counted, not ended.
    fn goes_on(&mut self, board: &Board) -> bool {
        let now = Self::of(board);
        let goes_on = match board.running() {
            0 => now.renewed > self.renewed,
            _ => now.wakes > self.wakes,
        };
        *self = now;
        goes_on
    }
}

/// What it does, and what is switched off: a line each.
fn of(settings: &Settings, addresses: &[Address], board: &Board) -> Vec<String> {
    let processors = board.series.iter().map(|series| series.processor);
    let processors: ProcessorSet = processors.flat_map(u32::try_from).collect();
    let mut lines = vec![format!(
        "watches {} {processors} by {}, {} times a second each, for at most {} % of a processor",
        if processors.count() == 1 {
            "processor"
        } else {
            "processors"
        },
        settings.methods.join(", "),
        settings.rate_hertz,
        settings.budget * 100.0,
    )];
    lines.extend(addresses.iter().map(|address| match address {
        Address::Tcp(address) => format!("answers at http://{address}/ and /metrics"),
        Address::Unix(_) => format!("answers at {address}"),
    }));
    if let Some(folder) = &settings.textfile {
        lines.push(format!("writes punctual.prom into {}", folder.display()));
    }
    lines.push(match &settings.late {
        Some(late) => format!(
            "saves wake-ups later than {:?} in {}, at most {}",
            late.threshold,
            late.folder.display(),
            late.keep
        ),
        None => "saves no late wake-ups: that needs a threshold, and the right to trace the kernel"
            .to_owned(),
    });
    lines
}

/// How it goes, in a line.
fn status(board: &Board) -> String {
    let (running, wakes) = (board.running(), board.wakes());
    let all = board.series.len();
    let mut status = format!("{running} of {all} samplers wait, {wakes} wake-ups counted");
    if let Some(lates) = &board.lates {
        status += &format!(", {} late ones kept", lates.saved.list().len());
    }
    status
}

#[cfg(test)]
mod tests;
