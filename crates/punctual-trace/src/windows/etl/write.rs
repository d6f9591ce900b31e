//! Writing a trace as a log of Windows 10, with the events that the reader uses.
//!
//! This project has no real log with context switches yet. So the layouts are held to
//! payloads that others have published, by the tests of the reader, and the writer is held to the reader.

use super::buffer::{self, HEADER_TYPE, WIDE_PROCESSOR};
use super::head::{self, PERFORMANCE_COUNTER};
use super::kinds::{
    DPC, IMAGE, INTERRUPT, PERFINFO, PROCESS, READY, RUNDOWN_AT_START, SWITCH, THREAD,
};
use super::record::{self, ALIGNMENT, FLAGS};
use crate::event::{Left, Symbol, ThreadId};
use crate::names::Names;
use crate::trace::Trace;
use crate::windows::from_trace::rows;
use crate::windows::process::{Process, Processes};
use crate::windows::row::{Row, Switch, What};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What `wpr` uses on most machines.
const BUFFER: usize = 64 << 10;

/// As `QueryPerformanceFrequency` has it since Windows 10.
const TICKS_PER_SECOND: u64 = 10_000_000;
const NANOS_PER_TICK: u64 = 100;
/// The clock's reading at time zero: any will do that is not zero.
const START_TICKS: u64 = 1_000_000_000;

/// Windows 10 2004, 64-bit.
const WINDOWS: (u8, u8, u32) = (10, 0, 19_041);
/// 15.625 ms in units of 100 ns.
const TIMER_RESOLUTION: u32 = 156_250;

/// Versions of payloads in Windows 10.
const HEADER_VERSION: u16 = 2;
const SWITCH_VERSION: u16 = 4;
const READY_VERSION: u16 = 2;
const SERVED_VERSION: u16 = 2;
const THREAD_VERSION: u16 = 3;
const PROCESS_VERSION: u16 = 4;
const IMAGE_VERSION: u16 = 3;

/// The routines of a trace have names and no addresses: each is a file of its own in the kernel's half.
const FIRST_FILE: u64 = 0xffff_f800_0000_0000;
const FILE: u64 = 0x10_0000;

/// The priority of ordinary threads, of those whose priority nothing tells.
const PRIORITY: u8 = 8;

/// Writes a trace. Threads that are of no process in `processes` are written as of none.
///
/// # Errors
/// Those of the writer.
pub fn write(
    out: &mut dyn Write,
    trace: &Trace,
    processes: &BTreeMap<ThreadId, Process>,
) -> io::Result<()> {
    let (rows, told) = rows(trace, processes);
    let mut log = Writer {
        done: Vec::new(),
        filling: BTreeMap::new(),
        files: BTreeMap::new(),
    };
    log.rundown(processes, &rows, &trace.names);
    for row in &rows {
        log.row(row, &told);
    }
    log.finish();
    out.write_all(&header_buffer(&log))?;
    for (number, (processor, records)) in (1..).zip(&log.done) {
        out.write_all(&whole(*processor, number, 0, records))?;
    }
    Ok(())
}

struct Writer {
    /// The records of whole buffers, in the order in which they were filled.
    done: Vec<(u16, Vec<u8>)>,
    filling: BTreeMap<u16, Vec<u8>>,
    files: BTreeMap<Symbol, u64>,
}

impl Writer {
    /// What was there before the trace began.
    fn rundown(&mut self, processes: &BTreeMap<ThreadId, Process>, rows: &[Row], names: &Names) {
        let mut listed: Vec<&Process> = processes.values().collect();
        listed.sort_unstable();
        listed.dedup();
        for process in listed {
            let payload = process_payload(process);
            self.add(
                0,
                START_TICKS,
                (PROCESS, RUNDOWN_AT_START, PROCESS_VERSION),
                &payload,
            );
        }
        for (thread, process) in processes {
            let payload = thread_payload(*thread, process);
            self.add(
                0,
                START_TICKS,
                (THREAD, RUNDOWN_AT_START, THREAD_VERSION),
                &payload,
            );
        }
        for row in rows {
            if let What::Served { routine, .. } = &row.what
                && !self.files.contains_key(routine)
            {
                let base = FIRST_FILE + self.files.len() as u64 * FILE;
                let payload = image_payload(base, names.text(*routine));
                self.files.insert(*routine, base);
                self.add(
                    0,
                    START_TICKS,
                    (IMAGE, RUNDOWN_AT_START, IMAGE_VERSION),
                    &payload,
                );
            }
        }
    }

