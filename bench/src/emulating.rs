//! What it costs to run under the rules of another system.

pub mod calls;
mod servers;

use crate::failure::Failure;
use crate::given::{PUNCTUAL, name_of};
use crate::os::resuming;
use crate::report::{Aim, Bound, Column, Report, Table, micros, plain};
use crate::row;
use crate::statistics::Spread;
use crate::turns::Turns;
use calls::{Call, Work};
use punctual_command::stop::Stop;
use servers::Server;
use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

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

/// How a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Under {
    Nothing,
    /// A tracer that stops it as often, and does nothing else.
    Resumer,
    Rules,
}

const CONTENDERS: [Under; 3] = [Under::Nothing, Under::Resumer, Under::Rules];

/// The hidden subcommand that runs a program under a tracer that does nothing.
pub const RESUMED: &str = "be-resumed";

/// The program that it runs.
#[derive(Debug, clap::Args)]
pub struct Program {
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Program {
    pub fn run(&self) -> Result<(), Failure> {
        let (program, arguments) = self.words.split_first().ok_or("no program")?;
        resuming::run(Command::new(program).args(arguments))
    }
}

const ROUNDS: u32 = 9;
const QUICK_ROUNDS: u32 = 3;

/// Which version does not matter: what is waited for is there before any time has passed, so that the rules
/// lengthen nothing, and what is left is the cost.
const AS: [&str; 4] = ["run", "--quiet", "--as", "windows-10-2004"];

/// How many calls a turn has, of all threads together.
const CALLS: u32 = 4_000;

/// A call of one thread, whether program and tracer are on one processor, and at most how many nanoseconds more it
/// takes. These aims are what a prototype reached in a nested virtual machine.
const MOST_MORE: [(Call, bool, f64); 5] = [
    (Call::Getppid, true, 100.0),
    (Call::Poll, true, 17_000.0),
    (Call::Poll, false, 70_000.0),
    (Call::Select, true, 25_000.0),
    (Call::Select, false, 140_000.0),
];
const MANY_THREADS: u32 = 100;
const LEAST_PER_SECOND: f64 = 45_000.0;

const NOTE: &str = "on: program and tracer on one processor together, or wherever the scheduler puts them. Medians of the turns, \
     ± half the range; of servers, shares of their own rate. Only resumed: by a tracer that stops the program as often \
     and does nothing.";

impl Plan {
    /// A minute and a half.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let (works, note) = (works(), NOTE.to_owned());
        let loads: usize = servers::ALL.iter().map(|server| server.loads.len()).sum();
        let each = CONTENDERS.len() * rounds as usize;
        let turns = Turns::new(stop, (works.len() + loads) * each);
        let mut report = Report {
            note,
            ..Report::default()
        };
        self.calls(&turns, &works, rounds, &mut report)?;
        self.servers(&turns, rounds, &mut report)?;
        Ok(report)
    }

    fn calls(
        &self,
        turns: &Turns,
        works: &[(Work, bool)],
        rounds: u32,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let mut table = Table::new(
            "calls",
            "Calls that end at once, µs",
            vec![
                Column::words("call", "", 11),
                Column::words("processors", "on", 4),
                Column::figure("threads", "threads", 8, plain::<0>),
                Column::figure("plain_ns", "by itself", 17, micros),
                Column::figure("resumed_ns", "only resumed", 18, micros),
                Column::figure("steered_ns", "under rules", 18, micros),
            ],
        );
        for &(work, on_one) in works {
            let (name, processors) = (name_of(&work.call), if on_one { "one" } else { "any" });
            turns.announce(format!("{name}, threads: {}", work.threads));
            // Every change of threads takes as long under a tracer: it makes no timed call.
            let contenders = if work.call == Call::Pipe {
                1
            } else {
                CONTENDERS.len()
            };
            let taken = turns.take(
                &mut CONTENDERS[..contenders].to_vec(),
                0,
                rounds,
                |under, _| self.ask(*under, work, on_one),
            )?;
            let mut spreads = taken.into_iter().map(Spread::of);
            let [plain, resumed, steered] = [(); 3].map(|()| spreads.next().flatten());
            table.push(row![
                name.as_str(),
                processors,
                work.threads,
                plain,
                resumed,
                steered
            ]);
            let steered = steered.map(|steered| steered.median);
            let more = steered
                .zip(plain)
                .map(|(steered, plain)| steered - plain.median);
            let is_it = |(call, on, _): &&(Call, bool, f64)| (*call, *on) == (work.call, on_one);
            if let Some((_, _, most)) = MOST_MORE.iter().find(is_it).filter(|_| work.threads == 1) {
                let what = format!("{name}, {processors} processor: ns more");
                report.aims.push(Aim::new(&what, Bound::Below(*most), more));
            }
            if work.threads == MANY_THREADS {
                let rate = steered.map(|steered| 1e9 / steered);
                let what = format!("waits a second of {MANY_THREADS} threads");
                report
                    .aims
                    .push(Aim::new(&what, Bound::AtLeast(LEAST_PER_SECOND), rate));
            }
        }
        report.tables.push(table);
        Ok(())
    }

