//! Windows' own traces: the text that `xperf -i trace.etl -a dumper` writes.
//!
//! Each line has fields between commas, and the first field is the kind of event. Header lines name the
//! fields of each kind. The fields differ between versions, so they are found by their names. The reader
//! uses `CSwitch`, `ReadyThread`, `DPC`, `DPCTmr`, `Interrupt`, `T-End` and the lines about lost events,
//! and ignores the rest.
//!
//! Time stamps are whole microseconds. That of a DPC or interrupt is its end, and its event carries the
//! time of entry (<https://learn.microsoft.com/en-us/windows/win32/etw/dpc>).
//!
//! # What such a trace does not contain
//!
//! It does not say what a thread waits for, or until when. A wait counts as timed if an interrupt or DPC
//! ended it. Its lateness is counted from that interrupt. For a thread that is known to be periodic, it
//! is counted from a grid of deadlines, on which the thread's most punctual wake-ups lie. The position of
//! the grid is inferred.

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
use place::Placed;
use punctual::{Error, Period};
use std::borrow::Cow;
use std::collections::BTreeMap;
use waits::TimedWait;

/// A parsed text of `xperf -a dumper`.
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
    /// Parses a text.
    ///
    /// # Errors
    /// Invalid input, with the line's number, if the text has another format, or if a line lacks a field.
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

    /// The number of timed waits of each program, by its name.
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

    /// Explains the timed waits of these threads. With a period, each thread is a loop with that time
    /// between its deadlines.
    pub fn explain(&self, threads: &[ThreadId], period: Option<Period>) -> Explained {
        waits::explain(self, threads, period)
    }
}

/// Whether these bytes look like such a text. It may still contain errors.
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