    fn row(&mut self, row: &Row, processes: &Processes) {
        let at = ticks(row.at);
        match &row.what {
            What::Switch(of) => {
                let event = (THREAD, SWITCH, SWITCH_VERSION);
                self.add(of.processor, at, event, &switch_payload(of));
            }
            What::Ready {
                thread,
                in_dpc,
                processor,
                ..
            } => {
                let mut payload = thread.thread.0.to_le_bytes().to_vec();
                // Why and by how much its priority was raised, the flag, and a reserved byte.
                payload.extend([0, 0, u8::from(*in_dpc == Some(true)), 0]);
                let on = processor.unwrap_or_default();
                self.add(on, at, (THREAD, READY, READY_VERSION), &payload);
            }
            What::Served {
                processor,
                from,
                is_dpc,
                routine,
            } => {
                let base = self.files.get(routine).copied().unwrap_or_default();
                let mut payload = ticks(*from).to_le_bytes().to_vec();
                payload.extend(base.to_le_bytes());
                let kind = if *is_dpc { DPC } else { INTERRUPT };
                if !is_dpc {
                    // That it was handled, the vector, and a reserved byte.
                    payload.extend([1, 0, 0, 0]);
                }
                self.add(*processor, at, (PERFINFO, kind, SERVED_VERSION), &payload);
            }
            What::Ended(thread) => {
                let payload = thread_payload(thread.thread, processes.get(thread.process));
                let event = (THREAD, super::kinds::END, THREAD_VERSION);
                self.add(0, at, event, &payload);
            }
            What::Lost { .. } => {}
        }
    }

    /// Adds a record of the kernel: group, type, version and payload.
    fn add(&mut self, on: u16, at: u64, event: (u8, u8, u16), payload: &[u8]) {
        const HEADER: usize = 16;
        let (group, kind, version) = event;
        let size = HEADER + payload.len();
        let mut record = Vec::with_capacity(size.next_multiple_of(ALIGNMENT));
        record.extend(version.to_le_bytes());
        record.extend([record::PERFINFO[1], FLAGS]);
        record.extend(short(size).to_le_bytes());
        record.extend([kind, group]);
        record.extend(at.to_le_bytes());
        record.extend(payload);
        record.resize(size.next_multiple_of(ALIGNMENT), 0);
        let buffer = self.filling.entry(on).or_default();
        if buffer::HEADER + buffer.len() + record.len() > BUFFER {
            self.done.push((on, std::mem::take(buffer)));
        }
        self.filling.entry(on).or_default().extend(record);
    }

    fn finish(&mut self) {
        self.done.extend(std::mem::take(&mut self.filling));
    }
}

fn ticks(nanos: u64) -> u64 {
    START_TICKS + nanos / NANOS_PER_TICK
}

fn short(size: usize) -> u16 {
    u16::try_from(size).expect("records are short")
}

/// A buffer with its header, filled up.
fn whole(processor: u16, sequence: u64, kind: u16, records: &[u8]) -> Vec<u8> {
    let filled = u32::try_from(buffer::HEADER + records.len()).expect("buffers are short");
    let mut bytes = vec![0; buffer::HEADER];
    let size = u32::try_from(BUFFER).expect("buffers are short");
    put(&mut bytes, buffer::at::SIZE, &size.to_le_bytes());
    put(&mut bytes, buffer::at::SEQUENCE, &sequence.to_le_bytes());
    put(&mut bytes, buffer::at::PROCESSOR, &processor.to_le_bytes());
    put(&mut bytes, buffer::at::FILLED, &filled.to_le_bytes());
    put(&mut bytes, buffer::at::FLAGS, &WIDE_PROCESSOR.to_le_bytes());
    put(&mut bytes, buffer::at::TYPE, &kind.to_le_bytes());
    bytes.extend(records);
    bytes.resize(BUFFER, 0xff);
    bytes
}

