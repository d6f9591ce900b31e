//! The calling thread's timer slack, changed for a while.

use crate::machine::Tuning;
use punctual::Error;
use std::io;
use std::marker::PhantomData;
use std::time::Duration;

/// Gives back what was found. Slack belongs to a thread, so this stays on it.
struct Slackened {
    found_ns: libc::c_ulong,
    _on_this_thread: PhantomData<*const ()>,
}

impl Tuning for Slackened {}

/// Lets the kernel end this thread's waits so much later. Zero would mean the default.
pub(super) fn slacken(slack: Duration) -> Result<impl Tuning + use<>, Error> {
    let nanos = libc::c_ulong::try_from(slack.as_nanos()).unwrap_or(libc::c_ulong::MAX);
    let found_ns = super::environment::timer_slack_ns()
        .ok_or_else(|| Error::unsupported("this system tells nobody its timer slack"))?;
    set(nanos.max(1))?;
    Ok(Slackened {
        found_ns,
        _on_this_thread: PhantomData,
    })
}

fn set(nanos: libc::c_ulong) -> Result<(), Error> {
    // SAFETY: changes a number of the calling thread; no pointers.
    let set = unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, nanos, 0, 0, 0) };
    match set {
        0 => Ok(()),
        _ => {
            let error = io::Error::last_os_error();
            Err(Error::system(format!("timer slack cannot be set: {error}")))
        }
    }
}

impl Drop for Slackened {
    fn drop(&mut self) {
        // What was there can be had again.
        let _ = set(self.found_ns);
    }
}
