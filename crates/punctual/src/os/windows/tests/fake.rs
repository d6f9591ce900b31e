//! A Windows in virtual time, for one thread: ticks, requests, timers and events, as little of each
//! as the decisions of this folder depend on.

mod calls;

use super::super::{INFINITE, PowerThrottling, Waited, Win32Error};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub const DEFAULT_INTERVAL: u64 = 15_625_000;
const HIGH_RESOLUTION_STEP: u64 = 500_000;
const CALL_COST: u64 = 100;
/// From the interrupt that ends a wait to the return of the call.
const WAKE_UP: u64 = 5_000;
const THREAD_NUMBER: u32 = 12;

/// What a version has, and how its ticks fall. Nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Version {
    pub frequency: i64,
    /// The spacing of ticks while anything requests 1 ms.
    pub raised: u64,
    /// Due times count from the last tick, not from now.
    pub coarse: bool,
    /// By so much the clock of ticks is ahead of the performance counter.
    pub ahead: u64,
    pub timer_ex: bool,
    pub high_resolution: bool,
    pub tolerable_delay: bool,
    /// What the process's setting is, or why it has none.
    pub throttling: Result<PowerThrottling, Win32Error>,
}

pub const XP: Version = Version {
    frequency: 3_579_545,
    raised: 976_562,
    coarse: true,
    ahead: 0,
    timer_ex: false,
    high_resolution: false,
    tolerable_delay: false,
    throttling: Err(Win32Error::PROC_NOT_FOUND),
};

pub const SEVEN: Version = Version {
    raised: 1_000_000,
    timer_ex: true,
    tolerable_delay: true,
    ..XP
};

pub const TEN_1709: Version = Version {
    frequency: 10_000_000,
    raised: 999_680,
    coarse: false,
    ahead: 3_000,
    throttling: Err(Win32Error::INVALID_PARAMETER),
    ..SEVEN
};

pub const TEN_1803: Version = Version {
    high_resolution: true,
    ..TEN_1709
};

/// Windows 11, had it no high-resolution timers: where requests and throttling meet.
pub const ELEVEN_OF_TICKS: Version = Version {
    throttling: Ok(PowerThrottling {
        control_mask: 1,
        state_mask: 1,
    }),
    ..TEN_1709
};

pub const VERSIONS: [Version; 5] = [XP, SEVEN, TEN_1709, TEN_1803, ELEVEN_OF_TICKS];

#[derive(Clone)]
pub struct Fake(Arc<Mutex<State>>);

pub struct State {
    pub version: Version,
    pub now: u64,
    last_tick: u64,
    interval: u64,
    pub requests: Vec<u32>,
    pub throttling: PowerThrottling,
    objects: HashMap<u32, Object>,
    made: u32,
    pub calls: BTreeMap<&'static str, usize>,
    pub failing: BTreeMap<&'static str, Win32Error>,
    pub panics_in_wait: bool,
    /// For each wait that was not over at once: requests held, and the setting meanwhile.
    pub waits: Vec<(usize, PowerThrottling)>,
    pub tolerable_delays: Vec<u32>,
    pub priority: i32,
    /// The thread does a task of the multimedia class scheduler.
    pub in_task: bool,
    pub affinity: usize,
    pub allowed: usize,
    /// What another thread does while the next setting of throttling is under way.
    pub rival: Option<Box<dyn FnOnce() + Send>>,
}

enum Object {
    Event { rings_from: Option<u64> },
    Timer { high: bool, due: Option<u64> },
}

/// An object, closed when this is dropped.
#[derive(Debug)]
pub struct FakeObject {
    fake: Fake,
    pub number: u32,
}

impl Drop for FakeObject {
    fn drop(&mut self) {
        if let Ok(mut state) = self.fake.call("close_handle") {
            state.objects.remove(&self.number);
        }
    }
}

/// A task, left when this is dropped.
pub struct FakeTask(Fake);

impl Drop for FakeTask {
    fn drop(&mut self) {
        if let Ok(mut state) = self.0.call("av_revert_mm_thread_characteristics") {
            state.in_task = false;
        }
    }
}

impl fmt::Debug for Fake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fake")
    }
}

