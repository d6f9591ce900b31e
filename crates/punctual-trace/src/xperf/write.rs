//! Writing a trace as `xperf -a dumper` would, as far as it is known.

use super::process::Process;
use crate::event::{Event, Kind, Left, ProcessorId, Symbol, ThreadId};
use crate::trace::Trace;
use punctual::Instant;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The header lines. Columns that nobody can fill are left out, as readers go by names.
const HEADER: &str = "\
BeginHeader
                CSwitch,  TimeStamp, New Process Name ( PID),    New TID, TmSinceLast, WaitTime, Old Process Name ( PID),    Old TID,        OldState, CPU
            ReadyThread,  TimeStamp,     Process Name ( PID),   ThreadID, Rdy Process Name ( PID),    Rdy TID, InDPC
              Interrupt,  TimeStamp, ElapsedTime, CPU,        ServiceAddr,            Image!Function
                    DPC,  TimeStamp, ElapsedTime, CPU,        ServiceAddr,            Image!Function
                  T-End,  TimeStamp,     Process Name ( PID),   ThreadID
EndHeader
";

/// There is no code that could be at an address.
const NO_ADDRESS: &str = "0x0000000000000000";

/// Writes a trace. `system` is where it was made, in words. Threads that are of no process in
/// `processes` are written as of an unknown one.
///
/// # Errors
/// Those of the writer.
pub fn write(
    out: &mut dyn Write,
    trace: &Trace,
    processes: &BTreeMap<ThreadId, Process>,
    system: &str,
) -> io::Result<()> {
    out.write_all(HEADER.as_bytes())?;
    let last = trace.events().last().map_or(0, |event| micros(event.at));
    let seconds = last / 1_000_000;
    writeln!(
        out,
        "OS Version: {system}, Trace Size: 0KB, Events Lost: 0, Buffers Lost: 0, Trace Length: \
         {seconds} sec, PointerSize: 8, Trace Name: simulated"
    )?;
    let mut writer = Writer {
        trace,
        processes,
        above: HashMap::new(),
        running: HashMap::new(),
        left_at: HashMap::new(),
        ready_at: HashMap::new(),
    };
    for event in trace.events() {
        writer.event(out, event)?;
    }
    Ok(())
}

struct Writer<'a> {
    trace: &'a Trace,
    processes: &'a BTreeMap<ThreadId, Process>,
    /// The interrupts and DPCs that lie upon each processor's thread, with their beginnings.
    above: HashMap<ProcessorId, Vec<(Served, Instant)>>,
    running: HashMap<ProcessorId, ThreadId>,
    left_at: HashMap<ThreadId, Instant>,
    ready_at: HashMap<ThreadId, Instant>,
}

#[derive(Clone, Copy, PartialEq)]
enum Served {
    Interrupt(Symbol),
    Dpc(Symbol),
}

