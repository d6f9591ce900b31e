//! The plain machine: the simplest operating system on the engine, with exact timers. The machine sets
//! how much later each wait ends.

mod model;

use crate::Error;
use crate::call::{self, Returned, call, call_and_wait};
use crate::error::Exit;
use crate::kernel::{Kernel, Start};
use crate::machine::{Machine, Run, Value};
use crate::processes::ProcessId;
use crate::random::Spread;
use crate::setup::{NORMAL_PRIORITY, Setup};
use crate::thread::{Ended, ThreadId};
use punctual::margin::ProcessBudget;
use punctual::os::machines::{self, Sealed};
use punctual::os::{Os, Priority, Scheduling, Slice, Spin, Thread, Woken};
use punctual::{Error as OsError, Instant};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

pub use model::{MAX_BELLS, SimBell};

use model::ExitPlace;
pub(crate) use model::PlainModel;
use std::convert::Infallible;

/// The costs of the plain operating system's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain {
    /// The cost of reading the clock or a bell. The default is 30 ns, as for `clock_gettime` on x86.
    pub look_cost: Duration,
    /// The cost of any other call. The default is 300 ns, the order of magnitude of a system call.
    pub call_cost: Duration,
    /// How late the system's timer ends a wait and makes the thread ready. The default is exactly on
    /// time.
    pub wake_latency: Spread,
    /// The ticks of its kernel. The default has none.
    pub ticks: Option<KernelTicks>,
}

/// Interrupts at whole multiples of an interval, on all processors, as Linux has them on busy ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelTicks {
    /// From one to the next.
    pub interval: Duration,
    /// What each takes of its processor.
    pub length: Spread,
}

impl Default for Plain {
    fn default() -> Self {
        Self {
            look_cost: Duration::from_nanos(30),
            call_cost: Duration::from_nanos(300),
            wake_latency: Spread::default(),
            ticks: None,
        }
    }
}

impl Plain {
    pub(crate) fn model(self, seed: u64) -> PlainModel {
        PlainModel::new(self, seed)
    }
}

/// Runs a program on a plain machine. `body` is the main thread of the main process.
///
/// ```
/// use punctual::{Os, Sleeper};
/// use punctual_sim::{Plain, Setup, simulate};
/// use std::time::Duration;
///
/// let day = Duration::from_secs(24 * 3600);
/// let run = simulate(Setup::default(), Plain::default(), move |os| {
///     Sleeper::on(os).sleep(day).lateness()
/// })?;
/// assert!(run.value < Duration::from_micros(2), "a dispatch and a reading of the clock");
/// assert!(run.ended_at.as_nanos() > 86_400_000_000_000);
/// # Ok::<(), punctual_sim::Error>(())
/// ```
///
/// # Errors
/// Those of [`Machine::new`] and [`Machine::run`].
pub fn simulate<T: Send + 'static>(
    setup: Setup,
    plain: Plain,
    body: impl FnOnce(SimOs) -> T + Send + 'static,
) -> Result<Run<T>, Error> {
    let (value, main) = Value::of(body);
    value.returned_by(run_for_nothing(setup, plain, main)?)
}

fn run_for_nothing(
    setup: Setup,
    plain: Plain,
    main: Box<dyn FnOnce(SimOs) + Send>,
) -> Result<Run<()>, Error> {
    let model = plain.model(setup.seed);
    Machine::new(setup, model)?.run_for_nothing(Box::new(move || main(SimOs::new())))
}

/// A handle of the plain machine that runs on this host thread. It holds no state, and all clones are
/// the same. Its methods panic while no plain machine runs on the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SimOs(());

/// A process of a plain machine. If this is dropped, the process goes on.
#[derive(Debug)]
pub struct SimProcess {
    id: ProcessId,
    ended: SimBell,
    exit: ExitPlace,
}

impl SimOs {
    /// A handle of the plain machine that runs, or will run, on this host thread.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses processor time, like a program that computes.
    pub fn compute(&self, duration: Duration) {
        call::compute::<PlainModel>(duration);
    }

    /// Yields to other threads of the same priority until the instant has come.
    fn yield_until(&self, until: Instant) {
        while self.now() < until {
            call_system(|_, kernel| kernel.yield_processor());
        }
    }

    /// The processor time that the calling thread has used.
    pub fn processor_time(&self) -> Duration {
        look(|_, kernel| {
            let thread = kernel.current_thread();
            kernel.processor_time(thread).unwrap_or_default()
        })
    }

    /// How long the calling thread was ready to run while others had the processors.
    pub fn queue_time(&self) -> Duration {
        look(|_, kernel| {
            let thread = kernel.current_thread();
            kernel.queue_time(thread).unwrap_or_default()
        })
    }

