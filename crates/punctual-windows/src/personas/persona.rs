//! A persona: one entry of a runtime, as a row of a file.

use super::plain::Waits;
use super::{Ask, Clock, Clocks, Event, State};
use crate::VERSIONS;
use crate::choices::HighResolution;
use crate::confidence::{Asked, Call, Looks, Subject};
use serde::Deserialize;
use std::time::Duration;

/// One entry of a runtime, in the versions that do the same on Windows.
#[derive(Debug, Clone, PartialEq)]
pub struct Persona {
    /// Its name in flags and tables, which never changes: `python-3.10`.
    pub id: &'static str,
    /// The language or library: `CPython`.
    pub runtime: &'static str,
    /// What the program calls: `time.sleep`.
    pub entry: &'static str,
    /// The versions of the runtime that do the same: `3.5 to 3.10`.
    pub versions: &'static str,
    /// The oldest Windows, among the simulated ones, on which any of these versions runs.
    pub earliest_windows: &'static str,
    /// Whether the row was read in the runtime's source. If not, it is what release notes, threads or
    /// another file of the project say.
    pub checked: bool,
    /// Where it was read.
    pub sources: Vec<&'static str>,
    /// What is particular about it.
    pub note: &'static str,
    pub(super) waits: Waits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    persona: Vec<Row>,
}

/// A persona as its file writes it.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Row {
    id: String,
    runtime: String,
    entry: String,
    versions: String,
    earliest_windows: String,
    checked: bool,
    sources: Vec<String>,
    #[serde(default)]
    note: String,
    waits: Waits,
}

/// The personas of a file.
pub(super) fn read(text: &'static str) -> Vec<Persona> {
    let file: Result<File, _> = toml::from_str(text);
    let file = file.unwrap_or_else(|error| panic!("personas: {error}"));
    // The parser copies strings. Names are part of the program for as long as it runs.
    let kept = |words: String| {
        let found = text.match_indices(&words).next();
        found
            .unwrap_or_else(|| panic!("personas: {words:?} is not written plainly"))
            .1
    };
    let persona = |row: Row| Persona {
        id: kept(row.id),
        runtime: kept(row.runtime),
        entry: kept(row.entry),
        versions: kept(row.versions),
        earliest_windows: kept(row.earliest_windows),
        checked: row.checked,
        sources: row.sources.into_iter().map(kept).collect(),
        note: kept(row.note),
        waits: row.waits,
    };
    file.persona.into_iter().map(persona).collect()
}

impl Persona {
    /// The state of a program that has not begun.
    pub fn state(&self) -> State {
        State::default()
    }

    /// What the runtime asks after this event.
    ///
    /// A program begins with [`Event::Start`], and each wait with [`Event::Begin`]. Then every answer
    /// is told as the next event, until the runtime asks [`Ask::Nothing`].
    pub fn step(&self, state: &mut State, event: Event, clocks: &Clocks) -> Ask {
        self.waits.step(state, event, clocks)
    }

    /// The clocks that the step function looks at.
    pub fn clocks(&self) -> Vec<Clock> {
        self.waits.clocks()
    }

    /// Whether any of its versions runs on this version of Windows.
    ///
    /// ```
    /// use punctual_windows::personas::named;
    ///
    /// let sleep = named("python-3.11")?;
    /// assert!(sleep.runs_on("windows-10-2004"));
    /// assert!(!sleep.runs_on("windows-xp"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn runs_on(&self, version: &str) -> bool {
        let place = |name: &str| VERSIONS.iter().position(|version| version.name == name);
        place(version) >= place(self.earliest_windows)
    }

    /// What it asks of Windows, in words.
    pub fn call(&self) -> &'static str {
        self.waits.asks.call.words()
    }

    /// What it asks where the call is missing, in words. Only high-resolution timers are, before
    /// version 1803 of Windows 10.
    pub fn fallback(&self) -> Option<&'static str> {
        self.waits.fallback.map(|fallback| fallback.call.words())
    }

    /// How a length is rounded to the unit of the call: `up` or `down`.
    pub fn rounding(&self) -> &'static str {
        self.waits.asks.rounding.words()
    }

    /// What follows if Windows ends the wait early, in words.
    pub fn early(&self) -> String {
        self.waits.early_in_words()
    }

    /// The request for a timer interval, and for how long it is held, in words.
    pub fn request(&self) -> String {
        self.waits.request_in_words()
    }

    /// Whether its waits end on a schedule that the first one begins, as a ticker's do.
    pub fn is_periodic(&self) -> bool {
        self.waits.is_periodic
    }
}

/// More than any persona asks before its first wait.
const MOST_ASKS: usize = 16;

impl Persona {
    /// The wait that it asks for first, on a machine of this version. `base` says how long it is to wait, when it begins,
    /// and what the process requests besides.
    pub fn first_wait(&self, subject: &Subject, base: Asked) -> Asked {
        let (mut state, clocks) = (self.state(), Clocks::default());
        let mut request = base.request;
        let has_high_resolution = subject.rules.high_resolution == HighResolution::Present;
        let mut next = self.step(&mut state, Event::Start, &clocks);
        let mut is_begun = false;
        for _ in 0..MOST_ASKS {
            let event = match next {
                Ask::Nothing if is_begun => break,
                Ask::Nothing => {
                    is_begun = true;
                    Event::Begin(base.duration)
                }
                Ask::Wait(wait) if wait.call() == Call::HighResolution && !has_high_resolution => {
                    Event::Refused
                }
                Ask::Wait(wait) => {
                    return Asked {
                        call: wait.call(),
                        duration: wait.length(),
                        is_periodic: wait.is_periodic(),
                        is_tolerant: wait.is_tolerant(),
                        request,
                        looks: self.looks(),
                        ..base
                    };
                }
                Ask::BeginPeriod(milliseconds) => {
                    let interval = Duration::from_millis(milliseconds.into());
                    request = request.into_iter().chain([interval]).min();
                    Event::Done
                }
                Ask::MakeHighResolutionTimer if !has_high_resolution => Event::Refused,
                Ask::MakeHighResolutionTimer | Ask::EndPeriod(_) | Ask::Spin { .. } => Event::Done,
            };
            next = self.step(&mut state, event, &clocks);
        }
        // It does not wait for so short a time.
        Asked::tight(Call::Clock, base.duration)
    }

    /// The clock that its loop looks at.
    fn looks(&self) -> Looks {
        let clocks = self.clocks();
        let stands = |clock: &Clock| matches!(clock, Clock::Interrupt | Clock::File);
        if clocks.contains(&Clock::Ticks) {
            Looks::TickCount
        } else if clocks.iter().any(stands) {
            Looks::LastTick
        } else {
            Looks::Exact
        }
    }
}
