//! Answers over HTTP: `/metrics`, `/healthz`, `/late`, and a page for people. Nothing can write anything.
//!
//! One thread answers everyone. What a client may ask of it is limited: see `serve/limits.rs`.

mod answer;
mod connection;
mod health;
mod limits;
mod listen;
mod os;
mod recordings;
mod route;
mod run;

use crate::board::Board;
use crate::error::Error;
use crate::locked;
use crate::settings::Address;
use answer::Shown;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;

/// A server that answers until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    addresses: Vec<Address>,
    shown: Arc<Mutex<Shown>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens at all these addresses and answers with what is on the board. Without any address it does nothing.
    ///
    /// Port 0 stands for any free port: see [`Self::addresses`]. A Unix socket can be used by its owner and its group.
    ///
    /// # Errors
    /// If it cannot listen at one of them. Then it listens nowhere.
    pub fn bind(addresses: &[Address], board: Arc<Board>) -> Result<Self, Error> {
        let bound = listen::all(addresses)?;
        let faults = Arc::clone(&board.faults);
        let mut server = Self {
            addresses: bound.addresses(),
            shown: Arc::new(Mutex::new(Shown::new(board))),
            stop: None,
            thread: None,
        };
        if addresses.is_empty() {
            return Ok(server);
        }
        let runtime = run::runtime().map_err(Error::Start)?;
        let listeners = {
            let _inside = runtime.enter();
            bound.listen().map_err(Error::Start)?
        };
        let (stop, stopped) = oneshot::channel();
        let shown = Arc::clone(&server.shown);
        let thread = thread::Builder::new()
            .name("watch-serve".to_owned())
            .spawn(move || run::until(stopped, runtime, &listeners, &shown, &faults))
            .map_err(Error::Start)?;
        server.stop = Some(stop);
        server.thread = Some(thread);
        Ok(server)
    }

    /// Where it listens, in the order in which it was asked to, with the ports that the system chose.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Answers with another board from now on. The last hour goes on; this minute of it becomes shorter.
    pub fn show(&self, board: Arc<Board>) {
        locked(&self.shown).show(board);
    }

    /// Closes all connections, removes Unix sockets, and returns when that is done.
    pub fn stop(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of it has been printed, and there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

/// Both ways of a connection.
trait Both: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> Both for T {}

/// A connection: TCP's, or a Unix socket's.
type Stream = Pin<Box<dyn Both>>;
