//! The timed waits of any program, found from its timers.

use crate::chronicle::{Chronicle, Fired};
use crate::event::ThreadId;
use crate::segment::{Lateness, Reason, Verdict, Wait, WakeUp};

/// The waits of a thread that a timer ended, in the order in which they ended. A wait that ended before
/// its timer was not late, and is left out.
///
/// A wait ends when the thread is first seen running, because the trace does not show when it read the
/// clock. If the arming of a timer was not recorded, the deadline is not known, and the wake-up has no
/// explanation.
pub fn waits(chronicle: &Chronicle, thread: ThreadId) -> Vec<Result<Wait, WakeUp>> {
    let fired = chronicle.fired(thread).iter();
    fired
        .map(|fired| ended_by(chronicle, thread, fired))
        .collect()
}

/// The wait of a thread that this timer ended.
pub(crate) fn ended_by(
    chronicle: &Chronicle,
    thread: ThreadId,
    fired: &Fired,
) -> Result<Wait, WakeUp> {
    let history = chronicle.history(thread);
    let ready = history.readied(fired.waking_at);
    let woke = ready.and_then(|ready| history.runs(ready));
    let wait = Wait {
        thread,
        began: fired.armed.map_or(fired.expired_at, |armed| armed.at),
        deadline: fired.armed.map_or(fired.expired_at, |armed| armed.earliest),
        woke: woke.unwrap_or(fired.waking_at),
    };
    match (fired.armed, woke) {
        (Some(_), Some(_)) => Ok(wait),
        (None, _) => Err(unexplained(wait, Reason::NoTimer)),
        // The trace ended, or the thread did.
        (_, None) => Err(unexplained(wait, Reason::OutsideTrace)),
    }
}

pub(crate) fn unexplained(wait: Wait, reason: Reason) -> WakeUp {
    WakeUp {
        wait,
        lateness: Lateness::Unknown,
        processor: None,
        verdict: Verdict::Unexplained(reason),
        segments: Vec::new(),
    }
}
