//! Running a machine: events happen in order, and threads run in between.

use crate::Error;
use crate::call;
use crate::coroutine::{self, Coroutines, Step};
use crate::engine::EventId;
use crate::kernel::{End, Event, Kernel, Model, Start};
use crate::process::Exit;
use crate::processor::Theft;
use crate::record::Record;
use crate::setup::{Load, NORMAL_PRIORITY, Setup};
use crate::thread::{Ended, NOBODY, Reason};
use punctual::Instant;
use std::any::Any;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// A simulated machine that is yet to run: its [`Setup`], and its operating system's [`Model`].
pub struct Machine<M: Model> {
    world: RefCell<World<M>>,
    setup: Setup,
}

/// What the handles of a running machine reach.
pub(crate) struct World<M: Model> {
    pub(crate) kernel: Kernel<M>,
    pub(crate) model: M,
}

/// A run that came to its end: the main process returned.
#[derive(Debug)]
pub struct Run<T> {
    /// What the main process returned.
    pub value: T,
    /// When.
    pub ended_at: Instant,
    /// How many waits ended, by being woken or at their deadlines.
    pub wakes: u64,
    /// The last records, if [`Limits::log`](crate::Limits::log) allowed any.
    pub log: Vec<Record>,
}

impl<M: Model> Machine<M> {
    /// A machine of this setup.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) if no machine can be set up so.
    pub fn new(setup: Setup, model: M) -> Result<Self, Error> {
        setup.check()?;
        let kernel = Kernel::new(&setup);
        Ok(Self {
            world: RefCell::new(World { kernel, model }),
            setup,
        })
    }

