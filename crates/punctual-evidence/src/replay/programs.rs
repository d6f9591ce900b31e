//! The measuring programs: one loop for each way of waiting.

use crate::{Loop, Method, Priority, RequestedBy, Throttling, Wake};
use punctual::Instant;
use punctual::os::windows::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, INFINITE, PowerThrottling, SYNCHRONIZE,
    THREAD_PRIORITY_HIGHEST, TIMER_MODIFY_STATE, Win32, Win32Error,
};
use punctual_sim::random::Random;
use punctual_sim::windows::{SimObject, SimWin32};
use punctual_windows::os::windows::{TimerCallback, WT_EXECUTEINTIMERTHREAD, Win32Lab};
use punctual_windows::{parse_duration, parse_femtos};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Between ticks, so that nothing starts at one.
const START: Duration = Duration::from_nanos(1_003_700);
/// Several default intervals.
const SETTLING: Duration = Duration::from_millis(100);
const SEED: u64 = 0x5eed;
const MILLISECOND: Duration = Duration::from_millis(1);

pub(super) fn duration(text: &str) -> Duration {
    parse_duration(text).unwrap_or_else(|error| panic!("{error}"))
}

fn optional(text: Option<&String>) -> Duration {
    text.map_or(Duration::ZERO, |text| duration(text))
}

fn milliseconds(duration: Duration) -> u32 {
    assert_eq!(
        duration.subsec_nanos() % 1_000_000,
        0,
        "the call takes whole milliseconds"
    );
    u32::try_from(duration.as_millis()).unwrap_or(INFINITE)
}

fn units(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX)
}

/// What a loop notes, or the call that Windows refuses it.
type Noted = Result<Vec<Wake>, Win32Error>;

/// Asks for an interval by the call that can.
pub(super) fn request(win32: &SimWin32, interval: Duration) -> Result<(), Win32Error> {
    if interval < MILLISECOND {
        let interval = u32::try_from(units(interval)).unwrap_or(u32::MAX);
        win32.nt_set_timer_resolution(interval, true).map(drop)
    } else {
        win32.time_begin_period(milliseconds(interval))
    }
}

pub(super) fn end_request(win32: &SimWin32, interval: Duration) -> Result<(), Win32Error> {
    win32.time_end_period(milliseconds(interval))
}

/// Runs the loop until it has woken once more often than it is to wait: the first interval begins
/// wherever the first call happens to be.
pub(super) fn run(win32: SimWin32, looping: &Loop, is_pinned: bool) -> Noted {
    prepare(&win32, looping, is_pinned)?;
    let program = Program {
        win32,
        looping: looping.clone(),
        work: optional(looping.work.as_ref()),
        random_work: optional(looping.random_work.as_ref()),
        random: Random::new(SEED),
        wakes: Vec::new(),
    };
    match looping.method {
        Method::TimerQueue | Method::TimeSetEvent => program.periodic_callback(),
        Method::TimerQueueOnce => program.timer_queue_once(),
        Method::Sleep => program.sleep(),
        Method::Message => program.message(),
        Method::Feedback => program.feedback(),
        Method::Waitable | Method::HighResolution => program.periodic_waitable(),
        Method::WaitableAbsolute => program.absolute(),
        Method::HighResolutionOnce => program.high_resolution_once(),
    }
}

fn prepare(win32: &SimWin32, looping: &Loop, is_pinned: bool) -> Result<(), Win32Error> {
    win32.set_hidden(looping.hidden);
    let state_mask = match looping.throttling {
        Throttling::SystemDecides => None,
        Throttling::Honour => Some(0),
        Throttling::Ignore => Some(PowerThrottling::IGNORE_TIMER_RESOLUTION),
    };
    if let Some(state_mask) = state_mask {
        let control_mask = PowerThrottling::IGNORE_TIMER_RESOLUTION;
        let setting = PowerThrottling {
            control_mask,
            state_mask,
        };
        // Older versions refuse, and that is part of what is measured.
        let _ = win32.set_process_information(setting);
    }
    if let Some(interval) = &looping.request {
        let interval = duration(interval);
        match looping.requested_by {
            RequestedBy::TheLoop => request(win32, interval)?,
            RequestedBy::AnotherThread => {
                let theirs = *win32;
                let body = Box::new(move || {
                    // A request that is refused is none, and the loop shows that.
                    let _ = request(&theirs, interval);
                    theirs.sleep(INFINITE);
                });
                win32.create_thread("requests", body)?;
            }
        }
    }
    if looping.priority == Some(Priority::Highest) {
        win32.set_thread_priority(THREAD_PRIORITY_HIGHEST)?;
    }
    if let Some(processor) = looping.pinned_to.filter(|_| is_pinned) {
        win32.set_thread_affinity_mask(1 << processor)?;
    }
    // Companions settle, and a request counts from the next tick.
    win32.sleep(1_100);
    win32.compute(START);
    Ok(())
}

