//! Simulated machines by name: `windows-10-2004,due-time=coarse,processors=2`.

mod name;

use crate::conditions::{Companion, Load, MOST_WORK, SLEEP_MILLIS, Standing};
use crate::environment::windows as environment;
use crate::machine::{Clock, ThreadTimes, Tuning};
use crate::observer::Observer;
use crate::question::{Conditions, Refusal, Simulated};
use crate::schedule::{Question, Schedule};
use crate::waiters::{Waiter, portable, windows};
use crate::{Environment, Machine, clocks, personas};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_sim::{Limits, Run};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::resolution::Held;
pub use punctual_windows::{Companion as SimulatedCompanion, Parameter};
use punctual_windows::{Edition, MachineParameters, Rules, VERSIONS, Version};
use std::num::NonZeroUsize;
use std::time::Duration;

/// The operating system of a simulated machine, as experiments use it.
pub type SimulatedOs = WindowsOs<SimWin32>;

/// A simulated machine before its start: a version of Windows, its rules, its hardware and settings,
/// and its companions.
///
/// Its text is the version's name, the rules that differ from the version's, and the settings that
/// differ from the usual ones. What is not named is as usual. Companions have a flag of their own.
///
/// ```
/// use punctual::Sleeper;
/// use punctual_lab::simulated::SimulatedMachine;
/// use std::time::Duration;
///
/// let machine: SimulatedMachine = "windows-7,processors=2".parse()?;
/// let run = machine.run(1, |os| {
///     Sleeper::on(os).sleep(Duration::from_millis(5)).lateness()
/// });
/// assert!(run.is_ok_and(|run| run.value < Duration::from_millis(16)));
///
/// let text = "windows-10-2004,due-time=precise,processors=2";
/// let machine: SimulatedMachine = text.parse()?;
/// assert_ne!(machine.rules, machine.version.rules);
/// assert_eq!(machine.to_string(), text);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedMachine {
    /// The version of Windows. It decides which calls exist.
    pub version: Version,
    /// How its timed waits end: the version's rules, unless some were changed.
    pub rules: Rules,
    /// Its hardware and settings.
    pub parameters: MachineParameters,
    /// Other programs and drivers.
    pub companions: Vec<SimulatedCompanion>,
    /// How the program itself stands with Windows when it starts.
    pub standing: Standing,
}

/// Every simulated Windows for people on the usual hardware, oldest first.
pub fn usual_machines() -> Vec<SimulatedMachine> {
    let for_people = |version: &Version| version.edition == Edition::Client;
    let versions = VERSIONS.into_iter().filter(for_people);
    versions.map(SimulatedMachine::usual).collect()
}

impl SimulatedMachine {
    /// A version of Windows with its own rules on the usual hardware, without companions.
    pub fn usual(version: Version) -> Self {
        Self {
            version,
            rules: version.rules,
            parameters: MachineParameters::default(),
            companions: Vec::new(),
            standing: Standing::default(),
        }
    }

    /// The machine that a question names.
    ///
    /// # Errors
    /// If there is no such machine, or if it cannot have these settings.
    pub fn of(simulated: &Simulated) -> Result<Self, Refusal> {
        simulated.machine.parse().map_err(Refusal::Machine)
    }

    /// The same machine with this load, these companions, and this standing of the program.
    ///
    /// # Errors
    /// If it cannot have the load, or lacks the processor that the thread is pinned to.
    pub fn under(mut self, conditions: &Conditions) -> Result<Self, Refusal> {
        let processors = self.parameters.processors;
        if let Some(processor) = conditions.pin.filter(|&processor| processor >= processors) {
            return Err(Refusal::Pin(Error::invalid_input(format!(
                "there is no processor {processor}; write 0 to {}",
                processors - 1
            ))));
        }
        self.companions = conditions.with.iter().copied().map(Into::into).collect();
        let load = conditions.load.simulated(processors);
        self.companions.extend(load.map_err(Refusal::Load)?);
        self.standing = conditions.standing;
        Ok(self)
    }

