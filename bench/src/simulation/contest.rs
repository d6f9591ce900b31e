//! The engine and its peers on the same workload: threads that sleep again and again, for as long as chance says.

use crate::failure::Failure;
use crate::os::Meter;
use crate::statistics::per_second;
use nexosim::model::{Context, Model, schedulable};
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use punctual::Os;
use punctual_sim::random::Random;
use punctual_sim::{Plain, Setup, SimOs, simulate};
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::Duration;

/// SimPy has this part of the sleeps: Python takes microseconds for what takes others a fraction of one, and turns should
/// be about equally long.
const SIMPY_PART: u64 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contender {
    Engine,
    EngineAtDefaultCosts,
    /// Each thread is a model that schedules its own next event.
    Nexosim,
    /// The program in `python/`, where Python has it installed.
    SimPy,
}

impl Contender {
    pub fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::EngineAtDefaultCosts => "engine, default costs",
            Self::Nexosim => "nexosim",
            Self::SimPy => "SimPy",
        }
    }

    /// Wake-ups per second of processor time.
    pub fn per_second(self, threads: u32, sleeps: u64) -> Result<f64, Failure> {
        let part = if self == Self::SimPy { SIMPY_PART } else { 1 };
        let workload = Workload::of(threads, sleeps / part);
        let took = match self {
            Self::Engine => engine(workload, Costs::Least),
            Self::EngineAtDefaultCosts => engine(workload, Costs::Default),
            Self::Nexosim => nexosim(workload),
            Self::SimPy => simpy(workload),
        };
        Ok(per_second(workload.events(), took?))
    }
}

/// A number of threads, each of which sleeps this many times for as long as chance says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Workload {
    threads: u32,
    sleeps_each: u64,
}

/// No sleep is longer. With delays of 1 ns to 2 ms the next one to end is seldom the last that was
/// begun, and two seldom end together: what a queue of events finds hard.
const LONGEST_NANOS: u64 = 2_000_000;

/// Everybody's chance follows from it.
const SEED: u64 = 1;

impl Workload {
    /// About this many sleeps in all, and at least one for each thread.
    fn of(threads: u32, sleeps: u64) -> Self {
        Self {
            threads,
            sleeps_each: (sleeps / u64::from(threads)).max(1),
        }
    }

    /// One for each wake-up.
    fn events(self) -> u64 {
        u64::from(self.threads) * self.sleeps_each
    }
}

/// How long a thread sleeps each time: its own sequence, the same in every run.
#[derive(Debug)]
struct Delays(Random);

impl Delays {
    fn of_thread(thread: u32) -> Self {
        Self(Random::stream(SEED, thread.into()))
    }

    #[inline]
    fn draw(&mut self) -> Duration {
        Duration::from_nanos(self.0.between(1, LONGEST_NANOS))
    }
}

/// What the simulated machine takes for calls and dispatches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Costs {
    /// A nanosecond for a call, nothing for a dispatch: processors are free when they are wanted,
    /// so the delays decide the order, as they do where there are no processors.
    Least,
    /// As it ships: 10,000 threads want more than two processors can give, and stand in line.
    Default,
}

impl Costs {
    fn machine(self) -> (Setup, Plain) {
        match self {
            Self::Least => {
                let nanosecond = Duration::from_nanos(1);
                let setup = Setup {
                    dispatch_cost: Duration::ZERO,
                    ..Setup::default()
                };
                let plain = Plain {
                    look_cost: nanosecond,
                    call_cost: nanosecond,
                    ..Plain::default()
                };
                (setup, plain)
            }
            Self::Default => (Setup::default(), Plain::default()),
        }
    }
}

/// The processor time that the workload takes, the making of threads excluded.
fn engine(workload: Workload, costs: Costs) -> Result<Duration, Failure> {
    let (setup, plain) = costs.machine();
    let run = simulate(setup, plain, move |os| sleep_all(os, workload))?;
    run.value.map_err(Failure::from)
}

