//! The events of a log as those of any Windows trace: threads with their processes, routines with the
//! files that they are in.

use super::kernel::Said;
use super::{Line, Log, buffer};
use crate::event::{Left, Symbol, ThreadId};
use crate::names::Names;
use crate::per_thread::PerThread;
use crate::windows::process::{Process, ProcessIndex, Processes};
use crate::windows::row::{self, Named, Row, Rows, Switch, Unread, What};
use punctual::Error;
use std::collections::{BTreeMap, HashMap};

/// Time stamps count 100 ns on most machines (`QueryPerformanceFrequency`): two that belong together may
/// be one apart.
const ROUNDING_NS: u64 = 100;

/// What a trace without context switches needs.
const NO_SWITCHES: &str = "it has no context switches; record them with 'wpr -start CPU', wait until it \
    has happened, and save with 'wpr -stop trace.etl'";

impl Log {
    /// What is packed and not read may be anything.
    fn check_packing(&self) -> Result<(), Error> {
        let packed = self.census.packed_buffers;
        if packed == 0 {
            return Ok(());
        }
        let how = match self.compression {
            buffer::XPRESS => {
                let problem = format!("{packed} of its buffers are packed and damaged");
                return Err(Error::invalid_input(problem));
            }
            buffer::LZNT1 => "with LZNT1".to_owned(),
            buffer::XPRESS_HUFFMAN => "with Xpress and Huffman codes".to_owned(),
            other => format!("in format {other}"),
        };
        Err(Error::unsupported(format!(
            "{packed} of its buffers are packed {how}, and only Xpress without Huffman codes is read; \
             record it without compression"
        )))
    }

    pub(in crate::windows) fn rows(&self) -> Result<Rows, Error> {
        self.check_packing()?;
        let mut naming = Naming::of(&self.lines);
        let mut rows = Vec::with_capacity(self.lines.len());
        for (number, line) in self.lines.iter().enumerate() {
            rows.extend(naming.what(self, line).map(|what| Row {
                order: row::order(number),
                at: line.at_ns,
                what,
            }));
        }
        if !rows.iter().any(|row| matches!(row.what, What::Switch(_))) {
            return Err(Error::invalid_input(NO_SWITCHES));
        }
        Ok(Rows {
            rows,
            names: naming.names,
            processes: naming.processes,
            unread: Unread {
                count: self.census.unread_records,
                first: None,
            },
            // Buffers say where. Where none does, it is not known.
            are_incomplete: self.census.buffers_after_losses == 0
                && (self.head.events_lost > 0 || self.head.buffers_lost > 0),
            reliable_from: 0,
            rounding: ROUNDING_NS,
        })
    }
}

/// Which thread is of which process, while the log is gone through.
struct Naming {
    names: Names,
    processes: Processes,
    /// The numbers of processes come again. Each number has one slot.
    slots: HashMap<u32, usize>,
    /// What the process of each slot is now.
    now: Vec<ProcessIndex>,
    slot_of: PerThread<usize>,
    idle: ProcessIndex,
    unknown: ProcessIndex,
    /// The files of the kernel and its drivers, by where they begin.
    files: BTreeMap<u64, (u64, String)>,
    routines: HashMap<u64, Symbol>,
}

impl Naming {
    /// Logs list what is there at their beginning, at their end, or both. So what a log says anywhere is
    /// known from its beginning on, and what it says later of the same number replaces it.
    fn of(lines: &[Line]) -> Self {
        let mut processes = Processes::default();
        let mut naming = Self {
            idle: processes.index(Process::idle()),
            unknown: processes.index(Process::unknown()),
            processes,
            names: Names::default(),
            slots: HashMap::new(),
            now: Vec::new(),
            slot_of: PerThread::default(),
            files: BTreeMap::new(),
            routines: HashMap::new(),
        };
        for line in lines.iter().rev() {
            naming.know(&line.said);
        }
        naming
    }

