//! What the lines say, as events in the order in which they happened.

use super::place::{Place, Placed, event, places};
use super::process::Process;
use super::row::{Named, Row, Rows, What};
use super::served::AllServed;
use super::waits::{Ready, TimedWait, Waits};
use crate::event::{Kind, Left, ProcessorId, ThreadId};
use crate::names::Names;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A processor that no machine has. It has no events, so what is lost there is lost from the beginning of
/// the trace on.
const NOWHERE: u16 = u16::MAX;

/// All that is known from a trace.
pub(super) struct Arranged {
    pub(super) events: Vec<Placed>,
    pub(super) names: Names,
    pub(super) processes: BTreeMap<ThreadId, Arc<Process>>,
    pub(super) waits: BTreeMap<ThreadId, Vec<TimedWait>>,
    pub(super) ended_by_threads: BTreeMap<ThreadId, usize>,
}

pub(super) fn arrange(rows: &Rows) -> Arranged {
    let mut arranging = Arranging {
        places: places(&rows.rows),
        served: AllServed::of(&rows.rows, rows.rounding),
        rounding: rows.rounding,
        next_processor: next_processors(&rows.rows),
        running: HashMap::new(),
        last_switch: HashMap::new(),
        waits: Waits::default(),
        events: Vec::with_capacity(2 * rows.rows.len()),
        names: Names::default(),
        processes: HashMap::new(),
    };
    arranging.begin(&rows.rows);
    for (index, row) in rows.rows.iter().enumerate() {
        arranging.take(index, row);
    }
    if rows.are_incomplete {
        // Nobody knows where: everything is in doubt.
        let last = rows.rows.last().map_or(0, |row| row.at);
        arranging.add(Place::first_at(last), NOWHERE, Kind::Lost);
    }
    if rows.reliable_from > 0 {
        arranging.add(Place::first_at(rows.reliable_from), NOWHERE, Kind::Lost);
    }
    let (waits, ended_by_threads) = arranging.waits.finish();
    let mut events = arranging.events;
    events.sort_by_cached_key(|&(place, _)| place);
    Arranged {
        events,
        names: arranging.names,
        processes: arranging.processes.into_iter().collect(),
        waits,
        ended_by_threads,
    }
}

/// For each row that makes a thread ready, the processor that the thread then gets.
fn next_processors(rows: &[Row]) -> Vec<Option<u16>> {
    let mut next_of: HashMap<ThreadId, u16> = HashMap::new();
    let mut of_row = vec![None; rows.len()];
    for (index, row) in rows.iter().enumerate().rev() {
        match &row.what {
            What::Switch {
                processor, next, ..
            } => {
                next_of.insert(next.thread, *processor);
            }
            What::Ready { thread, .. } => {
                of_row[index] = next_of.get(&thread.thread).copied();
            }
            What::Served { .. } | What::Ended(_) | What::Lost { .. } => {}
        }
    }
    of_row
}

struct Arranging {
    /// Of each row, where what it tells of began and where it was done.
    places: Vec<(Place, Place)>,
    served: AllServed,
    rounding: u64,
    next_processor: Vec<Option<u16>>,
    running: HashMap<u16, ThreadId>,
    last_switch: HashMap<u16, u64>,
    waits: Waits,
    events: Vec<Placed>,
    names: Names,
    processes: HashMap<ThreadId, Arc<Process>>,
}

impl Arranging {
    /// Before its first switch, a processor had whom that switch took it from.
    fn begin(&mut self, rows: &[Row]) {
        let began = self.places.iter().map(|(began, _)| began.at);
        let begin = began.min().unwrap_or(0);
        for row in rows {
            if let What::Switch {
                processor,
                previous,
                ..
            } = &row.what
                && !self.running.contains_key(processor)
            {
                self.running.insert(*processor, previous.thread);
                let kind = switch(previous.thread, Left::Ready, previous.thread);
                self.add(Place::first_at(begin), *processor, kind);
            }
        }
    }

