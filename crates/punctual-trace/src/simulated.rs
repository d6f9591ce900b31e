//! The log of a simulated machine, as a trace.
//!
//! A simulated processor turns to a thread after it has served stolen time, which may change its plan.
//! So the log is followed processor by processor, and only what really happened becomes an event.

mod processor;
mod timers;

use crate::event::{Event, Kind, ProcessorId, Symbol, ThreadId};
use crate::names::Names;
use crate::queues::settled;
use crate::trace::Trace;
use crate::windows::Process;
use processor::{Going, Processor};
use punctual::Instant;
use punctual_sim::{Named, Record, StolenTime, What};
use std::collections::{BTreeMap, HashMap};
use timers::Timers;

/// A thread of a Windows has a number that is a multiple of this.
const NUMBER_STEP: u32 = 4;

/// The number of Windows' own process, the first one.
const FIRST_NUMBER: u32 = 2 * NUMBER_STEP;

/// A trace of a simulated machine, with its threads.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The trace. Threads are called by their processes' names, as in the traces of a real Windows.
    pub trace: Trace,
    /// Every thread that ever lived, in the order in which they were started.
    pub threads: Vec<Member>,
}

/// A thread and its process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The thread.
    pub thread: ThreadId,
    /// Its name, which no trace of a real Windows tells.
    pub name: String,
    /// The number of its process.
    pub process: u32,
    /// The process's name.
    pub process_name: String,
    id: punctual_sim::ThreadId,
}

impl Simulated {
    /// The trace of a machine with so many processors whose log was kept. `is_whole` says that no
    /// record gave way to later ones.
    pub fn new(log: &[Record], named: &[Named], processors: usize, is_whole: bool) -> Self {
        let threads = members(named);
        let mut names = Names::default();
        for member in &threads {
            names.name_thread(member.thread, &member.process_name);
        }
        let mut reader = Reader::new(&threads, &mut names, processors);
        if let Some(first) = log.first() {
            reader.begin(first.at, is_whole);
        }
        for (order, record) in log.iter().enumerate() {
            reader.order = order;
            reader.read(record);
        }
        let events = reader.finish();
        Self {
            trace: Trace::new(events, names),
            threads,
        }
    }

    /// Which thread is of which process.
    pub fn processes(&self) -> BTreeMap<ThreadId, Process> {
        let members = self.threads.iter();
        let processes = members.map(|member| {
            let process = Process {
                name: member.process_name.clone(),
                number: member.process.into(),
            };
            (member.thread, process)
        });
        processes.collect()
    }

    /// The thread of this simulated number.
    pub fn thread(&self, id: punctual_sim::ThreadId) -> Option<ThreadId> {
        let member = self.threads.iter().find(|member| member.id == id)?;
        Some(member.thread)
    }
}

/// Numbers threads and processes as they were started.
fn members(named: &[Named]) -> Vec<Member> {
    let mut processes = HashMap::new();
    let mut last = FIRST_NUMBER - NUMBER_STEP;
    let mut next = || {
        last += NUMBER_STEP;
        last
    };
    let member = |named: &Named| Member {
        process: *processes.entry(named.process).or_insert_with(&mut next),
        thread: ThreadId(next()),
        name: named.name.clone(),
        process_name: named.process_name.clone(),
        id: named.thread,
    };
    named.iter().map(member).collect()
}

/// An event, after all that happened at the same instant and has a lesser number.
type Placed = (usize, Event);

/// Reads a log from its first record to its last.
struct Reader {
    threads: HashMap<punctual_sim::ThreadId, ThreadId>,
    processors: Vec<Processor>,
    timers: Timers,
    interrupts: [Symbol; 2],
    softirqs: [Symbol; 2],
    /// Where each thread has, or last had, a processor.
    places: HashMap<ThreadId, usize>,
    /// When each thread last began to wait.
    waits_since: HashMap<ThreadId, Instant>,
    events: Vec<Placed>,
    /// The number of the record that is being read.
    order: usize,
}