    fn know(&mut self, said: &Said) {
        match said {
            Said::Thread {
                process, thread, ..
            } => {
                let slot = self.slot(*process);
                self.slot_of.insert(ThreadId(*thread), slot);
            }
            Said::Process { process, name } => {
                let slot = self.slot(*process);
                self.now[slot] = self.processes.index(Process {
                    name: name.to_string(),
                    number: i64::from(*process),
                });
            }
            Said::Image { base, size, file } => {
                let name = file.rsplit('\\').next().unwrap_or(file);
                self.files.insert(*base, (*size, name.to_owned()));
            }
            Said::Switch { .. } | Said::Ready { .. } | Said::Served { .. } | Said::Lost => {}
        }
    }

    fn slot(&mut self, process: u32) -> usize {
        *self.slots.entry(process).or_insert_with(|| {
            self.now.push(self.processes.index(nameless(process)));
            self.now.len() - 1
        })
    }

    /// What a line says, if it is of a kind that matters.
    fn what(&mut self, log: &Log, line: &Line) -> Option<What> {
        self.know(&line.said);
        Some(match line.said {
            Said::Switch {
                next,
                previous,
                next_priority,
                previous_priority,
                previous_state,
            } => What::Switch(Switch {
                processor: line.processor,
                previous: self.named(previous),
                previous_priority: u8::try_from(previous_priority).ok(),
                left: left(previous_state),
                next: self.named(next),
                next_priority: u8::try_from(next_priority).ok(),
            }),
            Said::Ready { thread, in_dpc } => What::Ready {
                running: ThreadId::IDLE,
                thread: self.named(thread),
                in_dpc: Some(in_dpc),
                processor: Some(line.processor),
            },
            Said::Served {
                began_ticks,
                routine,
                is_dpc,
            } => What::Served {
                processor: line.processor,
                from: log.head.clock.nanos(began_ticks).min(line.at_ns),
                is_dpc,
                routine: self.routine(routine),
            },
            Said::Thread {
                thread, ends: true, ..
            } => What::Ended(self.named(thread)),
            Said::Lost => What::Lost {
                processor: Some(line.processor),
            },
            Said::Thread { .. } | Said::Process { .. } | Said::Image { .. } => return None,
        })
    }

    fn named(&self, thread: u32) -> Named {
        let thread = ThreadId(thread);
        let process = match self.slot_of.get(thread) {
            _ if thread.is_idle() => self.idle,
            Some(&slot) => self.now[slot],
            None => self.unknown,
        };
        Named { thread, process }
    }

    fn routine(&mut self, address: u64) -> Symbol {
        if let Some(&known) = self.routines.get(&address) {
            return known;
        }
        let name = self.routine_name(address);
        let symbol = self.names.symbol(&name);
        self.routines.insert(address, symbol);
        symbol
    }

    /// A routine by its file and how far into it it begins, as debuggers do without symbols.
    fn routine_name(&self, address: u64) -> String {
        let before = self.files.range(..=address).next_back();
        match before {
            Some((base, (size, name))) if address - base < *size => match address - base {
                0 => name.clone(),
                into => format!("{name}+{into:#x}"),
            },
            _ => format!("{address:#x}"),
        }
    }
}

/// A process that no event names.
fn nameless(number: u32) -> Process {
    Process {
        name: format!("process {number}"),
        number: number.into(),
    }
}

/// The state that a thread went into (`KTHREAD_STATE`).
///
/// <https://learn.microsoft.com/en-us/windows/win32/etw/cswitch>
fn left(state: u8) -> Left {
    const READY: u8 = 1;
    const RUNNING: u8 = 2;
    const STANDBY: u8 = 3;
    const TERMINATED: u8 = 4;
    const DEFERRED_READY: u8 = 7;
    match state {
        READY | RUNNING | STANDBY | DEFERRED_READY => Left::Ready,
        TERMINATED => Left::Ended,
        _ => Left::Waiting,
    }
}
