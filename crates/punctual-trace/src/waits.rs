//! The timed waits of any program, found from its timers.

use crate::chronicle::{Call, Chronicle, Fired};
use crate::event::ThreadId;
use crate::segment::{Lateness, Reason, Verdict, Wait, WakeUp};
use punctual::Instant;

/// The waits of a thread that a timer ended, in the order in which they ended. A wait that ended before
/// its timer was not late, and is left out.
///
/// A wait ends when the thread is back in its program. If its system calls are recorded, that is after
/// the call in which it waited. If not, it is when the thread is first seen running. If the arming of a timer was not recorded, the deadline is not known, and the wake-up has no
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
    let runs = ready.and_then(|ready| history.runs(ready));
    let woke = runs.and_then(|runs| back(chronicle, thread, runs));
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

/// When a thread that runs since an instant is back in its program; `None` if the trace ends before.
pub(crate) fn back(chronicle: &Chronicle, thread: ThreadId, runs: Instant) -> Option<Instant> {
    match chronicle.calls(thread).at(runs) {
        // It waits for something else in the same call.
        Call::DoneAt(done, _) if chronicle.history(thread).waits(runs, done) => Some(runs),
        Call::DoneAt(_, back) => back,
        Call::NeverDone => None,
        Call::None => Some(runs),
    }
}

pub(crate) fn unexplained(wait: Wait, reason: Reason) -> WakeUp {
    WakeUp {
        wait,
        lateness: Lateness::Unknown,
        processor: None,
        verdict: Verdict::Unexplained(reason),
        segments: Vec::new(),
        woken_by: Vec::new(),
        preemption: None,
        stacks: Vec::new(),
    }
}
