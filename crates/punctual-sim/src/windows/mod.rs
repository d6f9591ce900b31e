//! A simulated Windows machine: the rules of a version on the engine.
//!
//! A program gets a [`SimWin32`], which has the calls of [`Win32`](punctual::os::windows::Win32) and
//! [`Win32Lab`](punctual_windows::os::windows::Win32Lab). [`WindowsOs`](punctual::os::windows::WindowsOs) runs
//! on it as on a real Windows.
//!
//! ```
//! use punctual::os::windows::WindowsOs;
//! use punctual_windows::os::windows::Win32Lab;
//! use punctual::Os;
//! use punctual_windows::{Companion, Version};
//! use punctual_sim::windows::WindowsMachine;
//! use std::time::Duration;
//!
//! let sleep_1 = |version| {
//!     let interval = Duration::from_millis(2);
//!     let machine = WindowsMachine::new(Version::named(version)?)
//!         .with_companion(Companion::requester(interval));
//!     let run = machine.run(|win32| {
//!         let os = WindowsOs::on(win32);
//!         win32.sleep(100);
//!         let began = os.now();
//!         (0..100).for_each(|_| win32.sleep(1));
//!         os.now().duration_since(began) / 100
//!     });
//!     run.map(|run| run.value.as_millis()).map_err(|error| error.to_string())
//! };
//! assert_eq!(sleep_1("windows-10-1909"), Ok(1), "another process's request helps: 1.999 ms");
//! assert_eq!(sleep_1("windows-10-2004"), Ok(15), "since version 2004 it does not");
//! ```
//!
//! # What is simulated
//!
//! - Handles, requests and timers belong to a process, and are released when it ends.
//! - Timer interrupts and the calls that they dispatch run on processor 0 and take its time. A tick at
//!   which nothing is due takes no time; a real one takes a few microseconds.
//! - A version returns "procedure not found" for calls that it lacks, and refuses flags that it does not
//!   know.
//! - All processes have the normal priority class. A thread that wakes gets no boost.
//! - The multimedia class scheduler gives a task its priority for as long as the thread does it. The
//!   share of time that it reserves for other threads is not simulated.
//! - The requests of `timeBeginPeriod`, `NtSetTimerResolution` and `timeSetEvent` are counted
//!   separately.
//! - The system clock is never set, and the machine is never suspended.

mod companion;
mod lab;
mod model;
mod owned;
mod program;
mod win32;

pub use owned::{SimMultimediaTimer, SimObject, SimPoolTimer, SimQueueTimer, SimTask};
pub use program::{SimWin32, SimWindowsProcess};

use crate::machine::Value;
use crate::random::Spread;
use crate::{
    Called, Error, Limits, Machine, Noise, NoiseSource, Reason, Run, Setup, call_and_wait,
};
use model::WindowsModel;
use punctual::Instant;
use punctual::os::windows::Win32Error;
use punctual_windows::{
    Companion, DeviceNoise, Disturbance, MachineParameters, Rules, TimerInterrupt, Version,
};
use std::time::Duration;

/// What quantums are made of, whatever interval is in force.
const DEFAULT_INTERVAL: Duration = Duration::from_micros(15_625);

/// The longest interrupt or deferred call, in means: one of 22,000 would be longer (e^10).
const LONGEST_DISTURBANCE: u32 = 10;

/// A simulated Windows machine before its run.
#[derive(Debug, Clone)]
pub struct WindowsMachine {
    version: Version,
    parameters: MachineParameters,
    costs: Costs,
    setup: Setup,
    first_tick: Duration,
    companions: Vec<Companion>,
}

impl WindowsMachine {
    /// A machine with the usual hardware, without other programs.
    pub fn new(version: Version) -> Self {
        Self {
            version,
            parameters: MachineParameters::default(),
            costs: Costs::default(),
            setup: Setup {
                quantum: Some(DEFAULT_INTERVAL * version.edition.quantum()),
                ..Setup::default()
            },
            first_tick: Duration::ZERO,
            companions: Vec::new(),
        }
    }

