//! Brings the stub into a program: a stopped call becomes one that maps it, and is then repeated.

use super::Tracer;
use crate::os::native::sys::memory;
use crate::os::native::sys::ptrace::{self, Registers, Resume, Tid};
use crate::os::native::sys::registers::set_args;
use crate::os::native::sys::space::Half;
use crate::os::native::sys::threads::{At, Part};
use crate::steer::abi::{self, error};
use crate::steer::stub::{self, HALF, Slot};

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
        let Some(slot) = thread.slot else {
            return Scratch::None;
        };
        let block = *thread.space.borrow_mut().block(slot);
        match (block.code, block.data) {
            (_, Half::Refused) => return Scratch::None,
            (Half::Unknown, _) if with_stub => self.map(tid, registers, slot, Part::Code),
            (_, Half::Unknown) => self.map(tid, registers, slot, Part::Data),
            (code, Half::There) => {
                if code == Half::There {
                    self.write_code(tid, slot);
                }
                return Scratch::There;
            }
        }
        Scratch::Coming
    }

    /// Where a thread's scratch memory is.
    pub(super) fn scratch(&mut self, tid: Tid) -> Option<Slot> {
        let thread = self.thread(tid);
        let slot = thread.slot?;
        let there = thread.space.borrow_mut().block(slot).data == Half::There;
        there.then_some(slot)
    }

    fn map(&mut self, tid: Tid, registers: &Registers, slot: Slot, part: Part) {
        let code = stub::code_of(slot.block());
        let (address, access) = match part {
            Part::Code => (code, libc::PROT_READ | libc::PROT_EXEC),
            Part::Data => (code + HALF, libc::PROT_READ | libc::PROT_WRITE),
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        let number = |number: i32| u64::from(number.cast_unsigned());
        let mut changed = *registers;
        changed.orig_rax = u64::from(abi::MMAP);
        // No file, from its begin.
        set_args(
            &mut changed,
            [address, HALF, number(access), number(flags), u64::MAX, 0],
        );
        if ptrace::set_registers(tid, &changed).is_err() {
            return;
        }
        self.thread(tid).at = At::Mapping(Box::new(*registers), slot, part);
        self.resume(tid, Resume::ToExit, 0);
    }

    /// What became of it.
    pub(super) fn mapped(&mut self, tid: Tid, slot: Slot, part: Part, result: i64) {
        let code = stub::code_of(slot.block()).cast_signed();
        let there = match part {
            Part::Code => result == code || result == error::EXISTS,
            // Threads race to map it, and something else could be there.
            Part::Data => {
                result == code + HALF.cast_signed()
                    || result == error::EXISTS && memory::write(tid, slot.data(), &[0; 8]).is_ok()
            }
        };
        let half = if there { Half::There } else { Half::Refused };
        let mut space = self.thread(tid).space.borrow_mut();
        match part {
            Part::Code => space.block(slot).code = half,
            Part::Data => space.block(slot).data = half,
        }
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
