//! A thread at a call that the filter names.

use super::mapping::Scratch;
use super::timers::Key;
use super::{Tracer, process_id};
use crate::call::{Asked, Call};
use crate::os::sys::ptrace::{self, Registers, Resume, Tid};
use crate::os::sys::registers::{made, set_args};
use crate::os::sys::threads::{At, Wait};
use crate::os::sys::{clocks, memory, procfs};
use crate::steer::abi::{self, CLONE_UNTRACED, Made, error};
use crate::steer::decode::{Decoded, LONGEST, Program, Time, Timed, Unit, decode};
use crate::steer::rewrite::{End, Means, Rewritten, rewrite};
use crate::steer::stub::Slot;
use crate::timer_policy::{Over, ThreadId};
use punctual::Instant;
use std::cell::Cell;
use std::io;
use std::time::Duration;

/// What decoding may look at.
struct View {
    tid: Tid,
    process: Tid,
    /// The memory is there and could not be read.
    denied: Cell<bool>,
}

impl Program for View {
    fn read(&self, address: u64, into: &mut [u8]) -> bool {
        let read = memory::read(self.tid, address, into);
        if let Err(error) = &read
            && error.kind() == io::ErrorKind::PermissionDenied
        {
            self.denied.set(true);
        }
        read.is_ok()
    }

    fn clock_of_timerfd(&self, fd: u64) -> Option<u64> {
        procfs::clock_of_timerfd(self.tid, fd)
    }

    fn clock_of_timer(&self, timer: u64) -> Option<u64> {
        procfs::clock_of_timer(self.process, timer)
    }
}

