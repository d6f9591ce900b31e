//! A watch: samplers, observer, recorder and tellers, started and stopped together.

mod progress;
mod running;
mod words;

use crate::board::Board;
use crate::error::Error;
use crate::faults::Faults;
use crate::log::{Log, Severity};
use crate::os::starter::{self, News};
use crate::settings::{Address, Settings};
use progress::Progress;
use running::Running;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a watch looks after itself if nobody asks for signs of life: often enough for `systemctl status`.
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

    /// Returns the next request, and gives signs of life meanwhile. If nobody can ask any more, that is a request to
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
        for line in words::of(&self.settings, self.addresses(), self.running.board()) {
            self.log.say(Severity::Info, line);
        }
    }

    fn status(&self) -> String {
        words::status(self.running.board())
    }
}

#[cfg(test)]
mod tests;
