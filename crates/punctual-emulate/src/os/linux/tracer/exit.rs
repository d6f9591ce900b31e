//! A thread at the end of a call that the tracer changed.

use super::Tracer;
use super::timers::{Key, Timer};
use crate::os::sys::ptrace::{self, Registers, Resume, Tid};
use crate::os::sys::registers::{made, repeat, set_args};
use crate::os::sys::threads::{At, Wait};
use crate::os::sys::{clocks, memory};
use crate::steer::abi::{self, error};
use crate::steer::decode::Unit;
use crate::steer::outcome::outcome;
use crate::steer::rewrite::{Remainder, bytes, remainder};
use crate::timer_policy::{Begun, Next, Over};
use punctual::Instant;
use std::time::Duration;

impl Tracer<'_> {
    pub(super) fn at_exit(&mut self, tid: Tid) {
        let Ok(mut registers) = ptrace::registers(tid) else {
            return;
        };
        match std::mem::take(&mut self.thread(tid).at) {
            At::Mapping(saved, slot, part) => {
                self.mapped(tid, slot, part, registers.rax.cast_signed());
                registers = *saved;
                repeat(&mut registers);
            }
            At::Filtering => {
                self.filtered(tid, &registers);
                return self.resume(tid, Resume::Run, 0);
            }
            At::Call(wait) => self.back(tid, &mut registers, wait),
            other => {
                self.thread(tid).at = other;
                self.thread(tid).stopped_at = None;
                return self.resume(tid, Resume::Run, 0);
            }
        }
        drop(ptrace::set_registers(tid, &registers));
        self.resume(tid, Resume::Run, 0);
    }

    /// A program installed a filter of its own.
    fn filtered(&mut self, tid: Tid, registers: &Registers) {
        // seccomp has other operations, which ask only.
        let installs = made(registers).number == abi::PRCTL || registers.rdi <= 1;
        if installs && registers.rax.cast_signed() >= 0 {
            let process = self.thread(tid).process;
            if let Some(process) = self.processes.get_mut(&process) {
                process.filtered = true;
            }
        }
    }

    /// A rewritten call is over: puts everything back as if the program's own had been.
    fn back(&mut self, tid: Tid, registers: &mut Registers, wait: Wait) {
        let result = registers.rax.cast_signed();
        set_args(registers, wait.made.args);
        // The kernel repeats the call of this number, and so the filter sees it again.
        registers.orig_rax = u64::from(wait.made.number);
        if wait.timed.is_timer() {
            return self.timer_set(tid, &wait, result);
        }
        let now = clocks::now();
        match outcome(wait.timed.call, result) {
            Over::Interrupted => {
                self.tell_what_is_left(tid, &wait, now, result);
                if result == error::RESTART_BLOCK || wait.revised {
                    registers.rax = error::RESTART_NO_HANDLER.cast_unsigned();
                }
                self.thread(tid).pending = Some(Wait {
                    interrupted: now,
                    handled: false,
                    ..wait
                });
            }
            Over::Event => {
                self.tell_what_is_left(tid, &wait, now, result);
                self.over(&wait, now, Over::Event);
            }
            Over::TimedOut => {
                if let Next::Again(begun) = self.over(&wait, now, Over::TimedOut)
                    && wait.hear
                {
                    return self.again(tid, registers, wait, begun);
                }
                self.tell_what_is_left(tid, &wait, now, result);
            }
        }
    }

    /// The runtime waits on: the call is repeated.
    fn again(&mut self, tid: Tid, registers: &mut Registers, wait: Wait, begun: Begun) {
        for (address, set) in &wait.sets {
            drop(memory::write(tid, *address, set));
        }
        registers.rax = u64::from(wait.made.number);
        registers.rip = wait.pointer;
        repeat(registers);
        self.waits.insert(wait.id, tid);
        self.thread(tid).pending = Some(Wait {
            end: begun.end.as_nanos(),
            hear: begun.hear_of_end,
            told: None,
            handled: false,
            ..wait
        });
    }

    /// Writes what is left of the time where `select` and `poll` do however they end.
    #[allow(
        clippy::unused_self,
        reason = "all that is done to threads is the tracer's"
    )]
    pub(super) fn tell_what_is_left(&self, tid: Tid, wait: &Wait, now: Instant, result: i64) {
        if let Remainder::Always(address, unit) = remainder(wait.made, wait.timed) {
            let left = match outcome(wait.timed.call, result) {
                Over::TimedOut => 0,
                _ => wait.asked.saturating_sub(now.as_nanos()),
            };
            // Where it cannot be written, the kernel goes on without as well.
            drop(memory::write(tid, address, &bytes(left, unit)));
        }
    }

    /// Writes what is left of an interrupted sleep.
    pub(super) fn tell_sleeper(&mut self, tid: Tid) {
        let Some(wait) = &mut self.thread(tid).pending else {
            return;
        };
        if let Remainder::IfInterrupted(address) = remainder(wait.made, wait.timed) {
            // Windows has not ended it yet, so something is left.
            let left = wait
                .asked
                .saturating_sub(wait.interrupted.as_nanos())
                .max(1);
            let told = memory::write(tid, address, &bytes(left, Unit::Timespec));
            wait.told = told.is_ok().then_some(left);
        }
    }

    /// A timer was set, or not.
    fn timer_set(&mut self, tid: Tid, wait: &Wait, result: i64) {
        self.waits.remove(&wait.id);
        let process = self.thread(tid).process;
        let before = if result >= 0 {
            let period = wait.period.map(Duration::from_nanos);
            if period.is_some() {
                self.cannot_steer(
                    tid,
                    "single firings of timers that repeat: they come evenly",
                );
            }
            let first = Instant::from_nanos(wait.end);
            self.timers.set(
                Key::of(process, wait.made),
                Timer {
                    wait: wait.id,
                    next: first,
                    period,
                },
            )
        } else {
            Some(wait.id)
        };
        if let Some(before) = before {
            self.policy.over(clocks::now(), before, Over::Interrupted);
        }
    }
}
