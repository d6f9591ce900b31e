//! What is asked of which machine.

use crate::Companion;
use crate::{MachineParameters, Rules, Standing, Version};
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// The machine whose waits are predicted.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its version of Windows.
    pub version: Version,
    /// The rules by which it runs: usually its version's.
    pub rules: Rules,
    /// Its hardware and settings.
    pub parameters: MachineParameters,
    /// What else runs on it.
    pub companions: Vec<Companion>,
}

/// The call whose waits are predicted, as far as rules tell calls apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// `Sleep`, waits with a timeout, completion ports.
    Ordinary,
    /// An ordinary waitable timer.
    Waitable,
    /// A high-resolution waitable timer.
    HighResolution,
    /// A timer of a timer queue.
    TimerQueue,
    /// A timer of the thread pool.
    Pool,
    /// `timeSetEvent`, which holds a request of its own.
    Multimedia,
    /// `SetTimer`: a timer that sends messages.
    Message,
    /// Winsock's `select`.
    Select,
    /// No wait: the interval at which the machine ticks.
    Interval,
    /// Clocks only: a spin, or a reading.
    Clock,
}

/// The clock by which a program decides whether a wait is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Looks {
    /// It looks at none, or at an exact one.
    #[default]
    Exact,
    /// One that stands at the last tick: `timeGetTime`, the interrupt time, the system time.
    LastTick,
    /// `GetTickCount`.
    TickCount,
}

/// When waits begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Begun {
    /// Each when the one before has ended: just after a tick.
    Tight,
    /// At any moment between two ticks.
    AnyTime,
}

/// A wait that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// How.
    pub call: Call,
    /// How long: the time until due, or the period.
    pub duration: Duration,
    /// Whether the timer is set once and fires again and again.
    pub is_periodic: bool,
    /// When it begins.
    pub begun: Begun,
    /// The request of the waiting process itself.
    pub request: Option<Duration>,
    /// Whether the process is hidden, and what it says about its own requests.
    pub standing: Standing,
    /// Whether a tolerable delay is given.
    pub is_tolerant: bool,
    /// What the program looks at to see whether the wait is over.
    pub looks: Looks,
}

impl Asked {
    /// Waits of this length in a tight loop of a process that requests nothing.
    pub fn tight(call: Call, duration: Duration) -> Self {
        Self {
            call,
            duration,
            is_periodic: false,
            begun: Begun::Tight,
            request: None,
            standing: Standing::default(),
            is_tolerant: false,
            looks: Looks::Exact,
        }
    }
}

impl Subject {
    /// A version of Windows on the usual machine, with nothing else on it.
    pub fn usual(version: Version) -> Self {
        Self {
            version,
            rules: version.rules,
            parameters: MachineParameters::default(),
            companions: Vec::new(),
        }
    }

    /// The settings that are not the usual ones, each with its name and value.
    pub(super) fn settings(&self) -> Vec<(&'static str, String)> {
        let usual = MachineParameters::default();
        let pairs = self.parameters.iter().zip(usual.iter());
        pairs
            .filter(|(here, usual)| here.value != usual.value)
            .map(|(here, _)| (here.name, here.value))
            .collect()
    }

    /// How the programs stand that request an interval: those beside the one that waits.
    pub(super) fn standings_of_others(&self) -> impl Iterator<Item = Standing> {
        self.companions.iter().filter_map(|other| match other {
            Companion::Requester { standing, .. } => Some(*standing),
            _ => None,
        })
    }

    /// The smallest request of another program, and of a driver.
    pub(super) fn requests_of_others(&self) -> (Option<Duration>, Option<Duration>) {
        let processes = self
            .companions
            .iter()
            .filter_map(|companion| match companion {
                Companion::Requester { interval, .. } | Companion::Toggler { interval, .. } => {
                    Some(*interval)
                }
                _ => None,
            });
        let drivers = self
            .companions
            .iter()
            .filter_map(|companion| match companion {
                Companion::Driver { interval } => Some(*interval),
                _ => None,
            });
        (processes.min(), drivers.min())
    }
}
