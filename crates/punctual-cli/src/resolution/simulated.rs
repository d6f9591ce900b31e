//! What is asked of simulated machines.

use crate::args::MachineArgs;
use crate::failure::Failure;
use punctual::os::windows::Win32Lab;
use punctual_lab::simulated::{SimulatedMachine, SimulatedOs};
use punctual_lab::{Environment, Machine};

/// Longer than any default interval, after which a request has taken effect.
const SETTLING_MS: u32 = 100;

/// Runs something on a simulated machine with its company, once every program there has made its
/// request.
pub(super) fn run_on<T: Send + 'static>(
    machine: &SimulatedMachine,
    args: &MachineArgs,
    body: impl FnOnce(&SimulatedOs) -> T + Send + 'static,
) -> Result<(Environment, T), Failure> {
    let mut shared = machine.clone();
    shared.companions = args.with.iter().copied().map(Into::into).collect();
    let run = shared.run(args.seed, |os| {
        os.win32().sleep(SETTLING_MS);
        (os.environment(), body(&os))
    });
    let (mut environment, found) = run.map_err(Failure::run)?.value;
    environment.system = Some(format!("{machine}, simulated"));
    Ok((environment, found))
}
