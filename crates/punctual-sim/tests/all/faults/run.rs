//! Runs a program on a machine, and returns its log.

use super::log::{Log, What};
use super::program::{Machine, Program, Serve};
use super::world::{World, sleeper};
use punctual::driver::DriverThread;
use punctual::os::Thread;
use punctual::os::windows::WindowsOs;
use punctual::{Driver, Instant, Notified, Notify, Os, Sleeper};
use punctual_sim::faults::{FaultCounts, Faults, Faulty};
use punctual_sim::windows::WindowsMachine;
use punctual_sim::{Limits, Plain, Setup, simulate};
use punctual_windows::{Companion, MachineParameters, VERSIONS};
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

pub struct Outcome {
    pub log: Vec<What>,
    /// Or why the machine did not come to an end.
    pub faults: Result<FaultCounts, String>,
}

/// No program takes so long, whatever the faults, besides its far waits.
const TIME_LIMIT: Duration = Duration::from_secs(10);

pub fn run(seed: u64, program: &Program) -> Outcome {
    let log = Log::default();
    let mut setup = Setup::swarm(seed);
    setup.limits = Limits {
        time: Instant::ZERO + TIME_LIMIT + Duration::from_nanos(program.far_waits()),
        ..Limits::default()
    };
    let (machine, its_log, its_program) = (program.machine, log.clone(), program.clone());
    let faults = Faults::swarm(seed);
    let ran = match machine {
        Machine::Plain => simulate(setup, Plain::default(), move |os| {
            perform(Faulty::on(os, seed, faults), its_log, &its_program)
        }),
        Machine::Windows(version, has_company) => {
            windows(version, setup, has_company).run(move |win32| {
                let os = Faulty::on(WindowsOs::on(win32), seed, faults);
                perform(os, its_log, &its_program)
            })
        }
    };
    Outcome {
        log: log.take(),
        faults: ran.map(|run| run.value).map_err(|error| error.to_string()),
    }
}

/// With requests that come and go, if there is company.
fn windows(version: usize, setup: Setup, has_company: bool) -> WindowsMachine {
    let version = VERSIONS[version % VERSIONS.len()];
    let parameters = MachineParameters {
        processors: setup.processors,
        ..MachineParameters::default()
    };
    let machine = WindowsMachine::new(version)
        .with_parameters(parameters)
        .with_setup(setup);
    if !has_company {
        return machine;
    }
    let millis = Duration::from_millis;
    machine.with_companion(Companion::Toggler {
        interval: millis(1),
        raised: millis(20),
        lowered: millis(30),
    })
}

fn perform<O: Os>(os: Faulty<O>, log: Log, program: &Program) -> FaultCounts {
    let driver = Driver::on(os.clone());
    let world = World::new(os.clone(), driver.handle(), log, program.actors.len());
    let served = Served::begin(&world, driver, program);
    let threads: Vec<_> = (0..)
        .zip(&program.actors)
        .map(|(number, actor)| {
            let (theirs, actor) = (world.clone(), actor.clone());
            spawn(&world, number, move || theirs.act(number, &actor))
        })
        .collect();
    for (number, thread) in (0..).zip(threads) {
        join(&world, number, thread);
    }
    if !program.leaves_early {
        settle(&world);
    }
    world.log.note(What::Count);
    let len = world.timers.len();
    world.log.note(What::Counted { len });
    let counters = || What::Over {
        counters: world.timers.counters(),
        len: world.timers.len(),
        at: os.now(),
    };
    if !matches!(served, Served::Future(..)) {
        world.shut_down();
    }
    served.end(&world);
    world.log.note(counters());
    os.counts()
}

/// Waits until everything that is due soon has happened, or should have long ago.
fn settle<O: Os>(world: &World<O>) {
    let mut sleeper = Sleeper::on(world.os.clone()).coarse();
    let soon = world.os.now() + super::check::BOUND;
    for _ in 0..super::check::BOUND.as_millis() + 20 {
        let any = world
            .waiting
            .lock()
            .unwrap()
            .values()
            .any(|latest| *latest < soon);
        if !any || world.timers.is_shut_down() || world.os.now() > soon {
            break;
        }
        sleeper.sleep(Duration::from_millis(2));
    }
}

type Started<O> = Option<Thread<<O as Os>::Bell>>;

