//! A file for node_exporter's textfile collector: whole, or as it was before.

use crate::board::Board;
use crate::exposition::prometheus_text;
use crate::faults::Fault;
use crate::os::{readable, threads};
use punctual_data::file;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The name of the file. The collector reads what ends with `.prom`.
pub const FILE: &str = "punctual.prom";

/// How often it is written: Prometheus asks node_exporter every 15 s or more rarely.
pub const EVERY: Duration = Duration::from_secs(15);

/// Writes the file again and again until it is stopped or dropped. The file stays: its age, which node_exporter
/// exports as `node_textfile_mtime_seconds`, says that nothing writes it any more.
#[derive(Debug)]
pub struct Textfile {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Textfile {
    /// Writes the file of this folder now, and then every [`EVERY`].
    ///
    /// # Errors
    /// If the system gives no thread. A folder that cannot be written is a [`Fault::Textfile`].
    pub fn start(folder: PathBuf, board: Arc<Board>) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("watch-textfile".to_owned())
            .spawn(move || {
                threads::be_modest();
                file::tidy(&folder);
                let mut failed = false;
                loop {
                    failed = write_or_say(&folder, &board, failed);
                    if stopped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout) {
                        return;
                    }
                }
            })?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Ends it at once.
    pub fn stop(self) {}
}

impl Drop for Textfile {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of it has been printed, and there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

/// Writes, or says why not, and returns whether it failed.
fn write_or_say(folder: &Path, board: &Arc<Board>, failed_before: bool) -> bool {
    let file = folder.join(FILE);
    match write(folder, board) {
        Ok(()) if failed_before => {
            board.faults.ended(
                Fault::Textfile,
                format_args!("{} is written again", file.display()),
            );
            false
        }
        Ok(()) => false,
        Err(error) => {
            board.faults.happened(Fault::Textfile, format_args!(
                "cannot write {}: {error}; the folder must be there and this user must be allowed to write in it",
                file.display()
            ));
            true
        }
    }
}

/// Writes the board into the file of this folder.
///
/// # Errors
/// What the system says. The file is then what it was before.
pub fn write(folder: &Path, board: &Arc<Board>) -> io::Result<()> {
    let text = prometheus_text(board);
    file::replace(&folder.join(FILE), text.as_bytes(), readable::by_all)
}