impl Reader {
    fn new(threads: &[Member], names: &mut Names, processors: usize) -> Self {
        let threads = threads.iter().map(|member| (member.id, member.thread));
        Self {
            threads: threads.collect(),
            processors: (0..processors).map(|_| Processor::default()).collect(),
            timers: Timers::default(),
            interrupts: ["timer interrupt", "device interrupt"].map(|name| names.symbol(name)),
            softirqs: ["timer DPC", "device DPC"].map(|name| names.symbol(name)),
            places: HashMap::new(),
            waits_since: HashMap::new(),
            events: Vec::new(),
            order: 0,
        }
    }

    /// Before the first record of a whole log every processor is idle.
    fn begin(&mut self, at: Instant, is_whole: bool) {
        for processor in 0..self.processors.len() {
            let kind = match is_whole {
                true => switch(ThreadId::IDLE, Going::Waits, ThreadId::IDLE),
                false => Kind::Lost,
            };
            self.add(at, processor, kind);
        }
    }

    fn read(&mut self, record: &Record) {
        let at = record.at;
        match record.what {
            What::Ready { thread, by } => self.readied(at, thread, by),
            What::Dispatched {
                thread,
                processor,
                from,
            } => {
                let thread = self.thread(thread);
                if let Some(last) = self.places.insert(thread, processor)
                    && last != processor
                {
                    self.change(last, |last| last.is_left_by(thread, at));
                }
                self.change(processor, |processor| processor.turn_to(at, from, thread));
            }
            What::Preempted { thread, .. } => self.leaves(at, thread, at, Going::StaysReady),
            What::Blocked { thread, until, .. } => {
                self.leaves(at, thread, until, Going::Waits);
                self.waits_since.insert(self.thread(thread), at);
            }
            What::Ended { thread, until } => {
                self.exits(at, thread);
                self.leaves(at, thread, until, Going::Ends);
            }
            What::Stolen {
                by,
                processor,
                length,
                is_noise,
            } => {
                self.change(processor, |processor| processor.put_off(at, length));
                let source = usize::from(is_noise);
                match by {
                    StolenTime::Interrupt => self.interrupted(at, processor, length, source),
                    StolenTime::Dpc => {
                        self.processors[processor].defer(at, length, self.order, source);
                    }
                }
            }
            What::TimerArmed { timer, earliest } => {
                let index = self.events.len();
                self.timers.armed(timer, index);
                self.add(at, 0, Timers::arming(timer, earliest));
            }
            What::TimerCancelled { timer } => {
                let timer = Timers::id(timer);
                self.add(at, 0, Kind::TimerCancelled { timer });
            }
            What::TimerDue {
                timer,
                tick,
                processor,
            } => {
                let due = timers::Due::new(at, self.order, processor);
                if let Some(index) = self.timers.due(timer, due) {
                    Timers::expires_at(&mut self.events[index].1.kind, tick);
                }
            }
            What::TimerExpired { timer } => self.timers.expires(timer),
            What::TimerHandled { timer } => {
                if let Some(due) = self.timers.handled(timer) {
                    self.expiry(timer, &due);
                }
            }
        }
    }

    fn finish(mut self) -> Vec<Event> {
        self.order += 1;
        for processor in 0..self.processors.len() {
            self.change(processor, |processor| processor.commit(Instant::MAX));
            for (order, from, to, source) in self.processors[processor].serve(Instant::MAX) {
                self.add_softirq(order, from, to, processor, source);
            }
        }
        self.events.sort_by_key(|&(order, event)| (event.at, order));
        settled(self.events.into_iter().map(|(_, event)| event).collect())
    }
}

impl Reader {
    fn readied(
        &mut self,
        at: Instant,
        thread: punctual_sim::ThreadId,
        by: Option<punctual_sim::ThreadId>,
    ) {
        let thread = self.thread(thread);
        let last = self.places.get(&thread).copied().unwrap_or_default();
        self.change(last, |processor| processor.is_ready(at, thread));
        let on = match by {
            Some(by) => {
                let by = self.thread(by);
                let on = self.places.get(&by).copied().unwrap_or_default();
                self.add(at, on, Kind::Waking { thread });
                on
            }
            None => match self.timers.wakes(thread) {
                Some(processor) => processor,
                None => {
                    self.woken_by_none(at, last, thread);
                    last
                }
            },
        };
        let processor = processor_id(last);
        self.add(at, on, Kind::Ready { thread, processor });
    }

