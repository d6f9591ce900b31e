//! Changes the calling thread's timer slack for a while.

use crate::machine::Tuning;
use punctual::Error;
use rustix::thread::set_current_timer_slack;
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::time::Duration;

/// Restores the slack that was found. Slack belongs to a thread, so this stays on it.
struct Slackened {
    found_ns: u64,
    _on_this_thread: PhantomData<*const ()>,
}

impl Tuning for Slackened {}

/// Lets the kernel end this thread's waits up to this much later. Zero would mean the default.
pub(super) fn slacken(slack: Duration) -> Result<impl Tuning + use<>, Error> {
    let nanos = u64::try_from(slack.as_nanos()).unwrap_or(u64::MAX);
    let found_ns = super::environment::timer_slack_ns()
        .ok_or_else(|| Error::unsupported("this system does not tell its timer slack"))?;
    set(nanos.max(1))?;
    Ok(Slackened {
        found_ns,
        _on_this_thread: PhantomData,
    })
}

fn set(nanos: u64) -> Result<(), Error> {
    set_current_timer_slack(NonZeroU64::new(nanos))
        .map_err(|error| Error::system(format!("timer slack cannot be set: {error}")))
}

impl Drop for Slackened {
    fn drop(&mut self) {
        // This value was in force before, so it can be set again.
        let _ = set(self.found_ns);
    }
}
