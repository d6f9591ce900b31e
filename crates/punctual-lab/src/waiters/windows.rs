//! Windows' own ways to wait, on any implementation of its calls.

mod periodic;

use super::portable::feedback;
use super::tuned::tuned_by;
use super::{Keeping, Make, REMAINDER, Wait, Waiter, WaiterOptions, deadlines, lengths};
use crate::machine::Tuning;
use periodic::calling_back;
use punctual::os::windows::{MultimediaTask, Win32Error, WindowsOs};
use punctual::{Error, Instant, Os, Period};
use punctual_windows::NANOS_PER_UNIT;
use punctual_windows::mechanisms::{
    HIGH_RES, HIGH_RES_ABS, HIGH_RES_CYCLE, HIGH_RES_MMCSS, Mechanism, NT_DELAY, POOL_ONCE,
    POOL_TIMER, QUEUE_ONCE, SET_TIMER, SLEEP, TIME_SET_EVENT, TIMER_QUEUE, WAIT_OBJECT,
    WAIT_ON_ADDRESS, WAITABLE, WAITABLE_ABS, WAITABLE_CYCLE,
};
use punctual_windows::os::windows::{WT_EXECUTEINTIMERTHREAD, Win32Lab, calls};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Most calls count milliseconds.
const MILLISECOND: Duration = Duration::from_millis(1);

/// The kernel counts units of 100 ns.
const UNIT: Duration = Duration::from_nanos(NANOS_PER_UNIT);

/// How much the study of high-resolution timers shortens its waits.
const SHORTENED: Keeping = Keeping::Remainder {
    early: Duration::from_micros(80),
};
const EARLIER: &str = "the same, 80 µs earlier";

/// How long before a deadline a loop that sleeps and spins stops sleeping: the longest `Sleep(1)` if a program has requested
/// 1 ms.
const SPIN: Keeping = Keeping::Schedule {
    margin: Duration::from_millis(2),
};

type Windows<W> = WindowsOs<W>;

/// All of them: those that sleep, waitable timers, and timers with callbacks or messages.
pub fn all<W: Win32Lab>() -> Vec<Waiter<Windows<W>>> {
    vec![
        after(SLEEP, MILLISECOND, sleep).keeping(REMAINDER),
        Waiter::beating(
            "sleep-spin",
            "Sleep until 2 ms before the deadline, then spin",
            SPIN,
            sleep,
        ),
        Waiter::beating(
            "feedback",
            "Sleep by a schedule in whole ms of timeGetTime",
            Keeping::Itself,
            by_milliseconds,
        ),
        after(WAIT_OBJECT, MILLISECOND, wait_for_single_object),
        after(WAIT_ON_ADDRESS, MILLISECOND, wait_on_address),
        after(NT_DELAY, UNIT, nt_delay_execution),
        after(WAITABLE, UNIT, waitable).keeping(REMAINDER),
        Waiter::beating("waitable-early", EARLIER, SHORTENED, waitable),
        counted(
            WAITABLE_ABS,
            |os, _| absolute(os, plain(os)?),
            |os, options| on_time_base(os, plain(os)?, options),
        ),
        repeating(WAITABLE_CYCLE, periodic::waitable),
        after(HIGH_RES, UNIT, high_resolution).keeping(REMAINDER),
        Waiter::beating("high-res-early", EARLIER, SHORTENED, high_resolution),
        counted(
            HIGH_RES_ABS,
            |os, _| absolute(os, precise(os)?),
            |os, options| on_time_base(os, precise(os)?, options),
        ),
        repeating(HIGH_RES_CYCLE, periodic::high_resolution),
        until(HIGH_RES_MMCSS, in_multimedia_task),
        counted(
            TIMER_QUEUE,
            |os, options| calling_back(os, options, periodic::queue, false),
            |os, options| calling_back(os, options, periodic::queue, true),
        ),
        until(POOL_TIMER, |os, options| {
            calling_back(os, options, periodic::pool, false)
        }),
        counted(
            TIME_SET_EVENT,
            |os, options| calling_back(os, options, periodic::multimedia, false),
            |os, options| calling_back(os, options, periodic::multimedia, true),
        ),
        after(POOL_ONCE, UNIT, pool).keeping(REMAINDER),
        after(QUEUE_ONCE, MILLISECOND, queue).keeping(REMAINDER),
        Waiter {
            lengths: Some((MILLISECOND, messages)),
            ..repeating(SET_TIMER, periodic::messages)
        },
    ]
}

fn after<M>(mechanism: Mechanism, unit: Duration, make: Make<M>) -> Waiter<M> {
    Waiter::after(mechanism.name, mechanism.summary, unit, make)
}

fn until<M>(mechanism: Mechanism, make: Make<M>) -> Waiter<M> {
    Waiter::until(mechanism.name, mechanism.summary, make)
}

