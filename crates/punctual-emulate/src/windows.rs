//! The rules of a Windows, for a real program: when each of its waits ends.
//!
//! One machine per session. All processes share its ticks and requests. A persona says which call of Windows
//! a runtime's wait stands for, and what the runtime does next; without one, the
//! [family](crate::call::Family) of the call does.

mod assignment;
mod process;
mod runtime;
mod wait;

pub use assignment::{Assignment, Group};

use crate::call::Asked;
use crate::machine::Machine;
use crate::recognise::recognise;
use crate::statistics::{Sample, Statistics};
use crate::timer_policy::{Begun, Next, Over, ProcessId, ThreadId, TimerPolicy, WaitId};
use process::Process;
use punctual::Instant;
use punctual_lab::conditions::Companion;
use punctual_windows::personas::{Persona, named};
use punctual_windows::{MachineParameters, Requester, Version};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use wait::Wait;

/// How many default intervals the machine has run when the program starts: enough that nothing is
/// before its zero.
const INTERVALS_BEFORE: u32 = 64;

/// A Windows that ends a program's waits.
#[derive(Debug)]
pub struct Windows {
    conditions: Conditions,
    machine: Machine,
    /// What the program's clock showed at the machine's zero. Known once the program starts.
    zero: Option<Instant>,
    processes: BTreeMap<ProcessId, Process>,
    /// How many there ever were: the machine's numbers of them.
    numbered: u32,
    waits: BTreeMap<WaitId, Wait>,
    begun: u64,
    /// By executable: what it was taken for.
    known: BTreeMap<PathBuf, Assignment>,
    statistics: Statistics,
}

impl Windows {
    /// A machine on which nothing runs but what the conditions name.
    pub fn new(conditions: Conditions) -> Self {
        let machine = conditions.machine();
        Self {
            conditions,
            machine,
            zero: None,
            processes: BTreeMap::new(),
            numbered: 0,
            waits: BTreeMap::new(),
            begun: 0,
            known: BTreeMap::new(),
            statistics: Statistics::default(),
        }
    }

    /// What it was told to be.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// What the program's waits have been.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The machine's time is now this.
    fn advance(&mut self, now: Instant) {
        let first = *self.zero.get_or_insert_with(|| {
            let before = self.conditions.parameters.default_interval * INTERVALS_BEFORE;
            let runs = before.saturating_sub(self.conditions.phase);
            now.checked_sub(runs).unwrap_or_default()
        });
        self.machine
            .advance(Instant::ZERO + now.duration_since(first));
    }

    fn number(&mut self) -> u32 {
        self.numbered += 1;
        self.numbered
    }

    /// A process as Windows knows it, which every new executable is.
    fn start(&mut self, process: ProcessId, name: String, assignment: Assignment) {
        let number = self.number();
        let mut started = Process::new(number, name, assignment);
        if let Some(interval) = self.conditions.request {
            let requester = punctual_windows::Requester::Process(number);
            self.machine.begin_request(requester, interval);
        }
        if self.conditions.hidden {
            let standing = punctual_windows::Standing {
                hidden: true,
                ..Default::default()
            };
            self.machine.set_standing(number, standing);
        }
        started.start(&mut self.machine);
        if let Some(before) = self.processes.insert(process, started) {
            self.machine.exit(before.number);
        }
    }

    /// What an executable is taken for. Each is looked at once: builds start thousands of the same.
    fn recognised(&mut self, executable: &Path) -> Assignment {
        if let Some(known) = self.known.get(executable) {
            return known.clone();
        }
        let assignment = Assignment::of(recognise(executable).as_ref());
        self.known.insert(executable.to_owned(), assignment.clone());
        assignment
    }

    /// The end of a wait, once what Windows and the runtime make of it is known.
    fn told(&mut self, id: WaitId) -> Begun {
        let zero = self.zero.unwrap_or_default();
        let shown = |at: Instant| zero.checked_add(at.duration_since(Instant::ZERO));
        let machine = &self.machine;
        let Some(wait) = self.waits.get_mut(&id) else {
            return Begun {
                wait: id,
                end: shown(machine.now()).unwrap_or(Instant::MAX),
                hear_of_end: false,
            };
        };
        let end = wait.end(machine).unwrap_or(machine.now());
        let end = shown(end).unwrap_or(Instant::MAX);
        let latest = wait.asked.end.checked_add(self.conditions.longest);
        wait.told = end.min(latest.unwrap_or(Instant::MAX));
        let process = self.processes.get(&wait.process);
        Begun {
            wait: id,
            end: wait.told,
            hear_of_end: process.is_some_and(|process| process.goes_on(wait, machine)),
        }
    }

    fn note(&mut self, wait: &Wait, at: Instant, over: Over) {
        let Some(process) = self.processes.get(&wait.process) else {
            return;
        };
        self.statistics.add(
            (wait.process, &process.name),
            (wait.asked.call, process.rule(wait)),
            Sample {
                asked: wait.asked.length,
                taken: at.duration_since(wait.began),
                longer: wait.told.duration_since(wait.asked.end),
                over,
            },
        );
    }
}

