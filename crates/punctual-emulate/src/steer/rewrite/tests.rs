use super::*;

const MEANS: Means = Means {
    scratch: 0x5000,
    epoll_pwait2: true,
    same_call: false,
};
/// Seven milliseconds and a nanosecond are left.
const END: End = End {
    now: 1_000_000_000,
    end: 1_007_000_001,
    ahead: 50,
    period: 0,
};

fn timed(call: Call, time: Time, argument: usize, unit: Unit) -> Timed {
    Timed {
        call,
        time,
        argument,
        unit,
        period: None,
    }
}

fn pair(rewritten: &Rewritten, at: usize) -> (u64, u64) {
    let word = |at: usize| {
        u64::from_le_bytes(
            rewritten.scratch[at..at + 8]
                .try_into()
                .expect("eight bytes"),
        )
    };
    (word(at), word(at + 8))
}

#[test]
fn sleeps_become_absolute() {
    let made = Made {
        number: abi::NANOSLEEP,
        args: [1, 0, 3, 4, 5, 6],
    };
    let sleep = timed(Call::Nanosleep, Time::In(5), 0, Unit::Timespec);
    let new = rewrite(made, sleep, END, MEANS);
    assert_eq!(new.made.number, abi::CLOCK_NANOSLEEP);
    assert_eq!(new.made.args, [1, 1, 0x5000, 0, 5, 6]);
    assert_eq!(pair(&new, 0), (1, 7_000_001));
    assert!(new.stub);
    let told = Made {
        args: [1, 2, 3, 4, 5, 6],
        ..made
    };
    assert!(rewrite(told, sleep, END, MEANS).stub);
    assert_eq!(remainder(told, sleep), Remainder::IfInterrupted(2));
}

#[test]
fn absolute_times_stay_on_their_clock() {
    let made = Made {
        number: abi::CLOCK_NANOSLEEP,
        args: [0, 1, 3, 4, 5, 6],
    };
    let sleep = timed(
        Call::ClockNanosleep,
        Time::At(Clock::Realtime, 9),
        2,
        Unit::Timespec,
    );
    let new = rewrite(made, sleep, END, MEANS);
    assert_eq!(new.made.args, [0, 1, 0x5000, 0, 5, 6]);
    assert_eq!(pair(&new, 0), (1, 7_000_051));
}

#[test]
fn waits_take_nanoseconds_or_stay_what_they_are() {
    let poll = Made {
        number: abi::POLL,
        args: [1, 2, 5, 0, 0, 0],
    };
    let wait = timed(Call::Poll, Time::In(5_000_000), 2, Unit::Milliseconds);
    let new = rewrite(poll, wait, END, MEANS);
    assert_eq!((new.made.number, new.made.args[2]), (abi::PPOLL, 0x5000));
    assert_eq!(pair(&new, 0), (0, 7_000_001));
    let same = Means {
        same_call: true,
        ..MEANS
    };
    let new = rewrite(poll, wait, END, same);
    // Rounded up: never early.
    assert_eq!((new.made.number, new.made.args[2]), (abi::POLL, 8));
    let epoll = Made {
        number: abi::EPOLL_WAIT,
        args: [1, 2, 3, 5, 77, 88],
    };
    let wait = timed(Call::EpollWait, Time::In(5_000_000), 3, Unit::Milliseconds);
    let new = rewrite(epoll, wait, END, MEANS);
    assert_eq!(
        new.made,
        Made {
            number: abi::EPOLL_PWAIT2,
            args: [1, 2, 3, 0x5000, 0, 88]
        }
    );
    let old = Means {
        epoll_pwait2: false,
        ..MEANS
    };
    assert_eq!(rewrite(epoll, wait, END, old).made.args[3], 8);
}

#[test]
fn futexes_wait_for_any_bit_until() {
    let made = Made {
        number: abi::FUTEX,
        args: [1, 128, 0, 4, 5, 6],
    };
    let wait = timed(Call::FutexWait, Time::In(5), 3, Unit::Timespec);
    let new = rewrite(made, wait, END, MEANS);
    assert_eq!(new.made.args, [1, 128 | 9, 0, 0x5000, 5, 0xffff_ffff]);
    assert_eq!(pair(&new, 0), (1, 7_000_001));
    let kept = rewrite(
        made,
        wait,
        END,
        Means {
            same_call: true,
            ..MEANS
        },
    );
    assert_eq!(kept.made.args[1], 128);
    assert_eq!(pair(&kept, 0), (0, 7_000_001));
}

#[test]
fn an_end_that_has_passed_still_waits() {
    let made = Made {
        number: abi::PPOLL,
        args: [1, 2, 3, 0, 0, 0],
    };
    let wait = timed(Call::Ppoll, Time::In(5), 2, Unit::Timespec);
    let new = rewrite(
        made,
        wait,
        End {
            now: 2_000_000_000,
            ..END
        },
        MEANS,
    );
    assert_eq!(pair(&new, 0), (0, 1));
}

#[test]
fn timers_keep_their_form() {
    let made = Made {
        number: abi::SETITIMER,
        args: [0, 2, 3, 0, 0, 0],
    };
    let timer = Timed {
        period: Some(5_000_000),
        ..timed(Call::Setitimer, Time::In(5_000_000), 1, Unit::Timeval)
    };
    let new = rewrite(
        made,
        timer,
        End {
            period: 15_625_001,
            ..END
        },
        MEANS,
    );
    assert_eq!(new.made.args, [0, 0x5000, 3, 0, 0, 0]);
    // Microseconds, the first rounded up.
    assert_eq!((pair(&new, 0), pair(&new, 16)), ((0, 15_625), (0, 7_001)));
    assert!(!new.stub);
}

#[test]
fn what_is_beyond_is_not_told_as_left() {
    let made = Made {
        number: abi::SELECT,
        args: [1, 2, 3, 4, 0x70, 6],
    };
    let select = timed(Call::Select, Time::In(5), 4, Unit::Timeval);
    let told = |asked, end| tells(made, select, asked, end).expect("it tells");
    assert_eq!(told(100, 130).address, 0x70);
    assert_eq!(told(100, 130).unit_nanos, 1000);
    assert_eq!(told(100, 130).beyond, 30);
    // Windows counts from its last tick, so a wait can end before the program's own would.
    assert_eq!(told(100, 90).beyond, -10);
    let poll = timed(Call::Poll, Time::In(5), 2, Unit::Milliseconds);
    assert_eq!(tells(made, poll, 100, 130), None);
}