struct Program {
    win32: SimWin32,
    looping: Loop,
    work: Duration,
    random_work: Duration,
    random: Random,
    wakes: Vec<Wake>,
}

impl Program {
    fn time(&self) -> Duration {
        duration(&self.looping.time)
    }

    fn wanted(&self) -> usize {
        self.looping.waits + 1
    }

    /// Makes a call that waits, again and again, and works after each.
    fn again(mut self, mut wait: impl FnMut(&SimWin32) -> Result<(), Win32Error>) -> Noted {
        while self.wakes.len() < self.wanted() {
            let began = now(&self.win32);
            wait(&self.win32)?;
            let noted = self.wakes.len();
            if let Some(late) = self.looping.late.take_if(|late| late.wait == noted) {
                self.win32.compute(duration(&late.by));
            }
            self.wakes.push(note(&self.win32, began));
            let most = u64::try_from(self.random_work.as_nanos()).unwrap_or(u64::MAX);
            let random = Duration::from_nanos(self.random.between(0, most));
            self.win32.compute(self.work + random);
        }
        Ok(self.wakes)
    }

    fn sleep(self) -> Noted {
        let time = milliseconds(self.time());
        self.again(|win32| {
            win32.sleep(time);
            Ok(())
        })
    }

    fn message(self) -> Noted {
        self.win32.set_timer(milliseconds(self.time()))?;
        self.again(|win32| win32.get_message().map(drop))
    }

    /// Compares `timeGetTime` with a schedule and sleeps the whole milliseconds that are left.
    fn feedback(self) -> Noted {
        const FEMTOS_PER_MILLISECOND: u128 = 1_000_000_000_000;
        let period = parse_femtos(&self.looping.time).unwrap_or_else(|error| panic!("{error}"));
        let start = self.win32.time_get_time();
        let mut frames = 0_u128;
        self.again(|win32| {
            frames += 1;
            let target = period.get() * frames / FEMTOS_PER_MILLISECOND;
            let target = start + u32::try_from(target).unwrap_or(u32::MAX);
            win32.sleep(target.saturating_sub(win32.time_get_time()));
            Ok(())
        })
    }

    fn periodic_waitable(self) -> Noted {
        let timer = self.waitable()?;
        let time = self.time();
        let period = i32::try_from(milliseconds(time)).unwrap_or(i32::MAX);
        self.win32
            .set_waitable_timer(&timer, -units(time), period)?;
        self.again(|win32| wait(win32, &timer))
    }

    fn high_resolution_once(self) -> Noted {
        let timer = self.waitable()?;
        let due_time = -units(self.time());
        self.again(|win32| {
            win32.set_waitable_timer(&timer, due_time, 0)?;
            wait(win32, &timer)
        })
    }

    /// Due times are computed from one time base.
    fn absolute(self) -> Noted {
        let timer = self.waitable()?;
        let period = units(self.time());
        let mut due_time = self.win32.get_system_time_as_file_time().0.cast_signed();
        self.again(|win32| {
            due_time += period;
            win32.set_waitable_timer(&timer, due_time, 0)?;
            wait(win32, &timer)
        })
    }

    fn waitable(&self) -> Result<SimObject, Win32Error> {
        match self.looping.method {
            Method::HighResolution | Method::HighResolutionOnce => high_resolution(&self.win32),
            _ => self.win32.create_waitable_timer_w(false),
        }
    }

    fn timer_queue_once(self) -> Noted {
        let time = milliseconds(self.time());
        let fired = Arc::new(self.win32.create_event_w(false)?);
        let theirs = self.win32;
        self.again(|win32| {
            let fires = Arc::clone(&fired);
            let callback = Box::new(move || signal(&theirs, &fires));
            let flags = WT_EXECUTEINTIMERTHREAD;
            let timer = win32.create_timer_queue_timer(callback, time, 0, flags)?;
            wait(win32, &fired)?;
            drop(timer);
            Ok(())
        })
    }

