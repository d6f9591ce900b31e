//! What the rows say, as events in the order in which they happened.

use super::per_processor::PerProcessor;
use super::place::{Place, Placed};
use super::process::{Process, ProcessIndex, Processes};
use super::row::{Named, Row, Rows, Switch, What};
use super::served::AllServed;
use super::waits::{Ready, ThreadWaits, Waits};
use crate::event::{Kind, Left, Priority, ProcessorId, Symbol, ThreadId};
use crate::names::Names;
use crate::per_thread::PerThread;
use crate::queues;
use std::collections::BTreeMap;

/// A processor that no machine has. It has no events, so what is lost there is lost from the beginning of
/// the trace on.
const NOWHERE: u16 = u16::MAX;

/// All that is known from a trace.
pub(super) struct Arranged {
    /// In several lists, each in order: what was done comes in the order of the rows, and what began
    /// before it does not.
    pub(super) events: Vec<Vec<Placed>>,
    pub(super) names: Names,
    pub(super) processes: BTreeMap<ThreadId, Process>,
    pub(super) waits: BTreeMap<ThreadId, ThreadWaits>,
}

pub(super) fn arrange(mut rows: Rows) -> Arranged {
    rows.rows.sort_by_key(|row| row.at);
    let mut arranging = Arranging {
        served: AllServed::of(&rows.rows, &rows.names, rows.rounding),
        next_served: 0,
        rounding: rows.rounding,
        next_processor: next_processors(&rows.rows),
        processors: PerProcessor::default(),
        threads: PerThread::default(),
        waits: Waits::default(),
        // Most rows are one event. Those of interrupts have another, which is kept apart.
        done: Vec::with_capacity(rows.rows.len() + rows.rows.len() / 4),
        begun: PerProcessor::default(),
        names: rows.names,
        all: rows.processes,
    };
    arranging.begin(&rows.rows);
    for (index, row) in (0..).zip(&rows.rows) {
        arranging.take(index, row);
    }
    if rows.are_incomplete {
        // It is not known where: everything is in doubt.
        let last = rows.rows.last().map_or(0, |row| row.at);
        arranging.add(Place::first_at(last), NOWHERE, Kind::Lost);
    }
    if rows.reliable_from > 0 {
        arranging.add(Place::first_at(rows.reliable_from), NOWHERE, Kind::Lost);
    }
    arranging.finish()
}

/// For each row that makes a thread ready, the processor that the thread then gets.
fn next_processors(rows: &[Row]) -> Vec<Option<u16>> {
    let mut next_of = PerThread::default();
    let mut of_row = vec![None; rows.len()];
    for (row, of_row) in rows.iter().zip(&mut of_row).rev() {
        match &row.what {
            What::Switch(Switch {
                processor, next, ..
            }) => next_of.insert(next.thread, *processor),
            What::Ready { thread, .. } => *of_row = next_of.get(thread.thread).copied(),
            What::Served { .. } | What::Ended(_) | What::Lost { .. } => {}
        }
    }
    of_row
}

struct Arranging {
    served: AllServed,
    /// How many of them were taken.
    next_served: usize,
    rounding: u64,
    next_processor: Vec<Option<u16>>,
    processors: PerProcessor<OnProcessor>,
    threads: PerThread<OfThread>,
    waits: Waits,
    done: Vec<Placed>,
    /// Of one processor, they are nearly in order.
    begun: PerProcessor<Vec<Placed>>,
    names: Names,
    all: Processes,
}

#[derive(Debug, Default, Clone, Copy)]
struct OnProcessor {
    running: Option<ThreadId>,
    last_switch: Option<u64>,
}

#[derive(Debug, Default, Clone, Copy)]
struct OfThread {
    process: Option<ProcessIndex>,
    /// The processor that it got last.
    last_on: Option<u16>,
}

