//! What the machine of a session is, and what else runs on it.

use super::{Assignment, LONGEST};
use crate::machine::Machine;
use punctual_lab::conditions::Companion;
use punctual_windows::personas::{Persona, named};
use punctual_windows::{MachineParameters, Requester, Version};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The numbers of other programs, beyond those of the program's own processes.
const FIRST_COMPANION: u32 = 1 << 31;

/// Who says which calls of Windows the program's waits stand for.
#[derive(Debug, Clone, Default)]
pub enum Personas {
    /// The runtime, which is recognised from each executable.
    #[default]
    Auto,
    /// Nobody: each call stands for its [family](crate::call::Family)'s.
    None,
    /// This persona, for every wait that is no timer's.
    Named(Arc<Persona>),
}

impl FromStr for Personas {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "none" => Ok(Self::None),
            name => match named(name) {
                Ok(persona) => Ok(Self::Named(Arc::new(persona))),
                Err(_) => Err(format!(
                    "there is no persona '{name}'; 'punctual windows personas' lists them, or write auto or none"
                )),
            },
        }
    }
}

impl fmt::Display for Personas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::None => "none",
            Self::Named(persona) => persona.id,
        })
    }
}

impl Personas {
    /// What holds before an executable is known, or whatever it is.
    pub(super) fn without_runtime(&self) -> Assignment {
        match self {
            Self::Auto | Self::None => Assignment::default(),
            Self::Named(persona) => Assignment::everything(persona),
        }
    }
}

/// A machine, and what runs on it beside the program.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The Windows.
    pub version: Version,
    /// The hardware and settings.
    pub parameters: MachineParameters,
    /// Other programs and drivers that have requested an interval.
    pub companions: Vec<Companion>,
    /// What each process of the program requests as long as it runs.
    pub request: Option<Duration>,
    /// Whether nobody sees or hears the program.
    pub hidden: bool,
    /// The time from the program's start to the next tick of the default interval.
    pub phase: Duration,
    /// What the machine's chance is drawn from.
    pub seed: u64,
    /// By how much a wait may be lengthened.
    pub longest: Duration,
    /// Who says what waits stand for.
    pub personas: Personas,
}

impl Conditions {
    /// A usual machine with this Windows on which nothing else runs, and the program starts at a tick.
    pub fn new(version: Version) -> Self {
        Self {
            version,
            parameters: MachineParameters::default(),
            companions: Vec::new(),
            request: None,
            hidden: false,
            phase: Duration::ZERO,
            seed: 0,
            longest: LONGEST,
            personas: Personas::default(),
        }
    }

    /// The machine, with its companions' requests.
    ///
    /// What only sleeps has no part in it: it neither requests anything nor takes processors, which are
    /// the real machine's.
    pub(super) fn machine(&self) -> Machine {
        let mut machine = Machine::new(self.version, self.parameters, self.seed);
        for (number, companion) in (FIRST_COMPANION..).zip(&self.companions) {
            match companion {
                Companion::Requester { interval, standing } => {
                    machine.set_standing(number, *standing);
                    machine.begin_request(Requester::Process(number), *interval);
                }
                Companion::Driver { interval } => {
                    machine.begin_request(Requester::Driver(number), *interval);
                }
                Companion::Sleepers { .. } => {}
            }
        }
        machine
    }
}
