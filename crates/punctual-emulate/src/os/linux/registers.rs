//! A thread's registers, as those of a call.

use super::ptrace::Registers;
use crate::steer::abi::Made;

/// The call that a thread is at.
pub(crate) fn made(registers: &Registers) -> Made {
    Made {
        number: u32::try_from(registers.orig_rax & 0xffff_ffff).expect("32 bits are left"),
        args: [
            registers.rdi,
            registers.rsi,
            registers.rdx,
            registers.r10,
            registers.r8,
            registers.r9,
        ],
    }
}

/// Makes it another call.
pub(crate) fn set_args(registers: &mut Registers, args: [u64; 6]) {
    [
        registers.rdi,
        registers.rsi,
        registers.rdx,
        registers.r10,
        registers.r8,
        registers.r9,
    ] = args;
}

/// Makes a thread behind its call make it once more.
pub(crate) fn repeat(registers: &mut Registers) {
    if registers.orig_rax != u64::MAX {
        registers.rax = registers.orig_rax;
    }
    // The instruction that makes a call is two bytes long.
    registers.rip -= 2;
    // Not in a call: the kernel is not to repeat it as well.
    registers.orig_rax = u64::MAX;
}
