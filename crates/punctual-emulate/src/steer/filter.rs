//! The filter of calls that stops a thread at its timed ones, in the kernel's language for filters.
//!
//! Calls that no rule names are decided by their number alone, which the kernel remembers: they cost next to
//! nothing. So whatever else is looked at stands behind the number.

use super::abi::{self, futex};
use super::stub;

/// One instruction, as the kernel's `sock_filter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Instruction {
    pub(crate) code: u16,
    pub(crate) if_true: u8,
    pub(crate) if_false: u8,
    pub(crate) k: u32,
}

/// Load a word of the call's description.
const LOAD: u16 = 0x20;
/// Keep only these bits of it.
const AND: u16 = 0x54;
/// Jump if it is equal, above or equal, has any of these bits.
const IF_EQUAL: u16 = 0x15;
const IF_FROM: u16 = 0x35;
const IF_ANY: u16 = 0x45;
/// Decide.
const RETURN: u16 = 0x06;

/// The decisions.
pub(crate) const ALLOW: u32 = 0x7fff_0000;
pub(crate) const STOP: u32 = 0x7ff0_0000;

/// x86-64, as the kernel names it to filters.
pub(crate) const X86_64: u32 = 0xc000_003e;

/// Where the description has the number, the architecture, and the instruction pointer.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const POINTER: u32 = 8;

/// Where it has the low half of an argument.
fn argument(index: u32) -> u32 {
    16 + 8 * index
}

/// What must hold so that a call stops.
enum Rule {
    Always,
    /// This argument is a pointer, and not null.
    Given(u32),
    /// This argument, an int, is above zero.
    Positive(u32),
    /// A command of futex that waits, with a timeout.
    Futex,
    /// This argument has any of these bits.
    Bits(u32, u32),
    /// This argument's low half is this.
    Is(u32, u32),
}

/// The timed calls. The first are the most frequent.
fn timed() -> Vec<(u32, Rule)> {
    vec![
        (abi::FUTEX, Rule::Futex),
        (abi::EPOLL_WAIT, Rule::Positive(3)),
        (abi::EPOLL_PWAIT, Rule::Positive(3)),
        (abi::POLL, Rule::Positive(2)),
        (abi::NANOSLEEP, Rule::Always),
        (abi::CLOCK_NANOSLEEP, Rule::Always),
        (abi::PPOLL, Rule::Given(2)),
        (abi::SELECT, Rule::Given(4)),
        (abi::PSELECT6, Rule::Given(4)),
        (abi::EPOLL_PWAIT2, Rule::Given(3)),
        (abi::FUTEX_WAITV, Rule::Given(3)),
        (abi::RT_SIGTIMEDWAIT, Rule::Given(2)),
        (abi::SEMTIMEDOP, Rule::Given(3)),
        (abi::MQ_TIMEDSEND, Rule::Given(4)),
        (abi::MQ_TIMEDRECEIVE, Rule::Given(4)),
        (abi::IO_GETEVENTS, Rule::Given(4)),
        (abi::IO_PGETEVENTS, Rule::Given(4)),
        (abi::TIMERFD_SETTIME, Rule::Given(2)),
        (abi::TIMER_SETTIME, Rule::Given(2)),
        (abi::SETITIMER, Rule::Is(0, 0)),
    ]
}

/// Other calls that the tracer must see: they answer otherwise, or change what it can do.
fn watched() -> Vec<(u32, Rule)> {
    vec![
        (abi::IO_URING_SETUP, Rule::Always),
        (abi::CLONE, Rule::Bits(0, abi::CLONE_UNTRACED)),
        (abi::CLONE3, Rule::Always),
        (abi::SECCOMP, Rule::Always),
        (abi::PRCTL, Rule::Is(0, abi::PR_SET_SECCOMP)),
        (abi::PTRACE, Rule::Always),
    ]
}

fn instruction(code: u16, k: u32, (if_true, if_false): (u8, u8)) -> Instruction {
    Instruction {
        code,
        if_true,
        if_false,
        k,
    }
}

fn load(at: u32) -> Instruction {
    instruction(LOAD, at, (0, 0))
}

fn decide(decision: u32) -> Instruction {
    instruction(RETURN, decision, (0, 0))
}

/// The next instruction if it holds; `over` instructions further if not.
fn unless(code: u16, k: u32, over: u8) -> Instruction {
    instruction(code, k, (0, over))
}

/// `over` instructions further if it holds; the next if not.
fn when(code: u16, k: u32, over: u8) -> Instruction {
    instruction(code, k, (over, 0))
}

/// Behind the number: decides by the arguments. Falls off its end if the call is to stop.
fn arguments(rule: &Rule) -> Vec<Instruction> {
    let allow = decide(ALLOW);
    match *rule {
        Rule::Always => vec![],
        Rule::Given(index) => vec![
            load(argument(index)),
            unless(IF_EQUAL, 0, 3),
            load(argument(index) + 4),
            unless(IF_EQUAL, 0, 1),
            allow,
        ],
        Rule::Positive(index) => vec![
            load(argument(index)),
            when(IF_EQUAL, 0, 1),
            // The sign of an int.
            unless(IF_ANY, 0x8000_0000, 1),
            allow,
        ],
        Rule::Futex => {
            let mut all = arguments(&Rule::Given(3));
            all.extend([
                load(argument(1)),
                instruction(AND, !(futex::PRIVATE | futex::REALTIME), (0, 0)),
                when(IF_EQUAL, futex::WAIT, 5),
                when(IF_EQUAL, futex::WAIT_BITSET, 4),
                when(IF_EQUAL, futex::LOCK_PI, 3),
                when(IF_EQUAL, futex::LOCK_PI2, 2),
                when(IF_EQUAL, futex::WAIT_REQUEUE_PI, 1),
                allow,
            ]);
            all
        }
        Rule::Bits(index, bits) => {
            vec![load(argument(index)), when(IF_ANY, bits, 1), allow]
        }
        Rule::Is(index, value) => {
            vec![load(argument(index)), when(IF_EQUAL, value, 1), allow]
        }
    }
}

/// Behind the arguments: calls from the stub's pages go on, others stop.
fn origin() -> Vec<Instruction> {
    let (low, high) = halves(stub::BASE);
    let (end, _) = halves(stub::BASE + stub::REACH);
    vec![
        load(POINTER + 4),
        unless(IF_EQUAL, high, 4),
        load(POINTER),
        unless(IF_FROM, low, 2),
        when(IF_FROM, end, 1),
        decide(ALLOW),
        decide(STOP),
    ]
}

fn halves(address: u64) -> (u32, u32) {
    let low = u32::try_from(address & 0xffff_ffff).expect("32 bits are left");
    (low, u32::try_from(address >> 32).expect("32 bits are left"))
}

/// The whole filter.
pub(crate) fn program() -> Vec<Instruction> {
    // Programs for other processors, as of 32 bits, are let through: their calls have other numbers.
    let mut all = vec![
        load(ARCHITECTURE),
        when(IF_EQUAL, X86_64, 1),
        decide(ALLOW),
        load(NUMBER),
    ];
    let rules = timed().into_iter().map(|rule| (rule, true));
    for ((number, rule), stubbed) in rules.chain(watched().into_iter().map(|rule| (rule, false))) {
        let mut then = arguments(&rule);
        if stubbed {
            then.extend(origin());
        } else {
            then.push(decide(STOP));
        }
        let length = u8::try_from(then.len()).expect("rules are short");
        all.push(unless(IF_EQUAL, number, length));
        all.extend(then);
    }
    all.push(decide(ALLOW));
    all
}

#[cfg(test)]
mod tests;
