//! The flags of `punctual explain`.

use crate::flags::{
    CONDITIONS, ConditionArgs, OUTPUT, OnArgs, parse_count, parse_interval, parse_period,
};
use crate::measure::words_of;
use crate::words::Words;
use punctual::Period;
use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, RARE, parse_whole};
use punctual_data::quantity::parse_duration;
use punctual_lab::measure::{Deadlines, Length, Question};
use punctual_trace::report::bound::Bound;
use punctual_trace::scope::Scope;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Explain why wake-ups were late.
///
/// Runs a periodic loop, or follows a program, while the kernel records which thread ran on each
/// processor. Then it splits the lateness of each wake-up into parts that add up to it: timer
/// slack, a late interrupt, and the time during which other threads and interrupts, each named, had
/// the processor.
///
/// Reading the kernel's trace (tracefs) needs root. Without root, the lateness of a loop is still
/// split into two parts: timer and queue.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExplainArgs {
    /// A command to run and to explain, with every process that it starts
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = OF_THE_LOOP, conflicts_with_all = ["pid", "on"])]
    pub command: Vec<OsString>,

    /// The loop's time between deadlines: a duration such as 1ms, or a frequency such as 60Hz
    /// [default: 1ms]
    ///
    /// With a program, a process or --from: the time between its deadlines, if it waits periodically.
    /// Their grid is found from its most punctual waits, and lateness is counted from there.
    #[arg(long, visible_alias = "rate", value_name = "PERIOD", value_parser = parse_period)]
    pub period: Option<Period>,

    /// How many times the loop waits [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "duration", value_parser = parse_count)]
    pub count: Option<u64>,

    /// How long to record [default: 10s of a process, or until a command ends]
    ///
    /// A command and all that it has started are then ended: by SIGTERM, and after two seconds by SIGKILL.
    #[arg(long, value_name = "TIME", value_parser = parse_length)]
    pub duration: Option<Duration>,

    /// How the loop waits: a method of 'punctual measure' [default: std-sleep; on a simulated
    /// machine sleep]
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,

    #[command(flatten)]
    pub conditions: ConditionArgs,

    #[command(flatten)]
    pub on: OnArgs,

    /// Explain the timed waits of the process with this id
    #[arg(long, value_name = "PROCESS", value_parser = parse_whole::<u32>, conflicts_with_all = OF_THE_LOOP, conflicts_with = "on", help_heading = PROGRAMS)]
    pub pid: Option<u32>,

    /// Of a program: explain every wake-up. Where no timer ended the wait, from the instant at which
    /// something did, and say what: a thread or an interrupt, and what had woken that
    #[arg(long, conflicts_with = "on", help_heading = PROGRAMS, hide_short_help = RARE)]
    pub wakeups: bool,

    /// Of a program: explain its frames. One begins when this function is called; it is late against
    /// deadlines --period apart. Name a library with it if it is not in the program's own file
    #[arg(long, value_name = "[FILE:]FUNCTION", requires = "period", conflicts_with_all = ["from", "on", "wakeups"], help_heading = PROGRAMS, hide_short_help = RARE)]
    pub frame: Option<String>,

    /// Of a program: explain its frames. One begins when the program writes a text that begins so to
    /// trace_marker, a file of tracefs
    #[arg(long, value_name = "TEXT", requires = "period", conflicts_with_all = ["from", "on", "wakeups", "frame"], help_heading = PROGRAMS, hide_short_help = RARE)]
    pub marker: Option<String>,

    /// Explain the loop while its own process requests a timer interval
    #[cfg_attr(not(feature = "sim"), arg(hide = true))]
    #[arg(long, value_name = "INTERVAL", value_parser = parse_interval, requires = "on", help_heading = CONDITIONS, hide_short_help = RARE)]
    pub request: Option<Duration>,

    /// Explain a trace of --save, or a log of Windows (.etl), instead of running anything
    ///
    /// It also reads the text that 'xperf -i trace.etl -a dumper' writes of such a log.
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_A_RUN, help_heading = TRACES)]
    pub from: Option<PathBuf>,

    /// Show what is in the trace instead of explaining it
    ///
    /// Where and when it was recorded, what was lost, which programs wait, and how many events it has of each kind.
    #[arg(long, requires = "from", conflicts_with_all = OF_AN_EXPLANATION, help_heading = TRACES)]
    pub info: bool,

    /// Explain only this thread of the trace: its id or its name; in a Windows trace, the id or name
    /// of its process
    #[arg(long, value_name = "NAME", requires = "from", help_heading = TRACES, hide_short_help = RARE)]
    pub thread: Option<String>,

    /// Save the kernel's trace, to explain it again later or on another machine
    ///
    /// It is written while it comes. With --on-late it is a folder for several. On a simulated machine it is a log of
    /// Windows if the name ends in .etl, or else the text of xperf's dumper.
    #[arg(long, value_name = "FILE", conflicts_with = "from", help_heading = TRACES)]
    pub save: Option<PathBuf>,

    /// Write a file for ui.perfetto.dev: deadlines, timers, when threads were ready and running, and
    /// which thread had each processor
    #[arg(long, value_name = "FILE", help_heading = TRACES, hide_short_help = RARE)]
    pub perfetto: Option<PathBuf>,

    /// Keep only the last part of the trace, as long as this, and explain and save that, when the time is up,
    /// at Ctrl-C, or when --until ends it
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with_all = OF_NO_TRACE, help_heading = TRACES, hide_short_help = RARE)]
    pub ring: Option<Duration>,

    /// End when a wake-up is this late: 'lateness>2ms'
    ///
    /// A command that is explained goes on without being traced. A loop or a process is traced until
    /// then, if neither --duration nor --count ends it before.
    #[arg(long, value_name = "CONDITION", value_parser = parse_until, conflicts_with_all = OF_NO_TRACE, help_heading = TRACES, hide_short_help = RARE)]
    pub until: Option<Duration>,

    /// Tell of every wake-up later than this, and go on
    ///
    /// Memory and disk stay small. With --save FOLDER, the trace around each late wake-up is saved there.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with_all = OF_NO_TRACE,
        conflicts_with_all = ["ring", "until", "perfetto"], help_heading = TRACES)]
    pub on_late: Option<Duration>,

    /// How many late wake-ups --on-late keeps: those that were the most late [default: 100]
    #[arg(long, value_name = "N", requires = "on_late", value_parser = parse_count, help_heading = TRACES, hide_short_help = RARE)]
    pub keep: Option<u64>,

    /// Also record where in the kernel the explained threads are when they leave a processor, and where
    /// others are that leave one to them
    ///
    /// The worst wake-ups are shown with these stacks by --long. It makes each such switch about 3 microseconds
    /// slower.
    #[arg(long, conflicts_with_all = OF_NO_TRACE, help_heading = TRACES, hide_short_help = RARE)]
    pub stacks: bool,

    /// Exit with status 3 if this is true ('p99>500us'); may be given several times
    ///
    /// Or if a cause once took longer ('throttled>1ms'). Statistics of the lateness: p50, p90, p99, p99.9, max and mean. Causes: those of the report,
    /// each by its longest run. 'unexplained>0' is about how many wake-ups are not explained.
    #[arg(long, value_name = "BOUND", help_heading = OUTPUT)]
    pub fail_if: Vec<Bound>,

    /// Also show the machine, the worst wake-ups in parts, and more advice
    #[arg(long, conflicts_with = "FormatArgs", help_heading = OUTPUT)]
    pub long: bool,

    #[command(flatten)]
    pub format: FormatArgs,
}

