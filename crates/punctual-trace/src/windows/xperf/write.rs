//! Writing a trace as `xperf -a dumper` would, as far as it is known.

use crate::event::{Left, ThreadId};
use crate::names::Names;
use crate::trace::Trace;
use crate::windows::from_trace::rows;
use crate::windows::process::{Process, Processes};
use crate::windows::row::{Named, Row, Switch, What};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The header lines. Columns that can't be filled are left out, as readers go by names.
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
    let (rows, told) = rows(trace, processes);
    let last = rows.last().map_or(0, |row| row.at);
    let seconds = last / 1_000_000_000;
    writeln!(
        out,
        "OS Version: {system}, Trace Size: 0KB, Events Lost: 0, Buffers Lost: 0, Trace Length: \
         {seconds} sec, PointerSize: 8, Trace Name: simulated"
    )?;
    let mut writer = Writer {
        processes,
        told,
        names: &trace.names,
        left_at: HashMap::new(),
        ready_at: HashMap::new(),
    };
    rows.iter().try_for_each(|row| writer.row(out, row))
}

struct Writer<'a> {
    processes: &'a BTreeMap<ThreadId, Process>,
    /// Those of the rows.
    told: Processes,
    names: &'a Names,
    /// In microseconds.
    left_at: HashMap<ThreadId, u64>,
    ready_at: HashMap<ThreadId, u64>,
}

impl Writer<'_> {
    fn row(&mut self, out: &mut dyn Write, row: &Row) -> io::Result<()> {
        let at = micros(row.at);
        match &row.what {
            What::Switch(of) => self.switch(out, at, of),
            What::Ready {
                running,
                thread,
                in_dpc,
                ..
            } => self.ready(out, at, (*running, thread), *in_dpc == Some(true)),
            What::Served {
                processor,
                from,
                is_dpc,
                routine,
            } => {
                let kind = if *is_dpc { "DPC" } else { "Interrupt" };
                let elapsed = at - micros(*from);
                let routine = self.names.text(*routine);
                writeln!(
                    out,
                    "{kind:>23}, {at:10}, {elapsed:11}, {processor:3}, {NO_ADDRESS}, {routine:>25}"
                )
            }
            What::Ended(Named { thread, process }) => {
                let process = self.told.get(*process).to_string();
                let thread = thread.0;
                writeln!(out, "{:>23}, {at:10}, {process:>23}, {thread:10}", "T-End")
            }
            // Such texts say how many events were lost, and not where.
            What::Lost { .. } => Ok(()),
        }
    }

    fn ready(
        &mut self,
        out: &mut dyn Write,
        at: u64,
        (running, thread): (ThreadId, &Named),
        in_dpc: bool,
    ) -> io::Result<()> {
        self.ready_at.insert(thread.thread, at);
        let by = match self.processes.get(&running) {
            _ if running.is_idle() => Process::idle().to_string(),
            Some(process) => process.to_string(),
            None => Process::unknown().to_string(),
        };
        let process = self.told.get(thread.process).to_string();
        let thread = thread.thread.0;
        let (running, in_dpc) = (running.0, u8::from(in_dpc));
        writeln!(
            out,
            "{:>23}, {at:10}, {by:>23}, {running:10}, {process:>23}, {thread:10}, {in_dpc:5}",
            "ReadyThread"
        )
    }

    fn switch(&mut self, out: &mut dyn Write, at: u64, of: &Switch) -> io::Result<()> {
        let Switch {
            processor: on,
            previous,
            left,
            next,
            ..
        } = of;
        let since = |instants: &HashMap<ThreadId, u64>| {
            let instant = instants.get(&next.thread);
            let instant = instant.filter(|_| !next.thread.is_idle());
            instant.map_or(0, |&instant| at - instant)
        };
        let (away, waited) = (since(&self.left_at), since(&self.ready_at));
        self.left_at.insert(previous.thread, at);
        let state = match left {
            _ if previous.thread.is_idle() => "Running",
            Left::Ready => "Ready",
            Left::Waiting | Left::Blocked | Left::Stopped => "Waiting",
            Left::Ended => "Terminated",
        };
        let process = |named: &Named| self.told.get(named.process).to_string();
        let (new, old) = (process(next), process(previous));
        let (next, previous) = (next.thread.0, previous.thread.0);
        writeln!(
            out,
            "{:>23}, {at:10}, {new:>23}, {next:10}, {away:11}, {waited:8}, {old:>23}, \
             {previous:10}, {state:>15}, {on:3}",
            "CSwitch"
        )
    }
}

fn micros(nanos: u64) -> u64 {
    nanos / 1_000
}
