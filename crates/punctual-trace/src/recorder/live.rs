//! A trace that is explained while it is recorded.

use super::late::Late;
use super::saver::{Saver, Unsaved};
use super::{Kept, with_threads};
use crate::outcome::Outcome;
use crate::recording::{Head, RecordedWait};
use crate::report::Tally;
use crate::tracefs::{Portion, Raw};
use crate::{Capture, Explainer, KernelFunctions, Recording, Starter, ThreadId, Wait, WakeUp};
use punctual::{Error, Native};
use punctual_data::quantity;
use std::mem;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much of a trace is kept in memory, so as not to take a machine's.
const MOST_BYTES: usize = 512 << 20;

/// What to keep of a trace, and when to stop.
#[derive(Debug, Default)]
pub struct Options {
    /// How many of the worst wake-ups the report lists; or of late ones, how many are saved.
    pub keep: usize,
    /// The last part of the trace is kept, so long, and the report is about that.
    pub ring: Option<Duration>,
    /// All of it is kept, as far as there is room.
    pub is_whole: bool,
    /// A file for the trace; a folder, if late wake-ups are saved.
    pub save: Option<PathBuf>,
    /// Wake-ups that are later than this are told of and saved while the trace goes on.
    pub on_late: Option<Duration>,
    /// It is over when a wake-up is later than this.
    pub until: Option<Duration>,
    /// Whether stacks are recorded, whose functions are to be named.
    pub stacks: bool,
}

/// A running trace.
#[derive(Debug)]
pub struct Live {
    /// What is known about the trace: to be completed before it is over.
    pub head: Head,
    clock: Native,
    capture: Capture,
    raw: Raw,
    explainer: Explainer,
    tally: Tally,
    kept: Option<Kept>,
    save: Option<PathBuf>,
    saver: Option<Saver>,
    late: Option<Late>,
    until: Option<Duration>,
    has_happened: bool,
    /// Whether the report is about what was kept.
    is_about_kept: bool,
    /// Where the kernel's functions are, if stacks are recorded.
    functions: Option<KernelFunctions>,
    /// How many addresses the stacks so far have.
    addresses: usize,
    /// What has happened that a user should hear of, a sentence each.
    said: Vec<String>,
}

impl Live {
    /// Prepares a trace of what is captured; nothing is recorded yet.
    ///
    /// # Errors
    /// [`Error`] if there is no clock, or the folder for late wake-ups cannot be opened.
    pub fn prepare(capture: Capture, head: Head, options: Options) -> Result<Self, Error> {
        let raw = capture.raw().clone();
        let explainer = Explainer::new(&raw, &head)?;
        let late = options
            .on_late
            .map(|threshold| Late::new(threshold, options.keep, options.save.as_deref()));
        let late = late.transpose();
        Ok(Self {
            clock: Native::detect()?,
            capture,
            raw,
            head,
            explainer,
            tally: Tally::new(options.keep),
            kept: match options.ring {
                Some(reach) => Some(Kept::the_last(reach, MOST_BYTES)),
                None => options.is_whole.then(|| Kept::all(MOST_BYTES)),
            },
            is_about_kept: options.ring.is_some() || options.is_whole,
            save: options.save.filter(|_| options.on_late.is_none()),
            saver: None,
            late: late.map_err(|error| Error::system(error.to_string()))?,
            until: options.until,
            has_happened: false,
            functions: options.stacks.then(KernelFunctions::read),
            addresses: 0,
            said: Vec::new(),
        })
    }

    /// What begins the trace, on whichever thread.
    pub fn starter(&self) -> Starter {
        self.capture.starter()
    }

    /// From now on this thread is explained.
    pub fn follow(&mut self, thread: u32, name: &str) {
        self.head.threads.push((thread, name.to_owned()));
        self.explainer.follow(ThreadId(thread), name);
    }

    /// Takes what was recorded since the last time, and the waits of our own loop. Call it ten times a
    /// second.
    ///
    /// # Errors
    /// [`Error`] if the kernel's trace cannot be read.
    pub fn look(&mut self, waits: &[RecordedWait]) -> Result<(), Error> {
        // until it is known which thread to follow, nothing is taken in.
        if self.head.was_full || self.head.threads.is_empty() {
            return Ok(());
        }
        let portion = self.capture.take()?;
        self.take(portion, waits)?;
        if self.kept.as_ref().is_some_and(Kept::is_full) {
            self.head.was_full = true;
            self.starter().pause()?;
        }
        Ok(())
    }

