//! Questions to simulated machines.

use crate::run::simulated::machine;
use punctual_command::failure::Failure;
use punctual_lab::conditions::Companion;
use punctual_lab::question::{Conditions, Simulated};
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
use punctual_lab::{Environment, Machine};
use punctual_windows::os::windows::Win32Lab;

/// Longer than any default interval, after which a request has taken effect.
const SETTLING_MS: u32 = 100;

/// Runs something on a simulated machine with its companions, after every program there has made
/// its request. Returns the machine, its environment and what was found.
pub(super) fn run_on<T: Send + 'static>(
    simulated: &Simulated,
    with: &[Companion],
    body: impl FnOnce(&SimulatedOs) -> T + Send + 'static,
) -> Result<(SimulatedMachine, Environment, T), Failure> {
    let company = Conditions {
        with: with.to_vec(),
        ..Conditions::default()
    };
    let machine = machine(simulated, &company)?;
    let run = machine.run(simulated.seed, |os| {
        os.win32().sleep(SETTLING_MS);
        (os.environment(), body(&os))
    });
    let (mut environment, found) = run.map_err(Failure::run)?.value;
    environment.system = Some(format!("{machine}, simulated"));
    Ok((machine, environment, found))
}
