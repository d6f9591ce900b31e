//! The machine with faults.

use super::state::{Slow, State};
use super::{Calls, FaultCounts, Faults};
use crate::Error;
use crate::random::nanos;
use punctual::margin::ProcessBudget;
use punctual::os::machines::Sealed;
use punctual::os::{Os, Priority, Scheduling, Slice, Spin, Thread, Woken};
use punctual::{Error as OsError, Instant};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A machine whose calls and whose clock have [`Faults`]: a plain one, or a simulated Windows.
///
/// Its clones are the same machine. Its instants are those of its own clock, which differs from the clock
/// of the machine below if the clock has faults.
///
/// ```
/// use punctual::os::windows::WindowsOs;
/// use punctual::{Os, Sleeper};
/// use punctual_sim::faults::{Fault, FaultKind, Faults, Faulty};
/// use punctual_sim::random::Spread;
/// use punctual_sim::windows::WindowsMachine;
/// use punctual_windows::Version;
/// use std::time::Duration;
///
/// let microsecond = Duration::from_micros(1);
/// let faults = Faults {
///     late_timers: Fault::one_in(10, Spread::exactly(700 * microsecond)),
///     ..Faults::default()
/// };
/// let machine = WindowsMachine::new(Version::named("windows-11").unwrap());
/// let run = machine.run(move |win32| {
///     let os = Faulty::on(WindowsOs::on(win32), 7, faults);
///     let mut sleeper = Sleeper::on(os.clone());
///     for _ in 0..100 {
///         sleeper.sleep(Duration::from_millis(2));
///     }
///     os.counts().of(FaultKind::LateTimer)
/// });
/// assert!(run.unwrap().value > 0);
/// ```
#[derive(Clone)]
pub struct Faulty<O: Os> {
    below: O,
    shared: Arc<Shared<O>>,
}

struct Shared<O: Os> {
    state: Mutex<State>,
    /// Never rung: what a thread that wakes late waits on.
    silent_bell: O::Bell,
}

impl<O: Os> Faulty<O> {
    /// Puts faults between a program and a machine. The seed decides when they come.
    pub fn on(below: O, seed: u64, faults: Faults) -> Self {
        let silent_bell = below.bell();
        let state = Mutex::new(State::new(seed, faults));
        Self {
            below,
            shared: Arc::new(Shared { state, silent_bell }),
        }
    }

    /// How often each fault has come until now.
    pub fn counts(&self) -> FaultCounts {
        self.state().counts
    }

    /// The calls that the calling thread has made. A thread also counts those of threads before it that
    /// had its [lane](Os::lane).
    pub fn calls(&self) -> Calls {
        let lane = self.below.lane();
        *self.state().calls(lane)
    }

    /// Only for as long as it takes to copy some words: never during a call.
    fn state(&self) -> MutexGuard<'_, State> {
        let state = self.shared.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a call, which may be slow.
    fn call<T>(&self, call: impl FnOnce() -> T) -> T {
        let slow = self.state().slow_call();
        if let Some(Slow::Before(by)) = slow {
            self.compute(by);
        }
        let result = call();
        if let Some(Slow::After(by)) = slow {
            self.compute(by);
        }
        result
    }

    fn compute(&self, nanos: u64) {
        let until = self.below.now() + Duration::from_nanos(nanos);
        self.below.spin_until(until, Spin::Pause);
    }

    fn read(&self) -> Instant {
        let at = self.below.now().as_nanos();
        Instant::from_nanos(self.state().shows(at))
    }

    /// Counts a wait that did not report a bell. One that is not over by the clock has ended early.
    fn ended_by_time(&self, until: Option<Instant>, lane: usize) -> Woken {
        if until.is_none_or(|until| self.read() < until) {
            self.state().calls(lane).early_ends += 1;
        }
        Woken::ByTime
    }
}

impl<O: Os> Sealed for Faulty<O> {}

impl<O: Os> Os for Faulty<O> {
    type Bell = O::Bell;
    type Precision = O::Precision;
    type ThreadId = O::ThreadId;
    type Origin = O::Origin;

    fn now(&self) -> Instant {
        let lane = self.below.lane();
        self.state().calls(lane).readings += 1;
        self.call(|| self.read())
    }