fn sleep_all(os: SimOs, workload: Workload) -> Result<Duration, String> {
    let go = os.bell();
    let mut threads = Vec::new();
    for number in 0..workload.threads {
        let go = go.clone();
        let body = move || {
            os.wait(None, Duration::ZERO, &go);
            let bell = os.bell();
            let mut delays = Delays::of_thread(number);
            for _ in 0..workload.sleeps_each {
                let until = os.now() + delays.draw();
                os.wait(Some(until), Duration::ZERO, &bell);
            }
        };
        let thread = os.spawn("sleeper", Box::new(body));
        threads.push(thread.map_err(|error| error.to_string())?);
    }
    // Until all have their stacks and wait for the bell.
    let settled = os.now() + Duration::from_secs(1);
    os.wait(Some(settled), Duration::ZERO, &os.bell());
    let began = Meter::Process.read();
    os.ring(&go);
    for thread in threads {
        if thread.join(&os).is_err() {
            return Err("a simulated thread panicked".to_owned());
        }
    }
    Ok(Meter::Process.read() - began)
}

/// It has no processors to be given and nothing to block: an event is a timer and a call.
#[derive(Serialize, Deserialize)]
struct Sleeper {
    left: u64,
    /// Models can be saved; none of these ever is.
    #[serde(skip, default = "unsaved")]
    delays: Delays,
}

fn unsaved() -> Delays {
    Delays::of_thread(0)
}

#[Model]
impl Sleeper {
    #[nexosim(init)]
    async fn begin(&mut self, context: &Context<Self>) {
        self.sleep(context);
    }

    #[nexosim(schedulable)]
    fn wake(&mut self, _: (), context: &Context<Self>) {
        self.left -= 1;
        if self.left > 0 {
            self.sleep(context);
        }
    }

    fn sleep(&mut self, context: &Context<Self>) {
        let delay = self.delays.draw();
        let scheduled = context.schedule_event(delay, schedulable!(Self::wake), ());
        scheduled.expect("no delay is nothing, so the deadline is in the future");
    }
}

/// The processor time that the workload takes, the making of models excluded.
fn nexosim(workload: Workload) -> Result<Duration, Failure> {
    let mut bench = SimInit::with_num_threads(1);
    for number in 0..workload.threads {
        let sleeper = Sleeper {
            left: workload.sleeps_each,
            delays: Delays::of_thread(number),
        };
        bench = bench.add_model(sleeper, Mailbox::new(), "sleeper");
    }
    let mut simulation = bench.init(MonotonicTime::EPOCH)?;
    let began = Meter::Process.read();
    simulation.run()?;
    Ok(Meter::Process.read() - began)
}

const PYTHON: &str = "python3";
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/sleepers.py");

/// Python with SimPy; or why there is none.
pub fn find_simpy() -> Result<(), String> {
    match Command::new(PYTHON).args(["-c", "import simpy"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) | Err(_) => Err("not installed".to_owned()),
    }
}

/// The processor time that the workload takes, the making of processes excluded. Python has its own
/// chance, so the delays are as long, not the same.
fn simpy(workload: Workload) -> Result<Duration, Failure> {
    let output = Command::new(PYTHON)
        .arg(PROGRAM)
        .arg(workload.threads.to_string())
        .arg(workload.sleeps_each.to_string())
        .arg(LONGEST_NANOS.to_string())
        .output()?;
    let answer = String::from_utf8_lossy(&output.stdout);
    parse(&answer).ok_or_else(|| format!("SimPy: unexpected answer {answer:?}").into())
}

/// An answer is a number of nanoseconds.
fn parse(answer: &str) -> Option<Duration> {
    let nanos = answer.trim().parse().ok()?;
    (nanos > 0).then(|| Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_sleeps_as_often() {
        assert_eq!(Workload::of(3, 10).events(), 9);
        assert_eq!(Workload::of(10, 3).events(), 10, "at least once");
    }

    #[test]
    fn all_run() {
        for contender in [
            Contender::Engine,
            Contender::EngineAtDefaultCosts,
            Contender::Nexosim,
        ] {
            assert!(contender.per_second(10, 1_000).unwrap() > 0.0);
        }
    }

    #[test]
    fn reads_an_answer() {
        assert_eq!(parse("1500\n"), Some(Duration::from_nanos(1_500)));
        for refused in ["", "0", "1.5", "Traceback"] {
            assert_eq!(parse(refused), None, "{refused}");
        }
    }
}
