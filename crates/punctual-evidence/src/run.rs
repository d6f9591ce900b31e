//! What runs in a case, and what is expected of it.

use super::expect::Expectation;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Names and values of machine parameters or of rules.
pub type Settings = BTreeMap<String, String>;

/// One variation of a case.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Run {
    /// The versions of Windows on which all of it is expected.
    pub versions: Vec<String>,
    /// Machine parameters.
    pub machine: Settings,
    /// Rules that differ from the version's.
    pub rules: Settings,
    /// The loop that is measured.
    #[serde(rename = "loop")]
    pub looping: Option<Loop>,
    /// Who else is there.
    pub companions: Vec<Companion>,
    /// Requests begun and ended in order.
    pub script: Vec<Step>,
    /// What the source does not say, if it is not the same in all: the run holds if it does with one
    /// of these.
    pub either: Vec<Either>,
    /// Statements about the outcome.
    pub expect: Vec<Expectation>,
    /// What makes the published numbers impossible.
    pub rules_out: Vec<Override>,
}

/// One of several machines, each with who else was there, on which it may have been measured.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Either {
    /// Machine parameters that take the place of the run's.
    pub machine: Settings,
    /// Who else is there, instead of the run's.
    pub companions: Vec<Companion>,
}

/// Another machine, other rules, or another time for the loop.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Override {
    /// Machine parameters that take the place of the run's.
    pub machine: Settings,
    /// Rules that take the place of the run's.
    pub rules: Settings,
    /// What the loop's method is given.
    pub time: Option<String>,
}

/// A thread that waits again and again.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Loop {
    /// How it waits.
    pub method: Method,
    /// What the method is given: how long to wait, or its period.
    pub time: String,
    /// When a periodic timer first fires; after its period otherwise.
    pub first_due: Option<String>,
    /// Work after every wait.
    pub work: Option<String>,
    /// The longest of a random piece of work after every wait.
    pub random_work: Option<String>,
    /// The process's own request.
    pub request: Option<String>,
    /// Which of the process's threads makes it.
    #[serde(default)]
    pub requested_by: RequestedBy,
    /// Whether the process's windows are hidden and it is silent.
    #[serde(default)]
    pub hidden: bool,
    /// What the process says about its own requests.
    #[serde(default)]
    pub throttling: Throttling,
    /// One wake-up that is late.
    pub late: Option<Late>,
    /// How many times it waits.
    #[serde(default = "a_thousand")]
    pub waits: usize,
    /// The thread's priority, if it is not an ordinary one.
    pub priority: Option<Priority>,
    /// The processor it is kept to.
    pub pinned_to: Option<u32>,
}

/// Which of a process's threads makes its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestedBy {
    /// The one that is measured.
    #[default]
    TheLoop,
    /// Another one, which then does nothing.
    AnotherThread,
}

impl Loop {
    /// A thousand waits of an ordinary thread that asks for nothing.
    pub fn new(method: Method, time: impl Into<String>) -> Self {
        Self {
            method,
            time: time.into(),
            first_due: None,
            work: None,
            random_work: None,
            request: None,
            requested_by: RequestedBy::TheLoop,
            hidden: false,
            throttling: Throttling::SystemDecides,
            late: None,
            waits: a_thousand(),
            priority: None,
            pinned_to: None,
        }
    }
}

fn a_thousand() -> usize {
    1_000
}

/// Above ordinary threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    /// `THREAD_PRIORITY_HIGHEST`.
    Highest,
}

/// What the process says about its own requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Throttling {
    /// Nothing.
    #[default]
    SystemDecides,
    /// They are to be honoured always.
    Honour,
    /// They are to be ignored.
    Ignore,
}

/// A way of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// `Sleep`.
    Sleep,
    /// `CreateTimerQueueTimer`, periodic.
    TimerQueue,
    /// `CreateTimerQueueTimer`, one-shot and set again each time.
    TimerQueueOnce,
    /// `timeSetEvent`, periodic.
    TimeSetEvent,
    /// `SetWaitableTimer` with a period.
    Waitable,
    /// `SetWaitableTimer`, one-shot at absolute times on one schedule.
    WaitableAbsolute,
    /// Compares `timeGetTime` with a schedule and sleeps the whole milliseconds that are left.
    Feedback,
    /// `SetTimer`.
    Message,
    /// A high-resolution waitable timer with a period.
    HighResolution,
    /// A high-resolution waitable timer, set anew each time.
    HighResolutionOnce,
}

/// One wake-up that the processor's queue, interrupts or deferred calls delay.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Late {
    /// Which, from zero.
    pub wait: usize,
    /// By how much.
    pub by: String,
}

/// Who else is there.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Companion {
    /// Another process holds a request.
    Requester {
        /// What it asks for.
        interval: String,
    },
    /// A driver holds a request.
    Driver {
        /// What it asks for.
        interval: String,
    },
    /// Threads of another process sleep for whole milliseconds at random, and work for a random
    /// time after each sleep.
    #[serde(rename_all = "kebab-case")]
    Sleepers {
        /// How many threads.
        count: usize,
        /// The shortest sleep.
        from: u32,
        /// The longest.
        to: u32,
        /// The longest piece of work.
        random_work: String,
    },
    /// Another process raises and lowers its request again and again.
    Toggler {
        /// What it asks for.
        interval: String,
        /// For how long it does.
        raised: String,
        /// For how long it does not.
        lowered: String,
    },
    /// Threads that never wait.
    Load {
        /// How many, or `all`: one per processor.
        threads: String,
    },
}

/// Something a process or driver does to its requests, or the opening of a timer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The name of a process, or `driver`.
    pub by: String,
    /// `begin`, `end` with an interval, `exit`, or `high-resolution`.
    pub does: String,
}

impl Run {
    /// What a run does not say is as in the setup.
    pub(super) fn filled_in(&self, setup: &Self) -> Self {
        fn or<T: Clone>(own: &[T], setup: &[T]) -> Vec<T> {
            if own.is_empty() {
                setup.to_vec()
            } else {
                own.to_vec()
            }
        }
        Self {
            versions: or(&self.versions, &setup.versions),
            machine: merged(&setup.machine, &self.machine),
            rules: merged(&setup.rules, &self.rules),
            looping: self.looping.clone().or_else(|| setup.looping.clone()),
            companions: or(&self.companions, &setup.companions),
            script: or(&self.script, &setup.script),
            either: or(&self.either, &setup.either),
            expect: or(&self.expect, &setup.expect),
            rules_out: or(&self.rules_out, &setup.rules_out),
        }
    }

    /// The run with each of the machines on which it may have been measured, or the run itself.
    pub(super) fn possible(&self) -> Vec<Self> {
        let mut given = self.clone();
        given.either = Vec::new();
        if self.either.is_empty() {
            return vec![given];
        }
        let with = |either: &Either| Self {
            machine: merged(&given.machine, &either.machine),
            companions: either.companions.clone(),
            ..given.clone()
        };
        self.either.iter().map(with).collect()
    }

    /// The same, with this changed.
    #[must_use]
    pub fn overridden(&self, by: &Override) -> Self {
        let mut other = self.clone();
        other.machine = merged(&self.machine, &by.machine);
        other.rules = merged(&self.rules, &by.rules);
        if let (Some(looping), Some(time)) = (&mut other.looping, &by.time) {
            looping.time.clone_from(time);
        }
        other
    }
}

fn merged(settings: &Settings, by: &Settings) -> Settings {
    let both = settings.iter().chain(by);
    both.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
