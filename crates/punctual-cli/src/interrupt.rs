//! Ctrl-C. Only this module listens for it.

use crate::failure::Failure;
use punctual::Cancel;
use punctual_lab::Native;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
#[cfg(feature = "sim")]
use std::{thread, time::Duration};

/// The exit status that shells show after Ctrl-C: 128 and the number of SIGINT.
const EXIT_INTERRUPTED: u8 = 130;

/// How long a computation may continue after Ctrl-C if it checks rarely.
#[cfg(feature = "sim")]
const GRACE: Duration = Duration::from_secs(2);

/// A request to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked_for: Arc<AtomicBool>,
    #[cfg(feature = "sim")]
    heeded: Arc<AtomicBool>,
}

impl Stop {
    /// From now on, Ctrl-C sets a flag and does not end the process. Called once in a process.
    pub fn on_ctrl_c() -> Result<Self, Failure> {
        Self::reacting(|_, _| ())
    }

    /// The same for simulations, which check the flag rarely. If it is not [heeded](Self::heed)
    /// within two seconds, or if Ctrl-C is pressed again, the process ends.
    #[cfg(feature = "sim")]
    pub fn or_exit_on_ctrl_c() -> Result<Self, Failure> {
        Self::reacting(|stop, was_asked_for| {
            if !was_asked_for {
                thread::sleep(GRACE);
            }
            if was_asked_for || !stop.heeded.load(Ordering::Relaxed) {
                std::process::exit(EXIT_INTERRUPTED.into());
            }
        })
    }

    fn reacting(react: impl Fn(&Self, bool) + Send + 'static) -> Result<Self, Failure> {
        let stop = Self::default();
        let hears = stop.clone();
        listen(move || {
            let was_asked_for = hears.asked_for.swap(true, Ordering::Relaxed);
            react(&hears, was_asked_for);
        })?;
        Ok(stop)
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_asked_for(&self) -> bool {
        self.asked_for.load(Ordering::Relaxed)
    }

    /// The simulation is over. Showing its results may take longer than two seconds.
    #[cfg(feature = "sim")]
    pub fn heed(&self) {
        self.heeded.store(true, Ordering::Relaxed);
    }
}

/// What Ctrl-C cancels from now on, instead of ending the process.
pub fn cancel_on_ctrl_c(machine: &Native) -> Result<Cancel<Native>, Failure> {
    let stop = Cancel::on(machine.clone());
    let stops = stop.clone();
    listen(move || stops.cancel())?;
    Ok(stop)
}

/// From now on, Ctrl-C sends a message and does not end this program.
pub fn message_on_ctrl_c() -> Result<Receiver<()>, Failure> {
    let (heard, stop) = mpsc::channel();
    listen(move || {
        // Sending fails while a command runs. The command gets Ctrl-C itself, and we end with it.
        let _ = heard.send(());
    })?;
    Ok(stop)
}

/// The exit status, depending on whether Ctrl-C stopped the command.
pub fn status(interrupted: bool) -> ExitCode {
    match interrupted {
        true => ExitCode::from(EXIT_INTERRUPTED),
        false => ExitCode::SUCCESS,
    }
}

fn listen(heard: impl Fn() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(heard)
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))
}
