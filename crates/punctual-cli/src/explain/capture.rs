//! A capture, and the recording that is made of it.

use super::steal::steal_ns;
use crate::show;
use punctual_lab::Native;
use punctual_lab::{Environment, Machine};
use punctual_trace::recording::{Head, RecordedWait};
use punctual_trace::{Capture, Recording};
use std::fs;

/// What is known of a recording when its capture ends.
pub(super) struct Known {
    pub(super) subject: String,
    pub(super) before: Before,
    pub(super) after: Environment,
    /// The threads to explain, with their names.
    pub(super) threads: Vec<(u32, String)>,
    pub(super) waits: Option<Vec<RecordedWait>>,
}

/// What the machine was like before.
pub(super) struct Before {
    pub(super) environment: Environment,
    steal_ns: Option<u64>,
}

impl Before {
    pub(super) fn read(machine: &Native) -> Self {
        Self {
            environment: machine.environment(),
            steal_ns: steal_ns(),
        }
    }

    /// What is different now, a sentence each.
    fn changes(&self, after: &Environment) -> Vec<String> {
        let mut changes = self.environment.differences(after);
        let stolen = steal_ns().zip(self.steal_ns);
        let stolen = stolen.map_or(0, |(now, before)| now.saturating_sub(before));
        if stolen > 0 {
            changes.push(show::explain::stolen(stolen));
        }
        changes
    }
}

/// Ends a capture and makes a recording of it.
pub(super) fn recording(capture: Capture, known: Known) -> Result<Recording, punctual::Error> {
    let was_full = capture.is_full();
    let raw = capture.finish()?;
    let environment = serde_json::to_value(&known.before.environment);
    let head = Head {
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        subject: known.subject,
        environment: environment.map_err(|error| punctual::Error::system(error.to_string()))?,
        environment_changes: known.before.changes(&known.after),
        threads: known.threads,
        waits: known.waits,
        was_full,
    };
    Ok(Recording { head, raw })
}

/// The calling thread's number, as the kernel's trace has it.
pub(super) fn own_thread() -> Option<u32> {
    let path = fs::read_link("/proc/thread-self").ok()?;
    path.file_name()?.to_str()?.parse().ok()
}

/// The threads of a process, with their names.
pub(super) fn threads_of(process: u32) -> Vec<(u32, String)> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let thread = |name: std::ffi::OsString| {
        let thread: u32 = name.to_str()?.parse().ok()?;
        let name = fs::read_to_string(format!("/proc/{process}/task/{thread}/comm"));
        Some((thread, name.unwrap_or_default().trim_end().to_owned()))
    };
    let threads = tasks.flatten().map(|task| task.file_name());
    threads.filter_map(thread).collect()
}