    /// How many nanoseconds a call took.
    fn ask(&self, under: Under, work: Work, on_one: bool) -> Result<f64, Failure> {
        let mut words = vec![env::current_exe()?.into()];
        let (threads, calls) = (work.threads.to_string(), work.calls.to_string());
        words.extend(
            [calls::SUBCOMMAND, &name_of(&work.call), &threads, &calls].map(OsString::from),
        );
        let mut words = self.under(under, words)?;
        if on_one {
            words.splice(..0, ["taskset", "-c", "0"].map(OsString::from));
        }
        // A terminal's Ctrl-C is for this process.
        let done = Command::new(&words[0])
            .args(&words[1..])
            .process_group(0)
            .output()?;
        let said = String::from_utf8(done.stdout)?;
        Ok(said
            .trim()
            .parse()
            .map_err(|_| String::from_utf8_lossy(&done.stderr).into_owned())?)
    }

    fn under(&self, under: Under, program: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
        let mut words: Vec<OsString> = match under {
            Under::Nothing => return Ok(program),
            Under::Resumer => vec![env::current_exe()?.into(), RESUMED.into()],
            Under::Rules => [self.punctual.clone().into()]
                .into_iter()
                .chain(AS.map(OsString::from))
                .collect(),
        };
        words.push("--".into());
        words.extend(program);
        Ok(words)
    }

    fn servers(&self, turns: &Turns, rounds: u32, report: &mut Report) -> Result<(), Failure> {
        let mut table = Table::new(
            "servers",
            "Requests a second, and shares of them",
            vec![
                Column::words("server", "", 8),
                Column::figure("clients", "connections", 12, plain::<0>),
                Column::figure("plain_per_second", "by itself", 18, plain::<0>),
                Column::figure("resumed_ratio", "only resumed", 19, plain::<2>),
                Column::figure("ratio", "under rules", 19, plain::<2>),
            ],
        );
        for server in &servers::ALL {
            turns.announce(server.name);
            if let Err(error) = self.serve(server, turns, rounds, &mut table, &mut report.aims) {
                report.note += &format!(" {} was not measured: {error}.", server.name);
            }
        }
        report.tables.push(table);
        Ok(())
    }

    fn serve(
        &self,
        server: &Server,
        turns: &Turns,
        rounds: u32,
        table: &mut Table,
        aims: &mut Vec<Aim>,
    ) -> Result<(), Failure> {
        let mut running = Vec::new();
        for under in CONTENDERS {
            let words = self.under(under, vec!["sh".into()])?;
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).process_group(0);
            running.push(server.start(command)?);
        }
        for load in &server.loads {
            let taken = turns.take(&mut running, 0, rounds, |running, _| {
                server.ask(running, load)
            })?;
            let [resumed, steered] =
                [1, 2].map(|index| Spread::of_ratios(&taken[index], &taken[0]));
            table.push(row![
                server.name,
                load.clients,
                Spread::of(taken[0].clone()),
                resumed,
                steered
            ]);
            if let Some(least) = load.least {
                let what = format!(
                    "{}, {} connections: share of its rate",
                    server.name, load.clients
                );
                let share = steered.map(|steered| steered.median);
                aims.push(Aim::new(&what, Bound::AtLeast(least), share));
            }
        }
        Ok(())
    }
}

/// And whether all is on one processor.
fn works() -> Vec<(Work, bool)> {
    use clap::ValueEnum;
    let work = |call, threads, calls| Work {
        call,
        threads,
        calls,
    };
    let all = Call::value_variants();
    let each = |on_one| all.iter().map(move |call| (work(*call, 1, CALLS), on_one));
    let many =
        [10, MANY_THREADS, 1_000].map(|threads| (work(Call::Poll, threads, CALLS * 2), false));
    each(true).chain(each(false)).chain(many).collect()
}
