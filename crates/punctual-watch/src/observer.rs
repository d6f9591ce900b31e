//! Renews what the system says about itself, every two seconds.

mod look;

use crate::board::Board;
use crate::os::threads;
use look::Looking;
use punctual::Error;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Often enough for the shortest usual time between two scrapes, five seconds. A look takes up to a millisecond of
/// processor on a busy machine, a twentieth of a percent.
const EVERY: Duration = Duration::from_secs(2);

/// The running observer of a watch. It ends when this is dropped.
#[derive(Debug)]
pub struct Observer {
    /// Dropped to end the thread.
    running: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Observer {
    /// Reads everything once, so that the board has [readings](crate::board::Readings) when this returns, and
    /// starts a thread that goes on.
    ///
    /// # Errors
    /// If the system does not start a thread.
    pub fn start(board: &Arc<Board>) -> Result<Self, Error> {
        let mut looking = Looking::begin(Arc::clone(board));
        looking.look();
        let (running, ended) = sync_channel::<()>(0);
        let work = move || {
            threads::be_modest();
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                looking.look();
            }
        };
        let thread = thread::Builder::new().name("observer".to_owned());
        let thread = thread.spawn(work).map_err(|error| {
            Error::system(format!("the observer's thread: {error}")).because_of(error)
        })?;
        Ok(Self {
            running: Some(running),
            thread: Some(thread),
        })
    }

    /// Ends the observer, and returns when it has ended.
    pub fn stop(self) {}
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.running = None;
        if let Some(thread) = self.thread.take() {
            // It panics only if this crate is wrong, and has then said so.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn there_are_readings_when_it_has_started() {
        let settings = Settings::default();
        let board = Arc::new(Board::new(&settings, Arc::default(), None).unwrap());
        let observer = Observer::start(&board).unwrap();
        let readings = board.readings.lock().unwrap().clone();
        observer.stop();
        assert!(readings.renewed.is_some());
        assert!(readings.facts.contains_key("kernel"), "{readings:?}");
        let names: Vec<_> = readings.numbers.iter().map(|one| one.name).collect();
        assert!(names.contains(&"watch_other_processor"), "{names:?}");
    }
}
