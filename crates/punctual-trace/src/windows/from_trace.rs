//! The rows that Windows would have written of a trace.

use super::process::{Process, Processes};
use super::row::{self, Named, Row, Switch, What};
use crate::event::{Event, Kind, Priority, ProcessorId, Symbol, ThreadId};
use crate::trace::Trace;
use punctual::Instant;
use std::collections::{BTreeMap, HashMap};

/// The rows of a trace, in the order in which a log has them, and their processes: an interrupt or DPC
/// comes when it is done. Threads that are of no process in `processes` are of an unknown one.
pub(super) fn rows(
    trace: &Trace,
    processes: &BTreeMap<ThreadId, Process>,
) -> (Vec<Row>, Processes) {
    let mut telling = Telling {
        processes,
        told: Processes::default(),
        above: HashMap::new(),
        running: HashMap::new(),
        rows: Vec::new(),
    };
    for event in trace.events() {
        telling.event(event);
    }
    (telling.rows, telling.told)
}

struct Telling<'a> {
    processes: &'a BTreeMap<ThreadId, Process>,
    told: Processes,
    /// The interrupts and DPCs that lie upon each processor's thread, with their beginnings.
    above: HashMap<ProcessorId, Vec<(Served, Instant)>>,
    running: HashMap<ProcessorId, ThreadId>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, PartialEq)]
enum Served {
    Interrupt(Symbol),
    Dpc(Symbol),
}

impl Telling<'_> {
    fn event(&mut self, event: &Event) {
        let (at, on) = (event.at, event.processor);
        match event.kind {
            Kind::Switch { .. } => self.switch(event),
            Kind::Ready { thread, .. } => self.ready(event, thread),
            Kind::InterruptEntry { name } => self.begins(on, Served::Interrupt(name), at),
            Kind::SoftirqEntry { name } => self.begins(on, Served::Dpc(name), at),
            Kind::InterruptExit => self.ends(event, |it| matches!(it, Served::Interrupt(_))),
            Kind::SoftirqExit => self.ends(event, |it| matches!(it, Served::Dpc(_))),
            Kind::Exited { thread } => {
                let thread = self.named(thread);
                self.tell(event, What::Ended(thread));
            }
            _ => {}
        }
    }

    fn tell(&mut self, event: &Event, what: What) {
        self.rows.push(Row {
            order: row::order(self.rows.len()),
            at: event.at.as_nanos(),
            what,
        });
    }

    fn begins(&mut self, on: ProcessorId, it: Served, at: Instant) {
        self.above.entry(on).or_default().push((it, at));
    }

    fn ends(&mut self, event: &Event, is_kind: impl Fn(Served) -> bool) {
        let Some(above) = self.above.get_mut(&event.processor) else {
            return;
        };
        let Some(index) = above.iter().rposition(|&(it, _)| is_kind(it)) else {
            return;
        };
        let (it, began) = above[index];
        above.truncate(index);
        let (is_dpc, routine) = match it {
            Served::Interrupt(routine) => (false, routine),
            Served::Dpc(routine) => (true, routine),
        };
        let what = What::Served {
            processor: event.processor.0,
            from: began.as_nanos(),
            is_dpc,
            routine,
        };
        self.tell(event, what);
    }

    fn ready(&mut self, event: &Event, thread: ThreadId) {
        let above = self.above.get(&event.processor);
        let above = above.and_then(|above| above.last());
        let running = self.running.get(&event.processor).copied();
        let in_dpc = matches!(above, Some((Served::Dpc(_), _)));
        let what = What::Ready {
            running: running.unwrap_or(ThreadId::IDLE),
            thread: self.named(thread),
            in_dpc: Some(in_dpc),
            processor: Some(event.processor.0),
        };
        self.tell(event, what);
    }

    fn switch(&mut self, event: &Event) {
        let Kind::Switch {
            previous,
            previous_state: left,
            previous_priority,
            next,
            next_priority,
        } = event.kind
        else {
            return;
        };
        self.running.insert(event.processor, next);
        // What lay upon the thread ends where the thread does, as readers of the trace take it.
        let is_some = |above: &Vec<_>| !above.is_empty();
        while self.above.get(&event.processor).is_some_and(is_some) {
            self.ends(event, |_| true);
        }
        if previous == next {
            // That is how a trace says what had a processor before it began.
            return;
        }
        let what = What::Switch(Switch {
            processor: event.processor.0,
            previous: self.named(previous),
            previous_priority: number(previous_priority),
            left,
            next: self.named(next),
            next_priority: number(next_priority),
        });
        self.tell(event, what);
    }

    fn named(&mut self, thread: ThreadId) -> Named {
        let process = match self.processes.get(&thread) {
            _ if thread.is_idle() => Process::idle(),
            known => known.cloned().unwrap_or_else(Process::unknown),
        };
        Named {
            thread,
            process: self.told.index(process),
        }
    }
}

/// The number of a priority of Windows.
fn number(priority: Option<Priority>) -> Option<u8> {
    match priority {
        Some(Priority::Windows(number)) => Some(number),
        _ => None,
    }
}
