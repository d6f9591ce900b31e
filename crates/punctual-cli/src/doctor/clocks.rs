//! `punctual doctor clocks`: how good a machine's clocks are.

mod show;

use crate::flags::OnArgs;
use crate::refusal::refused;
use crate::run;
use crate::show::View;
#[cfg(not(feature = "sim"))]
use crate::unsimulated as simulated;
use crate::words::Words;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_data::quantity::{parse_duration, write_duration};
use punctual_lab::clocks::{
    ClockRecord, ClocksRecording, Progress, QUICK, Question, SCHEMA, SHORTEST, examine,
};
use punctual_lab::conditions::Companion;
use punctual_lab::machine::Unavailable;
use punctual_lab::question::Conditions;
use punctual_lab::{Environment, Machine, Native};
use std::process::ExitCode;
use std::time::Duration;

/// The clocks that there are, and the others.
type Found = (Vec<ClockRecord>, Vec<Unavailable>);

/// Runs the command.
pub fn clocks(args: &ClocksArgs, stop: &Stop) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let company = Conditions {
        with: question.with.clone(),
        ..Conditions::default()
    };
    let recording = match &question.on {
        Some(on) => simulated::run((on, &company, &question, stop))?,
        None => native(&company, &question, stop)?,
    };
    crate::show::in_format(args.format, &View(&recording))?;
    Ok(stop.status())
}

/// Steps of progress for the rates, which take nearly all of the time.
struct Bar(progress::Progress);

impl Bar {
    fn of(duration: Duration) -> Self {
        Self(progress::Progress::of(
            "comparing rates",
            milliseconds(duration),
        ))
    }
}

impl Progress for Bar {
    fn reach(&mut self, elapsed: Duration) {
        self.0.reach(milliseconds(elapsed));
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn native(
    company: &Conditions,
    question: &Question,
    stop: &Stop,
) -> Result<ClocksRecording, Failure> {
    let duration = question.duration;
    let possible = company.ensure_companions::<Native>();
    // The length does not depend on the company.
    possible.map_err(|refusal| refused(refusal, "--duration", false))?;
    let machine = Native::detect().map_err(Failure::run)?;
    let guard = stop.guard();
    let running = run::start(company, stop)?;
    let cancel = stop.cancel_on(&machine);
    let environment = machine.environment();
    let mut bar = Bar::of(duration);
    let examined = examine(&machine, &Native::clocks(), duration, &cancel, &mut bar);
    let found = examined.map_err(Failure::run)?;
    // A companion that ended early was not there all the time.
    for companion in &running {
        companion.check().map_err(Failure::run)?;
    }
    Ok(ClocksRecording {
        interrupted: guard.end(),
        ..recording(question, environment, found)
    })
}

#[cfg(feature = "sim")]
mod simulated {
    use super::{Bar, Progress, Question, recording};
    use crate::run::simulated::machine;
    use punctual::Cancel;
    use punctual_command::failure::Failure;
    use punctual_command::stop::Stop;
    use punctual_lab::Machine;
    use punctual_lab::clocks::{ClocksRecording, examine};
    use punctual_lab::confidence::of_clocks;
    use punctual_lab::question::{Conditions, Simulated};
    use punctual_lab::simulated::SimulatedOs;
    use std::time::Duration;

    pub(super) fn run(
        (simulated, company, question, stop): (&Simulated, &Conditions, &Question, &Stop),
    ) -> Result<ClocksRecording, Failure> {
        let duration = question.duration;
        let machine = machine(simulated, company)?;
        let guard = stop.guard_while_computing();
        let stops = stop.clone();
        let run = machine.run(simulated.seed, move |os| {
            let environment = os.environment();
            let cancel = Cancel::on(os.clone());
            let mut watched = Watched {
                bar: Bar::of(duration),
                stop: stops,
                cancel: cancel.clone(),
            };
            let clocks = SimulatedOs::clocks();
            let examined = examine(&os, &clocks, duration, &cancel, &mut watched);
            examined.map(|found| (environment, found))
        });
        let (mut environment, found) = run.map_err(Failure::run)?.value.map_err(Failure::run)?;
        environment.system = Some(format!("{machine}, simulated"));
        Ok(ClocksRecording {
            interrupted: guard.end(),
            confidence: Some(of_clocks(&machine)),
            ..recording(question, environment, found)
        })
    }

    /// Shows progress, and cancels the comparison on request.
    struct Watched {
        bar: Bar,
        stop: Stop,
        cancel: Cancel<SimulatedOs>,
    }

    impl Progress for Watched {
        fn reach(&mut self, elapsed: Duration) {
            self.bar.reach(elapsed);
            if self.stop.is_asked_for() {
                self.cancel.cancel();
            }
        }
    }
}

fn recording(
    question: &Question,
    environment: Environment,
    (clocks, unavailable): Found,
) -> ClocksRecording {
    ClocksRecording {
        schema: SCHEMA.to_owned(),
        punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
        environment,
        question: question.clone(),
        interrupted: false,
        confidence: None,
        unavailable,
        clocks,
    }
}

/// Examine each clock that the system offers.
///
/// The table shows for each clock: its step (the smallest change between two readings, which cannot
/// be finer than one reading takes), the cost of a reading, whether the clock goes backward between
/// processors, and its rate against the first clock, the one that waits are measured with.
///
/// To find backward steps, one thread per processor compares its own readings with the latest one
/// that another thread has published. This finds differences that are longer than passing a reading
/// to another processor takes. The column 'sees' shows that time.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ClocksArgs {
    /// How long to compare the rates; ten times as long is ten times as exact [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Compare the rates for half a second, and finish within two
    #[arg(long, conflicts_with = "duration")]
    pub quick: bool,

    /// What else runs on the machine: sleepers=20 (threads of another program), requester=1ms
    /// (another process that requests a timer interval), or driver=1ms (a driver that requests one);
    /// may be given several times
    ///
    /// Clocks that move with timer interrupts move more often while a program requests a short interval.
    #[arg(long, value_name = "WHO")]
    pub with: Vec<Companion>,

    #[command(flatten)]
    pub on: OnArgs,

    #[command(flatten)]
    pub format: FormatArgs,
}

impl ClocksArgs {
    /// The question.
    pub fn question(&self) -> Result<Question, Failure> {
        let usual = Question::default().duration;
        let duration = match self.quick {
            true => QUICK,
            false => self.duration.unwrap_or(usual),
        };
        if duration < SHORTEST {
            let problem = "too short to compare rates; the least is 50ms";
            return Err(Failure::flag("--duration", problem));
        }
        Ok(Question {
            duration,
            with: self.with.clone(),
            on: self.on.simulated(),
        })
    }
}

/// A question as the command line that asks it.
pub fn words(question: &Question) -> Words {
    let mut words = Words::of("doctor");
    words.word("clocks");
    words.on(question.on.as_ref());
    words.with(&question.with);
    words.flag("--duration", write_duration(question.duration));
    words
}

const EXAMPLES: &str = "\
Examples:
  punctual doctor clocks
  punctual doctor clocks --duration 1min
  punctual doctor clocks --quick --csv
  punctual doctor clocks --on windows-xp
  punctual doctor clocks --on windows-7 --with requester=1ms
  punctual doctor clocks --on windows-10-2004,clock-error=20ppm,processors=4 --json

Exit status: 0 done, 1 the run failed, 2 the command line is wrong;
stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.";
