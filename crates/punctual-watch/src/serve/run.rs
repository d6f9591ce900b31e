//! The server's thread: it accepts connections, and closes the oldest where there are too many.

use super::answer::Shown;
use super::limits::{CONNECTION_TIME, CONNECTIONS, MINUTE, PAUSE, RECORDINGS};
use super::listen::Listener;
use super::{Stream, connection};
use crate::faults::{Fault, Faults};
use crate::locked;
use crate::os::threads;
use std::collections::VecDeque;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

/// What runs everything on the thread that it is given to.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .thread_name("watch-file")
        // They read recordings.
        .max_blocking_threads(RECORDINGS)
        .build()
}

/// Answers until the sender of `stopped` is gone.
pub fn until(
    stopped: oneshot::Receiver<()>,
    runtime: Runtime,
    listeners: &[Listener],
    shown: &Arc<Mutex<Shown>>,
    faults: &Faults,
) {
    // Whoever asks much makes nothing on this machine late.
    threads::be_modest();
    runtime.block_on(async {
        tokio::select! {
            _ = stopped => {}
            () = serve(listeners, shown, faults) => {}
        }
    });
    // A file may hang on a dead disk; nothing waits for it.
    runtime.shutdown_background();
}

async fn serve(listeners: &[Listener], shown: &Arc<Mutex<Shown>>, faults: &Faults) {
    let mut open = Open::default();
    let mut minutes = interval_at(Instant::now() + MINUTE, MINUTE);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            accepted = any(listeners) => match accepted {
                Ok((stream, is_loopback)) => {
                    if open.make_room() {
                        faults.happened(Fault::Client, format_args!(
                            "more than {CONNECTIONS} connections at once; the oldest are closed"
                        ));
                    }
                    open.add(stream, is_loopback, shown);
                }
                Err(error) => {
                    faults.happened(Fault::Client, format_args!("cannot accept a connection: {error}"));
                    sleep(PAUSE).await;
                }
            },
            _ = minutes.tick() => locked(shown).minute(),
            Some(ended) = open.tasks.join_next() => {
                if let Ok(Err(why)) = ended {
                    faults.happened(Fault::Client, why);
                }
            }
        }
    }
}

/// The next connection of any of them.
async fn any(listeners: &[Listener]) -> io::Result<(Stream, bool)> {
    let mut accepts: Vec<_> = listeners
        .iter()
        .map(|listener| Box::pin(listener.accept()))
        .collect();
    std::future::poll_fn(|context| {
        for accept in &mut accepts {
            let accepted = pin!(accept).as_mut().poll(context);
            if accepted.is_ready() {
                return accepted;
            }
        }
        std::task::Poll::Pending
    })
    .await
}

/// The connections, the oldest first.
#[derive(Default)]
struct Open {
    tasks: JoinSet<Result<(), String>>,
    by_age: VecDeque<AbortHandle>,
}

impl Open {
    /// Closes the oldest connection if there are too many for one more, and says whether it did.
    fn make_room(&mut self) -> bool {
        self.by_age.retain(|connection| !connection.is_finished());
        if self.by_age.len() < CONNECTIONS {
            return false;
        }
        if let Some(oldest) = self.by_age.pop_front() {
            oldest.abort();
        }
        true
    }

    fn add(&mut self, stream: Stream, is_loopback: bool, shown: &Arc<Mutex<Shown>>) {
        let connection = connection::serve(stream, is_loopback, Arc::clone(shown), CONNECTION_TIME);
        self.by_age.push_back(self.tasks.spawn(connection));
    }
}
