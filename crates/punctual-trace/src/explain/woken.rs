//! Waits that no timer ended.

use super::{Explanation, because};
use crate::chronicle::{Chronicle, State, Woken};
use crate::segment::{Cause, Occupant, Reason};

impl<'a> Explanation<'a> {
    /// The waking that ended the wait: the last in it.
    pub(super) fn waking(&self) -> Option<&'a Woken> {
        let chronicle: &'a Chronicle = self.chronicle;
        let woken = chronicle.woken(self.wait.thread);
        let last = woken.partition_point(|woken| woken.at <= self.wait.woke);
        let woken = woken[..last].last()?;
        (woken.at >= self.wait.began).then_some(woken)
    }

    /// From the deadline until something had made the thread ready.
    pub(super) fn woken(&mut self, woken: &Woken) -> Result<(), Reason> {
        self.woken_by.clone_from(&woken.by);
        let ready = self.history().readied(woken.at);
        let ready = ready.filter(|&ready| ready <= self.wait.woke);
        let ready = ready.ok_or(Reason::NoReady)?;
        self.follow(self.wait.began, Cause::ArmedLate)?;
        let waker = woken.by.first().map(|waker| waker.occupant);
        let waker = waker.unwrap_or(Occupant::Unknown);
        let (cause, _) = match self.history().at(self.splitter.cursor()) {
            (State::Waiting { how }, _) => self.waiting(how),
            _ => (Cause::Sleeping, waker),
        };
        self.splitter.until(woken.at, cause, waker);
        self.occupied(woken.processor, ready, because(Cause::IrqHandler))
    }
}