impl Fake {
    pub fn new(version: Version) -> Self {
        Self(Arc::new(Mutex::new(State {
            version,
            now: 7_000_000,
            last_tick: 0,
            interval: DEFAULT_INTERVAL,
            requests: Vec::new(),
            throttling: version.throttling.unwrap_or_default(),
            objects: HashMap::new(),
            made: 0,
            calls: BTreeMap::new(),
            failing: BTreeMap::new(),
            panics_in_wait: false,
            waits: Vec::new(),
            tolerable_delays: Vec::new(),
            priority: 0,
            in_task: false,
            affinity: 0b1011,
            allowed: 0b1011,
            rival: None,
        })))
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn fail(&self, call: &'static str, error: Win32Error) {
        self.state().failing.insert(call, error);
    }

    pub fn calls(&self, call: &str) -> usize {
        self.state().calls.get(call).copied().unwrap_or(0)
    }

    pub fn open_handles(&self) -> usize {
        self.state().objects.len()
    }

    pub fn next_tick(&self) -> u64 {
        let state = self.state();
        state.last_tick + state.interval
    }

    pub fn advance(&self, nanos: u64) {
        let mut state = self.state();
        let then = state.now + nanos;
        state.advance_to(then);
    }

    fn own(&self, number: u32) -> FakeObject {
        FakeObject {
            fake: self.clone(),
            number,
        }
    }

    /// Signals an event then, as another thread would.
    pub fn ring_at(&self, event: &FakeObject, nanos: u64) {
        let ring = Object::Event {
            rings_from: Some(nanos),
        };
        self.state().objects.insert(event.number, ring);
    }

    fn call(&self, name: &'static str) -> Result<MutexGuard<'_, State>, Win32Error> {
        let mut state = self.state();
        *state.calls.entry(name).or_default() += 1;
        let then = state.now + CALL_COST;
        state.advance_to(then);
        match state.failing.get(name) {
            Some(error) => Err(*error),
            None => Ok(state),
        }
    }
}

impl State {
    fn advance_to(&mut self, then: u64) {
        self.now = then;
        while self.last_tick + self.interval <= then {
            self.last_tick += self.interval;
            self.interval = if self.requests.is_empty() {
                DEFAULT_INTERVAL
            } else {
                self.version.raised
            };
        }
    }

    fn make(&mut self, object: Object) -> u32 {
        self.made += 1;
        self.objects.insert(self.made, object);
        self.made
    }

    fn object(&mut self, number: u32) -> Result<&mut Object, Win32Error> {
        let found = self.objects.get_mut(&number);
        found.ok_or(Win32Error::INVALID_HANDLE)
    }

    fn due_at_tick(&self, ahead: u64) -> u64 {
        let base = if self.version.coarse {
            self.last_tick
        } else {
            self.now
        };
        base.saturating_add(ahead - self.version.ahead.min(ahead))
    }

    fn set(&mut self, timer: u32, due_time: i64, period: i32) -> Result<(), Win32Error> {
        assert!(due_time <= 0, "the system clock can be set");
        assert_eq!(period, 0);
        let ahead = due_time.unsigned_abs().saturating_mul(100);
        let at_tick = self.due_at_tick(ahead);
        let steps = ahead.div_ceil(HIGH_RESOLUTION_STEP).max(1);
        let exactly = self
            .now
            .saturating_add(steps.saturating_mul(HIGH_RESOLUTION_STEP));
        let Object::Timer { high, due } = self.object(timer)? else {
            return Err(Win32Error::INVALID_HANDLE);
        };
        *due = Some(if *high { exactly } else { at_tick });
        Ok(())
    }

    fn is_signalled(&self, number: u32) -> bool {
        match &self.objects[&number] {
            Object::Event { rings_from } => rings_from.is_some_and(|from| from <= self.now),
            Object::Timer { high: true, due } => due.is_some_and(|due| due <= self.now),
            Object::Timer { high: false, due } => due.is_some_and(|due| due <= self.last_tick),
        }
    }

    /// What may end a wait besides a tick, and whether a tick ever can.
    fn next_event(&self, numbers: &[u32]) -> (u64, bool) {
        let (mut next, mut ends_at_tick) = (u64::MAX, false);
        for number in numbers {
            match &self.objects[number] {
                Object::Event { rings_from: time }
                | Object::Timer {
                    high: true,
                    due: time,
                } => {
                    next = next.min(time.unwrap_or(u64::MAX));
                }
                Object::Timer { high: false, due } => ends_at_tick |= due.is_some(),
            }
        }
        (next, ends_at_tick)
    }

    fn wait<const N: usize>(
        &mut self,
        numbers: [u32; N],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        let over = (milliseconds != INFINITE)
            .then(|| self.due_at_tick(u64::from(milliseconds) * 1_000_000));
        let mut waited = false;
        let outcome = loop {
            if let Some(index) = numbers.iter().position(|number| self.is_signalled(*number)) {
                if let Object::Timer { due, .. } = self.object(numbers[index])? {
                    *due = None;
                }
                break Waited::Object(index);
            }
            if milliseconds == 0 || over.is_some_and(|over| over <= self.last_tick) {
                break Waited::Timeout;
            }
            let (next, ends_at_tick) = self.next_event(&numbers);
            assert!(
                next < u64::MAX || ends_at_tick || over.is_some(),
                "this wait would last for ever"
            );
            if !waited {
                self.waits.push((self.requests.len(), self.throttling));
                waited = true;
            }
            assert!(!self.panics_in_wait, "as the test wants it");
            self.advance_to(next.min(self.last_tick + self.interval));
        };
        if waited {
            self.advance_to(self.now + WAKE_UP);
        }
        Ok(outcome)
    }
}