    /// The processor on which the calling thread runs.
    pub fn processor(&self) -> usize {
        look(|_, kernel| kernel.current_processor())
    }

    /// Starts a process. It ends, with all its threads, when `body` returns or panics, or when it is
    /// killed.
    ///
    /// # Errors
    /// At the [limit](crate::Limits) of processes or threads.
    pub fn start(
        &self,
        name: &str,
        body: impl FnOnce(SimOs) + Send + 'static,
    ) -> Result<SimProcess, Error> {
        let (ended, exit) = (self.bell(), ExitPlace::default());
        let (told, os) = (Arc::clone(&exit), *self);
        let bell = ended.place;
        let id = call_system(|model, kernel| {
            let start = ordinary(kernel);
            let id = kernel.start_process(name, start, move || body(os))?;
            if model.watched.len() <= id.index() {
                model.watched.resize_with(id.index() + 1, || None);
            }
            model.watched[id.index()] = Some((bell, told));
            Ok::<_, Error>(id)
        })?;
        Ok(SimProcess { id, ended, exit })
    }
}

/// As on the real systems: the rest of a spin is spun without yields.
const LAST_STRETCH: Duration = Duration::from_micros(1);

impl SimProcess {
    /// Kills the process. None of its destructors run; its bells are released.
    pub fn kill(&self, _: &SimOs) {
        call_system(|_, kernel| kernel.end(self.id, Exit::Killed));
    }

    /// Waits for the process to end, and returns how it ended.
    pub fn join(self, os: &SimOs) -> Exit {
        while !os.is_rung(&self.ended) {
            os.wait(None, Duration::ZERO, &self.ended);
        }
        let mut exit = self.exit.lock().unwrap_or_else(PoisonError::into_inner);
        exit.take().expect("the bell is rung after this is set")
    }
}

/// An ordinary call.
#[inline(always)]
fn call_system<R>(effect: impl FnOnce(&mut PlainModel, &mut Kernel<PlainModel>) -> R) -> R {
    call(|model: &mut PlainModel, kernel| {
        kernel.debt = model.call_cost;
        effect(model, kernel)
    })
}

/// A call that only reads what the system shares with programs, or changes a bell.
#[inline(always)]
fn look<R>(effect: impl FnOnce(&mut PlainModel, &mut Kernel<PlainModel>) -> R) -> R {
    call(|model: &mut PlainModel, kernel| {
        kernel.debt = model.look_cost;
        effect(model, kernel)
    })
}

fn ordinary(kernel: &Kernel<PlainModel>) -> Start {
    Start {
        priority: NORMAL_PRIORITY,
        affinity: kernel.all_processors(),
        background: false,
    }
}

impl Sealed for SimOs {}

impl Os for SimOs {
    type Bell = SimBell;
    type Precision = ();
    type ThreadId = ThreadId;
    /// No process of a plain machine is a copy of another.
    type Origin = ();

    #[inline]
    fn now(&self) -> Instant {
        look(|_, kernel| kernel.now())
    }

    fn bell(&self) -> SimBell {
        look(|model, kernel| model.add_bell(kernel.current_process()))
    }

    fn ring(&self, bell: &SimBell) {
        let place = bell.place;
        call_system(|model, kernel| model.ring(kernel, place));
    }

    fn hush(&self, bell: &SimBell) {
        let place = bell.place;
        look(|model, _| {
            if let Some(bell) = model.bell(place) {
                bell.rung = false;
            }
        });
    }

    fn is_rung(&self, bell: &SimBell) -> bool {
        let place = bell.place;
        look(|model, _| model.bell(place).is_some_and(|bell| bell.rung))
    }

    /// Its timers are exact: no tolerance is made use of.
    #[inline(always)]
    fn wait(&self, until: Option<Instant>, _tolerance: Duration, bell: &SimBell) -> Woken {
        let place = bell.place;
        let returned =
            call_and_wait(|model: &mut PlainModel, kernel| model.wait(kernel, until, place));
        match returned {
            Returned::Done(woken) => woken,
            Returned::Waited(Ended::TimedOut) => Woken::ByTime,
            Returned::Waited(Ended::Woken(())) => Woken::ByBell,
        }
    }

    fn precision(&self, _: Slice) {}

    /// Two clocks are read, if there is one that steps with ticks.
    fn ticks(&self) -> Option<Duration> {
        call(|model: &mut PlainModel, kernel| {
            let ticks = model.ticks?;
            kernel.debt = 2 * model.look_cost;
            Some(ticks.interval)
        })
    }

