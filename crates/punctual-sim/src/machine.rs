//! Running a machine: events happen in order, and threads run in between.

use crate::coroutine::{self, Body, Coroutines, Step};
use crate::error::Exit;
use crate::kernel::{Kernel, Model, Start};
use crate::record::{Named, Record};
use crate::setup::{Load, NORMAL_PRIORITY, Setup};
use crate::thread::Reason;
use crate::world::{Turn, World};
use crate::{Error, call};
use punctual::Instant;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// A simulated machine before its run: its [`Setup`], and the [`Model`] of its operating system.
pub struct Machine<M: Model> {
    world: RefCell<World<M>>,
    setup: Setup,
}

/// The result of a run whose main process returned.
#[derive(Debug)]
pub struct Run<T> {
    /// The value that the main process returned.
    pub value: T,
    /// The virtual time at its end.
    pub ended_at: Instant,
    /// The number of waits that ended, at their deadlines or before.
    pub wakes: u64,
    /// The last records, if [`Limits::log`](crate::Limits::log) allowed any.
    pub log: Vec<Record>,
    /// The names of all threads, in the order in which they were started, if there is a log.
    pub threads: Vec<Named>,
}

impl<M: Model> Machine<M> {
    /// A machine of this setup.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if the setup is invalid.
    pub fn new(setup: Setup, model: M) -> Result<Self, Error> {
        setup.check()?;
        let kernel = Kernel::new(&setup);
        Ok(Self {
            world: RefCell::new(World { kernel, model }),
            setup,
        })
    }

    /// Runs `body` as the main thread of the main process, from instant zero until that process
    /// ends. Other processes end with the machine. Like killed processes, they run no destructors.
    ///
    /// # Errors
    /// When there is no result: the main process panicked or was killed, nothing can ever run again
    /// ([deadlock](Error::is_deadlock)), or a [limit](crate::Limits) was reached.
    pub fn run<T: Send + 'static>(
        self,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Run<T>, Error> {
        let (value, main) = Value::of(|()| body());
        value.returned_by(self.run_for_nothing(Box::new(|| main(())))?)
    }
}

/// Where the main process leaves the value that it returns.
pub(crate) struct Value<T>(Arc<Mutex<Option<T>>>);

impl<T: Send + 'static> Value<T> {
    /// The place for the value of a body, and a body that leaves it there. What runs a machine is so compiled once, and not
    /// once more for each body.
    pub(crate) fn of<A>(
        body: impl FnOnce(A) -> T + Send + 'static,
    ) -> (Self, Box<dyn FnOnce(A) + Send>) {
        let place = Arc::new(Mutex::new(None));
        let returned = Arc::clone(&place);
        let main = move |argument| {
            let value = body(argument);
            *returned.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        };
        (Self(place), Box::new(main))
    }

    /// The result of a run with its value.
    ///
    /// # Errors
    /// That there is none: the main process ended itself without returning.
    pub(crate) fn returned_by(self, run: Run<()>) -> Result<Run<T>, Error> {
        let value = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(Run {
            value: value.ok_or_else(|| Error::ended(run.ended_at, Exit::Returned))?,
            ended_at: run.ended_at,
            wakes: run.wakes,
            log: run.log,
            threads: run.threads,
        })
    }
}

impl<M: Model> Machine<M> {
    pub(crate) fn run_for_nothing(self, main: Body) -> Result<Run<()>, Error> {
        self.run_to_the_end(main)?;
        let kernel = self.world.into_inner().kernel;
        let (log, threads) = kernel.log.into_parts();
        Ok(Run {
            value: (),
            ended_at: Instant::from_nanos(kernel.now),
            wakes: kernel.wakes,
            log,
            threads,
        })
    }

    fn run_to_the_end(&self, main: Body) -> Result<(), Error> {
        self.world.borrow_mut().boot(&self.setup, main)?;
        let stack_bytes = self.setup.limits.stack_bytes;
        coroutine::enter(&self.world, || run_threads(&self.world, stack_bytes))
    }
}