/// One with a period of its own.
fn repeating<M>(mechanism: Mechanism, make: Make<M>) -> Waiter<M> {
    until(mechanism, make).keeping(Keeping::Itself)
}

/// One with a schedule of its own that keeps a beat in another way than deadlines.
fn counted<M>(mechanism: Mechanism, make: Make<M>, beat: Make<M>) -> Waiter<M> {
    Waiter {
        beats: Some((Keeping::Itself, beat)),
        ..until(mechanism, make)
    }
}

/// A duration in whole milliseconds, rounded up, for waits that must not end early.
fn milliseconds(duration: Duration) -> u32 {
    const NANOS_PER_MILLISECOND: u128 = 1_000_000;
    u32::try_from(duration.as_nanos().div_ceil(NANOS_PER_MILLISECOND)).unwrap_or(u32::MAX - 1)
}

/// A duration in units of 100 ns, rounded up.
fn units(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos().div_ceil(UNIT.as_nanos())).unwrap_or(i64::MAX)
}

/// Why a waiter is unavailable.
pub(crate) fn unavailable(call: &'static str) -> impl Fn(Win32Error) -> Error {
    move |error| match error {
        Win32Error::PROC_NOT_FOUND => Error::unsupported(format!("this Windows has no {call}")),
        Win32Error::INVALID_PARAMETER => {
            Error::unsupported(format!("this Windows does not know {call}"))
        }
        error => Error::system(format!("{call} failed: {error}")),
    }
}

/// The longest time until a request is in force. It takes effect at the next tick, and the longest
/// time between ticks is the default interval.
pub fn request_delay<W: Win32Lab>(win32: &W) -> Duration {
    // If the query fails: this value is reported of some builds of Windows 10.
    const LONGEST_KNOWN: Duration = Duration::from_millis(20);
    let found = win32.nt_query_timer_resolution();
    found.map_or(LONGEST_KNOWN, |found| UNIT * found.maximum_time)
}

/// Waits until the timer has just ticked: an ordinary wait ends there.
pub fn await_tick<W: Win32Lab>(win32: &W) {
    const LEAST: u32 = 1;
    win32.sleep(LEAST);
}

type Made = Result<Box<dyn Wait>, Error>;

// Calls that sleep, and the timeout of a wait for an event that never comes.

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-sleep>
fn sleep<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    let win32 = os.win32().clone();
    lengths(os, MILLISECOND, move |length| {
        win32.sleep(milliseconds(length));
        Ok(())
    })
}

fn by_milliseconds<W: Win32Lab>(os: &Windows<W>, options: WaiterOptions) -> Made {
    let (clock, sleeper) = (os.clone(), os.clone());
    let milliseconds = move || clock.win32().time_get_time();
    let sleep = move |milliseconds| {
        sleeper.win32().sleep(milliseconds);
        sleeper.now()
    };
    Ok(feedback(options.period, milliseconds, sleep))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitforsingleobject>
fn wait_for_single_object<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    let win32 = os.win32().clone();
    let event = calls::event(&win32).map_err(unavailable("CreateEvent"))?;
    lengths(os, MILLISECOND, move |length| {
        let waited = win32.wait_for_single_object(&event, milliseconds(length));
        waited.map(drop).map_err(unavailable("WaitForSingleObject"))
    })
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-waitonaddress>
fn wait_on_address<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    const VALUE: u32 = 0;
    const OTHER: u32 = 1;
    let win32 = os.win32().clone();
    let value = AtomicU32::new(VALUE);
    let refused = unavailable("WaitOnAddress");
    win32.wait_on_address(&value, OTHER, 0).map_err(&refused)?;
    lengths(os, MILLISECOND, move |length| {
        let waited = win32.wait_on_address(&value, VALUE, milliseconds(length));
        waited.map(drop).map_err(&refused)
    })
}

/// The function has no page of its own. The kernel's function behind it has one:
/// <https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/wdm/nf-wdm-kedelayexecutionthread>
fn nt_delay_execution<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    const ALERTABLE: bool = false;
    let win32 = os.win32().clone();
    lengths(os, UNIT, move |length| {
        // Negative means relative to now.
        let delayed = win32.nt_delay_execution(ALERTABLE, -units(length));
        delayed.map_err(unavailable("NtDelayExecution"))
    })
}

// Waitable timers.

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-setwaitabletimer>
fn plain<W: Win32Lab>(os: &Windows<W>) -> Result<W::Object, Error> {
    calls::timer(os.win32()).map_err(unavailable("CreateWaitableTimer"))
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw>
fn precise<W: Win32Lab>(os: &Windows<W>) -> Result<W::Object, Error> {
    calls::high_resolution_timer(os.win32())
        .map_err(unavailable("CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"))
}

fn waitable<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    set_anew(os, plain(os)?)
}

