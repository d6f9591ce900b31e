//! The parts of a watch, in the order in which they need each other.

use crate::board::Board;
use crate::error::Error;
use crate::faults::Faults;
use crate::late::Lates;
use crate::observer::Observer;
use crate::recorder::Recorder;
use crate::sampler::Samplers;
use crate::serve::Server;
use crate::settings::{Address, LateSettings, Settings};
use crate::textfile::Textfile;
use std::io;
use std::sync::Arc;

/// Everything that runs.
#[derive(Debug)]
pub(super) struct Running {
    board: Arc<Board>,
    /// `None` while its addresses change.
    server: Option<Server>,
    counting: Option<Counting>,
}

/// What counts and writes, which is all but the server.
#[derive(Debug)]
struct Counting {
    samplers: Samplers,
    recorder: Option<Recorder>,
    observer: Observer,
    textfile: Option<Textfile>,
}

impl Running {
    /// Starts all parts. Nothing waits before it is known that the watch can answer.
    pub(super) fn start(settings: &Settings, faults: Arc<Faults>) -> Result<Self, Error> {
        let lates = settings.late.as_ref().map(open).transpose()?;
        let board = Board::new(settings, faults, lates).map_err(refused)?;
        let board = Arc::new(board);
        let server = Server::bind(&settings.listen, Arc::clone(&board))?;
        let counting = Counting::start(settings, &board)?;
        Ok(Self {
            board,
            server: Some(server),
            counting: Some(counting),
        })
    }

    pub(super) fn board(&self) -> &Arc<Board> {
        &self.board
    }

    pub(super) fn addresses(&self) -> &[Address] {
        self.server.as_ref().map_or(&[], Server::addresses)
    }

    /// Changes to other settings, or goes on with the old ones.
    pub(super) fn change(&mut self, old: &Settings, new: &Settings) -> Result<(), Error> {
        // What is wrong is refused before anything ends. This board also stands in while the recorder's folder
        // changes hands, which only one may have.
        let between = self.board.renewed(new, None).map_err(refused)?;
        if old.listen != new.listen {
            self.listen(old, new)?;
        }
        let lates = self.board.lates.clone();
        self.pause();
        self.show(between);
        let kept = lates.filter(|_| old.late == new.late);
        self.resume(new, kept).or_else(|error| {
            if old.listen != new.listen {
                self.listen(new, old)?;
            }
            self.resume(old, None)?;
            Err(error)
        })
    }

    /// Listens elsewhere, or where it did if it cannot.
    fn listen(&mut self, old: &Settings, new: &Settings) -> Result<(), Error> {
        // Some addresses may be among both.
        drop(self.server.take());
        match Server::bind(&new.listen, Arc::clone(&self.board)) {
            Ok(server) => self.server = Some(server),
            Err(error) => {
                self.server = Some(Server::bind(&old.listen, Arc::clone(&self.board))?);
                return Err(error);
            }
        }
        Ok(())
    }

    fn show(&mut self, board: Board) {
        self.board = Arc::new(board);
        if let Some(server) = &self.server {
            server.show(Arc::clone(&self.board));
        }
    }

    fn pause(&mut self) {
        if let Some(counting) = self.counting.take() {
            counting.stop();
        }
    }

    fn resume(&mut self, settings: &Settings, lates: Option<Arc<Lates>>) -> Result<(), Error> {
        let lates = match (lates, &settings.late) {
            (None, Some(late)) => Some(open(late)?),
            (lates, _) => lates,
        };
        let board = self.board.renewed(settings, lates).map_err(refused)?;
        self.show(board);
        self.counting = Some(Counting::start(settings, &self.board)?);
        Ok(())
    }

    /// Ends all parts.
    pub(super) fn stop(mut self) {
        self.pause();
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}

impl Counting {
    fn start(settings: &Settings, board: &Arc<Board>) -> Result<Self, Error> {
        let observer = Observer::start(board).map_err(refused)?;
        let recorder = match &board.lates {
            Some(lates) => {
                let (lates, faults) = (Arc::clone(lates), Arc::clone(&board.faults));
                Some(Recorder::start(lates, faults).map_err(Error::Start)?)
            }
            None => None,
        };
        let late_events = recorder.as_ref().map(Recorder::late_events);
        let samplers = Samplers::start(settings, board, late_events).map_err(refused)?;
        let textfile = settings.textfile.clone();
        let textfile = textfile.map(|folder| Textfile::start(folder, Arc::clone(board)));
        Ok(Self {
            samplers,
            recorder,
            observer,
            textfile: textfile.transpose().map_err(Error::Start)?,
        })
    }

    /// The samplers first: the recorder ends when nothing can tell it anything.
    fn stop(self) {
        self.samplers.stop();
        if let Some(recorder) = self.recorder {
            recorder.stop();
        }
        self.observer.stop();
        if let Some(textfile) = self.textfile {
            textfile.stop();
        }
    }
}

fn open(late: &LateSettings) -> Result<Arc<Lates>, Error> {
    let opened = Lates::open(late).map_err(|error| Error::Folder {
        folder: late.folder.clone(),
        error,
    })?;
    Ok(Arc::new(opened))
}

/// What the library or the laboratory refuses.
fn refused(error: punctual::Error) -> Error {
    Error::Start(io::Error::other(error))
}