const PROGRAMS: &str = "Programs";
const TRACES: &str = "Traces";

/// Flags for how our own loop waits.
const OF_THE_LOOP: [&str; 7] = [
    "count", "method", "load", "with", "priority", "pin", "slice",
];
/// Flags for what to run.
const OF_A_RUN: [&str; 11] = [
    "count", "method", "load", "with", "priority", "pin", "slice", "duration", "pid", "command",
    "on",
];

/// Flags for how to explain a trace.
const OF_AN_EXPLANATION: [&str; 5] = ["thread", "period", "wakeups", "perfetto", "fail_if"];

/// Flags for what is not traced now.
const OF_NO_TRACE: [&str; 2] = ["from", "on"];

/// A hundred years, in which something else ends it.
const FOREVER: Length = Length::Duration(Duration::from_secs(100 * 365 * 86_400));

/// The default period of a loop.
const USUAL: Period = Period::from_hertz(1_000);

/// The default method of a loop.
pub fn usual_method(is_simulated: bool) -> &'static str {
    match is_simulated {
        true => "sleep",
        false => "std-sleep",
    }
}

impl ExplainArgs {
    /// Whether something else than the time ends it.
    pub fn is_open_ended(&self) -> bool {
        self.ring.is_some() || self.until.is_some() || self.on_late.is_some()
    }

    /// Whether it cannot do without the kernel's trace.
    pub fn needs_the_trace(&self) -> bool {
        self.is_open_ended() || self.save.is_some() || self.perfetto.is_some() || self.stacks
    }

