//! The data in the directory `evidence`, as its README describes it.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

type Settings = BTreeMap<String, String>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub source: About,
    pub case: Vec<Case>,
}

/// Where the numbers come from. All but the prefixes is for people.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct About {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "title")]
    _title: String,
    #[serde(rename = "author")]
    _author: String,
    #[serde(rename = "published")]
    _published: String,
    #[serde(default, rename = "note")]
    _note: String,
    pub prefixes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    pub id: String,
    #[serde(rename = "says")]
    _says: String,
    pub needs: Needs,
    #[serde(rename = "tolerance")]
    _tolerance: Whose,
    #[serde(default, rename = "ours")]
    _ours: Vec<String>,
    #[serde(default)]
    setup: Run,
    #[serde(default)]
    run: Vec<Run>,
}

/// What a replay takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    Rules,
    Machine,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    Ours,
    Source,
    None,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Run {
    pub versions: Vec<String>,
    pub machine: Settings,
    pub rules: Settings,
    #[serde(rename = "loop")]
    pub looping: Option<Loop>,
    pub companions: Vec<Companion>,
    pub script: Vec<Step>,
    pub expect: Vec<Expectation>,
    /// What makes the published numbers impossible.
    pub rules_out: Vec<Override>,
}

/// Another machine, other rules, or another time for the loop.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Override {
    pub machine: Settings,
    pub rules: Settings,
    pub time: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Loop {
    pub method: Method,
    /// What the method is given: how long to wait, or its period.
    pub time: String,
    pub first_due: Option<String>,
    pub work: Option<String>,
    /// The longest of a random piece of work after every wait.
    pub random_work: Option<String>,
    pub request: Option<String>,
    #[serde(default)]
    pub hidden: bool,
    #[serde(default)]
    pub throttling: Throttling,
    pub late: Option<Late>,
    #[serde(default = "a_thousand")]
    pub waits: usize,
    // What only a whole machine can replay.
    #[serde(default, rename = "priority")]
    _priority: Option<String>,
    #[serde(default, rename = "pinned-to")]
    _pinned_to: Option<u32>,
}

/// What the process says about its own requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Throttling {
    #[default]
    SystemDecides,
    Honour,
    Ignore,
}

fn a_thousand() -> usize {
    1_000
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    Sleep,
    TimerQueue,
    TimerQueueOnce,
    TimeSetEvent,
    Waitable,
    WaitableAbsolute,
    Feedback,
    Message,
    HighResolution,
    HighResolutionOnce,
}

/// One wake-up that the processor's queue, interrupts or deferred calls delay.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Late {
    pub wait: usize,
    pub by: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Companion {
    /// Another process holds a request.
    Requester { interval: String },
    /// A driver holds a request.
    Driver { interval: String },
    /// Threads of another process sleep for whole milliseconds at random, and work for a random
    /// time after each sleep.
    #[serde(rename_all = "kebab-case")]
    Sleepers {
        count: usize,
        from: u64,
        to: u64,
        random_work: String,
    },
    /// Another process raises and lowers its request again and again.
    Toggler {
        interval: String,
        raised: String,
        lowered: String,
    },
    /// Threads that never wait.
    Load { threads: String },
}

/// Something a process or driver does to its requests, or the opening of a timer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub by: String,
    pub does: String,
}

/// A published statement, and why the rules cannot give it if they cannot.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Expectation {
    #[serde(flatten)]
    pub statement: Expect,
    pub expected_to_fail: Option<String>,
}

/// A statement about a run. Milliseconds throughout.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    tag = "what",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
#[serde(deny_unknown_fields)]
pub enum Expect {
    /// `timeGetTime` at each wake-up, from the first; the clock's phase is free.
    Listing {
        readings: Vec<u64>,
    },
    /// Every step of `timeGetTime` from one wake-up to the next is one of these, and each of
    /// these occurs.
    Steps {
        are: Vec<u64>,
    },
    /// The mean time from one wake-up to the next.
    Mean {
        is: f64,
        within: f64,
    },
    /// What Dawson's program prints, on average.
    Printed {
        is: f64,
        within: f64,
    },
    WakesPerSecond {
        from: f64,
        to: f64,
    },
    /// The share of waits or iterations whose length is in a range.
    Share {
        of: Span,
        from: f64,
        to: f64,
        at_least: f64,
        at_most: f64,
    },
    /// The share of wake-ups that come a multiple of `step` after the last tick.
    OnGrid {
        step: f64,
        within: f64,
        at_least: f64,
        at_most: f64,
    },
    /// One long iteration, one short, and their sum.
    LateThenShort {
        sum: f64,
        within: f64,
    },
    /// The mean step of `timeGetTime`.
    ClockStep {
        is: f64,
        within: f64,
    },
    /// The actual interval.
    Interval {
        is: f64,
        within: f64,
    },
    /// The smallest request in force before the script and after each of its steps.
    Smallest {
        after: Vec<String>,
    },
    /// What `powercfg` shows after the script, in units of 100 ns.
    Platform {
        is: u64,
    },
    KernelRequest {
        is: u64,
    },
    Listed {
        process: String,
        is: u64,
    },
    /// What `clockres` shows.
    Clockres {
        maximum: Option<f64>,
        minimum: Option<f64>,
        current: Option<f64>,
    },
    /// Timer interrupts are handled by this processor. Only a whole machine can say.
    Interrupted {
        #[serde(rename = "processor")]
        _processor: u32,
    },
    /// How often a loop's wake-ups change their phase against the ticks, as a share of what the
    /// same loop does unpinned. Only a whole machine can say.
    PhaseShifts {
        #[serde(rename = "than-unpinned")]
        _than_unpinned: f64,
        #[serde(rename = "at-least")]
        _at_least: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// From the call to its return.
    Waits,
    /// From one return to the next.
    Iterations,
}

impl Case {
    /// The setup itself, or each of its variations.
    pub fn runs(&self) -> Vec<Run> {
        if self.run.is_empty() {
            return vec![self.setup.clone()];
        }
        self.run
            .iter()
            .map(|run| run.filled_in(&self.setup))
            .collect()
    }
}

impl Run {
    /// What a run does not say is as in the setup.
    fn filled_in(&self, setup: &Self) -> Self {
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
            expect: or(&self.expect, &setup.expect),
            rules_out: or(&self.rules_out, &setup.rules_out),
        }
    }

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

/// Every file of evidence there is.
pub fn all_sources() -> Vec<Source> {
    let directory = Path::new(EVIDENCE);
    let entries = std::fs::read_dir(directory).expect("the evidence is there");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut paths: Vec<_> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

const EVIDENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../evidence");

fn read(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).expect("a readable file");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
