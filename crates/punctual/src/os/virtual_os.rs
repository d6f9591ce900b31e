//! A machine for tests, whose clock moves only when it is used.

use super::scheduling::{check_fifo, check_processors, no_slice, refused_processor};
use super::sealed::Sealed;
use super::suspend::{Activity, Suspension, Suspensions};
use super::threadless_driver::Drivers;
use super::{Os, Priority, Scheduling, Slice, Spin, Thread, ThreadlessDriver, Woken};
use crate::margin::ProcessBudget;
use crate::{Error, Instant};
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// An operating system in virtual time, for one thread.
///
/// A wait takes no real time: it sets the clock to the instant at which the script says that the system
/// woke the thread. The result does not depend on chance or on the host, so a test can wait for
/// centuries and check nanoseconds.
///
/// ```
/// use punctual::os::{Os, VirtualOs};
/// use punctual::Sleeper;
/// use std::time::Duration;
///
/// // A system that wakes every wait 20 µs late.
/// let os = VirtualOs::waking(|until| until + Duration::from_micros(20));
/// let mut sleeper = Sleeper::on(os.clone()).coarse();
/// let wake = sleeper.sleep(Duration::from_secs(3600));
/// assert_eq!(wake.lateness(), Duration::from_micros(20));
/// ```
///
/// [The module](super#your-own-code-in-virtual-time) shows how to test your own code on it.
#[derive(Clone)]
pub struct VirtualOs {
    state: Arc<Mutex<State>>,
    drivers: Arc<Drivers>,
    budget: Arc<ProcessBudget>,
}

/// The bell of a [`VirtualOs`]: one number per bell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VirtualBell(usize);

struct State {
    now: Instant,
    call_cost: Duration,
    wakes: Box<dyn FnMut(Instant) -> Instant + Send>,
    system_waits: u64,
    last_tolerance: Duration,
    last_spin: Option<Spin>,
    suspensions: Suspensions,
    /// For each bell, the instant from which it rings; `None` while nobody has rung it.
    rings_from: Vec<Option<Instant>>,
}

impl VirtualOs {
    /// A machine that wakes every wait exactly on time.
    pub fn new() -> Self {
        Self::waking(|until| until)
    }

