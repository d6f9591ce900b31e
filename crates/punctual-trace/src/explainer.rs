//! Explains the wake-ups of a trace while it comes, in bounded memory.

use crate::blocking_calls::{BlockingCalls, WaitedIn};
use crate::chronicle::{Chronicle, State};
use crate::event::{Event, Kind, ThreadId};
use crate::explain::explain;
use crate::names::Names;
use crate::pending::{Finder, Pending, lead};
use crate::periodic::{Candidate, Periodic};
use crate::recording::Head;
use crate::scope::LeftOut;
use crate::segment::{Reason, Verdict, Wait, WakeUp};
use crate::tracefs::{Decoder, Portion, Raw};
use crate::waits::unexplained;
use punctual::{Error, Instant};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
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
    finder: Finder,
    /// How long before a wait's own deadline that of a grid may lie.
    lead: Duration,
    periodic: Option<Periodic>,
    pending: VecDeque<Pending>,
    complete_until: Instant,
    /// Threads that ended, and whose names are known.
    ended: HashMap<ThreadId, Instant>,
    names_forgotten_at: Instant,
    kinds: BTreeMap<&'static str, u64>,
    blocking_calls: BlockingCalls,
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
            finder: Finder::of(head.scope),
            lead: lead(head.scope.period),
            periodic: Periodic::of(head.scope),
            pending: VecDeque::new(),
            complete_until: Instant::ZERO,
            ended: HashMap::new(),
            names_forgotten_at: Instant::ZERO,
            kinds: BTreeMap::new(),
            blocking_calls: BlockingCalls::default(),
        };
        explainer.chronicle.begins(head.complete_from());
        explainer.finder.prepare(&mut explainer.chronicle);
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
        self.pending.push_back(Pending::Told(wait));
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

    /// The addresses in the trace's stacks so far.
    pub fn addresses(&self) -> &BTreeSet<u64> {
        self.decoder.addresses()
    }

    /// The threads that it explains, as far as they have not ended, with their names: those that it was
    /// told of and, for a program, all that they started.
    pub fn threads(&self) -> Vec<(u32, String)> {
        let names = self.names();
        let named = |thread: ThreadId| match names.is_named(thread) {
            true => (thread.0, names.thread_name(thread, self.complete_until)),
            false => (thread.0, String::new()),
        };
        self.chronicle.threads().map(named).collect()
    }

    /// How many changes of threads and processors it remembers: that is what its memory grows with.
    pub fn remembers(&self) -> usize {
        self.chronicle.len()
    }

    /// Every event before this instant has come.
    pub fn complete_until(&self) -> Instant {
        self.complete_until
    }

    /// The calls in which the threads waited so far; `None` if the trace has no system calls.
    pub fn waited_in(&self) -> Option<Vec<WaitedIn>> {
        self.blocking_calls.waited_in(self.names())
    }

    /// What of a periodic program was not explained so far.
    pub fn left_out(&self) -> LeftOut {
        let periodic = self.periodic.as_ref();
        periodic
            .map(Periodic::left_out)
            .cloned()
            .unwrap_or_default()
    }

    /// How many events of each kind there were so far.
    pub fn kinds(&self) -> &BTreeMap<&'static str, u64> {
        &self.kinds
    }

    fn note(&mut self, events: &[Event]) {
        for event in events {
            *self.kinds.entry(event.kind.name()).or_default() += 1;
            self.blocking_calls.note(event);
            if let Kind::Exited { thread } = event.kind {
                self.ended.insert(thread, event.at);
            }
            let found = self.finder.note(&mut self.chronicle, event);
            self.pending.extend(found.filter(|_| !self.is_told));
        }
    }

    fn explain(&mut self, is_end: bool) -> Vec<WakeUp> {
        let mut explained = Vec::new();
        let pending = std::mem::take(&mut self.pending);
        // A periodic program is judged in order.
        let mut waiting = BTreeSet::new();
        for pending in pending {
            if self.periodic.is_some() && waiting.contains(&pending.in_order_of()) {
                self.pending.push_back(pending);
                continue;
            }
            match self.progress(pending, is_end) {
                Progress::Settled(wait) => match &mut self.periodic {
                    Some(periodic) => {
                        let candidate = Candidate::explain(&self.chronicle, &wait, pending.asked());
                        explained.extend(periodic.note(candidate));
                    }
                    None => explained.push(explain(&self.chronicle, &wait)),
                },
                Progress::Unknown(wake_up) => explained.push(wake_up),
                Progress::Nothing => {}
                Progress::Pending => {
                    waiting.insert(pending.in_order_of());
                    self.pending.push_back(pending);
                }
            }
        }
        if let (true, Some(periodic)) = (is_end, &mut self.periodic) {
            explained.extend(periodic.finish());
        }
        explained
    }

    /// Whether anything that comes can change the explanation.
    fn progress(&self, pending: Pending, is_end: bool) -> Progress {
        match pending.wait(&self.chronicle, self.lead) {
            None => Progress::Nothing,
            Some(Ok(wait)) if is_end || self.is_settled(&wait) => Progress::Settled(wait),
            Some(Ok(_)) => Progress::Pending,
            Some(Err(wake_up)) if is_end => Progress::Unknown(wake_up),
            Some(Err(wake_up)) if wake_up.verdict == Verdict::Unexplained(Reason::NoTimer) => {
                match self.is_settled(&wake_up.wait) {
                    true => Progress::Unknown(wake_up),
                    false => Progress::Pending,
                }
            }
            // It has not run yet.
            Some(Err(_)) if self.chronicle.remembers(pending.needs_from(self.lead)) => {
                Progress::Pending
            }
            Some(Err(wake_up)) => Progress::Unknown(unexplained(wake_up.wait, Reason::TooLong)),
        }
    }

    fn is_settled(&self, wait: &Wait) -> bool {
        let history = self.chronicle.history(wait.thread);
        let has_gone = matches!(history.at(wait.woke).1, Some((_, State::Waiting { .. })));
        self.complete_until > wait.woke && (has_gone || self.complete_until > wait.woke + SETTLING)
    }

    fn forget(&mut self) {
        let back = |by: Duration| self.complete_until - by;
        let needed = self.pending.iter();
        let needed = needed.map(|pending| pending.needs_from(self.lead)).min();
        let needed = needed.unwrap_or(Instant::MAX).min(back(REMEMBERED));
        let before = needed.max(back(REMEMBERED_AT_MOST));
        self.chronicle.forget(before);
        let mut age = REMEMBERED / 2;
        while self.chronicle.len() > MOST_REMEMBERED && !age.is_zero() {
            self.chronicle.forget(back(age));
            age /= 2;
        }
        if self.names_forgotten_at < before - REMEMBERED {
            self.forget_names(before);
        }
    }

    /// Looks at every name, and so is done rarely.
    fn forget_names(&mut self, before: Instant) {
        let ended = self.ended.extract_if(|_, &mut at| at < before).collect();
        self.decoder.forget(before, &ended);
        self.names_forgotten_at = before;
    }
}

/// What is known about something to explain.
enum Progress {
    /// Not enough yet.
    Pending,
    /// There is nothing to explain.
    Nothing,
    /// Nothing can change it.
    Settled(Wait),
    /// It cannot be explained, and its deadline is not known.
    Unknown(WakeUp),
}
