//! Threads that signals and stops interrupt.

use super::Tracer;
use crate::os::sys::procfs;
use crate::os::sys::ptrace::{self, Registers, Resume, Tid};
use crate::os::sys::threads::At;
use crate::steer::abi::error;
use crate::steer::outcome::fails_when_woken;

impl Tracer<'_> {
    /// A signal is to be delivered to a thread.
    pub(super) fn at_signal(&mut self, tid: Tid, signal: i32) {
        let Ok(mut registers) = ptrace::registers(tid) else {
            return;
        };
        if self.is_behind_its_call(tid, &registers)
            && signal == libc::SIGSEGV
            && ptrace::is_fault(tid)
        {
            // The stub could not tell what is left. The kernel goes on without as well.
            let changed = self.leave_stub(tid, &mut registers);
            return self.go_on(tid, &registers, changed, Resume::Run, 0);
        }
        let mut changed = self.leave_stub(tid, &mut registers);
        let stops = matches!(
            signal,
            libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU
        );
        if stops {
            self.note_stop(tid, &registers);
        } else if self.may_not_fail(tid, &registers) && procfs::ignores(tid, signal) {
            // Without a tracer the signal would not have come, and so not woken it.
            registers.rax = error::RESTART_NO_HANDLER.cast_unsigned();
            changed = true;
        }
        if self.thread(tid).pending.is_some() && procfs::handles(tid, signal) {
            self.tell_sleeper(tid);
            let wait = self.thread(tid).pending.as_mut();
            if let Some(wait) = wait.filter(|wait| wait.told.is_some()) {
                wait.handled = true;
            } else {
                self.give_up(tid);
            }
        }
        self.go_on(tid, &registers, changed, Resume::Run, signal);
    }

    /// All its process is stopped.
    pub(super) fn at_group_stop(&mut self, tid: Tid) {
        let Ok(mut registers) = ptrace::registers(tid) else {
            return;
        };
        let changed = self.leave_stub(tid, &mut registers);
        self.note_stop(tid, &registers);
        self.go_on(tid, &registers, changed, Resume::Listen, 0);
    }

    /// It begins, or goes on after a stop, or the tracer wanted it to stop.
    pub(super) fn at_trap(&mut self, tid: Tid) {
        let Ok(mut registers) = ptrace::registers(tid) else {
            return;
        };
        let mut changed = self.leave_stub(tid, &mut registers);
        let asked = std::mem::take(&mut self.thread(tid).asked_to_stop);
        if asked && self.may_not_fail(tid, &registers) {
            registers.rax = error::RESTART_NO_HANDLER.cast_unsigned();
            changed = true;
        }
        let how = match self.thread(tid).at {
            At::Own | At::Stub(_) => Resume::Run,
            _ => Resume::ToExit,
        };
        self.go_on(tid, &registers, changed, how, 0);
    }

    fn go_on(&mut self, tid: Tid, registers: &Registers, changed: bool, how: Resume, signal: i32) {
        // A call that fails is not repeated by the kernel.
        if in_call(registers) && registers.rax.cast_signed() == error::INTERRUPTED {
            let pending = self.thread(tid).pending.as_ref();
            if pending.is_some_and(|wait| wait.told.is_none()) {
                self.give_up(tid);
            }
        }
        if changed {
            drop(ptrace::set_registers(tid, registers));
        }
        // Until its next call: signals that come meanwhile find the one that the stop interrupted.
        let how = match how {
            Resume::Run if self.thread(tid).stopped_at.is_some() => Resume::ToExit,
            how => how,
        };
        self.resume(tid, how, signal);
    }

    /// Whether a call is about to fail that might not have without a tracer.
    fn may_not_fail(&mut self, tid: Tid, registers: &Registers) -> bool {
        let number = u32::try_from(registers.orig_rax & 0xffff_ffff).unwrap_or(0);
        in_call(registers)
            && registers.rax.cast_signed() == error::INTERRUPTED
            && fails_when_woken(number)
            && self.thread(tid).stopped_at != Some((registers.rip, registers.rsp))
    }

    /// A stop interrupts calls without a tracer, too.
    fn note_stop(&mut self, tid: Tid, registers: &Registers) {
        self.tell_sleeper(tid);
        let fails = in_call(registers) && registers.rax.cast_signed() == error::INTERRUPTED;
        self.thread(tid).stopped_at = fails.then_some((registers.rip, registers.rsp));
    }
}

/// Whether a thread comes from a call.
fn in_call(registers: &Registers) -> bool {
    registers.orig_rax.cast_signed() >= 0
}
