use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

/// A program whose memory has only what is put there.
#[derive(Default)]
struct Sample {
    memory: HashMap<u64, u8>,
    clock: Option<u64>,
}

impl Sample {
    fn with(at: u64, words: &[i64]) -> Self {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        Self {
            memory: (at..).zip(bytes).collect(),
            clock: Some(1),
        }
    }
}

impl Program for Sample {
    fn read(&self, address: u64, into: &mut [u8]) -> bool {
        (address..)
            .zip(into)
            .all(|(at, byte)| self.memory.get(&at).map(|&known| *byte = known).is_some())
    }

    fn clock_of_timerfd(&self, _: u64) -> Option<u64> {
        self.clock
    }

    fn clock_of_timer(&self, _: u64) -> Option<u64> {
        self.clock
    }
}

fn made(number: u32, args: [u64; 6]) -> Made {
    Made { number, args }
}

fn time(decoded: Decoded) -> Option<(Call, Time)> {
    match decoded {
        Decoded::Steer(timed) => Some((timed.call, timed.time)),
        _ => None,
    }
}

#[test]
fn sleeps_are_understood() {
    let program = Sample::with(64, &[1, 500]);
    let decoded = decode(made(abi::NANOSLEEP, [64, 0, 0, 0, 0, 0]), &program);
    assert_eq!(
        time(decoded),
        Some((Call::Nanosleep, Time::In(1_000_000_500)))
    );
    let decoded = decode(made(abi::CLOCK_NANOSLEEP, [0, 1, 64, 0, 0, 0]), &program);
    let at = Time::At(Clock::Realtime, 1_000_000_500);
    assert_eq!(time(decoded), Some((Call::ClockNanosleep, at)));
    // Processor time.
    assert_eq!(
        decode(made(abi::CLOCK_NANOSLEEP, [2, 0, 64, 0, 0, 0]), &program),
        Decoded::Leave
    );
    // Another process' processor time is a negative number.
    let other = u64::from(u32::MAX - 5);
    assert_eq!(
        decode(
            made(abi::CLOCK_NANOSLEEP, [other, 0, 64, 0, 0, 0]),
            &program
        ),
        Decoded::Leave
    );
}

#[test]
fn wrong_times_are_left_to_the_kernel() {
    let nanosleep = made(abi::NANOSLEEP, [64, 0, 0, 0, 0, 0]);
    for words in [[0, 1_000_000_000], [-1, 0], [0, -1], [0, 0], [i64::MIN, 5]] {
        assert_eq!(
            decode(nanosleep, &Sample::with(64, &words)),
            Decoded::Leave,
            "{words:?}"
        );
    }
    assert_eq!(
        decode(nanosleep, &Sample::with(65, &[1, 0])),
        Decoded::Leave
    );
    let longest = decode(nanosleep, &Sample::with(64, &[i64::MAX, 0]));
    assert_eq!(time(longest), Some((Call::Nanosleep, Time::In(LONGEST))));
}

#[test]
fn the_clock_of_a_futex_is_its_commands() {
    let program = Sample::with(64, &[5, 0]);
    let of = |operation: u32| {
        time(decode(
            made(abi::FUTEX, [8, u64::from(operation), 0, 64, 0, 0]),
            &program,
        ))
    };
    let at = |clock| Time::At(clock, 5_000_000_000);
    let flagged = |command| command | futex::REALTIME | futex::PRIVATE;
    assert_eq!(
        of(futex::WAIT),
        Some((Call::FutexWait, Time::In(5_000_000_000)))
    );
    assert_eq!(
        of(futex::WAIT_BITSET),
        Some((Call::FutexWaitBitset, at(Clock::Monotonic)))
    );
    let realtime = of(flagged(futex::WAIT_BITSET));
    assert_eq!(realtime, Some((Call::FutexWaitBitset, at(Clock::Realtime))));
    assert_eq!(
        of(futex::LOCK_PI),
        Some((Call::FutexLockPi, at(Clock::Realtime)))
    );
    assert_eq!(
        of(futex::LOCK_PI2),
        Some((Call::FutexLockPi, at(Clock::Monotonic)))
    );
    assert_eq!(of(flagged(futex::WAIT)), None);
}

#[test]
fn select_takes_more_than_a_second_of_microseconds() {
    let select = made(abi::SELECT, [0, 0, 0, 0, 64, 0]);
    let decoded = decode(select, &Sample::with(64, &[1, 2_000_000]));
    assert_eq!(time(decoded), Some((Call::Select, Time::In(3_000_000_000))));
    assert_eq!(decode(select, &Sample::with(64, &[-1, 5])), Decoded::Leave);
}

#[test]
fn timers_are_set_and_taken_back() {
    let set = made(abi::TIMERFD_SETTIME, [3, 0, 64, 0, 0, 0]);
    let Decoded::Steer(timed) = decode(set, &Sample::with(64, &[0, 7, 1, 2])) else {
        panic!("it is set");
    };
    assert_eq!(
        (timed.time, timed.period),
        (Time::In(1_000_000_002), Some(7))
    );
    assert_eq!(
        decode(set, &Sample::with(64, &[5, 0, 0, 0])),
        Decoded::Cancel
    );
    let itimer = made(abi::SETITIMER, [0, 64, 0, 0, 0, 0]);
    let decoded = decode(itimer, &Sample::with(64, &[0, 0, 0, 1500]));
    assert_eq!(time(decoded), Some((Call::Setitimer, Time::In(1_500_000))));
    assert_eq!(
        decode(made(abi::SETITIMER, [0; 6]), &Sample::default()),
        Decoded::Cancel
    );
    let mut by_processor = Sample::with(64, &[0, 0, 1, 0]);
    by_processor.clock = Some(2);
    let decoded = decode(made(abi::TIMER_SETTIME, [3, 0, 64, 0, 0, 0]), &by_processor);
    assert_eq!(decoded, Decoded::Leave);
}

proptest! {
    #[test]
    fn any_call_is_understood_or_left(
        number in 0_u32..500,
        args: [u64; 6],
        words: [i64; 4],
        at in 0_usize..6,
    ) {
        let mut args = args;
        args[at] = 64;
        if let Decoded::Steer(timed) = decode(made(number, args), &Sample::with(64, &words)) {
            match timed.time {
                Time::In(length) => prop_assert!((1..=LONGEST).contains(&length)),
                Time::At(_, at) => prop_assert!(at <= LONGEST),
            }
        }
    }
}