    /// Runs `body` as the main thread of the main process, from instant zero until that process
    /// ends. Other processes end with the machine; like any that is killed, they run no destructor.
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
        match value {
            Some(value) => Ok(Run {
                value,
                ended_at: Instant::from_nanos(kernel.now),
                wakes: kernel.wakes,
                log: kernel.log.into_records(),
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

/// What is to be done next.
enum Turn {
    /// Resume this thread.
    Run(u32),
    /// Resume this thread for the first time.
    Start(u32),
    /// Nothing: the machine has ended.
    Over,
}

impl<M: Model> World<M> {
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

    /// Lets events happen until a thread is to run or the machine has ended.
    fn next(&mut self, coroutines: &mut Coroutines) -> Turn {
        loop {
            if self.kernel.has_ended {
                self.settle_ends(coroutines);
            }
            let kernel = &mut self.kernel;
            if kernel.stirring == 0 || kernel.is_over {
                return Turn::Over;
            }
            if let Some(soon) = kernel.soon
                && soon.at <= kernel.queue.nothing_before().as_nanos()
            {
                kernel.soon = None;
                kernel.now = soon.at;
                return kernel.resume(soon.processor);
            }
            let Some((at, event)) = kernel.queue.pop() else {
                unreachable!("the end of time is always scheduled")
            };
            kernel.now = at.as_nanos();
            if kernel.threads.hot.len() > FIT_IN_CACHES {
                kernel.look_ahead(coroutines);
            }
            match event {
                Event::Resume(processor) => return kernel.resume(processor),
                Event::Timeout(thread) => kernel.end_wait(thread, Ended::TimedOut),
                event => self.happen(event),
            }
        }
    }

    fn happen(&mut self, event: Event<M::Event>) {
        let kernel = &mut self.kernel;
        match event {
            Event::Timeout(_) | Event::Resume(_) => unreachable!("handled where it was taken"),
            Event::Slice(processor) => kernel.slice_ends(processor),
            Event::Noise(processor) => kernel.noise(processor),
            Event::Model(event) => {
                kernel.stirring -= 1;
                self.model.event(kernel, event);
            }
            Event::Interrupt {
                processor,
                length,
                event,
            } => {
                kernel.catch_up(processor);
                let served = kernel.processors[usize::from(processor)].interrupts_until;
                if served > kernel.now {
                    let interrupt = Event::Interrupt {
                        processor,
                        length,
                        event,
                    };
                    kernel.queue.insert(Instant::from_nanos(served), interrupt);
                    return;
                }
                kernel.steal(processor, Theft::Interrupt, length);
                kernel.stirring -= 1;
                self.model.event(kernel, event);
            }
            Event::Dpc {
                processor,
                interrupted_for,
                event,
            } => {
                kernel.catch_up(processor);
                let so_far = kernel.processors[usize::from(processor)].interrupted_for;
                if so_far > interrupted_for {
                    let turn = kernel.now.saturating_add(so_far - interrupted_for);
                    let call = Event::Dpc {
                        processor,
                        interrupted_for: so_far,
                        event,
                    };
                    kernel.queue.insert(Instant::from_nanos(turn), call);
                    return;
                }
                kernel.stirring -= 1;
                self.model.event(kernel, event);
            }
            Event::EndOfTime => {
                let at = Instant::from_nanos(kernel.now);
                kernel.end_run(Err(Error::time_limit(at)));
            }
        }
    }

    fn outcome(&mut self) -> Result<(), Error> {
        let kernel = &mut self.kernel;
        match kernel.outcome.take() {
            Some(outcome) => outcome,
            None => Err(Error::deadlock(
                Instant::from_nanos(kernel.now),
                kernel.waiting(),
            )),
        }
    }

    /// Tells the model of threads and processes that have ended, before anything else happens.
    #[cold]
    fn settle_ends(&mut self, coroutines: &mut Coroutines) {
        while self.kernel.has_ended {
            self.kernel.has_ended = false;
            for thread in std::mem::take(&mut self.kernel.abandoned) {
                if coroutines.abandon(thread as usize) && self.kernel.outcome.is_none() {
                    self.kernel.count_abandoned();
                }
            }
            for end in std::mem::take(&mut self.kernel.ended) {
                match end {
                    End::Thread(thread) => self.model.thread_ended(&mut self.kernel, thread),
                    End::Process(process, exit) => {
                        self.model.process_ended(&mut self.kernel, process, &exit);
                    }
                }
            }
        }
    }

    fn returned(&mut self, thread: u32) {
        let process = self.kernel.threads.at(thread).process;
        let main = self
            .kernel
            .processes
            .get(process)
            .map(|process| process.main);
        if main == Some(thread) {
            self.kernel.end(process, Exit::Returned);
        } else {
            self.kernel.end_thread(thread);
        }
        self.kernel.must_switch = false;
    }

    fn panicked(&mut self, thread: u32, panic: &(dyn Any + Send)) {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let process = self.kernel.threads.at(thread).process;
        let exit = Exit::Panicked {
            thread: self.kernel.threads.cold[thread as usize].name.clone(),
            message: text.unwrap_or_else(|| "no message".to_owned()),
        };
        self.kernel.end(process, exit);
        self.kernel.must_switch = false;
    }
}

/// Threads whose stacks' ends and records a near cache of the host holds: 256 of 1 KiB each.
const FIT_IN_CACHES: usize = 256;

impl<M: Model> Kernel<M> {
    /// Has the thread that is likely to run next fetched into the host's caches.
    #[inline]
    fn look_ahead(&self, coroutines: &Coroutines) {
        let thread = match self.queue.peek() {
            Some(Event::Timeout(thread)) => *thread,
            Some(Event::Resume(processor)) => self.processors[usize::from(*processor)].running,
            _ => return,
        };
        self.threads.expect(thread);
        coroutines.expect(thread as usize);
    }

    /// The thread on this processor goes on.
    #[inline]
    fn resume(&mut self, number: u8) -> Turn {
        let processor = &mut self.processors[usize::from(number)];
        processor.resume = EventId::NONE;
        let index = processor.running;
        let thread = self.threads.at(index);
        thread.work = 0;
        thread.spin_until = 0;
        self.current = index;
        self.current_processor = number;
        debug_assert_ne!(index, NOBODY);
        if std::mem::replace(&mut thread.unstarted, false) {
            Turn::Start(index)
        } else {
            Turn::Run(index)
        }
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
