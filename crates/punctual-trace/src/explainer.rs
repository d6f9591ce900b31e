//! Explains the wake-ups of a trace while it comes, in bounded memory.

use crate::chronicle::{Chronicle, Fired, State};
use crate::event::{Event, ThreadId};
use crate::explain::explain;
use crate::names::Names;
use crate::recording::Head;
use crate::segment::{Reason, Verdict, Wait, WakeUp};
use crate::tracefs::{Decoder, Portion, Raw};
use crate::waits::{ended_by, unexplained};
use punctual::{Error, Instant};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// For how long it remembers what happened, if nothing asks for more: longer than almost any wait is
/// late.
const REMEMBERED: Duration = Duration::from_secs(10);

/// For how long it remembers at most, while a wait is late for longer.
const REMEMBERED_AT_MOST: Duration = Duration::from_secs(60);

/// How many changes it remembers at most, of threads and processors: about 20 MB.
const MOST_REMEMBERED: usize = 1 << 19;

/// A wake-up is explained when its thread has begun to wait again, or after this time: then nothing that
/// comes can change the explanation.
const SETTLING: Duration = Duration::from_secs(1);

/// Explains the wake-ups of a trace while it comes. It forgets what is long past, so its memory does not
/// grow, however long the trace is.
#[derive(Debug)]
pub struct Explainer {
    decoder: Decoder,
    chronicle: Chronicle,
    /// Whether a loop of our own tells of its waits. Otherwise timers show them.
    is_told: bool,
    open: VecDeque<Open>,
    complete_until: Instant,
    kinds: BTreeMap<&'static str, u64>,
}

/// A wake-up whose explanation may still change.
#[derive(Debug, Clone, Copy)]
enum Open {
    Told(Wait),
    Fired(ThreadId, Fired),
}

impl Open {
    /// The instant from which on the explanation needs to know everything.
    fn needs_from(&self) -> Instant {
        match self {
            Self::Told(wait) => wait.deadline,
            Self::Fired(_, fired) => match fired.armed {
                Some(armed) => armed.earliest.max(armed.at),
                None => fired.expired_at,
            },
        }
    }
}

impl Explainer {
    /// Begins with a trace's descriptions and the head of its recording, which has the threads to explain,
    /// and `Some` waits for a loop of our own.
    ///
    /// # Errors
    /// Invalid input, when a description cannot be read.
    pub fn new(raw: &Raw, head: &Head) -> Result<Self, Error> {
        let is_told = head.waits.is_some();
        let mut explainer = Self {
            decoder: Decoder::new(raw)?,
            chronicle: match is_told {
                true => Chronicle::of(&[]),
                false => Chronicle::of_family(&[]),
            },
            is_told,
            open: VecDeque::new(),
            complete_until: Instant::ZERO,
            kinds: BTreeMap::new(),
        };
        explainer.chronicle.begins(head.complete_from());
        for (thread, name) in &head.threads {
            explainer.follow(ThreadId(*thread), name);
        }
        Ok(explainer)
    }

    /// From now on it explains this thread, too. The name counts until the trace has another.
    pub fn follow(&mut self, thread: ThreadId, name: &str) {
        self.chronicle.follow(thread);
        let names = self.decoder.names_mut();
        if !names.is_named(thread) && !name.is_empty() {
            names.name_thread(thread, name);
        }
    }

    /// Takes in a wait of our own loop.
    pub fn wait(&mut self, wait: Wait) {
        self.open.push_back(Open::Told(wait));
    }

    /// Takes in the next portion of the trace, and returns the wake-ups that it completes, in the order in
    /// which they ended.
    ///
    /// # Errors
    /// Invalid input, when a page contradicts itself.
    pub fn portion(&mut self, portion: &Portion) -> Result<Vec<WakeUp>, Error> {
        for (processor, pages) in &portion.pages {
            self.decoder.read(*processor, pages)?;
        }
        let Some(complete_until) = portion.complete_until else {
            return Ok(Vec::new());
        };
        self.complete_until = self.complete_until.max(complete_until);
        let events = self.decoder.take_until(complete_until);
        self.note(&events);
        let explained = self.explain(false);
        self.forget();
        Ok(explained)
    }

    /// Ends with what is known, and returns the wake-ups that are left.
    pub fn finish(&mut self) -> Vec<WakeUp> {
        let events = self.decoder.take_rest();
        self.note(&events);
        self.explain(true)
    }

    /// The names in the trace so far.
    pub fn names(&self) -> &Names {
        self.decoder.names()
    }

    /// How many changes of threads and processors it remembers: that is what its memory grows with.
    pub fn remembers(&self) -> usize {
        self.chronicle.len()
    }

    /// Every event before this instant has come.
    pub fn complete_until(&self) -> Instant {
        self.complete_until
    }

    /// How many events of each kind there were so far.
    pub fn kinds(&self) -> &BTreeMap<&'static str, u64> {
        &self.kinds
    }

    fn note(&mut self, events: &[Event]) {
        for event in events {
            *self.kinds.entry(event.kind.name()).or_default() += 1;
            let fired = self.chronicle.note(event);
            if let (Some((thread, fired)), false) = (fired, self.is_told) {
                self.open.push_back(Open::Fired(thread, fired));
            }
        }
    }

    fn explain(&mut self, is_end: bool) -> Vec<WakeUp> {
        let mut explained = Vec::new();
        let open = std::mem::take(&mut self.open);
        for open in open {
            match self.explained(open, is_end) {
                Some(wake_up) => explained.push(wake_up),
                None => self.open.push_back(open),
            }
        }
        explained
    }

    /// The explanation, if nothing that comes can change it.
    fn explained(&self, open: Open, is_end: bool) -> Option<WakeUp> {
        let found = match open {
            Open::Told(wait) => Ok(wait),
            Open::Fired(thread, fired) => ended_by(&self.chronicle, thread, &fired),
        };
        match found {
            Ok(wait) if is_end || self.is_settled(&wait) => Some(explain(&self.chronicle, &wait)),
            Ok(_) => None,
            Err(wake_up) if is_end => Some(wake_up),
            Err(wake_up) if wake_up.verdict == Verdict::Unexplained(Reason::NoTimer) => {
                self.is_settled(&wake_up.wait).then_some(wake_up)
            }
            // It has not run yet.
            Err(wake_up) => {
                let is_forgotten = !self.chronicle.remembers(open.needs_from());
                is_forgotten.then(|| unexplained(wake_up.wait, Reason::TooLong))
            }
        }
    }

    fn is_settled(&self, wait: &Wait) -> bool {
        let history = self.chronicle.history(wait.thread);
        let has_gone = matches!(history.at(wait.woke).1, Some((_, State::Waiting { .. })));
        self.complete_until > wait.woke && (has_gone || self.complete_until > wait.woke + SETTLING)
    }

    fn forget(&mut self) {
        let back = |by: Duration| self.complete_until - by;
        let needed = self.open.iter().map(Open::needs_from).min();
        let needed = needed.unwrap_or(Instant::MAX).min(back(REMEMBERED));
        let before = needed.max(back(REMEMBERED_AT_MOST));
        self.chronicle.forget(before);
        let mut age = REMEMBERED / 2;
        while self.chronicle.len() > MOST_REMEMBERED && !age.is_zero() {
            self.chronicle.forget(back(age));
            age /= 2;
        }
    }
}