impl TimerPolicy for Windows {
    fn process_began(&mut self, now: Instant, process: ProcessId, parent: Option<ProcessId>) {
        self.advance(now);
        let parent = parent.and_then(|parent| self.processes.get(&parent));
        let (name, assignment) = match parent {
            Some(parent) => (parent.name.clone(), parent.assignment.clone()),
            None => (String::new(), self.conditions.personas.without_runtime()),
        };
        self.start(process, name, assignment);
    }

    fn executes(&mut self, now: Instant, process: ProcessId, executable: &Path) {
        self.advance(now);
        let name = executable.file_name().unwrap_or(executable.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let assignment = match &self.conditions.personas {
            Personas::Auto => {
                let assignment = self.recognised(executable);
                let words = assignment.words(self.conditions.version.name);
                self.statistics.runs(&name, &words);
                assignment
            }
            chosen => chosen.without_runtime(),
        };
        self.start(process, name, assignment);
    }

    fn process_ended(&mut self, now: Instant, process: ProcessId) {
        self.advance(now);
        let theirs = self
            .waits
            .iter()
            .filter(|(_, wait)| wait.process == process);
        let theirs: Vec<WaitId> = theirs.map(|(id, _)| *id).collect();
        for id in theirs {
            self.over(now, id, Over::Interrupted);
        }
        if let Some(ended) = self.processes.remove(&process) {
            self.machine.exit(ended.number);
        }
    }

    fn begin(&mut self, now: Instant, process: ProcessId, thread: ThreadId, asked: Asked) -> Begun {
        self.advance(now);
        self.begun += 1;
        let id = WaitId(self.begun);
        if !self.processes.contains_key(&process) {
            self.process_began(now, process, None);
        }
        if let Some(owner) = self.processes.get_mut(&process) {
            let asked_end = asked.end.duration_since(self.zero.unwrap_or_default());
            let wait = owner.begin(
                &mut self.machine,
                Wait::new(now, process, thread, asked, Instant::ZERO + asked_end),
            );
            self.waits.insert(id, wait);
        }
        self.told(id)
    }

    fn over(&mut self, at: Instant, wait: WaitId, over: Over) -> Next {
        self.advance(at);
        let Some(mut ended) = self.waits.remove(&wait) else {
            return Next::Nothing;
        };
        ended.cancel(&mut self.machine);
        let goes_on = self
            .processes
            .get_mut(&ended.process)
            .is_some_and(|owner| owner.over(&mut self.machine, &mut ended, over));
        // A wait that was told as long as may be is over, whatever the runtime would do.
        let latest = ended.asked.end.checked_add(self.conditions.longest);
        if goes_on && latest.is_none_or(|latest| at < latest) {
            self.waits.insert(wait, ended);
            return Next::Again(self.told(wait));
        }
        ended.cancel(&mut self.machine);
        self.note(&ended, at, over);
        Next::Nothing
    }

    fn next_firing(&mut self, wait: WaitId, fired: Instant) -> Instant {
        self.advance(fired);
        let machine = &mut self.machine;
        let owner_of = |wait: &Wait| self.processes.get(&wait.process).map(|it| it.number);
        if let Some(timer) = self.waits.get_mut(&wait)
            && let Some(number) = owner_of(timer)
        {
            timer.fire_again(machine, number);
            self.statistics.fires();
        }
        self.told(wait).end
    }

    fn period(&mut self, wait: WaitId, asked: Duration) -> Duration {
        let found = self.waits.get(&wait).and_then(|timer| {
            let owner = self.processes.get(&timer.process)?;
            timer.mean_period(&self.machine, owner.number)
        });
        // As far as a wait may be lengthened.
        found.map_or(asked, |period| period.min(asked + self.conditions.longest))
    }

    fn changed(&mut self, now: Instant) -> Vec<Begun> {
        self.advance(now);
        if !self.machine.take_changed() {
            return Vec::new();
        }
        let waits: Vec<(WaitId, Instant)> = self
            .waits
            .iter()
            .map(|(id, wait)| (*id, wait.told))
            .collect();
        let told = waits
            .into_iter()
            .map(|(id, before)| (self.told(id), before));
        // What has ended in time needs no other end.
        let news = told.filter(|(begun, before)| begun.end != *before && *before > now);
        news.map(|(begun, _)| begun).collect()
    }

    fn cannot_steer(&mut self, process: ProcessId, what: &str) {
        let name = self.processes.get(&process).map(|it| it.name.clone());
        self.statistics
            .cannot_steer(&name.unwrap_or_default(), what);
    }
}

/// How much a wait may be lengthened at most, unless it is told otherwise.
pub const LONGEST: Duration = Duration::from_secs(1);

/// The numbers of other programs, beyond those of the program's own processes.
const FIRST_COMPANION: u32 = 1 << 31;

/// Who says which calls of Windows the program's waits stand for.
#[derive(Debug, Clone, Default)]
pub enum Personas {
    /// The runtime, which is recognised from each executable.
    #[default]
    Auto,
    /// Nothing: each call stands for its [family](crate::call::Family)'s.
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
    fn without_runtime(&self) -> Assignment {
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
    fn machine(&self) -> Machine {
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

#[cfg(test)]
mod tests;
