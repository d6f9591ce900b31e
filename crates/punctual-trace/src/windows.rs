//! Windows' own traces: logs ([`etl`]), and the text that `xperf` makes of them ([`xperf`]).
//!
//! # What such a trace does not contain
//!
//! It does not say what a thread waits for, or until when. A wait counts as timed if an interrupt or DPC
//! ended it. Its lateness is counted from that interrupt. For a thread that is known to be periodic, it
//! is counted from a grid of deadlines, on which the thread's most punctual wake-ups lie. The position of
//! the grid is inferred.

pub mod etl;
pub mod xperf;

mod arrange;
mod from_trace;
mod per_processor;
mod place;
mod process;
mod row;
mod served;
mod waits;

pub use process::Process;
pub use row::Unread;
pub use waits::Explained;

use crate::event::ThreadId;
use crate::names::Names;
use etl::Log;
use place::Placed;
use punctual::{Error, Period};
use row::Rows;
use std::collections::BTreeMap;
use waits::ThreadWaits;

/// A trace of Windows, with the timed waits that are in it.
///
/// ```
/// use punctual_trace::windows::WindowsTrace;
///
/// let text = "
///     CSwitch, TimeStamp, New Process Name ( PID), New TID, Old Process Name ( PID), Old TID, OldState, CPU
///     ReadyThread, TimeStamp, Process Name ( PID), ThreadID, Rdy Process Name ( PID), Rdy TID, InDPC
///     DPC, TimeStamp, ElapsedTime, CPU, ServiceAddr, Image!Function
///     CSwitch, 1000, Idle ( 0), 0, game.exe ( 72), 76, Waiting, 0
///     ReadyThread, 2001, Idle ( 0), 0, game.exe ( 72), 76, 1
///     DPC, 2003, 3, 0, 0xfffff80002c8f5b0, ntoskrnl.exe!KiTimerExpiration
///     CSwitch, 2004, game.exe ( 72), 76, Idle ( 0), 0, Running, 0
/// ";
/// let trace = WindowsTrace::of_text(text.as_bytes())?;
/// let game = trace.threads("game.exe");
/// let explained = trace.explain(&game, None);
/// assert_eq!(explained.wake_ups.len(), 1);
/// assert_eq!(explained.wake_ups[0].wait.lateness_ns(), 4_000);
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WindowsTrace {
    /// In several lists, each in order.
    events: Vec<Vec<Placed>>,
    unread: Unread,
    names: Names,
    processes: BTreeMap<ThreadId, Process>,
    waits: BTreeMap<ThreadId, ThreadWaits>,
}

/// The number of processes that [`WindowsTrace::candidates`] names.
const MOST_NAMES: usize = 8;

impl WindowsTrace {
    /// Parses the text of `xperf -a dumper`.
    ///
    /// # Errors
    /// Invalid input, with the line's number, if the text has another format, or if no line of it can be
    /// read.
    pub fn of_text(text: &[u8]) -> Result<Self, Error> {
        xperf::read(text).map(Self::of)
    }

    /// The trace in a log.
    ///
    /// # Errors
    /// If the log has no context switches. The message says how to record them.
    pub fn of_log(log: &Log) -> Result<Self, Error> {
        log.rows().map(Self::of)
    }

    /// The trace in the bytes of a file: of a log, or of the text of one.
    ///
    /// # Errors
    /// Those of [`of_log`](Self::of_log) and [`of_text`](Self::of_text).
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        match etl::is_log(bytes) {
            true => Self::of_log(&Log::read(bytes)?),
            false => Self::of_text(bytes),
        }
    }

    fn of(mut rows: Rows) -> Self {
        let unread = std::mem::take(&mut rows.unread);
        let arranged = arrange::arrange(rows);
        Self {
            events: arranged.events,
            unread,
            names: arranged.names,
            processes: arranged.processes,
            waits: arranged.waits,
        }
    }

    /// The threads of the processes of this name, whatever its case; or the thread of this number.
    pub fn threads(&self, name: &str) -> Vec<ThreadId> {
        let number = name.parse().map(ThreadId);
        let is_meant = |(thread, process): &(&ThreadId, &Process)| {
            process.name.eq_ignore_ascii_case(name) || Ok(**thread) == number
        };
        let meant = self.processes.iter().filter(is_meant);
        meant.map(|(&thread, _)| thread).collect()
    }

    /// The number of timed waits of each program, by its name.
    pub fn timed_waits(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (thread, waits) in &self.waits {
            if let Some(process) = self.processes.get(thread) {
                *counts.entry(&process.name).or_default() += waits.timed.len();
            }
        }
        let counts = counts.into_iter();
        counts
            .map(|(name, count)| (name.to_owned(), count))
            .collect()
    }

    /// The processes that have threads in it, each once.
    pub fn processes(&self) -> Vec<&Process> {
        let mut processes: Vec<_> = self.processes.values().collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }

    /// What could not be read. Wake-ups around it are not explained.
    pub fn unread(&self) -> &Unread {
        &self.unread
    }

    /// The processes with the most timed waits, in words.
    pub fn candidates(&self) -> String {
        let mut counts = self.timed_waits();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let names: Vec<_> = counts.iter().map(|(name, _)| name.as_str()).collect();
        match names.as_slice() {
            [] => "none with a timed wait".to_owned(),
            few if few.len() <= MOST_NAMES => few.join(", "),
            many => format!(
                "{} and {} more",
                many[..MOST_NAMES].join(", "),
                many.len() - MOST_NAMES
            ),
        }
    }

    /// Explains the timed waits of these threads. With a period, each thread is a loop with that time
    /// between its deadlines.
    pub fn explain(&self, threads: &[ThreadId], period: Option<Period>) -> Explained {
        waits::explain(self, threads, period)
    }
}