    fn take(&mut self, index: usize, row: &Row) {
        let (began, done) = self.places[index];
        match &row.what {
            What::Switch {
                processor,
                previous,
                left,
                next,
            } => {
                self.know(previous);
                self.know(next);
                self.running.insert(*processor, next.thread);
                self.last_switch.insert(*processor, done.at);
                let kind = switch(previous.thread, *left, next.thread);
                self.add(done, *processor, kind);
                self.waits.runs(next.thread, done.at);
                if *left == Left::Waiting {
                    self.waits.waits(previous.thread, done);
                }
            }
            What::Ready {
                running,
                thread,
                in_dpc,
                processor,
            } => {
                self.know(thread);
                let processor = processor.or(self.processor_of(*running, done.at, index));
                self.ready(index, thread.thread, *in_dpc, processor);
            }
            What::Served {
                processor,
                is_dpc,
                who,
                ..
            } => {
                let who = self.names.symbol(who);
                let (entry, exit) = match is_dpc {
                    true => (Kind::DeferredEntry { who }, Kind::DeferredExit),
                    false => (Kind::InterruptEntry { who }, Kind::InterruptExit),
                };
                self.add(began, *processor, entry);
                self.add(done, *processor, exit);
                self.check(*processor, began.at, done);
            }
            What::Ended(thread) => {
                self.know(thread);
                let thread = thread.thread;
                let mut processors = self.running.iter();
                let on = processors.find(|(_, running)| **running == thread);
                if let Some((&processor, _)) = on {
                    self.add(done, processor, Kind::Exited { thread });
                }
            }
            What::Lost { processor } => self.lose(done, *processor),
        }
    }

    /// Where nobody knows what is missing, it may be missing anywhere.
    fn lose(&mut self, at: Place, processor: Option<u16>) {
        let everywhere = || self.running.keys().copied().collect();
        let on: Vec<u16> = processor.map_or_else(everywhere, |one| vec![one]);
        for processor in on {
            self.add(at, processor, Kind::Lost);
        }
    }

    /// While an interrupt or DPC is served, no thread is switched to. Where a text says so, something
    /// is missing from it, or its time stamps are not what they are taken for.
    fn check(&mut self, processor: u16, from: u64, done: Place) {
        let last = self.last_switch.get(&processor).copied();
        if last.is_some_and(|last| from + self.rounding < last && last + self.rounding < done.at) {
            self.add(done.then(1), processor, Kind::Lost);
        }
    }

    fn know(&mut self, named: &Named) {
        let known = self.processes.get(&named.thread);
        let is_known =
            |known: &Arc<Process>| Arc::ptr_eq(known, &named.process) || **known == *named.process;
        if named.thread.is_idle() || known.is_some_and(is_known) {
            return;
        }
        self.names.name_thread(named.thread, &named.process.name);
        self.processes.insert(named.thread, named.process.clone());
    }

    /// Where a thread runs that makes another ready. Idle threads all have one number: if there are
    /// several, it is one with a DPC.
    fn processor_of(&self, running: ThreadId, at: u64, row: usize) -> Option<u16> {
        let here = self.running.iter().filter(|(_, on)| **on == running);
        let mut here: Vec<u16> = here.map(|(&processor, _)| processor).collect();
        here.sort_unstable();
        match here.as_slice() {
            [one] => Some(*one),
            several => {
                let has_dpc = |&&on: &&u16| self.served.dpc_at(on, at, row).is_some();
                several.iter().find(has_dpc).copied()
            }
        }
    }

    fn ready(
        &mut self,
        index: usize,
        thread: ThreadId,
        in_dpc: Option<bool>,
        processor: Option<u16>,
    ) {
        let (_, place) = self.places[index];
        let next = self.next_processor[index];
        let on = processor.or(next).unwrap_or_default();
        let dpc = processor.and_then(|on| self.served.dpc_at(on, place.at, index));
        let by_interrupt = in_dpc.unwrap_or(dpc.is_some());
        let dpc = dpc.filter(|_| by_interrupt);
        let expiry = dpc.map(|dpc| self.places[self.served.cause_of(on, dpc)].0);
        // A DPC may have begun a little later, as far as rounded time stamps tell.
        let place = place.not_before(dpc.map_or(0, |dpc| dpc.from));
        let processor = ProcessorId(next.unwrap_or(on));
        self.add(place, on, Kind::Waking { thread });
        self.add(place.then(1), on, Kind::Ready { thread, processor });
        let ready = Ready {
            by_interrupt,
            expiry: expiry.unwrap_or(place),
            processor: on,
        };
        let runs = self.running.values().any(|&running| running == thread);
        self.waits.readied(thread, ready, runs);
    }

    fn add(&mut self, place: Place, processor: u16, kind: Kind) {
        self.events.push((place, event(place, processor, kind)));
    }
}

fn switch(previous: ThreadId, previous_state: Left, next: ThreadId) -> Kind {
    Kind::Switch {
        previous,
        previous_state,
        previous_priority: None,
        next,
        next_priority: None,
    }
}