fn high_resolution<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    set_anew(os, precise(os)?)
}

/// Set for what remains.
fn set_anew<W: Win32Lab>(os: &Windows<W>, timer: W::Object) -> Made {
    let win32 = os.win32().clone();
    lengths(os, UNIT, move |length| {
        // Negative means relative to now.
        calls::await_timer(&win32, &timer, -units(length)).map_err(unavailable("SetWaitableTimer"))
    })
}

/// Set to a time of the system clock.
fn absolute<W: Win32Lab>(os: &Windows<W>, timer: W::Object) -> Made {
    let clock = os.clone();
    deadlines(os, move |deadline| {
        let win32 = clock.win32();
        let remaining = units(deadline.duration_since(clock.now()));
        let precise = win32.get_system_time_precise_as_file_time();
        let now = precise.unwrap_or_else(|_| win32.get_system_time_as_file_time());
        let now = i64::try_from(now.0).unwrap_or(i64::MAX);
        // This timer can be set, and any due time is valid.
        let _ = calls::await_timer(win32, &timer, now.saturating_add(remaining));
    })
}

/// Like [`absolute`], at times computed from the start of the turn.
fn on_time_base<W: Win32Lab>(os: &Windows<W>, timer: W::Object, options: WaiterOptions) -> Made {
    Ok(Box::new(OnTimeBase {
        os: os.clone(),
        timer,
        period: options.period,
        base: 0,
        beats: 0,
    }))
}

struct OnTimeBase<W: Win32Lab> {
    os: Windows<W>,
    timer: W::Object,
    period: Period,
    /// The system clock at the start of the turn.
    base: i64,
    beats: u64,
}

impl<W: Win32Lab> Wait for OnTimeBase<W> {
    fn begin_turn(&mut self) {
        let now = self.os.win32().get_system_time_as_file_time();
        self.base = i64::try_from(now.0).unwrap_or(i64::MAX);
        self.beats = 0;
    }

    /// Measures the timer's own schedule, so it does not use the deadline.
    fn wait_until(&mut self, _: Instant) -> Instant {
        self.beats += 1;
        let due = self.period.offset(self.beats).unwrap_or_default();
        let due_time = self.base.saturating_add(units(due));
        let _ = calls::await_timer(self.os.win32(), &self.timer, due_time);
        self.os.now()
    }
}

// A wait under the multimedia class scheduler: the same timer, in a thread that runs before
// ordinary ones once it is ready.

/// The task with the highest priority among those that every Windows registers.
const TASK: &str = "Pro Audio";

impl<W: Win32Lab> Tuning for MultimediaTask<W> {}

/// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
fn in_multimedia_task<W: Win32Lab>(os: &Windows<W>, options: WaiterOptions) -> Made {
    let wait = high_resolution(os, options)?;
    let os = os.clone();
    tuned_by(move || Ok(Box::new(os.multimedia_task(TASK)?)), wait)
}

// Timers that call back once. The callback sets an event, and the wait is for that.

/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoolapiset/nf-threadpoolapiset-setthreadpooltimer>
fn pool<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    let win32 = os.win32().clone();
    let event = Arc::new(calls::event(&win32).map_err(unavailable("CreateEvent"))?);
    let timer = win32
        .create_threadpool_timer(calls::setting(&win32, &event))
        .map_err(unavailable("CreateThreadpoolTimer"))?;
    lengths(os, UNIT, move |length| {
        // Negative means relative to now.
        calls::await_pool(&win32, &timer, &event, -units(length));
        Ok(())
    })
}

/// Each wait makes a timer and ends it, as programs do with one that fires once.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/threadpoollegacyapiset/nf-threadpoollegacyapiset-createtimerqueuetimer>
fn queue<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    const ONCE: u32 = 0;
    let win32 = os.win32().clone();
    let event = Arc::new(calls::event(&win32).map_err(unavailable("CreateEvent"))?);
    lengths(os, MILLISECOND, move |length| {
        let callback = calls::setting(&win32, &event);
        let due_time = milliseconds(length);
        let _timer = win32
            .create_timer_queue_timer(callback, due_time, ONCE, WT_EXECUTEINTIMERTHREAD)
            .map_err(unavailable("CreateTimerQueueTimer"))?;
        calls::wait(&win32, &event);
        Ok(())
    })
}

/// Each wait makes a timer and ends it: such a timer is periodic.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-settimer>
fn messages<W: Win32Lab>(os: &Windows<W>, _: WaiterOptions) -> Made {
    let win32 = os.win32().clone();
    lengths(os, MILLISECOND, move |length| {
        calls::message(&win32, milliseconds(length)).map_err(unavailable("SetTimer"))
    })
}