    /// Replaces the rules of the version. The version still decides which calls exist.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        self.version.rules = rules;
        self
    }

    /// Sets hardware and settings.
    #[must_use]
    pub fn with_parameters(mut self, parameters: MachineParameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// Sets the costs of calls and interrupts.
    #[must_use]
    pub fn with_costs(mut self, costs: Costs) -> Self {
        self.costs = costs;
        self
    }

    /// Sets the engine's setup: quantum, ties, loads. The [parameters](Self::with_parameters) still decide
    /// the number of processors.
    #[must_use]
    pub fn with_setup(mut self, setup: Setup) -> Self {
        self.setup = setup;
        self
    }

    /// Sets the seed of all random numbers.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.setup.seed = seed;
        self
    }

    /// Sets the noise, unless the [parameters](Self::with_parameters) already have some.
    #[must_use]
    pub fn with_noise(mut self, noise: Noise) -> Self {
        self.setup.noise = noise;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.setup.limits = limits;
        self
    }

    /// Sets the time of the first tick after the zero of the clocks. On a real machine, the phase of whole
    /// milliseconds against the ticks is arbitrary. Programs start at the first tick.
    #[must_use]
    pub fn with_first_tick(mut self, after: Duration) -> Self {
        self.first_tick = after;
        self
    }

    /// Adds another program or a driver, which starts before `body`.
    #[must_use]
    pub fn with_companion(mut self, companion: Companion) -> Self {
        self.companions.push(companion);
        self
    }

    /// Runs `body` as the main thread of the main process, until that process ends.
    ///
    /// # Errors
    /// Those of [`Machine::run`], and [invalid input](Error::is_invalid_input) if the setup is invalid.
    pub fn run<T: Send + 'static>(
        self,
        body: impl FnOnce(SimWin32) -> T + Send + 'static,
    ) -> Result<Run<T>, Error> {
        let (value, main) = Value::of(body);
        value.returned_by(self.run_for_nothing(main)?)
    }

    fn run_for_nothing(self, body: Box<dyn FnOnce(SimWin32) + Send>) -> Result<Run<()>, Error> {
        let noise = self.parameters.noise;
        let setup = Setup {
            processors: self.parameters.processors,
            noise: if noise == DeviceNoise::default() {
                self.setup.noise
            } else {
                engine_noise(noise)
            },
            ..self.setup
        };
        let first_tick = Instant::ZERO + self.first_tick;
        let timer = TimerInterrupt::new(self.version.rules, self.parameters, first_tick);
        let generation = Generation::of(&self.version);
        let model = WindowsModel::new(generation, self.costs, timer, setup.seed);
        let companions = self.companions;
        Machine::new(setup, model)?.run_for_nothing(Box::new(move || {
            let win32 = SimWin32::new();
            wait_for_the_first_tick(first_tick);
            for (number, companion) in (0..).zip(companions) {
                if let Err(error) = companion::start(companion, win32, number) {
                    panic!("a companion could not start: {error}");
                }
            }
            body(win32);
        }))
    }
}

fn engine_noise(noise: DeviceNoise) -> Noise {
    let source = |disturbance: Disturbance| NoiseSource {
        mean_interval: disturbance.mean_spacing,
        length: Spread::new(
            Duration::ZERO,
            disturbance.mean_length,
            disturbance.mean_length * LONGEST_DISTURBANCE,
        ),
    };
    Noise {
        interrupts: noise.interrupts.map(source),
        dpcs: noise.dpcs.map(source),
    }
}

/// Before the first tick there is no last one, from which Windows counts.
fn wait_for_the_first_tick(first_tick: Instant) {
    call_and_wait(|_: &mut WindowsModel, kernel| {
        let what = "the first tick";
        kernel.block(Reason { what, number: 0 }, Some(first_tick));
        Called::<()>::Waits
    });
}

/// What a version's programs find, as far as its timing rules don't say it already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Generation {
    Xp,
    Seven,
    Eight,
    Ten,
}

impl Generation {
    /// By the version's name: rules can be changed, but no rule adds a call.
    fn of(version: &Version) -> Self {
        match version.name {
            "windows-xp" => Self::Xp,
            "windows-7" => Self::Seven,
            "windows-8" => Self::Eight,
            _ => Self::Ten,
        }
    }

    /// A call that came with a version is not found on those before it. What came with Vista is first found on 7.
    fn needs(self, first: Self) -> Result<(), Win32Error> {
        match self >= first {
            true => Ok(()),
            false => Err(Win32Error::PROC_NOT_FOUND),
        }
    }

    /// Counts of the performance counter per second.
    fn counter_frequency(self) -> u64 {
        match self {
            Self::Xp => ACPI_TIMER,
            Self::Seven | Self::Eight => TIME_STAMP_COUNTER,
            Self::Ten => TEN_MEGAHERTZ,
        }
    }

    /// What the performance counter has counted after so many nanoseconds. The compiler is told each
    /// frequency, and divides by none.
    #[inline]
    fn count_after(self, nanos: u64) -> u64 {
        match self {
            Self::Xp => count_at(ACPI_TIMER, nanos),
            Self::Seven | Self::Eight => count_at(TIME_STAMP_COUNTER, nanos),
            Self::Ten => count_at(TEN_MEGAHERTZ, nanos),
        }
    }
}

/// The ACPI power management timer, which its specification sets at 3.579545 MHz.
const ACPI_TIMER: u64 = 3_579_545;
/// A time-stamp counter of 3 GHz divided by 1024: what Windows 7 and 8 print.
const TIME_STAMP_COUNTER: u64 = 2_929_687;
/// From Windows 10 version 1803 on, whatever the processor.
const TEN_MEGAHERTZ: u64 = 10_000_000;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

#[inline(always)]
const fn count_at(frequency: u64, nanos: u64) -> u64 {
    if NANOS_PER_SECOND.is_multiple_of(frequency) {
        return nanos / (NANOS_PER_SECOND / frequency);
    }
    // Seconds and the rest apart: the product of all fits into 64 bits for half an hour only.
    let (seconds, rest) = (nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    seconds * frequency + rest * frequency / NANOS_PER_SECOND
}

/// What calls and interrupts cost: orders of magnitude, ours. Set what you have measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// Reading a clock, which takes no system call: 30 ns unless set.
    pub look: Duration,
    /// Any other call: 300 ns unless set.
    pub call: Duration,
    /// A timer interrupt that finds something to do: 1 µs of its processor unless set.
    pub interrupt: Duration,
    /// The deferred call that ends waits and signals timers: 1 µs unless set.
    pub dispatch: Duration,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            look: Duration::from_nanos(30),
            call: Duration::from_nanos(300),
            interrupt: Duration::from_micros(1),
            dispatch: Duration::from_micros(1),
        }
    }
}