    /// Asks it a question, with this seed of its random numbers, and returns the machine as it was with the
    /// requests of all others in force, and what observed.
    ///
    /// # Errors
    /// If it cannot answer, or did not get to its end.
    pub fn ask<S: Schedule, O: Observer<S::Series> + Send + 'static>(
        &self,
        seed: u64,
        question: &Question<S>,
        mut observer: O,
    ) -> Result<(Environment, O), Error> {
        /// Longer than any default interval. By then this process's own request has ended, and only
        /// those of the companions count.
        const SETTLING_MS: u32 = 100;
        let asked = question.clone();
        let run = self.run(seed, move |os| {
            let mut environment = os.environment();
            let outcome = asked.run(&os, &mut observer);
            // Before the first tick, no request counts.
            os.win32().sleep(SETTLING_MS);
            environment.timer_interval_ns = os.environment().timer_interval_ns;
            outcome.map(|()| (environment, observer))
        });
        let run = run.map_err(|error| Error::unsupported(error.to_string()))?;
        let (mut environment, observer) = run.value?;
        environment.system = Some(format!("{self}, simulated"));
        Ok((environment, observer))
    }

    /// Runs a program on it, with this seed of its random numbers.
    ///
    /// # Errors
    /// As [`WindowsMachine::run`].
    pub fn run<T: Send + 'static>(
        &self,
        seed: u64,
        body: impl FnOnce(SimulatedOs) -> T + Send + 'static,
    ) -> Result<Run<T>, punctual_sim::Error> {
        self.run_logged(seed, 0, body)
    }

    /// The same, and keeps this many of the last records of what happened.
    ///
    /// # Errors
    /// As [`WindowsMachine::run`].
    pub fn run_logged<T: Send + 'static>(
        &self,
        seed: u64,
        records: usize,
        body: impl FnOnce(SimulatedOs) -> T + Send + 'static,
    ) -> Result<Run<T>, punctual_sim::Error> {
        let limits = Limits {
            log: records,
            ..Limits::default()
        };
        let machine = WindowsMachine::new(self.version)
            .with_rules(self.rules)
            .with_parameters(self.parameters)
            .with_limits(limits)
            .with_seed(seed);
        let companions = self.companions.iter().copied();
        let standing = self.standing;
        companions
            .fold(machine, WindowsMachine::with_companion)
            .run(move |win32| {
                // Before anything looks at what the process has told Windows.
                win32.take_standing(standing);
                body(WindowsOs::on(win32))
            })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Os;
    use punctual::os::windows::Win32;
    use punctual_windows::os::windows::Win32Lab;
    use std::time::Duration;

    /// The mean of 100 calls of `Sleep(1)`, in whole milliseconds, under a request of the program's own.
    fn sleep_1(machine: &str, conditions: &Conditions) -> u128 {
        let machine: SimulatedMachine = machine.parse().unwrap();
        let run = machine.under(conditions).unwrap().run(1, |os| {
            let win32 = os.win32();
            win32.time_begin_period(4).unwrap();
            win32.sleep(100);
            let began = os.now();
            (0..100).for_each(|_| win32.sleep(1));
            os.now().duration_since(began) / 100
        });
        (run.unwrap().value + Duration::from_micros(100)).as_millis()
    }

    #[test]
    fn requests_of_a_hidden_program_count_on_11_only_if_it_has_opted_out() {
        for (machine, standing, mean) in [
            ("windows-10-2004", "hidden", 4),
            ("windows-10-2004", "ignore", 4),
            ("windows-11", "hidden", 15),
            ("windows-11", "hidden,honour", 4),
            ("windows-11", "honour", 4),
            ("windows-11", "ignore", 15),
            ("windows-11,occlusion=ignored", "hidden", 4),
        ] {
            let conditions = Conditions {
                standing: standing.parse().unwrap(),
                ..Conditions::default()
            };
            assert_eq!(sleep_1(machine, &conditions), mean, "{machine} {standing}");
        }
    }

    #[test]
    fn what_a_requester_is_decides_whether_the_interval_shortens() {
        for (requester, interval_ms) in [
            ("requester=2ms", 2),
            ("requester=2ms,hidden", 15),
            ("requester=2ms,hidden,honour", 2),
            ("requester=2ms,ignore", 15),
        ] {
            let machine: SimulatedMachine = "windows-11".parse().unwrap();
            let conditions = Conditions {
                with: vec![requester.parse().unwrap()],
                ..Conditions::default()
            };
            let run = machine.under(&conditions).unwrap().run(1, |os| {
                os.win32().sleep(100);
                os.win32().nt_query_timer_resolution().unwrap()
            });
            let in_force = run.unwrap().value.current_time;
            assert_eq!((in_force + 100) / 10_000, interval_ms, "{requester}");
        }
    }

    #[test]
    fn what_the_program_told_windows_is_there_before_anything_looks() {
        let machine: SimulatedMachine = "windows-11".parse().unwrap();
        let conditions = Conditions {
            standing: "ignore".parse().unwrap(),
            ..Conditions::default()
        };
        let run = machine.under(&conditions).unwrap().run(1, |os| {
            // Opts out for as long as it waits, and puts back what it found.
            punctual::Sleeper::on(os.clone()).sleep(Duration::from_millis(3));
            os.win32().get_process_information().unwrap()
        });
        assert_eq!(run.unwrap().value.state_mask, 4);
    }
}