impl Arranging {
    /// Before its first switch, a processor had the thread from which that switch took it.
    fn begin(&mut self, rows: &[Row]) {
        let began = rows.iter().map(|row| match row.what {
            What::Served { from, .. } => from,
            _ => row.at,
        });
        let begin = began.min().unwrap_or(0);
        for row in rows {
            if let What::Switch(of) = &row.what
                && self.processors.of(of.processor).running.is_none()
            {
                let thread = of.previous.thread;
                self.runs(of.processor, thread);
                let kind = Kind::Switch {
                    previous: thread,
                    previous_state: Left::Ready,
                    previous_priority: priority(of.previous_priority),
                    next: thread,
                    next_priority: priority(of.previous_priority),
                };
                self.begins(Place::first_at(begin), of.processor, kind);
            }
        }
    }

    fn runs(&mut self, processor: u16, thread: ThreadId) {
        self.processors.of(processor).running = Some(thread);
        self.threads.of(thread).last_on = Some(processor);
    }

    fn take(&mut self, index: u32, row: &Row) {
        let done = Place::of(row);
        match row.what {
            What::Switch(of) => self.switch(&of, done),
            What::Ready {
                running,
                thread,
                in_dpc,
                processor,
            } => {
                self.know(thread);
                let processor = processor.or_else(|| self.processor_of(running, done.at, index));
                self.ready(index, done, thread.thread, in_dpc, processor);
            }
            What::Served {
                processor,
                is_dpc,
                routine,
                ..
            } => self.serve(processor, is_dpc, routine, done),
            What::Ended(thread) => {
                self.know(thread);
                let thread = thread.thread;
                if let Some(on) = self.running_on(thread) {
                    self.add(done, on, Kind::Exited { thread });
                }
            }
            What::Lost { processor } => self.lose(done, processor),
        }
    }

    fn switch(&mut self, of: &Switch, done: Place) {
        self.know(of.previous);
        self.know(of.next);
        self.runs(of.processor, of.next.thread);
        self.processors.of(of.processor).last_switch = Some(done.at);
        let kind = Kind::Switch {
            previous: of.previous.thread,
            previous_state: of.left,
            previous_priority: priority(of.previous_priority),
            next: of.next.thread,
            next_priority: priority(of.next_priority),
        };
        self.add(done, of.processor, kind);
        self.waits.runs(of.next.thread, done.at);
        if of.left == Left::Waiting {
            self.waits.waits(of.previous.thread, done);
        }
    }

    fn serve(&mut self, processor: u16, is_dpc: bool, routine: Symbol, done: Place) {
        let began = self.served.began[self.next_served];
        self.next_served += 1;
        let (entry, exit) = match is_dpc {
            true => (Kind::SoftirqEntry { name: routine }, Kind::SoftirqExit),
            false => (Kind::InterruptEntry { name: routine }, Kind::InterruptExit),
        };
        self.begins(began, processor, entry);
        self.add(done, processor, exit);
        self.check(processor, began.at, done);
    }

    /// Where it is not known what is missing, it may be missing anywhere.
    fn lose(&mut self, at: Place, processor: Option<u16>) {
        let known = self.processors.all();
        let known = known.filter(|(_, on)| on.running.is_some());
        let everywhere = || known.map(|(number, _)| number).collect();
        let on: Vec<u16> = processor.map_or_else(everywhere, |one| vec![one]);
        for processor in on {
            self.add(at, processor, Kind::Lost);
        }
    }

    /// While an interrupt or DPC is served, no thread is switched to. Where a text says so, something
    /// is missing from it, or its time stamps are not what they are taken for.
    fn check(&mut self, processor: u16, from: u64, done: Place) {
        let last = self.processors.of(processor).last_switch;
        if last.is_some_and(|last| from + self.rounding < last && last + self.rounding < done.at) {
            self.add(done.then(1), processor, Kind::Lost);
        }
    }