impl Writer<'_> {
    fn event(&mut self, out: &mut dyn Write, event: &Event) -> io::Result<()> {
        let (at, on) = (event.at, event.processor);
        match event.kind {
            Kind::Switch {
                previous,
                previous_state,
                next,
            } => self.switch(out, event, (previous, previous_state), next),
            Kind::Ready { thread, .. } => self.ready(out, event, thread),
            Kind::InterruptEntry { who } => self.begins(on, Served::Interrupt(who), at),
            Kind::DeferredEntry { who } => self.begins(on, Served::Dpc(who), at),
            Kind::InterruptExit => self.ends(out, event, |it| matches!(it, Served::Interrupt(_))),
            Kind::DeferredExit => self.ends(out, event, |it| matches!(it, Served::Dpc(_))),
            Kind::Exited { thread } => {
                let process = self.process(thread);
                let (at, thread) = (micros(at), thread.0);
                writeln!(out, "{:>23}, {at:10}, {process:>23}, {thread:10}", "T-End")
            }
            _ => Ok(()),
        }
    }

    fn begins(&mut self, on: ProcessorId, it: Served, at: Instant) -> io::Result<()> {
        self.above.entry(on).or_default().push((it, at));
        Ok(())
    }

    fn ends(
        &mut self,
        out: &mut dyn Write,
        event: &Event,
        is_kind: impl Fn(Served) -> bool,
    ) -> io::Result<()> {
        let Some(above) = self.above.get_mut(&event.processor) else {
            return Ok(());
        };
        let Some(index) = above.iter().rposition(|&(it, _)| is_kind(it)) else {
            return Ok(());
        };
        let (it, began) = above[index];
        above.truncate(index);
        let (kind, who) = match it {
            Served::Interrupt(who) => ("Interrupt", who),
            Served::Dpc(who) => ("DPC", who),
        };
        let (at, from, on) = (micros(event.at), micros(began), event.processor.0);
        let (elapsed, who) = (at - from, self.trace.names.text(who));
        writeln!(
            out,
            "{kind:>23}, {at:10}, {elapsed:11}, {on:3}, {NO_ADDRESS}, {who:>25}"
        )
    }

    fn ready(&mut self, out: &mut dyn Write, event: &Event, thread: ThreadId) -> io::Result<()> {
        self.ready_at.insert(thread, event.at);
        let above = self
            .above
            .get(&event.processor)
            .and_then(|above| above.last());
        let in_dpc = u8::from(matches!(above, Some((Served::Dpc(_), _))));
        let running = self.running.get(&event.processor).copied();
        let running = running.unwrap_or(ThreadId::IDLE);
        let (by, process) = (self.process(running), self.process(thread));
        let (at, running, thread) = (micros(event.at), running.0, thread.0);
        writeln!(
            out,
            "{:>23}, {at:10}, {by:>23}, {running:10}, {process:>23}, {thread:10}, {in_dpc:5}",
            "ReadyThread"
        )
    }

    fn switch(
        &mut self,
        out: &mut dyn Write,
        event: &Event,
        (previous, left): (ThreadId, Left),
        next: ThreadId,
    ) -> io::Result<()> {
        self.running.insert(event.processor, next);
        // What lay upon the thread ends where the thread does, as readers of the trace take it.
        let is_some = |above: &Vec<_>| !above.is_empty();
        while self.above.get(&event.processor).is_some_and(is_some) {
            self.ends(out, event, |_| true)?;
        }
        if previous == next {
            // That is how a trace says who had a processor before it began.
            return Ok(());
        }
        let since = |instants: &HashMap<ThreadId, Instant>| {
            let instant = instants.get(&next).filter(|_| !next.is_idle());
            instant.map_or(0, |&instant| micros(event.at) - micros(instant))
        };
        let (away, waited) = (since(&self.left_at), since(&self.ready_at));
        self.left_at.insert(previous, event.at);
        let state = match left {
            _ if previous.is_idle() => "Running",
            Left::Ready => "Ready",
            Left::Waiting => "Waiting",
            Left::Ended => "Terminated",
        };
        let (new, old) = (self.process(next), self.process(previous));
        let (at, on) = (micros(event.at), event.processor.0);
        let (next, previous) = (next.0, previous.0);
        writeln!(
            out,
            "{:>23}, {at:10}, {new:>23}, {next:10}, {away:11}, {waited:8}, {old:>23}, \
             {previous:10}, {state:>15}, {on:3}",
            "CSwitch"
        )
    }

    fn process(&self, thread: ThreadId) -> String {
        let unknown = || Process {
            name: "Unknown".to_owned(),
            number: -1,
        };
        let idle = Process {
            name: "Idle".to_owned(),
            number: 0,
        };
        match self.processes.get(&thread) {
            _ if thread.is_idle() => idle.to_string(),
            known => known.cloned().unwrap_or_else(unknown).to_string(),
        }
    }
}

fn micros(instant: Instant) -> u64 {
    instant.as_nanos() / 1_000
}
