//! The other programs and drivers of a machine, started.

use super::model::system_clock::units;
use super::model::{WindowsModel, ordinary};
use super::owned::SimObject;
use super::program::SimWin32;
use crate::random::nanos;
use crate::{Error, Start, call};
use punctual::os::windows::{INFINITE, Win32};
use punctual_windows::Companion;
use punctual_windows::os::windows::Win32Lab;
use std::sync::Arc;
use std::time::Duration;

/// The purposes of the sleepers' streams of chance.
const SLEEPS: u64 = 2 << 32;

/// How much a load computes between two looks at whether it is still wanted: nothing ever looks, so
/// any length will do.
const STRETCH: Duration = Duration::from_secs(1);

/// Starts one, from the main process. `number` tells companions apart.
pub(super) fn start(companion: Companion, win32: SimWin32, number: u32) -> Result<(), Error> {
    match companion {
        Companion::Driver { interval } => win32.begin_driver_request(number, interval),
        Companion::Requester { interval, standing } => {
            win32.start("requester", move |win32| {
                win32.take_standing(standing);
                hold(win32, interval);
            })?;
        }
        Companion::Toggler {
            interval,
            raised,
            lowered,
        } => {
            win32.start("toggler", move |win32| {
                toggle(win32, interval, raised, lowered);
            })?;
        }
        Companion::Sleepers { threads: 0, .. } => {}
        Companion::Sleepers {
            threads,
            from,
            to,
            most_work,
        } => {
            win32.start("sleepers", move |win32| {
                let sleep = Sleep {
                    from,
                    to,
                    most_work,
                };
                for thread in 1..threads {
                    start_sleeper(sleep, stream(number, thread));
                }
                sleep_for_ever(win32, sleep, stream(number, 0));
            })?;
        }
        Companion::Load => start_load()?,
        Companion::Switch => {
            win32.start("switch", switch)?;
        }
    }
    Ok(())
}

fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(INFINITE)
}

fn hold(win32: SimWin32, interval: Duration) {
    // No request of the kernel's is ever refused.
    let _ = win32.nt_set_timer_resolution(units(interval), true);
    win32.sleep(INFINITE);
}

fn toggle(win32: SimWin32, interval: Duration, raised: Duration, lowered: Duration) {
    let interval = units(interval);
    loop {
        let _ = win32.nt_set_timer_resolution(interval, true);
        win32.sleep(milliseconds(raised));
        let _ = win32.nt_set_timer_resolution(interval, false);
        win32.sleep(milliseconds(lowered));
    }
}

#[derive(Clone, Copy)]
struct Sleep {
    from: u32,
    to: u32,
    most_work: Duration,
}

fn stream(companion: u32, thread: usize) -> u64 {
    SLEEPS + (u64::from(companion) << 16) + thread as u64
}

fn start_sleeper(sleep: Sleep, stream: u64) {
    start_thread("sleeper", move || {
        sleep_for_ever(SimWin32::new(), sleep, stream);
    });
}

/// Starts another thread of the calling process.
fn start_thread(name: &str, body: impl FnOnce() + Send + 'static) {
    let started = call(|_: &mut WindowsModel, kernel| {
        let (process, start) = (kernel.current_process(), ordinary(kernel));
        kernel.start_thread(process, name, start, body)
    });
    if let Err(error) = started {
        panic!("a companion could not start: {error}");
    }
}

fn sleep_for_ever(win32: SimWin32, sleep: Sleep, stream: u64) {
    let mut random = call(|_: &mut WindowsModel, kernel| kernel.random(stream));
    let most_work = nanos(sleep.most_work);
    loop {
        let milliseconds = random.between(u64::from(sleep.from), u64::from(sleep.to));
        win32.sleep(u32::try_from(milliseconds).unwrap_or(INFINITE));
        win32.compute(Duration::from_nanos(random.between(0, most_work)));
    }
}

fn switch(win32: SimWin32) {
    let event = |number| match win32.create_event_w(false) {
        Ok(event) => Arc::new(event),
        Err(error) => panic!("a companion has no event {number}: {error}"),
    };
    let (ping, pong) = (event(1), event(2));
    let (theirs, other) = (Arc::clone(&ping), Arc::clone(&pong));
    start_thread("switch", move || pass(SimWin32::new(), &theirs, &other));
    let _ = win32.set_event(&ping);
    pass(win32, &pong, &ping);
}

/// Waits to be woken, wakes the other, and so on for ever. Both events are there as long as the
/// process is.
fn pass(win32: SimWin32, mine: &SimObject, other: &SimObject) {
    loop {
        let _ = win32.wait_for_single_object(mine, INFINITE);
        let _ = win32.set_event(other);
    }
}

fn start_load() -> Result<(), Error> {
    call(|_: &mut WindowsModel, kernel| {
        let start = Start {
            background: true,
            ..ordinary(kernel)
        };
        kernel.start_process("load", start, || {
            loop {
                SimWin32::new().compute(STRETCH);
            }
        })
    })?;
    Ok(())
}