    /// Neither a thread nor an interrupt made a thread ready. If its wait has only begun, it was
    /// over by then.
    fn woken_by_none(&mut self, at: Instant, processor: usize, thread: ThreadId) {
        if self.waits_since.get(&thread) != Some(&at) {
            self.add(at, processor, Kind::Waking { thread });
            return;
        }
        let timer = self.timers.nameless();
        self.add(at, processor, Timers::arming_at_once(timer, at));
        self.add(at, processor, Kind::expired(timer));
        self.add(at, processor, Kind::Waking { thread });
        self.add(at, processor, Kind::TimerHandled { timer });
    }

    /// The expiry of a timer, placed where the interrupt found it due.
    fn expiry(&mut self, timer: u64, due: &timers::Due) {
        let timer = Timers::id(timer);
        let woken = due.woken.iter().map(|&thread| Kind::Waking { thread });
        let kinds = std::iter::once(Kind::expired(timer))
            .chain(woken)
            .chain([Kind::TimerHandled { timer }]);
        for kind in kinds {
            self.add_at(due.order, due.at, due.processor, kind);
        }
    }

    fn exits(&mut self, at: Instant, thread: punctual_sim::ThreadId) {
        let thread = self.thread(thread);
        let on = self.places.get(&thread).copied().unwrap_or_default();
        if self.processors[on].has(thread) {
            self.add(at, on, Kind::Exited { thread });
        }
    }

    /// A thread that has a processor, or is to have it, loses it.
    fn leaves(
        &mut self,
        at: Instant,
        thread: punctual_sim::ThreadId,
        until: Instant,
        going: Going,
    ) {
        let thread = self.thread(thread);
        if let Some(&on) = self.places.get(&thread)
            && self.processors[on].has(thread)
        {
            self.change(on, |processor| processor.leave(at, until, thread, going));
        }
    }

    fn interrupted(
        &mut self,
        at: Instant,
        processor: usize,
        length: std::time::Duration,
        source: usize,
    ) {
        let (from, to) = self.processors[processor].interrupt(at, length, self.order);
        let name = self.interrupts[source];
        self.add(from, processor, Kind::InterruptEntry { name });
        self.add(to, processor, Kind::InterruptExit);
        for (order, from, to, source) in self.processors[processor].serve(at) {
            self.add_softirq(order, from, to, processor, source);
        }
    }

    fn add_softirq(
        &mut self,
        order: usize,
        from: Instant,
        to: Instant,
        processor: usize,
        source: usize,
    ) {
        let name = self.softirqs[source];
        self.add_at(order, from, processor, Kind::SoftirqEntry { name });
        self.add_at(order, to, processor, Kind::SoftirqExit);
    }

    /// Changes a processor, and writes down the switches that have come about by that.
    fn change(
        &mut self,
        processor: usize,
        change: impl FnOnce(&mut Processor) -> Option<processor::Switch>,
    ) {
        let Some(done) = change(&mut self.processors[processor]) else {
            return;
        };
        let kind = switch(done.previous, done.going, done.next);
        self.add(done.at, processor, kind);
    }

    fn add(&mut self, at: Instant, processor: usize, kind: Kind) {
        self.add_at(self.order, at, processor, kind);
    }

    fn add_at(&mut self, order: usize, at: Instant, processor: usize, kind: Kind) {
        let running = match kind {
            Kind::Switch { previous, .. } => Some(previous),
            _ => None,
        };
        let event = Event {
            at,
            processor: processor_id(processor),
            running,
            asked_to_switch: false,
            kind,
        };
        self.events.push((order, event));
    }

    /// A thread that was started before a log that is not whole begins has no number: it counts as
    /// idle.
    fn thread(&self, id: punctual_sim::ThreadId) -> ThreadId {
        self.threads.get(&id).copied().unwrap_or(ThreadId::IDLE)
    }
}

fn switch(previous: ThreadId, going: Going, next: ThreadId) -> Kind {
    Kind::Switch {
        previous,
        previous_state: going.left(),
        previous_priority: None,
        next,
        next_priority: None,
    }
}

fn processor_id(number: usize) -> ProcessorId {
    ProcessorId(u16::try_from(number).unwrap_or(u16::MAX))
}
