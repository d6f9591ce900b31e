//! What it costs to run under the rules of another system.

pub mod calls;
mod report;
pub mod resumed;
mod servers;

use crate::aim::{Aim, Bound};
use crate::answering::Process;
use crate::failure::Failure;
use crate::given::PUNCTUAL;
use crate::machine::{Invocation, Machine};
use crate::os::waits;
use crate::progress::Progress;
use crate::statistics::Spread;
use calls::{Call, Work};
use serde::Serialize;
use servers::Server;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes half a minute. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// The command `punctual` [default: of this repository, as `cargo build --release` makes it].
    #[arg(long, value_name = "FILE", default_value = PUNCTUAL, hide_default_value = true)]
    pub punctual: PathBuf,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: Machine,
    pub command: Invocation,
    pub calls: Vec<Row>,
    pub servers: Vec<Served>,
    /// Servers that are not here, and why.
    pub not_here: Vec<String>,
    pub aims: Vec<Aim>,
}

/// What one call takes.
#[derive(Debug, Serialize)]
pub struct Row {
    pub call: &'static str,
    pub threads: u32,
    /// Program and tracer on one processor together, or wherever the scheduler puts them.
    pub on_one_processor: bool,
    pub plain_us: Spread,
    /// Under a tracer that does nothing. None for what is only there to compare with.
    pub resumed_us: Option<Spread>,
    pub steered_us: Option<Spread>,
}

/// What a server answers.
#[derive(Debug, Serialize)]
pub struct Served {
    pub server: &'static str,
    pub clients: u32,
    pub plain_per_second: Spread,
    pub resumed_per_second: Spread,
    pub steered_per_second: Spread,
    /// Of its rate, under a tracer that does nothing.
    pub resumed_ratio: Spread,
    pub ratio: Spread,
}

/// How a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Under {
    Nothing,
    /// A tracer that stops it as often, and does nothing else.
    Resumer,
    Rules,
}

const ROUNDS: u32 = 9;
const QUICK_ROUNDS: u32 = 3;

/// Which version does not matter: what is waited for is there before any time has passed, so that the rules
/// lengthen nothing, and what is left is the cost.
const AS: [&str; 4] = ["run", "--quiet", "--as", "windows-10-2004"];

/// In the order of their turns.
const CONTENDERS: [Under; 3] = [Under::Nothing, Under::Resumer, Under::Rules];

/// How many calls a turn has, of all threads together.
const CALLS: u32 = 4_000;
const TURN: Duration = Duration::from_millis(250);

/// The aims are what a prototype reached in a nested virtual machine.
const POLL_US: [f64; 2] = [17.0, 70.0];
const SELECT_US: [f64; 2] = [25.0, 140.0];
const UNTIMED_US: f64 = 0.1;
const LEAST_PER_SECOND: f64 = 45_000.0;
const MANY_THREADS: u32 = 100;

