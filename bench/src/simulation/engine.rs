//! The engine, through the handle that programs have: nothing here knows its inside.

use super::workload::{Delays, Workload};
use crate::failure::Failure;
use crate::os::Meter;
use punctual::Os;
use punctual_sim::{Plain, Setup, SimOs, simulate};
use std::time::Duration;

/// What the simulated machine takes for calls and dispatches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Costs {
    /// A nanosecond for a call, nothing for a dispatch: processors are free when they are wanted,
    /// so the delays decide the order, as they do where there are no processors.
    Least,
    /// As it ships: 10,000 threads want more than two processors can give, and stand in line.
    Default,
}

impl Costs {
    fn machine(self) -> (Setup, Plain) {
        match self {
            Self::Least => {
                let nanosecond = Duration::from_nanos(1);
                let setup = Setup {
                    dispatch_cost: Duration::ZERO,
                    ..Setup::default()
                };
                let plain = Plain {
                    look_cost: nanosecond,
                    call_cost: nanosecond,
                    ..Plain::default()
                };
                (setup, plain)
            }
            Self::Default => (Setup::default(), Plain::default()),
        }
    }
}

/// The processor time that the workload takes, the making of threads excluded.
pub fn run(workload: Workload, costs: Costs) -> Result<Duration, Failure> {
    let (setup, plain) = costs.machine();
    let run = simulate(setup, plain, move |os| sleep_all(os, workload))?;
    run.value.map_err(Failure::from)
}

fn sleep_all(os: SimOs, workload: Workload) -> Result<Duration, String> {
    let go = os.bell();
    let mut threads = Vec::new();
    for number in 0..workload.threads {
        let go = go.clone();
        let body = move || {
            os.wait(None, Duration::ZERO, &go);
            let bell = os.bell();
            let mut delays = Delays::of_thread(number);
            for _ in 0..workload.sleeps_each {
                let until = os.now() + delays.draw();
                os.wait(Some(until), Duration::ZERO, &bell);
            }
        };
        let thread = os.spawn("sleeper", Box::new(body));
        threads.push(thread.map_err(|error| error.to_string())?);
    }
    // Until all have their stacks and wait for the bell.
    let settled = os.now() + Duration::from_secs(1);
    os.wait(Some(settled), Duration::ZERO, &os.bell());
    let began = Meter::Process.read();
    os.ring(&go);
    for thread in threads {
        if thread.join(&os).is_err() {
            return Err("a simulated thread panicked".to_owned());
        }
    }
    Ok(Meter::Process.read() - began)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_at_either_cost() {
        for costs in [Costs::Least, Costs::Default] {
            let took = run(Workload::of(10, 1_000), costs).unwrap();
            assert!(!took.is_zero());
        }
    }
}
