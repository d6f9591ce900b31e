//! The command line of `punctual doctor clocks`.

use crate::flags::OnArgs;
use crate::words::Words;
use punctual_command::failure::Failure;
use punctual_command::flags::FormatArgs;
use punctual_data::quantity::{parse_duration, write_duration};
use punctual_lab::clocks::{QUICK, Question, SHORTEST};
use punctual_lab::conditions::Companion;
use std::time::Duration;

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
    /// Clocks that move with timer interrupts move more often while somebody requests a short interval.
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