    /// A machine that ends each wait at the instant that `wakes` returns for the requested one. An
    /// earlier instant simulates an interrupted wait. `wakes` must not use this machine itself.
    pub fn waking(wakes: impl FnMut(Instant) -> Instant + Send + 'static) -> Self {
        let state = State {
            now: Instant::ZERO,
            call_cost: Duration::ZERO,
            wakes: Box::new(wakes),
            system_waits: 0,
            last_tolerance: Duration::ZERO,
            last_spin: None,
            suspensions: Suspensions::default(),
            rings_from: Vec::new(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            drivers: Arc::default(),
            budget: Arc::default(),
        }
    }

    /// Makes every call take this long, including a reading of the clock. The default and the minimum is
    /// one nanosecond, so that a loop that reads the clock until it changes ends.
    #[must_use]
    pub fn with_call_cost(self, cost: Duration) -> Self {
        self.state().call_cost = cost;
        self
    }

    /// Moves the clock forward, like a program that works.
    pub fn advance(&self, duration: Duration) {
        let mut state = self.state();
        let until = state.now + duration;
        state.pass(until, Activity::Working);
    }

    /// Rings a bell at `instant` of the virtual clock, as another thread would.
    pub fn ring_at(&self, bell: &VirtualBell, instant: Instant) {
        let mut state = self.state();
        let rings_from = state.rings_from[bell.0].map_or(instant, |earlier| earlier.min(instant));
        state.rings_from[bell.0] = Some(rings_from);
    }

    /// Suspends the machine for a duration at `instant` of its clock, like a closed lid. The
    /// [`Suspension`] says what happens to the clock and the waits.
    ///
    /// ```
    /// use punctual::os::suspend::Suspension;
    /// use punctual::os::VirtualOs;
    /// use punctual::{Instant, Sleeper};
    /// use std::time::Duration;
    ///
    /// let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
    /// let os = VirtualOs::new();
    /// os.suspend_at(Instant::ZERO + minute, hour, Suspension::Counted);
    /// let wake = Sleeper::on(os.clone()).coarse().sleep(2 * minute);
    /// assert!(wake.lateness() >= hour - minute);
    /// assert_eq!(os.suspended(), hour);
    /// ```
    pub fn suspend_at(&self, instant: Instant, duration: Duration, suspension: Suspension) {
        let mut state = self.state();
        state.suspensions.plan(instant, duration, suspension);
    }

    /// How long the machine has been suspended so far, even if its clock did not count it.
    pub fn suspended(&self) -> Duration {
        self.state().suspensions.total()
    }

    /// How many times the system's wait has been called so far.
    pub fn system_waits(&self) -> u64 {
        self.state().system_waits
    }

    /// The tolerance of the last call of the system's wait. The machine itself ignores tolerances: the
    /// script says when a wait ends.
    pub fn last_tolerance(&self) -> Duration {
        self.state().last_tolerance
    }

    /// What the last spin did between two readings of the clock; `None` if there was no spin yet. On this
    /// machine both kinds take the same time.
    pub fn last_spin(&self) -> Option<Spin> {
        self.state().last_spin
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const FOR_EVER: &str = "this wait would last for ever: no ring of its bell is scheduled, and no driver \
     of this VirtualOs has work left. A VirtualOs has one thread, so only one of its drivers could end \
     the wait; for more threads, use a machine of punctual-sim";

impl State {
    /// Waits, unless that would last for ever.
    fn wait(&mut self, until: Option<Instant>, bell: &VirtualBell) -> Option<Woken> {
        if self.is_rung(bell) {
            return Some(Woken::ByBell);
        }
        let woken_by_time = until.map(|until| (self.wakes)(until));
        let rung = self.rings_from[bell.0];
        let wakes_at = match (woken_by_time, rung) {
            (Some(by_time), Some(by_bell)) => by_time.min(by_bell),
            (by_time, by_bell) => by_time.or(by_bell)?,
        };
        let asked = until.unwrap_or(wakes_at).min(wakes_at);
        self.pass(wakes_at, Activity::Waiting { asked, bell: rung });
        Some(Woken::by(self.is_rung(bell), false))
    }

    /// Lets the time pass until the system wakes who asked to be woken then.
    fn wake_at(&mut self, until: Instant) {
        self.call();
        if until > self.now {
            let (asked, wakes_at) = (until, (self.wakes)(until));
            self.pass(wakes_at, Activity::Waiting { asked, bell: None });
        }
    }

    fn call(&mut self) {
        let until = self.now + self.call_cost.max(Duration::from_nanos(1));
        self.pass(until, Activity::Working);
    }

    fn pass(&mut self, until: Instant, activity: Activity) {
        self.now = self.suspensions.pass(self.now, until, activity);
    }

    fn is_rung(&self, bell: &VirtualBell) -> bool {
        self.rings_from[bell.0].is_some_and(|from| from <= self.now)
    }
}

impl Sealed for VirtualOs {}

impl Os for VirtualOs {
    type Bell = VirtualBell;
    type Precision = ();
    /// There is one thread.
    type ThreadId = ();
    /// There is one process.
    type Origin = ();

    fn now(&self) -> Instant {
        let mut state = self.state();
        let reading = state.now;
        state.call();
        reading
    }

    fn bell(&self) -> VirtualBell {
        let mut state = self.state();
        state.rings_from.push(None);
        VirtualBell(state.rings_from.len() - 1)
    }

    fn ring(&self, bell: &VirtualBell) {
        let mut state = self.state();
        state.rings_from[bell.0] = Some(state.now);
        state.call();
    }

    fn hush(&self, bell: &VirtualBell) {
        let mut state = self.state();
        if state.is_rung(bell) {
            state.rings_from[bell.0] = None;
        }
        state.call();
    }

    fn is_rung(&self, bell: &VirtualBell) -> bool {
        let mut state = self.state();
        state.call();
        state.is_rung(bell)
    }

    /// A wait for ever, on a bell with no scheduled ring, serves the [`Driver`](crate::Driver)s of this
    /// machine that no thread runs, each at its time.
    ///
    /// # Panics
    /// When nothing can ever end the wait.
    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &VirtualBell) -> Woken {
        {
            let mut state = self.state();
            state.call();
            state.system_waits += 1;
            state.last_tolerance = tolerance;
        }
        loop {
            if let Some(woken) = self.state().wait(until, bell) {
                return woken;
            }
            let Some((instant, driver)) = self.drivers.next() else {
                panic!("{FOR_EVER}");
            };
            self.state().wake_at(instant);
            driver.serve();
        }
    }

    fn announce(&self, driver: Weak<dyn ThreadlessDriver>) {
        self.drivers.add(driver);
    }

    fn precision(&self, _: Slice) {}

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        let mut state = self.state();
        state.last_spin = Some(spin);
        state.pass(until, Activity::Looking);
        let reading = state.now;
        state.call();
        reading
    }

    fn thread_id(&self) {}

    fn lane(&self) -> usize {
        0
    }

    fn origin(&self) {}

    fn is_forked(&self, (): &()) -> bool {
        false
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        Arc::clone(&self.budget)
    }

    /// # Errors
    /// Always: this machine has only one thread.
    fn spawn(&self, name: &str, _: Box<dyn FnOnce() + Send>) -> Result<Thread<VirtualBell>, Error> {
        Err(Error::unsupported(format!(
            "a VirtualOs has one thread, and {name:?} would be a second one: run it on this thread, as \
             Driver::block_on does, or use a machine of punctual-sim"
        )))
    }
}

/// One thread on one processor: priorities change nothing, there is one processor to pin to, and memory
/// is never paged out.
impl Scheduling for VirtualOs {
    type Priority = ();
    type Affinity = ();
    type Slice = Infallible;

    fn raise_priority(&self, priority: Priority) -> Result<(), Error> {
        match priority {
            Priority::High | Priority::Realtime => Ok(()),
            Priority::Fifo(priority) => check_fifo(priority),
        }
    }

    fn restore_priority(&self, (): &()) {}

    fn pin(&self, processors: &[usize]) -> Result<(), Error> {
        check_processors(processors)?;
        match processors.iter().find(|processor| **processor != 0) {
            None => Ok(()),
            Some(&other) => Err(refused_processor(other, "0")),
        }
    }

    fn restore_affinity(&self, (): &()) {}

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn slice(&self) -> Result<Duration, Error> {
        Err(no_slice(
            "a VirtualOs",
            "its one thread has the processor whenever it is ready",
        ))
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn set_slice(&self, _: Duration) -> Result<Infallible, Error> {
        Err(no_slice(
            "a VirtualOs",
            "its one thread has the processor whenever it is ready",
        ))
    }

    fn restore_slice(&self, found: &Infallible) {
        match *found {}
    }

    fn lock_memory(&self) -> Result<(), Error> {
        Ok(())
    }

    fn unlock_memory(&self) {}
}

impl Default for VirtualOs {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for VirtualOs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("VirtualOs")
            .field("now", &state.now)
            .field("system_waits", &state.system_waits)
            .finish_non_exhaustive()
    }
}
