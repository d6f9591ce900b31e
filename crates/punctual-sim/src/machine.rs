//! Running a machine: events happen in order, and threads run in between.

use crate::Error;
use crate::call;
use crate::coroutine::{self, Coroutines, Step};
use crate::kernel::{Kernel, Model, Start};
use crate::process::Exit;
use crate::record::{Named, Record};
use crate::setup::{Load, NORMAL_PRIORITY, Setup};
use crate::thread::Reason;
use crate::world::{Turn, World};
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
        let value = self.run_to_the_end(body)?;
        let kernel = self.world.into_inner().kernel;
        let (log, threads) = kernel.log.into_parts();
        match value {
            Some(value) => Ok(Run {
                value,
                ended_at: Instant::from_nanos(kernel.now),
                wakes: kernel.wakes,
                log,
                threads,
            }),
            None => Err(Error::ended(
                Instant::from_nanos(kernel.now),
                Exit::Returned,
            )),
        }
    }
}

impl<M: Model> Machine<M> {
    /// `None` if the main process ended itself without returning.
    fn run_to_the_end<T: Send + 'static>(
        &self,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Error> {
        let value = Arc::new(Mutex::new(None));
        let returned = Arc::clone(&value);
        let main = move || {
            let value = body();
            *returned.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        };
        self.world.borrow_mut().boot(&self.setup, main)?;
        let stack_bytes = self.setup.limits.stack_bytes;
        coroutine::enter(&self.world, || run_threads(&self.world, stack_bytes))?;
        Ok(value.lock().unwrap_or_else(PoisonError::into_inner).take())
    }
}

impl<M: Model> World<M> {
    /// Starts the main process and the loads.
    fn boot(&mut self, setup: &Setup, main: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let kernel = &mut self.kernel;
        let start = Start {
            priority: NORMAL_PRIORITY,
            affinity: kernel.all_processors(),
            background: false,
        };
        kernel.main = Some(kernel.start_process("main", start, main)?);
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
        assert_eq!(machine.run_to_the_end(body).unwrap(), Some(()));
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
