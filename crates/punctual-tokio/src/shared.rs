//! The driver that a process shares.

use crate::clock::native;
use punctual::{Driver, DriverThread, Handle};
use std::sync::OnceLock;

/// A driver, and the one that took its place in the child after a fork.
///
/// A chain and no lock: whoever makes a timer reads two words that hardly ever change.
struct Link {
    handle: Handle,
    next: OnceLock<Box<Link>>,
    /// Serves until the process ends.
    _thread: DriverThread,
}

static FIRST: OnceLock<Link> = OnceLock::new();

/// A handle of the shared driver, which is started if there is none yet.
pub fn handle() -> &'static Handle {
    &last().handle
}

/// The same after a timer was refused. The driver is never told to stop, so this process is a child
/// that was forked, without its parent's threads.
pub fn handle_after_fork() -> &'static Handle {
    let last = last();
    if last.handle.is_shut_down() {
        &last.next.get_or_init(|| Box::new(start())).handle
    } else {
        &last.handle
    }
}

fn last() -> &'static Link {
    let mut link = FIRST.get_or_init(start);
    while let Some(next) = link.next.get() {
        link = next;
    }
    link
}

fn start() -> Link {
    let thread = Driver::on(native().clone())
        .start()
        .unwrap_or_else(|error| panic!("the shared driver of timers does not start: {error}"));
    Link {
        handle: thread.handle(),
        next: OnceLock::new(),
        _thread: thread,
    }
}