    fn bell(&self) -> O::Bell {
        self.call(|| self.below.bell())
    }

    fn ring(&self, bell: &O::Bell) {
        self.call(|| self.below.ring(bell));
    }

    fn hush(&self, bell: &O::Bell) {
        self.call(|| self.below.hush(bell));
    }

    fn is_rung(&self, bell: &O::Bell) -> bool {
        self.call(|| self.below.is_rung(bell))
    }

    fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &O::Bell) -> Woken {
        let lane = self.below.lane();
        self.state().calls(lane).waits += 1;
        let now = self.below.now().as_nanos();
        let reading = until.map(Instant::as_nanos);
        let end = self.state().wait_until(now, reading, lane);
        let end = end.map(Instant::from_nanos);
        let woken = self.call(|| self.below.wait(end, tolerance, bell));
        if woken != Woken::ByBell {
            return self.ended_by_time(until, lane);
        }
        let rung = self.state().rung(lane);
        if let Some(late_by) = rung.late_by {
            let late = self.below.now() + Duration::from_nanos(late_by);
            let silent_bell = &self.shared.silent_bell;
            self.below.wait(Some(late), Duration::ZERO, silent_bell);
        }
        if rung.is_unsaid {
            return self.ended_by_time(until, lane);
        }
        Woken::ByBell
    }

    fn precision_within(&self) -> Duration {
        self.below.precision_within()
    }

    fn precision(&self, slice: Slice) -> O::Precision {
        self.below.precision(slice)
    }

    fn is_precise_here(&self, precision: &O::Precision) -> bool {
        self.below.is_precise_here(precision)
    }

    fn precise_interval(&self) -> Duration {
        self.below.precise_interval()
    }

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        let lane = self.below.lane();
        self.state().calls(lane).readings += 1;
        loop {
            let end = self.state().when(nanos(until - Instant::ZERO));
            self.below.spin_until(Instant::from_nanos(end), spin);
            let now = self.read();
            if now >= until {
                return now;
            }
        }
    }

    fn thread_id(&self) -> O::ThreadId {
        self.below.thread_id()
    }

    fn lane(&self) -> usize {
        self.below.lane()
    }

    fn origin(&self) -> O::Origin {
        self.below.origin()
    }

    fn is_forked(&self, origin: &O::Origin) -> bool {
        self.below.is_forked(origin)
    }

    fn current_processor(&self) -> Option<usize> {
        self.below.current_processor()
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        self.below.process_budget()
    }

    /// # Errors
    /// Those of the machine below, and those of [`Faults::refused_threads`].
    fn spawn(
        &self,
        name: &str,
        body: Box<dyn FnOnce() + Send>,
    ) -> Result<Thread<O::Bell>, OsError> {
        if self.state().refuses_thread() {
            let refusal = format!("the machine has no thread {name:?} to give, by chance");
            return Err(Error::host(refusal).into());
        }
        self.below.spawn(name, body)
    }
}

/// As on the machine below, without faults.
impl<O: Scheduling> Scheduling for Faulty<O> {
    type Priority = O::Priority;
    type Affinity = O::Affinity;
    type Slice = O::Slice;

    fn raise_priority(&self, priority: Priority) -> Result<O::Priority, OsError> {
        self.below.raise_priority(priority)
    }

    fn restore_priority(&self, found: &O::Priority) {
        self.below.restore_priority(found);
    }

    fn pin(&self, processors: &[usize]) -> Result<O::Affinity, OsError> {
        self.below.pin(processors)
    }

    fn restore_affinity(&self, found: &O::Affinity) {
        self.below.restore_affinity(found);
    }

    fn slice(&self) -> Result<Duration, OsError> {
        self.below.slice()
    }

    fn set_slice(&self, slice: Duration) -> Result<O::Slice, OsError> {
        self.below.set_slice(slice)
    }

    fn restore_slice(&self, found: &O::Slice) {
        self.below.restore_slice(found);
    }

    fn lock_memory(&self) -> Result<(), OsError> {
        self.below.lock_memory()
    }

    fn unlock_memory(&self) {
        self.below.unlock_memory();
    }
}

impl<O: Os> fmt::Debug for Faulty<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty")
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}
