//! The facts about a simulated machine.

use super::SimulatedOs;
use crate::Environment;
use crate::environment::windows;

/// The machine as it is now. It has few facts: a fact that has no name in the simulator is left
/// out.
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