impl Plan {
    /// Measures everything.
    pub fn run(&self) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let works = works();
        let servers = servers::all();
        let progress = Progress::new(
            TURN * u32::try_from(works.len())? * rounds * 3
                + servers::TURN * u32::try_from(servers.len())? * rounds * 3,
        )?;
        let mut calls = Vec::new();
        for (work, on_one_processor) in works {
            progress.announce(work.to_string());
            calls.push(self.row(work, on_one_processor, rounds, &progress)?);
        }
        let (mut served, mut not_here) = (Vec::new(), Vec::new());
        for server in servers {
            progress.announce(server.name.to_owned());
            match self.served(&server, rounds, &progress) {
                Ok(mut rows) => served.append(&mut rows),
                Err(error) => not_here.push(format!("{}: {error}", server.name)),
            }
        }
        progress.end();
        Ok(Report {
            machine: Machine::here(),
            command: Invocation::this(),
            aims: aims(&calls, &served),
            calls,
            servers: served,
            not_here,
        })
    }

    fn row(
        &self,
        work: Work,
        on_one_processor: bool,
        rounds: u32,
        progress: &Progress,
    ) -> Result<Row, Failure> {
        // Every change of threads takes as long under a tracer: it makes no timed call.
        let contenders = match work.call {
            Call::Pipe => &CONTENDERS[..1],
            _ => &CONTENDERS[..],
        };
        let started = contenders
            .iter()
            .map(|&under| self.process(under, on_one_processor));
        let mut processes = started.collect::<Result<Vec<_>, _>>()?;
        let mut measured = [const { Vec::new() }; CONTENDERS.len()];
        // One round more, which warms up.
        for _ in 0..=rounds {
            for (process, measured) in processes.iter_mut().zip(&mut measured) {
                measured.push(work.ask(process)?);
            }
            progress.advance(TURN * 3);
        }
        let [plain, resumed, steered] =
            measured.map(|each| Spread::of(each.into_iter().skip(1).collect()));
        Ok(Row {
            call: work.call.name(),
            threads: work.threads,
            on_one_processor,
            plain_us: plain.ok_or("nothing was measured")?,
            resumed_us: resumed,
            steered_us: steered,
        })
    }

    fn process(&self, under: Under, on_one_processor: bool) -> Result<Process, Failure> {
        let mut command = self.command(under, &env::current_exe()?)?;
        command.arg(calls::SUBCOMMAND);
        // A child may run where the thread that started it may.
        let start = || {
            if on_one_processor {
                waits::stay_on(0);
            }
            Process::start(&mut command).map_err(|error| error.to_string())
        };
        let started = thread::scope(|scope| scope.spawn(start).join());
        Ok(started.map_err(|_| "a thread that starts a program panicked")??)
    }

    fn command(&self, under: Under, program: &Path) -> Result<Command, Failure> {
        let mut command;
        match under {
            Under::Nothing => command = Command::new(program),
            Under::Resumer => {
                command = Command::new(env::current_exe()?);
                command.args([resumed::SUBCOMMAND, "--"]).arg(program);
            }
            Under::Rules => {
                command = Command::new(&self.punctual);
                command.args(AS).arg("--").arg(program);
            }
        }
        Ok(command)
    }

    fn served(
        &self,
        server: &Server,
        rounds: u32,
        progress: &Progress,
    ) -> Result<Vec<Served>, Failure> {
        let program = servers::find(server.program)?;
        let started = CONTENDERS.map(|under| server.start(self.command(under, &program)?));
        let mut running = Vec::new();
        for started in started {
            running.push(started?);
        }
        let mut rows = Vec::new();
        for &clients in server.clients {
            let mut measured = [const { Vec::new() }; CONTENDERS.len()];
            for _ in 0..rounds {
                for (running, measured) in running.iter().zip(&mut measured) {
                    measured.push(running.measure(clients)?);
                }
                progress.advance(servers::TURN * 3);
            }
            let [plain, resumed, steered] = measured;
            let missing = "nothing was measured";
            rows.push(Served {
                server: server.name,
                clients,
                resumed_ratio: Spread::of_ratios(&resumed, &plain).ok_or(missing)?,
                ratio: Spread::of_ratios(&steered, &plain).ok_or(missing)?,
                plain_per_second: Spread::of(plain).ok_or(missing)?,
                resumed_per_second: Spread::of(resumed).ok_or(missing)?,
                steered_per_second: Spread::of(steered).ok_or(missing)?,
            });
        }
        Ok(rows)
    }
}

fn works() -> Vec<(Work, bool)> {
    let mut works = Vec::new();
    for on_one_processor in [true, false] {
        for call in Call::ALL {
            works.push((Work::new(call, 1, CALLS), on_one_processor));
        }
    }
    for threads in [10, MANY_THREADS, 1_000] {
        works.push((Work::new(Call::Poll, threads, CALLS * 2), false));
    }
    works
}

fn aims(calls: &[Row], served: &[Served]) -> Vec<Aim> {
    let found = |call: Call, threads: u32, on_one: bool| {
        calls.iter().find(|row| {
            (row.call, row.threads, row.on_one_processor) == (call.name(), threads, on_one)
        })
    };
    let more = |row: &Row| Some(row.steered_us.as_ref()?.median - row.plain_us.median);
    let mut aims = Vec::new();
    for (place, on_one) in [(0, true), (1, false)] {
        let processors = if on_one {
            "one processor"
        } else {
            "any processors"
        };
        for (call, limits) in [(Call::Poll, POLL_US), (Call::Select, SELECT_US)] {
            let what = format!("{}, {processors}: µs more", call.name());
            let value = found(call, 1, on_one).and_then(more);
            aims.push(Aim::new(&what, Bound::Below(limits[place]), value));
        }
    }
    let untimed = found(Call::Untimed, 1, true).and_then(more);
    aims.push(Aim::new(
        "a call without a timeout: µs more",
        Bound::Below(UNTIMED_US),
        untimed,
    ));
    let rate = found(Call::Poll, MANY_THREADS, false)
        .and_then(|row| Some(1e6 / row.steered_us.as_ref()?.median));
    let what = format!("waits a second of {MANY_THREADS} threads");
    aims.push(Aim::new(&what, Bound::AtLeast(LEAST_PER_SECOND), rate));
    for (server, clients, least) in servers::AIMS {
        let row = served
            .iter()
            .find(|row| (row.server, row.clients) == (server, clients));
        let what = format!("{server}, {clients} connections: share of its rate");
        aims.push(Aim::new(
            &what,
            Bound::AtLeast(least),
            row.map(|row| row.ratio.median),
        ));
    }
    aims
}