    /// Whether it holds as much as it may, and has stopped.
    pub fn is_full(&self) -> bool {
        self.head.was_full
    }

    /// Whether what it was to last until has happened.
    pub fn has_happened(&self) -> bool {
        self.has_happened
    }

    /// What has happened since the last time that a user should hear of, a sentence each.
    pub fn said(&mut self) -> Vec<String> {
        mem::take(&mut self.said)
    }

    fn take(&mut self, portion: Portion, waits: &[RecordedWait]) -> Result<(), Error> {
        for &wait in waits {
            self.explainer.wait(Wait::from(wait));
        }
        let found = self.explainer.portion(&portion)?;
        let addresses = self.explainer.addresses();
        if let Some(functions) = &self.functions
            && addresses.len() > self.addresses
        {
            self.addresses = addresses.len();
            self.head.functions = functions.at(addresses);
        }
        if let Some(file) = self.save.as_ref().filter(|_| !self.is_a_ring()) {
            let begin = || Saver::begin(file, &self.head, &self.raw);
            let saver = self.saver.get_or_insert_with(begin);
            saver.write(&portion, waits, &mut self.said);
        }
        let now = self.clock.now();
        if let Some(late) = &mut self.late {
            late.push(portion, waits, now);
        } else if let Some(kept) = &mut self.kept {
            kept.push(portion, waits, now);
        }
        self.note(found);
        Ok(())
    }

    fn is_a_ring(&self) -> bool {
        self.kept.as_ref().is_some_and(Kept::is_a_ring)
    }

    fn note(&mut self, mut found: Vec<WakeUp>) {
        let names = self.explainer.names();
        found.sort_by_key(|up| up.wait.woke);
        for wake_up in &found {
            self.tally.note(wake_up, names);
        }
        let happens = |until: Duration| found.iter().any(|up| up.is_later_than(until));
        self.has_happened |= self.until.is_some_and(happens);
        if let Some(late) = &mut self.late {
            let head = || with_threads(&self.head, &self.explainer);
            self.said.extend(late.take(&found, names, head, &self.raw));
        }
    }

    /// Ends the trace with the last waits of our own loop.
    ///
    /// # Errors
    /// [`Error`] if the kernel's trace cannot be read.
    pub fn end(&mut self, waits: &[RecordedWait]) -> Result<(), Error> {
        self.starter().pause()?;
        let last = self.capture.take()?;
        let last = Portion {
            complete_until: None,
            ..last
        };
        self.take(last, waits)?;
        let rest = self.explainer.finish();
        self.note(rest);
        Ok(())
    }

    /// Completes the files, and returns what the trace came to. `save` writes the recording of a ring.
    ///
    /// # Errors
    /// [`Error`] if what was kept cannot be read.
    pub fn complete(
        self,
        save: impl FnOnce(&Path, &Recording),
    ) -> Result<(Outcome, Option<Unsaved>), Error> {
        let is_a_ring = self.is_a_ring();
        let saved = self.saver.map_or(Ok(()), |saver| saver.end(&self.head));
        let unsaved = saved.err().or(self.late.and_then(Late::unsaved));
        let kept = self.kept.as_ref().filter(|_| self.is_about_kept);
        let Some(kept) = kept else {
            let outcome = Outcome::so_far(self.head, &self.tally, &self.explainer);
            return Ok((outcome, unsaved));
        };
        let short = kept.falls_short_of().map(|reach| {
            let reach = quantity::show(reach);
            format!("only the last {reach} are kept: they fill the ring's memory")
        });
        let recording = kept.whole(&with_threads(&self.head, &self.explainer), &self.raw);
        if let Some(file) = self.save.filter(|_| is_a_ring) {
            save(&file, &recording);
        }
        let mut outcome = Outcome::of_recording(recording)?;
        outcome.notes.extend(short);
        Ok((outcome, unsaved))
    }
}
