//! Threads and processes that begin, execute and end.

use super::{Tracer, process_id};
use crate::os::sys::ptrace::{self, Resume, Stop, Tid};
use crate::os::sys::space::Shared;
use crate::os::sys::threads::{At, Process, Thread};
use crate::os::sys::{check, clocks, memory, procfs};
use crate::session::Status;
use crate::steer::abi::{self, CLONE_THREAD, CLONE_VM};
use crate::timer_policy::Over;
use std::cell::RefCell;
use std::rc::Rc;

impl Tracer<'_> {
    pub(super) fn add_process(&mut self, process: Tid, parent: Option<Tid>, filtered: bool) {
        self.counts.processes += 1;
        self.processes.insert(
            process,
            Process {
                filtered,
                said: Vec::new(),
            },
        );
        self.policy
            .process_began(clocks::now(), process_id(process), parent.map(process_id));
    }

    pub(super) fn add_thread(&mut self, tid: Tid, process: Tid, space: Shared) {
        self.counts.threads += 1;
        self.threads.insert(tid, Thread::new(process, space));
    }

    /// A thread made a child, which is traced and stops before it does anything.
    pub(super) fn at_child(&mut self, tid: Tid) {
        if let (Ok(child), Ok(flags)) = (ptrace::event_message(tid), flags(tid))
            && !self.threads.contains_key(&child)
        {
            self.adopt(tid, child, flags & CLONE_THREAD != 0, flags & CLONE_VM != 0);
        }
        self.resume(tid, Resume::Run, 0);
    }

    fn adopt(&mut self, parent: Tid, child: Tid, thread: bool, same_memory: bool) {
        let Some(known) = self.threads.get(&parent) else {
            return;
        };
        let process = known.process;
        let space = if same_memory {
            Rc::clone(&known.space)
        } else {
            Rc::new(RefCell::new(known.space.borrow().forked()))
        };
        if thread {
            self.add_thread(child, process, space);
        } else {
            let filtered = self.is_filtered(process);
            self.add_process(child, Some(process), filtered);
            self.add_thread(child, child, space);
        }
        if self.strangers.remove(&child) {
            self.at_trap(child);
        }
    }

    /// Children whose parent was killed before it told of them.
    fn adopt_strangers(&mut self) {
        for child in std::mem::take(&mut self.strangers) {
            self.strangers.insert(child);
            let process = procfs::process_of(child).unwrap_or(child);
            if process != child && self.threads.contains_key(&process) {
                self.adopt(process, child, true, true);
                continue;
            }
            let parent = procfs::parent_of(child).filter(|tid| self.threads.contains_key(tid));
            if let Some(parent) = parent {
                self.adopt(parent, child, false, false);
            } else {
                self.strangers.remove(&child);
                self.add_process(process, None, false);
                self.add_thread(child, process, Shared::default());
                self.at_trap(child);
            }
        }
    }

    /// A process executes another program. Its other threads are gone, and the one that did it has the number
    /// of the first.
    pub(super) fn at_exec(&mut self, tid: Tid) {
        let others: Vec<_> = self
            .threads
            .iter()
            .filter(|(_, thread)| thread.process == tid)
            .map(|(&other, _)| other)
            .collect();
        for other in others {
            self.forget(other);
        }
        if !self.processes.contains_key(&tid) {
            self.add_process(tid, None, false);
        }
        self.add_thread(tid, tid, Shared::default());
        self.counts.threads -= 1;
        let executable = procfs::executable(tid);
        self.policy
            .executes(clocks::now(), process_id(tid), &executable);
        if check::kind(&executable) == check::Kind::Other {
            self.cannot_steer(
                tid,
                "a program that is not for x86-64 with 64 bits: none of its calls",
            );
        } else if check::gives_rights(&executable) && !check::is_root() {
            self.cannot_steer(
                tid,
                "a set-uid program ran without its rights, because it is traced",
            );
        }
        self.resume(tid, Resume::Run, 0);
    }

    /// A thread is about to end. Its memory is still there.
    pub(super) fn at_ending(&mut self, tid: Tid) {
        self.close(tid);
        self.resume(tid, Resume::Run, 0);
    }

    /// What a thread waited for is over.
    fn close(&mut self, tid: Tid) {
        self.settle(tid);
        let Some(thread) = self.threads.get_mut(&tid) else {
            return;
        };
        if let At::Call(wait) = std::mem::take(&mut thread.at) {
            self.over(&wait, clocks::now(), Over::Interrupted);
        }
        self.give_up(tid);
    }

    fn forget(&mut self, tid: Tid) {
        self.close(tid);
        self.threads.remove(&tid);
    }

    /// A thread has ended, and if it is the first of its process, all of that.
    pub(super) fn at_end(&mut self, tid: Tid, stop: Stop) {
        self.strangers.remove(&tid);
        if self.threads.contains_key(&tid) {
            self.forget(tid);
        }
        if self.processes.remove(&tid).is_some() {
            let left: Vec<_> = self
                .threads
                .iter()
                .filter(|(_, thread)| thread.process == tid)
                .map(|(&other, _)| other)
                .collect();
            for other in left {
                self.forget(other);
            }
            for timer in self.timers.cancel_all(tid) {
                self.policy.over(clocks::now(), timer, Over::Interrupted);
            }
            self.policy.process_ended(clocks::now(), process_id(tid));
        }
        if tid == self.main {
            self.status = match stop {
                Stop::Killed(signal) => Some(Status::Signalled(signal)),
                Stop::Exited(code) => Some(Status::Exited(code)),
                _ => None,
            };
        }
        self.adopt_strangers();
    }
}

/// The flags with which a thread makes its child.
fn flags(tid: Tid) -> std::io::Result<u64> {
    let registers = ptrace::registers(tid)?;
    let number = u32::try_from(registers.orig_rax & 0xffff_ffff).unwrap_or(0);
    Ok(match number {
        abi::FORK => 0,
        abi::VFORK => CLONE_VM,
        abi::CLONE => registers.rdi,
        _ => {
            // The first member of clone3's arguments.
            let mut flags = [0; 8];
            memory::read(tid, registers.rdi, &mut flags)?;
            u64::from_le_bytes(flags)
        }
    })
}