fn header_buffer(log: &Writer) -> Vec<u8> {
    const HEADER: usize = 32;
    const POINTERS: usize = 16;
    const TIMES: usize = 32;
    let behind = head::at::POINTERS + POINTERS + head::at::TIME_ZONE;
    // Two empty names follow.
    let mut payload = vec![0; behind + TIMES + 4];
    let processors = log.done.iter().map(|&(processor, _)| processor).max();
    let processors = u32::from(processors.unwrap_or_default()) + 1;
    let buffers = u32::try_from(log.done.len() + 1).unwrap_or(u32::MAX);
    let size = u32::try_from(BUFFER).expect("buffers are short");
    for (at, number) in [
        (0, size),
        (head::at::BUILD, WINDOWS.2),
        (head::at::PROCESSORS, processors),
        (head::at::TIMER_RESOLUTION, TIMER_RESOLUTION),
        (head::at::BUFFERS_WRITTEN, buffers),
        (head::at::POINTER_SIZE, 8),
        (behind + head::at::CLOCK, PERFORMANCE_COUNTER),
    ] {
        put(&mut payload, at, &number.to_le_bytes());
    }
    put(&mut payload, head::at::MAJOR, &[WINDOWS.0, WINDOWS.1]);
    let frequency = behind + head::at::FREQUENCY;
    put(&mut payload, frequency, &TICKS_PER_SECOND.to_le_bytes());
    let mut record = HEADER_VERSION.to_le_bytes().to_vec();
    record.extend([record::SYSTEM[1], FLAGS]);
    record.extend(short(HEADER + payload.len()).to_le_bytes());
    // Type and group; thread and process.
    record.extend([0; 2 + 8]);
    record.extend(START_TICKS.to_le_bytes());
    // Times in the kernel and outside.
    record.extend([0; 8]);
    record.extend(payload);
    whole(0, 0, HEADER_TYPE, &record)
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

fn switch_payload(of: &Switch) -> Vec<u8> {
    let (previous, next) = (of.previous.thread, of.next.thread);
    // Of KTHREAD_STATE.
    let state = match of.left {
        _ if previous.is_idle() => 2,
        Left::Ready => 1,
        Left::Waiting | Left::Blocked | Left::Stopped => 5,
        Left::Ended => 4,
    };
    let mut payload = next.0.to_le_bytes().to_vec();
    payload.extend(previous.0.to_le_bytes());
    let priorities = [of.next_priority, of.previous_priority];
    payload.extend(priorities.map(|known| known.unwrap_or(PRIORITY)));
    // Processor states and a reserved byte.
    payload.extend([0, 0]);
    // Wait reason, wait mode, state, ideal processor; wait time, reserved.
    payload.extend([0, 0, state, 0]);
    payload.extend([0; 8]);
    payload
}

fn thread_payload(thread: ThreadId, process: &Process) -> Vec<u8> {
    // Seven addresses, a tag, priorities and flags.
    const REST: usize = 7 * 8 + 4 + 4;
    let mut payload = number(process).to_le_bytes().to_vec();
    payload.extend(thread.0.to_le_bytes());
    payload.extend([0; REST]);
    payload
}

fn process_payload(process: &Process) -> Vec<u8> {
    let mut payload = vec![0; 8];
    payload.extend(number(process).to_le_bytes());
    // Parent, session and exit status; directory; flags; no user.
    payload.extend([0; 12 + 8 + 4 + 4]);
    payload.extend(process.name.bytes().filter(|&byte| byte != 0));
    // The end of the name; command line, package and application are empty.
    payload.extend([0; 1 + 6]);
    payload
}

fn number(process: &Process) -> u32 {
    u32::try_from(process.number).unwrap_or(u32::MAX)
}

fn image_payload(base: u64, name: &str) -> Vec<u8> {
    // Process, checksum, time and signature; default base; four words.
    const BETWEEN: usize = 16 + 8 + 16;
    let mut payload = base.to_le_bytes().to_vec();
    payload.extend(FILE.to_le_bytes());
    payload.extend([0; BETWEEN]);
    let units = name.encode_utf16().filter(|&unit| unit != 0);
    payload.extend(units.chain([0]).flat_map(u16::to_le_bytes));
    payload
}