impl<M: Model> World<M> {
    /// Starts the main process and the loads.
    fn boot(&mut self, setup: &Setup, main: Body) -> Result<(), Error> {
        let kernel = &mut self.kernel;
        let start = Start {
            priority: NORMAL_PRIORITY,
            affinity: kernel.all_processors(),
            background: false,
        };
        kernel.main = Some(kernel.start_process_of("main", start, main)?);
        for &load in &setup.loads {
            let start = Start {
                priority: load.priority,
                background: true,
                ..start
            };
            kernel.start_process("load", start, move || compute::<M>(load))?;
        }
        Ok(())
    }
}

/// What a load does.
fn compute<M: Model>(load: Load) {
    let resting = Reason {
        what: "rest",
        number: 0,
    };
    loop {
        call::compute::<M>(load.busy);
        if !load.rest.is_zero() {
            call::call_and_wait::<M, ()>(|_, kernel| {
                let until = kernel.now() + load.rest;
                kernel.block(resting, Some(until));
                call::Called::Waits
            });
        }
    }
}

/// Runs threads as the world says, until it says how it ended.
fn run_threads<M: Model>(world: &RefCell<World<M>>, stack_bytes: usize) -> Result<(), Error> {
    let mut coroutines = Coroutines::new(stack_bytes);
    loop {
        let turn = world.borrow_mut().next(&mut coroutines);
        let thread = match turn {
            Turn::Run(thread) => thread,
            Turn::Start(thread) => {
                start(world, &mut coroutines, thread)?;
                thread
            }
            Turn::Over => return world.borrow_mut().outcome(),
        };
        match coroutines.resume(thread as usize) {
            Step::Suspended => {}
            Step::Returned => world.borrow_mut().returned(thread),
            Step::Panicked(panic) => world.borrow_mut().panicked(thread, panic.as_ref()),
        }
    }
}

/// Gives a thread its stack, to be resumed for the first time.
#[cold]
fn start<M: Model>(
    world: &RefCell<World<M>>,
    coroutines: &mut Coroutines,
    thread: u32,
) -> Result<(), Error> {
    let mut world = world.borrow_mut();
    let body = world.kernel.threads.cold[thread as usize].body.take();
    let body = body.expect("a thread has its body until it starts");
    let started = coroutines.start(thread as usize, body);
    started.map_err(|error| Error::host(format!("the host has no stack for a thread: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Noise, NoiseSource, Plain, SimOs, random::Spread};
    use punctual::Os;
    use std::time::Duration;

    /// Loads, noise, quanta, waits that are cut short long before their deadlines, threads that
    /// come and go: everything that leaves something behind.
    fn room_after(rounds: u32) -> (usize, usize) {
        let source = NoiseSource {
            mean_interval: Duration::from_micros(700),
            length: Spread::exactly(Duration::from_micros(3)),
        };
        let setup = Setup {
            loads: vec![Load::default(); 3],
            noise: Noise {
                interrupts: Some(source),
                dpcs: Some(source),
            },
            ..Setup::default()
        };
        let machine = Machine::new(setup, Plain::default().model(0)).unwrap();
        let body = move || {
            let os = SimOs::new();
            for _ in 0..rounds {
                let bell = os.bell();
                let rung = bell.clone();
                let ring = Box::new(move || os.ring(&rung));
                let ringer = os.spawn("ringer", ring).unwrap();
                let century = Instant::ZERO + Duration::from_secs(3_000_000_000);
                os.wait(Some(century), Duration::ZERO, &bell);
                ringer.join(&os).unwrap();
            }
        };
        machine.run_to_the_end(Box::new(body)).unwrap();
        let world = machine.world.borrow();
        (world.kernel.queue.room(), world.kernel.threads.hot.len())
    }

    #[test]
    fn time_takes_no_room() {
        let (events, threads) = room_after(200);
        let (later_events, later_threads) = room_after(5_000);
        assert!(
            later_events <= events.max(256),
            "{events} then {later_events}"
        );
        assert_eq!(threads, later_threads);
    }
}
