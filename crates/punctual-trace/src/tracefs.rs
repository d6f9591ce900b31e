//! Linux traces: the binary pages of tracefs, and the files that describe their format.
//!
//! This module works on bytes, on any system, so that a recording can be read on another machine. It
//! does not trust its input.

mod decode;
mod format;
mod page;
mod ring;
mod rules;
mod stacks;
mod tables;

use crate::event::ProcessorId;
use punctual::Instant;

pub use decode::{Decoder, decode};
pub use format::{EventFormat, Field};
pub use page::{PageLayout, Record, records};
pub use ring::RingCounts;
pub use rules::FRAME_EVENT;
pub use stacks::STACK_EVENT;
pub use tables::REFILLS;

/// What a kernel wrote, and what it takes to read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Raw {
    /// The file `events/header_page`.
    pub header_page: String,
    /// The files `events/*/*/format` of the events that were recorded.
    pub formats: Vec<String>,
    /// How large a page is, in bytes.
    pub page_bytes: usize,
    /// The system calls of the machine: their numbers and names, to name calls by.
    pub calls: Vec<(i64, String)>,
    /// The addresses and names of the kernel's functions that tell what a timer is for.
    pub functions: Vec<(u64, String)>,
    /// How texts begin that a program writes into the trace to mark its frames. Other texts are not read.
    pub marker: Option<String>,
    /// Of each processor, its pages one after the other.
    pub pages: Vec<(ProcessorId, Vec<u8>)>,
}

/// A part of a trace: what a kernel has written since the part before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Portion {
    /// Of each processor, its pages one after the other.
    pub pages: Vec<(ProcessorId, Vec<u8>)>,
    /// Every event before this instant is in this portion or in one before it. `None` if that is not
    /// known of any instant.
    pub complete_until: Option<Instant>,
}

impl Portion {
    /// How long its pages are together, in bytes.
    pub fn bytes(&self) -> usize {
        self.pages.iter().map(|(_, pages)| pages.len()).sum()
    }
}

/// The events that explanations are made from, each a folder under `events`. Those of interrupt
/// vectors are x86's; another system's kernel has others, or none.
pub const EVENTS: &[&str] = &[
    "timer/hrtimer_start",
    "timer/hrtimer_cancel",
    "timer/hrtimer_expire_entry",
    "timer/hrtimer_expire_exit",
    "sched/sched_waking",
    "sched/sched_wakeup",
    "sched/sched_switch",
    "sched/sched_migrate_task",
    "sched/sched_process_fork",
    "sched/sched_process_exit",
    "task/task_rename",
    "irq/irq_handler_entry",
    "irq/irq_handler_exit",
    "irq/softirq_entry",
    "irq/softirq_exit",
    "irq_vectors/local_timer_entry",
    "irq_vectors/local_timer_exit",
    "irq_vectors/reschedule_entry",
    "irq_vectors/reschedule_exit",
    "irq_vectors/call_function_entry",
    "irq_vectors/call_function_exit",
    "irq_vectors/call_function_single_entry",
    "irq_vectors/call_function_single_exit",
    "irq_vectors/irq_work_entry",
    "irq_vectors/irq_work_exit",
    "irq_vectors/thermal_apic_entry",
    "irq_vectors/thermal_apic_exit",
];

/// Those without which nothing can be explained.
pub const NEEDED_EVENTS: &[&str] = &[
    "timer/hrtimer_start",
    "timer/hrtimer_expire_entry",
    "timer/hrtimer_expire_exit",
    "sched/sched_waking",
    "sched/sched_wakeup",
    "sched/sched_switch",
];
