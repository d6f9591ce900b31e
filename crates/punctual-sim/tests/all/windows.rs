//! Programs on simulated Windows machines: what the calls do, and what becomes of the library.

#[macro_use]
mod conformance;
mod determinism;
mod driver;
mod library;
mod os;
mod parameters;
mod phase;
mod requests;
mod ticker;
mod timing;

use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_windows::{VERSIONS, Version};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

fn machine(version: &str) -> WindowsMachine {
    WindowsMachine::new(Version::named(version).unwrap())
}

/// Runs a program on a machine of this version.
fn on<T: Send + 'static>(version: &str, body: impl FnOnce(SimWin32) -> T + Send + 'static) -> T {
    machine(version).run(body).unwrap().value
}

/// Runs a program on a machine of each version.
fn on_every_version(body: impl FnOnce(SimWin32) + Clone + Send + 'static) {
    for version in VERSIONS {
        let outcome = WindowsMachine::new(version).run(body.clone());
        if let Err(error) = outcome {
            panic!("{}: {error}", version.name);
        }
    }
}
