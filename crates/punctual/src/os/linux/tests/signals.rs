//! Signals that a waiting thread handles: what they end, and what they do not.

use super::super::clock;
use super::super::futex::{Bell, Primitive};
use super::{PRIMITIVES, soon};
use crate::os::{Os, Woken};
use crate::{Cancel, Ended, Instant, Native, Period, Signals, Sleeper, Ticker};
use std::ptr;
use std::thread;
use std::time::Duration;

/// Each with what its handler was installed with, as tests run beside each other.
const SIGNALS: [(libc::c_int, libc::c_int); 2] =
    [(libc::SIGUSR1, 0), (libc::SIGUSR2, libc::SA_RESTART)];

/// Runs it on a thread that gets and handles a signal again and again.
fn under_each_signal(body: impl Fn()) {
    extern "C" fn ignore(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = ignore;
    for (signal, flags) in SIGNALS {
        // SAFETY: plain numbers and an empty set, for which zero is a value.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handler as usize;
        action.sa_flags = flags;
        // SAFETY: the handler touches nothing.
        unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
        // SAFETY: always succeeds.
        let thread = unsafe { libc::pthread_self() };
        let cancel = Cancel::new();
        let stop = cancel.clone();
        let sender = thread::spawn(move || {
            while !stop.is_cancelled() {
                // SAFETY: the thread is alive: it joins this one.
                unsafe { libc::pthread_kill(thread, signal) };
                thread::sleep(Duration::from_micros(200));
            }
        });
        body();
        cancel.cancel();
        sender.join().unwrap();
    }
}

/// Nothing waits for so long: a wait that a signal should have ended is told from one that it did.
fn in_a_minute() -> Instant {
    clock::now() + Duration::from_secs(60)
}

#[test]
fn signals_do_not_shorten_a_sleep() {
    under_each_signal(|| {
        let mut sleeper = Sleeper::new().coarse();
        for _ in 0..5 {
            let deadline = soon();
            assert!(sleeper.sleep_until(deadline).woke >= deadline);
        }
        let deadline = soon();
        let wake = sleeper.begin(deadline).sleep(Signals::GoOn, None);
        assert!(wake.unwrap().woke >= deadline);
        let mut ticker = Ticker::new(Period::from_hertz(1_000));
        for _ in 0..5 {
            let tick = ticker.tick().unwrap();
            assert!(tick.woke >= tick.deadline);
        }
    });
}

#[test]
fn a_signal_ends_a_wait_that_asks_for_it_whatever_its_handler_was_installed_with() {
    under_each_signal(|| {
        for primitive in PRIMITIVES {
            for tolerance in [Duration::ZERO, Duration::from_millis(1)] {
                let until = Some(in_a_minute());
                assert!(primitive.wait_or_signal(&Bell::default(), until, tolerance));
            }
        }
        let os = Native::new();
        let (bell, rung) = (os.bell(), os.bell());
        os.ring(&rung);
        let wait = |bell| os.wait_or_signal(in_a_minute(), Duration::ZERO, bell);
        assert_eq!((wait(&bell), wait(&rung)), (Woken::BySignal, Woken::ByBell));

        let mut sleeper = Sleeper::new();
        let wait = sleeper.begin(in_a_minute());
        let slept = wait.sleep(Signals::EndIt, None).unwrap_err();
        let mut ticker = Ticker::new(Period::from_hertz(1)).starting_at(in_a_minute());
        for ended in [slept, ticker.tick_or_signal().unwrap_err()] {
            let Ended::Interrupted { remaining } = ended else {
                panic!("{ended}")
            };
            assert!(!remaining.is_zero() && remaining < Duration::from_secs(60));
        }
    });
}

#[test]
fn what_ends_early_without_a_signal_is_not_interrupted() {
    assert!(!Primitive::Nap.wait_or_signal(&Bell::default(), Some(soon()), Duration::ZERO));
    let mut sleeper = Sleeper::new();
    let deadline = soon();
    let wake = sleeper.begin(deadline).sleep(Signals::EndIt, None);
    assert!(wake.unwrap().woke >= deadline);
    let mut ticker = Ticker::new(Period::from_hertz(1_000));
    for index in 0..3 {
        let tick = ticker.tick_or_signal().unwrap();
        assert!(tick.index >= index && tick.woke >= tick.deadline);
    }
    let cancel = Cancel::new();
    cancel.cancel();
    let slept = sleeper
        .begin(in_a_minute())
        .sleep(Signals::EndIt, Some(&cancel));
    assert_eq!(slept, Err(Ended::Cancelled));
    ticker.set_cancel(cancel);
    assert_eq!(ticker.tick_or_signal(), Err(Ended::Cancelled));
}
