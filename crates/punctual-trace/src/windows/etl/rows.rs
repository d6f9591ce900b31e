//! The events of a log as those of any Windows trace: threads with their processes, routines with the
//! files that they are in.

use super::kernel::Said;
use super::{Line, Log};
use crate::event::{Left, ThreadId};
use crate::windows::process::Process;
use crate::windows::row::{Named, Row, Rows, Unread, What};
use punctual::Error;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Time stamps count 100 ns on most machines (`QueryPerformanceFrequency`): two that belong together may
/// be one apart.
const ROUNDING_NS: u64 = 100;

/// What a trace without context switches needs.
const NO_SWITCHES: &str = "it has no context switches; record them with 'wpr -start CPU', wait until it \
    has happened, and save with 'wpr -stop trace.etl'";

impl Log {
    pub(in crate::windows) fn rows(&self) -> Result<Rows, Error> {
        if self.census.packed_buffers > 0 {
            return Err(Error::unsupported(
                "it is compressed in a way that is not read; record it without compression",
            ));
        }
        let mut naming = Naming::of(&self.lines);
        let rows = self.lines.iter().enumerate();
        let rows: Vec<Row> = rows
            .filter_map(|(order, line)| {
                let what = naming.what(self, line)?;
                let at = line.at_ns;
                Some(Row { order, at, what })
            })
            .collect();
        if !rows
            .iter()
            .any(|row| matches!(row.what, What::Switch { .. }))
        {
            return Err(Error::invalid_input(NO_SWITCHES));
        }
        Ok(Rows {
            rows,
            unread: Unread {
                count: self.census.unread_records,
                first: None,
            },
            // Buffers say where. Where none does, nobody knows.
            are_incomplete: self.census.buffers_after_losses == 0
                && (self.head.events_lost > 0 || self.head.buffers_lost > 0),
            reliable_from: 0,
            rounding: ROUNDING_NS,
        })
    }
}

/// Which thread is of which process, while the log is gone through.
struct Naming {
    process_of: HashMap<u32, u32>,
    processes: HashMap<u32, Arc<Process>>,
    idle: Arc<Process>,
    unknown: Arc<Process>,
    /// The files of the kernel and its drivers, by where they begin.
    files: BTreeMap<u64, (u64, String)>,
    routines: HashMap<u64, Arc<str>>,
}

impl Naming {
    /// Logs list what is there at their beginning, at their end, or both. So what a log says anywhere is
    /// known from its beginning on, and what it says later of the same number replaces it.
    fn of(lines: &[Line]) -> Self {
        let mut naming = Self {
            process_of: HashMap::new(),
            processes: HashMap::new(),
            idle: Process::idle().into(),
            unknown: Process::unknown().into(),
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
                self.process_of.insert(*thread, *process);
                let named = self.processes.entry(*process);
                named.or_insert_with(|| nameless(*process).into());
            }
            Said::Process { process, name } => {
                let named = Process {
                    name: name.clone(),
                    number: i64::from(*process),
                };
                self.processes.insert(*process, named.into());
            }
            Said::Image { base, size, file } => {
                let name = file.rsplit('\\').next().unwrap_or(file);
                self.files.insert(*base, (*size, name.to_owned()));
            }
            Said::Switch { .. } | Said::Ready { .. } | Said::Served { .. } | Said::Lost => {}
        }
    }

    /// What a line says, if it is of a kind that matters.
    fn what(&mut self, log: &Log, line: &Line) -> Option<What> {
        self.know(&line.said);
        Some(match line.said {
            Said::Switch {
                next,
                previous,
                previous_state,
                ..
            } => What::Switch {
                processor: line.processor,
                previous: self.named(previous),
                left: left(previous_state),
                next: self.named(next),
            },
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
                who: self.routine(routine),
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
        let process = self.process_of.get(&thread);
        let process = process.and_then(|number| self.processes.get(number));
        let process = match thread {
            0 => &self.idle,
            _ => process.unwrap_or(&self.unknown),
        };
        Named {
            thread: ThreadId(thread),
            process: Arc::clone(process),
        }
    }

    fn routine(&mut self, address: u64) -> Arc<str> {
        if let Some(known) = self.routines.get(&address) {
            return Arc::clone(known);
        }
        let name: Arc<str> = self.routine_name(address).into();
        self.routines.insert(address, Arc::clone(&name));
        name
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