    fn know(&mut self, named: Named) {
        if named.thread.is_idle() {
            return;
        }
        let known = &mut self.threads.of(named.thread).process;
        if *known != Some(named.process) {
            *known = Some(named.process);
            let process = self.all.get(named.process);
            self.names.name_thread(named.thread, &process.name);
        }
    }

    /// The processor that a thread has now, if it is not an idle one.
    fn running_on(&self, thread: ThreadId) -> Option<u16> {
        let on = self.threads.get(thread)?.last_on?;
        let running = self.processors.get(on)?.running;
        (running == Some(thread)).then_some(on)
    }

    /// Where a thread runs that makes another ready. Idle threads all have one number: if there are
    /// several, it is one with a DPC.
    fn processor_of(&mut self, running: ThreadId, at: u64, row: u32) -> Option<u16> {
        if !running.is_idle() {
            return self.running_on(running);
        }
        let here = self.processors.all();
        let here = here.filter(|(_, on)| on.running == Some(running));
        let here: Vec<u16> = here.map(|(processor, _)| processor).collect();
        let mut has_dpc = |&&on: &&u16| self.served.dpc_at(on, at, row).is_some();
        match here.as_slice() {
            [one] => Some(*one),
            several => several.iter().find(&mut has_dpc).copied(),
        }
    }

    fn ready(
        &mut self,
        index: u32,
        place: Place,
        thread: ThreadId,
        in_dpc: Option<bool>,
        processor: Option<u16>,
    ) {
        let next = self.next_processor[index as usize];
        let on = processor.or(next).unwrap_or_default();
        let may_be_dpc = in_dpc != Some(false);
        let dpc = processor.filter(|_| may_be_dpc);
        let dpc = dpc.and_then(|on| self.served.dpc_at(on, place.at, index));
        let by_interrupt = in_dpc.unwrap_or(dpc.is_some());
        let expiry = dpc.map(|dpc| self.served.cause_of(on, &dpc));
        // A DPC may have begun a little later, as far as rounded time stamps tell.
        let place = place.not_before(dpc.map_or(0, |dpc| dpc.began.at));
        let processor = ProcessorId(next.unwrap_or(on));
        self.add(place, on, Kind::Waking { thread });
        self.add(place.then(1), on, Kind::Ready { thread, processor });
        let ready = Ready {
            by_interrupt,
            expiry: expiry.unwrap_or(place),
            processor: on,
        };
        let runs = self.running_on(thread).is_some();
        self.waits.readied(thread, ready, runs);
    }

    fn add(&mut self, place: Place, processor: u16, kind: Kind) {
        self.done.push(Placed {
            place,
            processor,
            kind,
        });
    }

    fn begins(&mut self, place: Place, processor: u16, kind: Kind) {
        self.begun.of(processor).push(Placed {
            place,
            processor,
            kind,
        });
    }

    fn finish(mut self) -> Arranged {
        let place = |placed: &Placed| placed.place;
        self.done.sort_by_key(place);
        let moves = queues::settle(&mut self.done, |placed| {
            (ProcessorId(placed.processor), &mut placed.kind)
        });
        let moves = moves.into_iter();
        let mut moves: Vec<_> = moves
            .map(|(index, kind)| {
                // Behind the switch with which the thread lost its last processor.
                let switch = self.done[index];
                let place = switch.place.then(1);
                Placed {
                    place,
                    kind,
                    ..switch
                }
            })
            .collect();
        moves.sort_by_key(place);
        let mut events = vec![self.done, moves];
        events.extend(self.begun.into_all().map(|mut begun| {
            begun.sort_by_key(place);
            begun
        }));
        let known = self.threads.into_all();
        let processes = known.filter_map(|(thread, of)| Some((thread, of.process?)));
        let processes = processes.map(|(thread, process)| (thread, self.all.get(process).clone()));
        Arranged {
            processes: processes.collect(),
            events,
            names: self.names,
            waits: self.waits.finish(),
        }
    }
}

fn priority(number: Option<u8>) -> Option<Priority> {
    number.map(Priority::Windows)
}
