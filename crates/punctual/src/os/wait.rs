//! The only loop over the system's wait.

use super::{Os, Woken};
use crate::Instant;
use std::time::Duration;

/// Lets the system wait until an instant, or for ever, or until the bell ends it. The system may end a wait early, so this
/// waits again until `is_over` says that nothing is left to wait for; it is told how each wait ended.
// Inlined into what waits, as far as the call that blocks: a simulated thread goes on fastest in the
// function in which it was suspended.
#[inline(always)]
pub(crate) fn wait_out<O: Os>(
    os: &O,
    until: Option<Instant>,
    tolerance: Duration,
    bell: &O::Bell,
    mut is_over: impl FnMut(Woken) -> bool,
) {
    while !is_over(os.wait(until, tolerance, bell)) {}
}

/// Waits until a bell is rung, for ever if need be. A bell that has been rung costs no system call.
pub(crate) fn until_rung<O: Os>(os: &O, bell: &O::Bell) {
    if !os.is_rung(bell) {
        wait_out(os, None, Duration::ZERO, bell, |_| os.is_rung(bell));
    }
}
