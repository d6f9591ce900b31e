//! What is known about a simulated machine.

use super::SimulatedOs;
use crate::Environment;
use crate::environment::windows;

/// The machine as it is now. Its facts are few: what it has no word for, it does not have.
pub(super) fn read(os: &SimulatedOs) -> Environment {
    let none = || Some("none".to_owned());
    Environment {
        hypervisor: none(),
        container: none(),
        superuser: Some(true),
        may_raise_priority: Some(true),
        queue_time_readable: Some(true),
        ..windows::read(os)
    }
}
