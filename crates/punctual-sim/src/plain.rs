//! The plain machine: the simplest operating system on the engine, with exact timers. The machine sets
//! how much later each wait ends.

mod model;
mod scheduling;

use crate::Error;
use crate::call::{self, Returned, call, call_and_wait};
use crate::kernel::{Kernel, Start};
use crate::machine::{Machine, Run, Value};
use crate::process::{Exit, ProcessId};
use crate::random::Spread;
use crate::setup::{NORMAL_PRIORITY, Setup};
use crate::thread::{Ended, ThreadId};
use punctual::margin::ProcessBudget;
use punctual::os::machines::{self, Sealed};
use punctual::os::{Os, Slice, Spin, Thread, Woken};
use punctual::{Error as OsError, Instant};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

pub use model::{MAX_BELLS, SimBell};
pub use scheduling::{FoundAffinity, FoundPriority};

use model::ExitPlace;
pub(crate) use model::PlainModel;

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