    /// How many late wake-ups are kept.
    pub fn keep(&self) -> usize {
        const USUAL: u64 = 100;
        usize::try_from(self.keep.unwrap_or(USUAL)).unwrap_or(usize::MAX)
    }

    /// The question for a loop of our own.
    pub fn question(&self) -> Question {
        let usual = usual_method(self.on.on.is_some());
        let length = match (self.count, self.duration) {
            (_, Some(duration)) => Length::Duration(duration),
            (Some(count), None) => Length::Count(count),
            (None, None) if self.is_open_ended() => FOREVER,
            (None, None) => Length::default(),
        };
        Question {
            waiters: vec![self.method.clone().unwrap_or_else(|| usual.to_owned())],
            conditions: self.conditions.conditions(),
            request: self.request,
            on: self.on.simulated(),
            ..Question::of(Deadlines {
                period: self.period.unwrap_or(USUAL),
                length,
            })
        }
    }
}

impl ExplainArgs {
    /// Refuses flags about a program if there is none, and two slices for one loop.
    pub(super) fn check_scope(&self) -> Result<(), Failure> {
        if self.conditions.slice.len() > 1 {
            let problem = "one loop is explained: give one slice";
            return Err(Failure::flag("--slice", problem));
        }
        let is_program = self.pid.is_some() || self.from.is_some() || !self.command.is_empty();
        let given = [
            ("--wakeups", self.wakeups),
            ("--frame", self.frame.is_some()),
            ("--marker", self.marker.is_some()),
        ];
        let problem = "it is about a program: name one (-- COMMAND, --pid or --from)";
        match given.iter().find(|&&(_, is_given)| is_given && !is_program) {
            Some((flag, _)) => Err(Failure::flag(flag, problem)),
            None if self.marker.as_deref() == Some("") => Err(Failure::flag(
                "--marker",
                "the text is empty, so that every mark begins a frame",
            )),
            None => Ok(()),
        }
    }

    /// What of a program to explain.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            period: self.period,
            wakeups: self.wakeups,
            frames: self.frame.is_some() || self.marker.is_some(),
        }
    }
}

/// An explained loop as the command line that explains it. It learns nothing and is not tuned.
pub fn words(question: &Question) -> Words {
    words_of("explain", question)
}

/// Parses how long to record. Nothing is recorded in no time.
fn parse_length(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => {
            Err("nothing can be recorded in no time; write more, such as 10s".to_owned())
        }
        length => Ok(length),
    }
}

const EXAMPLES: &str = "\
Examples:
  sudo punctual explain
  sudo punctual explain --load cpu --method timerfd --pin 0
  sudo punctual explain -- mpv film.mkv
  sudo punctual explain --period 60Hz --frame draw -- game
  sudo punctual explain --pid 1234 --wakeups
  sudo punctual explain --pid 1234 --duration 30s --save late.trace
  sudo punctual explain --pid 1234 --ring 30s --until 'lateness>5ms' --save late.trace
  sudo punctual explain --on-late 2ms --save folder
  punctual explain --from late.trace --json
  punctual explain --from trace.etl --info
  sudo punctual explain --pid 42 --fail-if 'p99>500us' --fail-if 'throttled>0ns'
  punctual explain --on windows-10-2004 --with requester=1ms --save sleep.txt
  punctual explain --from sleep.txt --thread main --period 1ms

A command stays in the foreground: Ctrl-C reaches it, and SIGTERM and SIGHUP are
passed on to it and all that it has started. It is never ended otherwise, unless
--duration is given. If the trace is full, the command goes on.

Exit status: 0 done, 1 the run failed, 2 the command line is wrong, 3 a bound of
--fail-if was broken; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM, 129 by
SIGHUP. With a command: the command's own status if that is not 0; --duration
that ends it is no failure.";

/// A condition: `lateness>2ms`.
fn parse_until(text: &str) -> Result<Duration, String> {
    let condition = text
        .split_once('>')
        .map(|(what, limit)| (what.trim(), limit.trim()));
    match condition {
        Some(("lateness", limit)) => parse_duration(limit),
        _ => Err(format!(
            "'{text}' is not a condition to end on; write one such as 'lateness>2ms'"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_names_lateness_and_a_time() {
        let limit = Duration::from_millis(2);
        for text in ["lateness>2ms", " lateness > 2ms", "lateness>2000us"] {
            assert_eq!(parse_until(text), Ok(limit), "{text}");
        }
        for text in [
            "",
            "2ms",
            "lateness",
            "lateness>",
            "lateness<2ms",
            "p99>2ms",
            "lateness>2",
        ] {
            assert!(parse_until(text).is_err(), "{text}");
        }
    }
}
