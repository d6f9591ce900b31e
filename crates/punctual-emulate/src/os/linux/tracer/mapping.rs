//! Brings the stub into a program: a stopped call becomes one that maps it, and is then repeated.

use super::Tracer;
use crate::os::sys::block::{Half, Next, Part, call};
use crate::os::sys::memory;
use crate::os::sys::ptrace::{self, Registers, Resume, Tid};
use crate::os::sys::registers::set_args;
use crate::os::sys::threads::At;
use crate::steer::stub::{self, Slot};

/// Whether a thread has scratch memory.
pub(super) enum Scratch {
    There,
    /// It is being mapped, and then the call comes again.
    Coming,
    /// It cannot have any.
    None,
}

impl Tracer<'_> {
    /// Sees to scratch memory for a thread.
    pub(super) fn prepare(&mut self, tid: Tid, registers: &Registers) -> Scratch {
        let with_stub = self.stub;
        let thread = self.thread(tid);
        if thread.slot.is_none() {
            thread.slot = thread.space.borrow_mut().take();
        }
        let process = thread.process;
        let Some(slot) = thread.slot else {
            return Scratch::None;
        };
        let filtered = self.is_filtered(process);
        let mut space = self.thread(tid).space.borrow_mut();
        let block = space.block(slot);
        let next = block.next(with_stub, !filtered);
        let is_code_there = block.code == Half::There;
        drop(space);
        match next {
            Next::Refused => return Scratch::None,
            Next::There if is_code_there => self.write_code(tid, slot),
            Next::There => {}
            Next::Part(part) => {
                self.map(tid, registers, slot, part);
                return Scratch::Coming;
            }
        }
        Scratch::There
    }

    /// Where a thread's scratch memory is.
    pub(super) fn scratch(&mut self, tid: Tid) -> Option<Slot> {
        let thread = self.thread(tid);
        let slot = thread.slot?;
        let there = thread.space.borrow_mut().block(slot).has_data();
        there.then_some(slot)
    }

    fn map(&mut self, tid: Tid, registers: &Registers, slot: Slot, part: Part) {
        let mut changed = *registers;
        let (number, args) = call(part, slot);
        changed.orig_rax = u64::from(number);
        set_args(&mut changed, args);
        if ptrace::set_registers(tid, &changed).is_err() {
            return;
        }
        self.thread(tid).at = At::Mapping(Box::new(*registers), slot, part);
        self.resume(tid, Resume::ToExit, 0);
    }

    /// What became of it.
    pub(super) fn mapped(&mut self, tid: Tid, slot: Slot, part: Part, result: i64) {
        let mut space = self.thread(tid).space.borrow_mut();
        space.block(slot).became(tid, slot, part, result);
    }

    /// Writes a slot's code, once.
    fn write_code(&mut self, tid: Tid, slot: Slot) {
        let thread = self.thread(tid);
        if thread.space.borrow().is_written(slot) {
            return;
        }
        let mut code = stub::code();
        code.resize(code.len().next_multiple_of(8), 0xcc);
        if memory::force(tid, slot.code(), &code).is_ok() {
            thread.space.borrow_mut().set_written(slot);
        } else {
            thread.space.borrow_mut().block(slot).code = Half::Refused;
        }
    }
}
