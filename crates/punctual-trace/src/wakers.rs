//! The waits that no timer ended, from being woken until running.

use crate::chronicle::Chronicle;
use crate::event::ThreadId;
use crate::segment::{Reason, Wait, WakeUp};
use crate::waits::{back, unexplained};
use punctual::Instant;

/// The wait of a thread that something ended at an instant. It is not known when it should have ended, so its
/// lateness is counted from this instant.
///
/// `None` if the thread had not left its processor by then: it did not wait.
pub(crate) fn woken_at(
    chronicle: &Chronicle,
    thread: ThreadId,
    at: Instant,
) -> Option<Result<Wait, WakeUp>> {
    let history = chronicle.history(thread);
    let began = history.waits_since(at)?;
    let ready = history.readied(at);
    let runs = ready.and_then(|ready| history.runs(ready));
    let woke = runs.and_then(|runs| back(chronicle, thread, runs));
    let wait = Wait {
        thread,
        began,
        deadline: at,
        woke: woke.unwrap_or(at),
    };
    Some(match woke {
        Some(_) => Ok(wait),
        // The trace ended, or the thread did.
        None => Err(unexplained(wait, Reason::OutsideTrace)),
    })
}