impl Tracer<'_> {
    pub(super) fn at_call(&mut self, tid: Tid) {
        let Ok(mut registers) = ptrace::registers(tid) else {
            return;
        };
        self.settle(tid);
        self.thread(tid).stopped_at = None;
        let made = made(&registers);
        match made.number {
            abi::SECCOMP | abi::PRCTL => {
                self.thread(tid).at = At::Filtering;
                return self.resume(tid, Resume::ToExit, 0);
            }
            abi::PTRACE => {
                self.cannot_steer(tid, "it traces programs, which have a tracer already");
            }
            abi::IO_URING_SETUP => {
                self.cannot_steer(tid, "io_uring: refused, as on kernels without it");
                registers.orig_rax = u64::MAX;
                registers.rax = error::NO_CALL.cast_unsigned();
                drop(ptrace::set_registers(tid, &registers));
            }
            abi::CLONE => {
                registers.rdi &= !u64::from(CLONE_UNTRACED);
                drop(ptrace::set_registers(tid, &registers));
            }
            abi::CLONE3 => show_child(tid, registers.rdi),
            _ => return self.timed(tid, &registers, made),
        }
        self.resume(tid, Resume::Run, 0);
    }

    /// A timed call: gives it the policy's end.
    fn timed(&mut self, tid: Tid, registers: &Registers, made: Made) {
        if let Some(wait) = self.repeated(tid, registers, made) {
            return self.steer(tid, registers, wait);
        }
        let process = self.thread(tid).process;
        let view = View {
            tid,
            process,
            denied: Cell::new(false),
        };
        match decode(made, &view) {
            Decoded::Leave if view.denied.get() => self.unsteered(tid),
            Decoded::Leave => self.leave(tid),
            Decoded::Cancel => {
                if let Some(timer) = self.timers.cancel(Key::of(process, made)) {
                    self.policy.over(clocks::now(), timer, Over::Interrupted);
                }
                self.resume(tid, Resume::Run, 0);
            }
            Decoded::Steer(timed) => {
                match self.prepare(tid, registers) {
                    Scratch::There => {}
                    Scratch::Coming => return,
                    // Milliseconds are in the call itself.
                    Scratch::None if timed.unit == Unit::Milliseconds => {}
                    Scratch::None => return self.unsteered(tid),
                }
                match self.continued(tid, registers, made, timed) {
                    Some(wait) => self.steer(tid, registers, wait),
                    None => self.begin(tid, registers, made, timed),
                }
            }
        }
    }

    fn leave(&mut self, tid: Tid) {
        self.give_up(tid);
        self.counts.left += 1;
        self.resume(tid, Resume::Run, 0);
    }

    /// The wait that this call repeats: the kernel does so after a stop, with the same arguments.
    fn repeated(&mut self, tid: Tid, registers: &Registers, made: Made) -> Option<Wait> {
        self.thread(tid).pending.take_if(|wait| {
            !wait.handled
                && wait.made == made
                && wait.pointer == registers.rip
                && wait.stack == registers.rsp
        })
    }

    /// The sleep that this call continues, with the remainder that the program was told.
    fn continued(
        &mut self,
        tid: Tid,
        registers: &Registers,
        made: Made,
        timed: Timed,
    ) -> Option<Wait> {
        let Time::In(length) = timed.time else {
            return None;
        };
        if !matches!(timed.call, Call::Nanosleep | Call::ClockNanosleep) {
            return None;
        }
        let mut wait = self
            .thread(tid)
            .pending
            .take_if(|wait| wait.told == Some(length))?;
        wait.made = made;
        wait.timed = timed;
        wait.pointer = registers.rip;
        wait.stack = registers.rsp;
        Some(wait)
    }

    /// Asks the policy for the end of a new wait.
    fn begin(&mut self, tid: Tid, registers: &Registers, made: Made, timed: Timed) {
        let now = clocks::now();
        let end = match timed.time {
            Time::In(length) => now.as_nanos().saturating_add(length),
            Time::At(clock, at) => at.saturating_add_signed(-clocks::ahead(clock)),
        };
        if end <= now.as_nanos() || end > LONGEST {
            return self.leave(tid);
        }
        self.give_up(tid);
        let asked = Asked {
            call: timed.call,
            end: Instant::from_nanos(end),
            length: Duration::from_nanos(end - now.as_nanos()),
            period: timed.period.map(Duration::from_nanos),
        };
        let process = process_id(self.thread(tid).process);
        let begun = self
            .policy
            .begin(now, process, ThreadId(tid.cast_unsigned()), asked);
        self.counts.steered += 1;
        self.waits.insert(begun.wait, tid);
        let repeats = begun.hear_of_end && matches!(timed.call, Call::Select | Call::Pselect6);
        let wait = Wait {
            id: begun.wait,
            made,
            pointer: registers.rip,
            stack: registers.rsp,
            timed,
            asked: end,
            end: begun.end.as_nanos(),
            period: None,
            hear: begun.hear_of_end,
            revised: false,
            told: None,
            interrupted: now,
            handled: false,
            sets: if repeats { sets(tid, made) } else { Vec::new() },
        };
        self.steer(tid, registers, wait);
    }

    /// Makes the call end when the wait does.
    fn steer(&mut self, tid: Tid, registers: &Registers, mut wait: Wait) {
        wait.revised = false;
        wait.told = None;
        let scratch = self.scratch(tid);
        // Milliseconds are in the call itself; what it points to needs a place.
        if scratch.is_none() && wait.timed.unit != Unit::Milliseconds {
            return self.fail(tid, &wait);
        }
        let rewritten = self.rewritten(tid, &mut wait, scratch);
        if self.may_use_stub(tid, &wait, &rewritten) {
            return self.enter_stub(tid, registers, wait, &rewritten);
        }
        let mut changed = *registers;
        changed.orig_rax = u64::from(rewritten.made.number);
        set_args(&mut changed, rewritten.made.args);
        let written = scratch.map_or(Ok(()), |slot| {
            let mut space = self.thread(tid).space.borrow_mut();
            space.write(tid, slot, slot.scratch(), &rewritten.scratch)
        });
        if written
            .and_then(|()| ptrace::set_registers(tid, &changed))
            .is_err()
        {
            return self.fail(tid, &wait);
        }
        self.thread(tid).at = At::Call(wait);
        self.resume(tid, Resume::ToExit, 0);
    }

    fn rewritten(&mut self, tid: Tid, wait: &mut Wait, scratch: Option<Slot>) -> Rewritten {
        let end = End {
            now: clocks::now().as_nanos(),
            end: wait.end,
            ahead: match wait.timed.time {
                Time::At(clock, _) => clocks::ahead(clock),
                Time::In(_) => 0,
            },
            period: self.period(wait),
        };
        let process = self.thread(tid).process;
        let filtered = self.is_filtered(process);
        let means = Means {
            scratch: scratch.map_or(0, Slot::scratch),
            epoll_pwait2: self.epoll_pwait2,
            same_call: filtered || scratch.is_none(),
        };
        rewrite(wait.made, wait.timed, end, means)
    }

    /// How often a timer that repeats does so.
    fn period(&mut self, wait: &mut Wait) -> u64 {
        let Some(asked) = wait.timed.period else {
            return 0;
        };
        let period = self
            .policy
            .period(wait.id, Duration::from_nanos(asked))
            .as_nanos();
        let period = u64::try_from(period).unwrap_or(LONGEST).clamp(1, LONGEST);
        wait.period = Some(period);
        period
    }

    /// A wait that cannot be given its end.
    pub(super) fn fail(&mut self, tid: Tid, wait: &Wait) {
        self.over(wait, clocks::now(), Over::Interrupted);
        self.unsteered(tid);
    }

    /// A call that cannot be steered.
    fn unsteered(&mut self, tid: Tid) {
        self.give_up(tid);
        self.counts.failed += 1;
        self.cannot_steer(
            tid,
            "waits of a process that hides its memory, as sandboxes do, from all but root",
        );
        self.resume(tid, Resume::Run, 0);
    }
}

/// Clears the flag that hides a child from its tracer.
fn show_child(tid: Tid, arguments: u64) {
    let mut flags = [0; 8];
    if memory::read(tid, arguments, &mut flags).is_ok() {
        let all = u64::from_le_bytes(flags);
        let shown = all & !u64::from(CLONE_UNTRACED);
        if shown != all {
            drop(memory::write(tid, arguments, &shown.to_le_bytes()));
        }
    }
}

/// What `select` looks at, which it overwrites.
fn sets(tid: Tid, made: Made) -> Vec<(u64, Vec<u8>)> {
    // Descriptors that a process can have at most, in words of 64.
    let words = (made.args[0] & 0xffff_ffff).min(1 << 20).div_ceil(64);
    let length = usize::try_from(words * 8).unwrap_or(0);
    let addresses = made.args[1..4].iter().filter(|&&address| address != 0);
    addresses
        .filter_map(|&address| {
            let mut set = vec![0; length];
            memory::read(tid, address, &mut set).ok()?;
            Some((address, set))
        })
        .collect()
}