/// Starts a thread. If the system has none, it is as if the thread had nothing to do.
fn spawn<O: Os>(
    world: &World<O>,
    actor: usize,
    body: impl FnOnce() + Send + 'static,
) -> Started<O> {
    let started = world.os.spawn("actor", Box::new(body));
    if started.is_err() {
        world.log.note(What::Refused { actor });
        if actor == DRIVER {
            was_never_started(world);
        }
    }
    started.ok()
}

fn join<O: Os>(world: &World<O>, actor: usize, thread: Started<O>) {
    if let Some(thread) = thread
        && thread.join(&world.os).is_err()
    {
        world.log.note(What::Broken { actor });
    }
}

/// The driver was dropped with what its thread should have done.
fn was_never_started<O: Os>(world: &World<O>) {
    let at = world.os.now();
    world.log.note(What::ShutDown { at });
    world.log.note(What::IsShutDown);
}

impl<O: Os> World<O> {
    /// Notes the calls of the thread that serves the driver.
    fn served_by(&self, serve: impl FnOnce()) {
        let calls = self.os.calls();
        serve();
        let calls = self.os.calls().since(calls);
        self.log.note(What::Served { calls });
    }
}

/// The number of the driver's thread, in the log.
const DRIVER: usize = usize::MAX;

/// A driver that is served.
enum Served<O: Os> {
    Own(DriverThread<Faulty<O>>),
    Thread(Started<O>),
    /// A future that waits for its gate.
    Future(Started<O>, Arc<Gate>),
    Nothing,
}

#[derive(Default)]
struct Gate {
    is_open: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl<O: Os> Served<O> {
    fn begin(world: &World<O>, driver: Driver<Faulty<O>>, program: &Program) -> Self {
        let mut sleeper = sleeper(&world.os, program.aim, false);
        match program.serve {
            Serve::OwnThread => match driver.start_with(sleeper) {
                Ok(thread) => Self::Own(thread),
                Err(_) => {
                    was_never_started(world);
                    Self::Nothing
                }
            },
            Serve::Run => {
                let theirs = world.clone();
                let body = move || theirs.served_by(|| driver.run(&mut sleeper));
                Self::Thread(spawn(world, DRIVER, body))
            }
            Serve::EventLoop => {
                let theirs = world.clone();
                let body = move || theirs.served_by(|| event_loop(&theirs.os, driver, sleeper));
                Self::Thread(spawn(world, DRIVER, body))
            }
            Serve::BlockOn => {
                let gate = Arc::new(Gate::default());
                let (theirs, its_gate) = (world.clone(), Arc::clone(&gate));
                let body = move || {
                    let mut driver = driver;
                    theirs.served_by(|| driver.block_on(&mut sleeper, opening(&its_gate)));
                };
                Self::Future(spawn(world, DRIVER, body), gate)
            }
        }
    }

    fn end(self, world: &World<O>) {
        match self {
            Self::Own(thread) => {
                if thread.shut_down().is_err() {
                    world.log.note(What::Broken { actor: DRIVER });
                }
            }
            Self::Thread(thread) => join(world, DRIVER, thread),
            Self::Future(thread, gate) => {
                let at = world.os.now();
                world.log.note(What::ShutDown { at });
                gate.is_open.store(true, Ordering::Relaxed);
                let waker = gate.waker.lock().unwrap().take();
                if let Some(waker) = waker {
                    waker.wake();
                }
                join(world, DRIVER, thread);
            }
            Self::Nothing => {}
        }
    }
}

async fn opening(gate: &Gate) {
    poll_fn(|context| {
        *gate.waker.lock().unwrap() = Some(context.waker().clone());
        match gate.is_open.load(Ordering::Relaxed) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
    .await;
}

/// A driver in an event loop whose only other event is a notification.
fn event_loop<O: Os>(
    os: &Faulty<O>,
    mut driver: Driver<Faulty<O>>,
    mut sleeper: Sleeper<Faulty<O>>,
) {
    let notify = Notify::on(os.clone());
    let sooner = notify.clone();
    driver.on_sooner(move || sooner.notify());
    let timers = driver.handle();
    loop {
        driver.run_due();
        let until = driver
            .next_wakeup()
            .map_or(Instant::MAX, |window| window.latest());
        // From here on a shutdown notifies.
        if timers.is_shut_down() {
            break;
        }
        if let Err(Notified) = sleeper.sleep_until_or_notified(until, &notify) {}
    }
    driver.run_due();
}