    fn spin_until(&self, until: Instant, spin: Spin) -> Instant {
        if spin == Spin::Yield {
            self.yield_until(until - LAST_STRETCH);
        }
        call::spin_until::<PlainModel>(until);
        self.now()
    }

    fn thread_id(&self) -> ThreadId {
        call(|_: &mut PlainModel, kernel| kernel.current_thread())
    }

    fn lane(&self) -> usize {
        self.thread_id().index()
    }

    fn origin(&self) {}

    fn is_forked(&self, (): &()) -> bool {
        false
    }

    fn current_processor(&self) -> Option<usize> {
        call(|_: &mut PlainModel, kernel| Some(kernel.current_processor()))
    }

    fn process_budget(&self) -> Arc<ProcessBudget> {
        call(|model: &mut PlainModel, kernel| model.budget(kernel.current_process()))
    }

    /// # Errors
    /// At the [limit](crate::Limits) of threads.
    fn spawn(
        &self,
        name: &str,
        body: Box<dyn FnOnce() + Send>,
    ) -> Result<Thread<SimBell>, OsError> {
        let (handle, run) = machines::thread(self, body);
        call_system(|_, kernel| {
            let (start, process) = (ordinary(kernel), kernel.current_process());
            kernel.start_thread(process, name, start, run)
        })?;
        Ok(handle)
    }
}

/// The priority of [`Priority::High`]: that of Windows' high priority class.
const HIGH_PRIORITY: u8 = 13;

/// The priority of [`Priority::Realtime`]: that of Windows' real-time priority class.
const REALTIME_PRIORITY: u8 = 24;

/// A thread's priority as it was before it was raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundPriority(u8);

/// The processors a thread could use before it was pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundAffinity(u64);

impl Scheduling for SimOs {
    type Priority = FoundPriority;
    type Affinity = FoundAffinity;
    type Slice = Infallible;

    fn raise_priority(&self, priority: Priority) -> Result<FoundPriority, OsError> {
        let raised = match priority {
            Priority::High => HIGH_PRIORITY,
            Priority::Realtime => REALTIME_PRIORITY,
            _ => {
                return Err(OsError::unsupported(
                    "a plain machine has no priorities of SCHED_FIFO; use Priority::Realtime, which \
                     is its highest",
                ));
            }
        };
        Ok(FoundPriority(set_priority(raised)))
    }

    fn restore_priority(&self, found: &FoundPriority) {
        set_priority(found.0);
    }

    fn pin(&self, processors: &[usize]) -> Result<FoundAffinity, OsError> {
        if processors.is_empty() {
            return Err(OsError::invalid_input(
                "the set of processors is empty; name at least one",
            ));
        }
        call_system(|_, kernel| {
            let thread = kernel.current_thread();
            let found = kernel.affinity(thread).unwrap_or_default();
            if let Some(other) = processors.iter().find(|other| bit(**other) & found == 0) {
                return Err(OsError::invalid_input(format!(
                    "this thread may not use processor {other}; it may use those set in \
                     {found:#b}"
                )));
            }
            let wanted = processors.iter().fold(0, |all, one| all | bit(*one));
            kernel.set_affinity(thread, wanted);
            Ok(FoundAffinity(found))
        })
    }

    fn restore_affinity(&self, found: &FoundAffinity) {
        call_system(|_, kernel| {
            let thread = kernel.current_thread();
            kernel.set_affinity(thread, found.0);
        });
    }

    /// # Errors
    /// [Unsupported](OsError::is_unsupported), always.
    fn slice(&self) -> Result<Duration, OsError> {
        Err(no_slice())
    }

    /// # Errors
    /// [Unsupported](OsError::is_unsupported), always.
    fn set_slice(&self, _: Duration) -> Result<Infallible, OsError> {
        Err(no_slice())
    }

    fn restore_slice(&self, found: &Infallible) {
        match *found {}
    }

    /// No memory of a simulated machine is ever taken away.
    fn lock_memory(&self) -> Result<(), OsError> {
        Ok(())
    }

    fn unlock_memory(&self) {}
}

fn no_slice() -> OsError {
    OsError::unsupported(
        "a plain machine gives no thread a slice of its own; raise the thread's priority instead",
    )
}

/// Zero if there can be no such processor.
fn bit(processor: usize) -> u64 {
    let place = u32::try_from(processor).ok();
    place
        .and_then(|place| 1_u64.checked_shl(place))
        .unwrap_or(0)
}

/// Sets the calling thread's priority and returns what it was.
fn set_priority(priority: u8) -> u8 {
    call_system(|_, kernel| {
        let thread = kernel.current_thread();
        let found = kernel.priority(thread).unwrap_or(NORMAL_PRIORITY);
        kernel.set_priority(thread, priority);
        found
    })
}
