use super::*;

/// A call as the kernel describes it to filters.
struct Described {
    number: u32,
    architecture: u32,
    pointer: u64,
    args: [u64; 6],
}

impl Described {
    fn word(&self, at: u32) -> u32 {
        let (low, high) = halves(match at {
            8 | 12 => self.pointer,
            16.. => self.args[((at - 16) / 8) as usize],
            _ => 0,
        });
        match at {
            0 => self.number,
            4 => self.architecture,
            _ if at.is_multiple_of(8) => low,
            _ => high,
        }
    }
}

/// What the kernel would decide, and whether by the number and the architecture alone.
fn run(call: &Described) -> (u32, bool) {
    let program = program();
    let (mut at, mut word, mut cached) = (0, 0, true);
    loop {
        let Instruction {
            code,
            if_true,
            if_false,
            k,
        } = program[at];
        at += 1;
        let holds = match code {
            LOAD => {
                word = call.word(k);
                cached &= k < 8;
                continue;
            }
            AND => {
                word &= k;
                continue;
            }
            RETURN => return (k, cached),
            IF_EQUAL => word == k,
            IF_FROM => word >= k,
            IF_ANY => word & k != 0,
            _ => panic!("an instruction that no rule has"),
        };
        at += usize::from(if holds { if_true } else { if_false });
    }
}

fn decision(number: u32, args: [u64; 6]) -> u32 {
    run(&Described {
        number,
        architecture: X86_64,
        pointer: 0x7f00_1234_5678,
        args,
    })
    .0
}

#[test]
fn calls_stop_when_they_have_a_time() {
    let null = [3, 0, 0, 0, 0, 0];
    for (number, argument) in [
        (abi::PPOLL, 2),
        (abi::SELECT, 4),
        (abi::PSELECT6, 4),
        (abi::EPOLL_PWAIT2, 3),
        (abi::FUTEX_WAITV, 3),
        (abi::RT_SIGTIMEDWAIT, 2),
        (abi::SEMTIMEDOP, 3),
        (abi::MQ_TIMEDSEND, 4),
        (abi::MQ_TIMEDRECEIVE, 4),
        (abi::IO_GETEVENTS, 4),
        (abi::IO_PGETEVENTS, 4),
        (abi::TIMERFD_SETTIME, 2),
        (abi::TIMER_SETTIME, 2),
    ] {
        assert_eq!(
            decision(number, null),
            ALLOW,
            "call {number} without a time"
        );
        for address in [0x1000, 0x5_0000_0000, u64::MAX] {
            let mut given = null;
            given[argument] = address;
            assert_eq!(
                decision(number, given),
                STOP,
                "call {number} with one at {address:x}"
            );
        }
    }
    assert_eq!(decision(abi::NANOSLEEP, [0; 6]), STOP);
    assert_eq!(decision(abi::CLOCK_NANOSLEEP, [0; 6]), STOP);
}

#[test]
fn milliseconds_of_zero_and_for_ever_do_not_stop() {
    for (number, argument) in [(abi::POLL, 2), (abi::EPOLL_WAIT, 3), (abi::EPOLL_PWAIT, 3)] {
        // The kernel takes the low half as an int.
        for (value, wanted) in [
            (0, ALLOW),
            (1, STOP),
            (0x7fff_ffff, STOP),
            (0xffff_ffff, ALLOW),
            (u64::MAX, ALLOW),
            (0x1_0000_0000, ALLOW),
            (0xffff_ffff_0000_0005, STOP),
        ] {
            let mut args = [0; 6];
            args[argument] = value;
            assert_eq!(
                decision(number, args),
                wanted,
                "call {number} with {value:x}"
            );
        }
    }
}

#[test]
fn only_futex_commands_that_wait_for_a_time_stop() {
    for command in 0..16 {
        let waits = [
            futex::WAIT,
            futex::WAIT_BITSET,
            futex::LOCK_PI,
            futex::LOCK_PI2,
            futex::WAIT_REQUEUE_PI,
        ]
        .contains(&command);
        for flags in [
            0,
            futex::PRIVATE,
            futex::REALTIME,
            futex::PRIVATE | futex::REALTIME,
        ] {
            let args = [0x1000, u64::from(command | flags), 0, 0x2000, 0, 0];
            let wanted = if waits { STOP } else { ALLOW };
            assert_eq!(
                decision(abi::FUTEX, args),
                wanted,
                "command {command}, flags {flags}"
            );
            let args = [0x1000, u64::from(command | flags), 0, 0, 0, 0];
            assert_eq!(
                decision(abi::FUTEX, args),
                ALLOW,
                "command {command} without a time"
            );
        }
    }
}

#[test]
fn the_stub_calls_without_a_stop() {
    for (number, args) in [
        (abi::CLOCK_NANOSLEEP, [1, 1, 0x1000, 0, 0, 0]),
        (abi::FUTEX, [0x1000, 9, 0, 0x1000, 0, 0]),
        (abi::PPOLL, [0, 0, 0x1000, 0, 0, 0]),
        (abi::EPOLL_PWAIT2, [3, 0x1000, 1, 0x1000, 0, 0]),
    ] {
        let decide = |pointer| {
            run(&Described {
                number,
                architecture: X86_64,
                pointer,
                args,
            })
            .0
        };
        assert_eq!(decide(stub::BASE - 1), STOP);
        assert_eq!(decide(stub::BASE), ALLOW);
        assert_eq!(decide(stub::BASE + stub::REACH - 1), ALLOW);
        assert_eq!(decide(stub::BASE + stub::REACH), STOP);
        assert_eq!(decide(stub::BASE & 0xffff_ffff), STOP);
    }
}

#[test]
fn other_calls_are_decided_by_their_number_alone() {
    let ours: Vec<_> = timed()
        .into_iter()
        .chain(watched())
        .map(|(number, _)| number)
        .collect();
    for number in (0..600).filter(|number| !ours.contains(number)) {
        let call = Described {
            number,
            architecture: X86_64,
            pointer: 0,
            args: [u64::MAX; 6],
        };
        assert_eq!(run(&call), (ALLOW, true), "call {number}");
    }
    // i386's nanosleep.
    let call = Described {
        number: 162,
        architecture: 0x4000_0003,
        pointer: 0,
        args: [1; 6],
    };
    assert_eq!(run(&call), (ALLOW, true));
}

#[test]
fn what_the_tracer_must_see_stops() {
    assert_eq!(decision(abi::IO_URING_SETUP, [0; 6]), STOP);
    assert_eq!(decision(abi::CLONE3, [0; 6]), STOP);
    assert_eq!(decision(abi::CLONE, [0x0001_0f00, 0, 0, 0, 0, 0]), ALLOW);
    assert_eq!(
        decision(abi::CLONE, [u64::from(abi::CLONE_UNTRACED), 0, 0, 0, 0, 0]),
        STOP
    );
    assert_eq!(decision(abi::PRCTL, [15, 0, 0, 0, 0, 0]), ALLOW);
    assert_eq!(decision(abi::PRCTL, [22, 2, 0, 0, 0, 0]), STOP);
    assert_eq!(decision(abi::SETITIMER, [0, 0x1000, 0, 0, 0, 0]), STOP);
    // A timer of processor time.
    assert_eq!(decision(abi::SETITIMER, [2, 0x1000, 0, 0, 0, 0]), ALLOW);
}
