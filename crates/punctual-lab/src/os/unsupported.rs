//! Systems without a folder of their own. [`Native`] has no values there, so there is no machine
//! either.

use crate::Environment;
use crate::machine::{Clock, Machine, ThreadTimes};
use crate::waiters::Waiter;
use punctual::{Error, Native};

/// Whether the standard library can sleep: always.
pub(crate) fn std_sleeps() -> Result<(), Error> {
    Ok(())
}

impl Machine for Native {
    fn waiters() -> Vec<Waiter<Self>> {
        Vec::new()
    }

    fn clocks() -> Vec<Clock<Self>> {
        Vec::new()
    }

    fn environment(&self) -> Environment {
        match *self {}
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        match *self {}
    }
}

/// Loads run on any system, except those that need process groups.
pub(crate) mod process {
    use punctual::Error;
    use std::process::{Child, Command};

    /// There are no groups to start it in.
    pub(crate) fn start_in_own_group(_: &mut Command) {}

    /// There is just one process.
    pub(crate) fn kill_group(leader: &mut Child) {
        // An error means that it has already ended, which is fine.
        let _ = leader.kill();
    }

    /// # Errors
    /// Always fails: a command cannot be a load if its child processes cannot be ended with it.
    pub(crate) fn lead_own_group() -> Result<(), Error> {
        let system = std::env::consts::OS;
        Err(Error::unsupported(format!(
            "a command cannot be a load on {system} yet; cpu, switch, memory and timers can"
        )))
    }

    pub(crate) fn end_own_group() -> ! {
        std::process::exit(0)
    }

    /// A shell that runs this text.
    ///
    /// # Errors
    /// None.
    pub(crate) fn shell(text: &str) -> Result<Command, Error> {
        let mut shell = Command::new("sh");
        shell.args(["-c", text]);
        Ok(shell)
    }
}
