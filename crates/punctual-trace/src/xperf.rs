//! Windows' own traces: the text that `xperf -i trace.etl -a dumper` writes.
//!
//! It is lines of fields between commas, a kind of event at the front of each, and header lines that
//! name the fields of each kind. Which fields there are differs from version to version: they are
//! found by their names. Read are `CSwitch`, `ReadyThread`, `DPC`, `DPCTmr`, `Interrupt` and `T-End`,
//! and what the text says of lost events; the rest is passed over.
//!
//! Time stamps are whole microseconds. That of a DPC or interrupt is when it was done, as its event
//! carries the time of entry (<https://learn.microsoft.com/en-us/windows/win32/etw/dpc>).
//!
//! # What such a trace cannot tell
//!
//! Nobody writes down what a wait waits for, or until when. A wait counts as timed if an interrupt or
//! DPC ended it, and not another thread. Its lateness is counted from the interrupt that ended it; or,
//! for a thread known to be periodic, from a grid of deadlines on which its most punctual wake-ups
//! lie. Where that grid lies is inferred.

mod arrange;
mod header;
mod place;
mod process;
mod rows;
mod served;
mod waits;
mod write;

pub use process::Process;
pub use waits::Explained;
pub use write::write;

use crate::event::ThreadId;
use crate::names::Names;
use arrange::Placed;
use punctual::{Error, Period};
use std::borrow::Cow;
use std::collections::BTreeMap;
use waits::TimedWait;

/// Such a text, read.
///
/// ```
/// use punctual_trace::xperf::Dump;
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
/// let dump = Dump::read(text.as_bytes())?;
/// let game = dump.threads("game.exe");
/// let explained = dump.explain(&game, None);
/// assert_eq!(explained.wake_ups.len(), 1);
/// assert_eq!(explained.wake_ups[0].wait.lateness_ns(), 4_000);
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Dump {
    events: Vec<Placed>,
    names: Names,
    processes: BTreeMap<ThreadId, Process>,
    waits: BTreeMap<ThreadId, Vec<TimedWait>>,
    ended_by_threads: BTreeMap<ThreadId, usize>,
}

impl Dump {
    /// Reads a text.
    ///
    /// # Errors
    /// Invalid input, naming the line, when it is no such text or a line of a kind that is read lacks
    /// what it should have.
    pub fn read(text: &[u8]) -> Result<Self, Error> {
        let text = decode(text);
        let rows = rows::read(&text)?;
        let arranged = arrange::arrange(&rows);
        Ok(Self {
            events: arranged.events,
            names: arranged.names,
            processes: arranged.processes,
            waits: arranged.waits,
            ended_by_threads: arranged.ended_by_threads,
        })
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

    /// How many waits that nothing but an interrupt or DPC ended each program had, by its name.
    pub fn timed_waits(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (thread, waits) in &self.waits {
            if let Some(process) = self.processes.get(thread) {
                *counts.entry(&process.name).or_default() += waits.len();
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

    /// Explains what ended the timed waits of these threads. With a period, each is a loop of its
    /// own with that time between its deadlines.
    pub fn explain(&self, threads: &[ThreadId], period: Option<Period>) -> Explained {
        waits::explain(self, threads, period)
    }
}

/// Whether this is such a text, well made or not.
pub fn is_dump(text: &[u8]) -> bool {
    let text = decode(&text[..text.len().min(LONGEST_HEADER)]);
    let kinds = text.lines().map(|line| line.split(',').next());
    let mut kinds = kinds.map(|kind| kind.unwrap_or_default().trim());
    kinds.any(|kind| kind == "BeginHeader" || kind == "CSwitch")
}

/// Texts begin with their header: some hundred lines of a hundred characters.
const LONGEST_HEADER: usize = 1 << 18;

/// Windows' shells redirect into files of 16-bit characters.
fn decode(text: &[u8]) -> Cow<'_, str> {
    const BYTE_ORDER_MARK: [u8; 2] = [0xff, 0xfe];
    match text.strip_prefix(&BYTE_ORDER_MARK) {
        Some(wide) => {
            let (units, _) = wide.as_chunks::<2>();
            let units = units.iter().map(|&unit| u16::from_le_bytes(unit));
            let characters = char::decode_utf16(units);
            let replaced = |character: Result<char, _>| character.unwrap_or('\u{fffd}');
            Cow::Owned(characters.map(replaced).collect())
        }
        None => String::from_utf8_lossy(text),
    }
}
