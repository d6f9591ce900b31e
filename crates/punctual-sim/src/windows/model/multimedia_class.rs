//! The multimedia class scheduler (MMCSS), as far as it decides who runs: a thread that does a task
//! has that task's priority instead of its own.

use super::{WindowsKernel, WindowsModel};
use crate::ThreadId;
use crate::windows::Generation;
use punctual::os::windows::Win32Error;

/// What a thread does, and what it was before.
#[derive(Debug)]
pub(super) struct Task {
    own_priority: u8,
}

/// The tasks that Windows registers, with the base priority of their scheduling category: "High" is
/// 23 to 26, "Medium" 16 to 22.
/// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
const TASKS: [(&str, u8); 7] = [
    ("Audio", MEDIUM),
    ("Capture", MEDIUM),
    ("Distribution", MEDIUM),
    ("Games", MEDIUM),
    ("Playback", MEDIUM),
    ("Pro Audio", HIGH),
    ("Window Manager", MEDIUM),
];
const HIGH: u8 = 23;
const MEDIUM: u8 = 16;

impl WindowsModel {
    /// The calling thread does this task from now on.
    pub(crate) fn join_task(
        &mut self,
        kernel: &mut WindowsKernel,
        name: &str,
    ) -> Result<(), Win32Error> {
        self.generation.needs(Generation::Seven)?;
        let thread = kernel.current_thread();
        if self.tasks.contains_key(&thread) {
            return Err(Win32Error::THREAD_ALREADY_IN_TASK);
        }
        let task = TASKS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        let (_, priority) = task.ok_or(Win32Error::INVALID_TASK_NAME)?;
        let own_priority = kernel.priority(thread).unwrap_or(*priority);
        kernel.set_priority(thread, *priority);
        self.tasks.insert(thread, Task { own_priority });
        Ok(())
    }

    /// The calling thread has its own priority again.
    pub(crate) fn leave_task(&mut self, kernel: &mut WindowsKernel) {
        let thread = kernel.current_thread();
        if let Some(task) = self.tasks.remove(&thread) {
            kernel.set_priority(thread, task.own_priority);
        }
    }

    /// A thread's priority, apart from what a task makes of it.
    pub(crate) fn own_priority(&self, kernel: &WindowsKernel, thread: ThreadId) -> Option<u8> {
        match self.tasks.get(&thread) {
            Some(task) => Some(task.own_priority),
            None => kernel.priority(thread),
        }
    }

    pub(crate) fn set_own_priority(
        &mut self,
        kernel: &mut WindowsKernel,
        thread: ThreadId,
        priority: u8,
    ) {
        match self.tasks.get_mut(&thread) {
            Some(task) => task.own_priority = priority,
            None => kernel.set_priority(thread, priority),
        }
    }
}
