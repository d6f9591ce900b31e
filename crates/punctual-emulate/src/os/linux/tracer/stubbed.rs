//! Threads in the stub: sent there, fetched from there, and back from there.

use super::Tracer;
use crate::os::sys::ptrace::{self, Registers, Resume, Tid};
use crate::os::sys::registers::{repeat, set_args};
use crate::os::sys::threads::{At, Wait};
use crate::os::sys::{clocks, memory};
use crate::steer::abi::error;
use crate::steer::decode::Time;
use crate::steer::outcome::outcome;
use crate::steer::rewrite::{self, Remainder, Rewritten, bytes, remainder};
use crate::steer::stub::{self, Kept, Tells};
use crate::timer_policy::Over;
use punctual::Instant;

/// The flags that arithmetic changes: carry, parity, adjust, zero, sign, overflow.
const ARITHMETIC: u64 = 0x8d5;

impl Tracer<'_> {
    pub(super) fn may_use_stub(&mut self, tid: Tid, wait: &Wait, rewritten: &Rewritten) -> bool {
        let with_stub = self.stub;
        let thread = self.thread(tid);
        let (process, slot) = (thread.process, thread.slot);
        let written = slot.is_some_and(|slot| thread.space.borrow().is_written(slot));
        // A program's own filter may look at where calls come from.
        let filtered = self.is_filtered(process);
        with_stub && written && rewritten.stub && !wait.hear && !filtered && may_tell(tid, wait)
    }

    /// Sends a thread there instead of into its call.
    pub(super) fn enter_stub(
        &mut self,
        tid: Tid,
        registers: &Registers,
        wait: Wait,
        rewritten: &Rewritten,
    ) {
        let Some(slot) = self.thread(tid).slot else {
            return;
        };
        let data = stub::data(
            wait.made.args,
            registers.rip,
            rewritten.scratch,
            tells(&wait),
        );
        let mut changed = *registers;
        set_args(&mut changed, rewritten.made.args);
        changed.orig_rax = u64::MAX;
        changed.rax = u64::from(rewritten.made.number);
        changed.rip = slot.code();
        let space = &self.thread(tid).space;
        let written = space.borrow_mut().write(tid, slot, slot.data(), &data);
        let sent = written.and_then(|()| ptrace::set_registers(tid, &changed));
        if sent.is_err() {
            return self.fail(tid, &wait);
        }
        self.counts.one_stop += 1;
        self.thread(tid).at = At::Stub(wait);
        self.resume(tid, Resume::Run, 0);
    }

    /// If a thread was in the stub, its wait is over: tells it.
    pub(super) fn settle(&mut self, tid: Tid) {
        let Some(thread) = self.threads.get_mut(&tid) else {
            return;
        };
        let At::Stub(wait) = &mut thread.at else {
            return;
        };
        let wait = wait.clone();
        thread.at = At::Own;
        let Kept { result, stamp } = self.kept(tid);
        let (at, how) = match stamp {
            // Not at its end: the thread ends in it.
            None => (clocks::now(), Over::Interrupted),
            Some(stamp) => (self.stamps.when(stamp), outcome(wait.timed.call, result)),
        };
        self.over(&wait, at, how);
    }

    fn kept(&mut self, tid: Tid) -> Kept {
        let mut bytes = [0; 16];
        let thread = self.thread(tid);
        let read = thread.slot.map(|slot| {
            let space = thread.space.borrow();
            space.read(tid, slot, slot.kept(), &mut bytes)
        });
        match read {
            Some(Ok(())) => stub::kept(bytes),
            _ => stub::kept([0; 16]),
        }
    }

    /// Whether a thread is in the stub, and its wait is over.
    pub(super) fn is_behind_its_call(&mut self, tid: Tid, registers: &Registers) -> bool {
        let thread = self.thread(tid);
        let at = thread.slot.and_then(|slot| slot.at(registers.rip));
        matches!(thread.at, At::Stub(_)) && at == Some(stub::At::Kept)
    }

    /// Moves a stopped thread from the stub to where its program made the call. True if its registers changed.
    pub(super) fn leave_stub(&mut self, tid: Tid, registers: &mut Registers) -> bool {
        let thread = self.thread(tid);
        let at = thread.slot.and_then(|slot| slot.at(registers.rip));
        let (At::Stub(wait), Some(at)) = (&thread.at, at) else {
            self.settle(tid);
            return false;
        };
        let wait = wait.clone();
        thread.at = At::Own;
        let now = clocks::now();
        let in_call = registers.orig_rax.cast_signed() >= 0;
        set_args(registers, wait.made.args);
        registers.rip = wait.pointer;
        match at {
            stub::At::Before => {
                registers.orig_rax = u64::from(wait.made.number);
                repeat(registers);
                self.interrupted(tid, wait, now);
            }
            stub::At::Behind => {
                let result = registers.rax.cast_signed();
                self.tell_what_is_left(tid, &wait, now, result);
                if in_call {
                    registers.orig_rax = u64::from(wait.made.number);
                }
                if outcome(wait.timed.call, result) == Over::Interrupted && in_call {
                    if result == error::RESTART_BLOCK || wait.revised {
                        registers.rax = error::RESTART_NO_HANDLER.cast_unsigned();
                    }
                    self.interrupted(tid, wait, now);
                } else {
                    self.over(&wait, now, outcome(wait.timed.call, result));
                }
            }
            stub::At::Kept => {
                let Kept { result, stamp } = self.kept(tid);
                registers.rax = result.cast_unsigned();
                registers.eflags = registers.eflags & !ARITHMETIC | registers.r11 & ARITHMETIC;
                self.tell_what_is_left(tid, &wait, now, result);
                let at = stamp.map_or(now, |stamp| self.stamps.when(stamp));
                self.over(&wait, at, outcome(wait.timed.call, result));
            }
        }
        true
    }

    fn interrupted(&mut self, tid: Tid, wait: Wait, now: Instant) {
        self.thread(tid).pending = Some(Wait {
            told: None,
            interrupted: now,
            handled: false,
            ..wait
        });
    }
}

/// What the stub is to tell of what is left, if it can.
fn tells(wait: &Wait) -> Option<Tells> {
    rewrite::tells(wait.made, wait.timed, wait.asked, wait.end)
}

/// Whether what is left can be told where the program wants it, if it does: there it has what it asked for. The
/// kernel does without where that cannot be written to, and the stub cannot.
fn may_tell(tid: Tid, wait: &Wait) -> bool {
    match (remainder(wait.made, wait.timed), wait.timed.time) {
        (Remainder::Always(address, unit), Time::In(length)) => {
            memory::write(tid, address, &bytes(length, unit)).is_ok()
        }
        (Remainder::Always(..), Time::At(..)) => false,
        _ => true,
    }
}
