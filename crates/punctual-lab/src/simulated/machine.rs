//! A simulated Windows as a machine for experiments.

use super::{SimulatedCompanion, SimulatedOs};
use crate::Environment;
use crate::clocks;
use crate::conditions::{Companion, Load, MOST_WORK, SLEEP_MILLIS, Standing};
use crate::environment::windows as environment;
use crate::machine::{Clock, Machine, ThreadTimes, Tuning};
use crate::personas;
use crate::waiters::{Waiter, portable, windows};
use punctual::Error;
use punctual_sim::windows::SimWin32;
use punctual_windows::resolution::Held;
use std::num::NonZeroUsize;
use std::time::Duration;

impl Machine for SimulatedOs {
    const HAS_INTERVAL: bool = true;

    fn waiters() -> Vec<Waiter<Self>> {
        let mut waiters = windows::all();
        waiters.extend(portable());
        waiters
    }

    fn unlisted(name: &str) -> Option<Waiter<Self>> {
        personas::waiter_named(name)
    }

    fn clocks() -> Vec<Clock<Self>> {
        clocks::windows::all()
    }

    fn work(&self, duration: Duration) {
        self.win32().compute(duration);
    }

    fn request(&self, interval: Duration) -> Result<Box<dyn Tuning>, Error> {
        Ok(Box::new(Held::ask_as_it_stands(self, interval)?))
    }

    fn await_tick(&self) {
        windows::await_tick(self.win32());
    }

    fn request_delay(&self) -> Duration {
        windows::request_delay(self.win32())
    }

    fn offers(_: &Companion) -> Result<(), Error> {
        Ok(())
    }

    fn allows(_: &Standing) -> Result<(), Error> {
        Ok(())
    }

    fn environment(&self) -> Environment {
        read_environment(self)
    }

    fn thread_times(&self) -> Box<dyn ThreadTimes> {
        Box::new(Times(*self.win32()))
    }
}

struct Times(SimWin32);

impl ThreadTimes for Times {
    fn processor(&self) -> Duration {
        self.0.processor_time()
    }

    /// Windows has no call that tells this; the simulator knows it.
    fn queue(&self) -> Option<Duration> {
        Some(self.0.queue_time())
    }
}

/// The machine as it is now. It has few facts: a fact that has no name in the simulator is left
/// out.
fn read_environment(os: &SimulatedOs) -> Environment {
    let none = || Some("none".to_owned());
    Environment {
        hypervisor: none(),
        container: none(),
        superuser: Some(true),
        may_raise_priority: Some(true),
        queue_time_readable: Some(true),
        ..environment::read(os)
    }
}

// Companions and loads as simulated processes and drivers.

/// `--load timers` on simulated machines: as many threads as on a real machine, with sleeps in
/// whole milliseconds and the same mean of about five.
const TIMERS: SimulatedCompanion = SimulatedCompanion::Sleepers {
    threads: 200,
    from: 1,
    to: 9,
    most_work: Duration::from_micros(5),
};

impl From<Companion> for SimulatedCompanion {
    fn from(companion: Companion) -> Self {
        match companion {
            Companion::Requester { interval, standing } => Self::Requester { interval, standing },
            Companion::Driver { interval } => Self::Driver { interval },
            Companion::Sleepers { threads } => Self::Sleepers {
                threads: threads.get(),
                from: *SLEEP_MILLIS.start(),
                to: *SLEEP_MILLIS.end(),
                most_work: MOST_WORK,
            },
        }
    }
}

impl Load {
    /// The processes of this load on a simulated machine.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) if a simulated machine cannot have this load.
    pub fn simulated(&self, processors: usize) -> Result<Vec<SimulatedCompanion>, Error> {
        match self {
            Self::None => Ok(Vec::new()),
            Self::Cpu { processes } => {
                let processes = processes.map_or(processors, NonZeroUsize::get);
                Ok(vec![SimulatedCompanion::Load; processes])
            }
            Self::Switch => Ok(vec![SimulatedCompanion::Switch]),
            Self::Timers => Ok(vec![TIMERS]),
            Self::Memory | Self::Command(_) => Err(Error::unsupported(format!(
                "a simulated machine cannot have the load {self}, because it has no memory and runs \
                 no commands; it can have cpu, cpu:N, switch and timers"
            ))),
        }
    }
}