    /// The callback notes its own calls and, when there are enough, tells the main thread. A
    /// multimedia timer makes a request, which counts from the next tick: its first calls are none
    /// of the loop.
    fn periodic_callback(self) -> Noted {
        let (win32, time) = (self.win32, self.time());
        let enough = Arc::new(win32.create_event_w(false)?);
        let wakes = Arc::new(Mutex::new(Vec::new()));
        let is_multimedia = self.looping.method == Method::TimeSetEvent;
        let skipped = if is_multimedia {
            SETTLING
        } else {
            Duration::ZERO
        };
        let notes = Notes {
            win32,
            wakes: Arc::clone(&wakes),
            wanted: self.wanted(),
            from: now(&win32) + skipped,
            enough: Arc::clone(&enough),
        };
        let (callback, period) = (notes.into_callback(), milliseconds(time));
        if is_multimedia {
            let timer = win32.time_set_event(period, 0, callback, true)?;
            wait(&win32, &enough)?;
            drop(timer);
        } else {
            let first_due = self.looping.first_due.as_deref().map_or(time, duration);
            let flags = WT_EXECUTEINTIMERTHREAD;
            let first_due = milliseconds(first_due);
            let timer = win32.create_timer_queue_timer(callback, first_due, period, flags)?;
            wait(&win32, &enough)?;
            drop(timer);
        }
        let noted = wakes.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(noted.clone())
    }
}

/// Makes a high-resolution timer.
pub(super) fn high_resolution(win32: &SimWin32) -> Result<SimObject, Win32Error> {
    let access = SYNCHRONIZE | TIMER_MODIFY_STATE;
    win32.create_waitable_timer_ex_w(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, access)
}

fn wait(win32: &SimWin32, object: &SimObject) -> Result<(), Win32Error> {
    win32.wait_for_single_object(object, INFINITE).map(drop)
}

/// From a callback, which nobody hears of an error from.
fn signal(win32: &SimWin32, event: &SimObject) {
    if let Err(error) = win32.set_event(event) {
        panic!("an event that is open cannot be set: {error}");
    }
}

/// What a periodic callback notes, and where.
struct Notes {
    win32: SimWin32,
    wakes: Arc<Mutex<Vec<Wake>>>,
    wanted: usize,
    from: Instant,
    /// Set when there are as many as are wanted.
    enough: Arc<SimObject>,
}

impl Notes {
    fn into_callback(self) -> TimerCallback {
        let mut began = now(&self.win32);
        Box::new(move || {
            let wake = note(&self.win32, began);
            began = wake.at;
            if wake.at >= self.from && self.add(wake) == self.wanted {
                signal(&self.win32, &self.enough);
            }
        })
    }

    /// How many there are then. The lock is not held across a call.
    fn add(&self, wake: Wake) -> usize {
        let mut wakes = self.wakes.lock().unwrap_or_else(PoisonError::into_inner);
        wakes.push(wake);
        wakes.len()
    }
}

const NANOS_PER_UNIT: u64 = 100;

pub(super) fn now(win32: &SimWin32) -> Instant {
    const NANOS_PER_SECOND: u128 = 1_000_000_000;
    let count = u128::from(win32.query_performance_counter().unsigned_abs());
    let frequency = u128::from(win32.query_performance_frequency().unsigned_abs());
    let nanos = count * NANOS_PER_SECOND / frequency;
    Instant::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// Notes a wake-up.
pub(super) fn note(win32: &SimWin32, began: Instant) -> Wake {
    let at = now(win32);
    Wake {
        began,
        at,
        reading: u64::from(win32.time_get_time()),
    }
}

/// Five seconds of ticks, by the system clock that they move, and `timeGetTime` at each.
pub(super) fn watch_ticks(win32: &SimWin32) -> (Vec<Instant>, Vec<u64>) {
    const STEP: Duration = Duration::from_micros(20);
    let end = now(win32) + Duration::from_secs(5);
    let (mut ticks, mut readings) = (Vec::new(), Vec::new());
    let mut last = win32.get_system_time_as_file_time();
    let start = last;
    while now(win32) < end {
        win32.compute(STEP);
        let time = win32.get_system_time_as_file_time();
        if time != last {
            ticks.push(Instant::from_nanos((time.0 - start.0) * NANOS_PER_UNIT));
            readings.push(u64::from(win32.time_get_time()));
            last = time;
        }
    }
    (ticks, readings)
}
