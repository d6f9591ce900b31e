//! `punctual watch compare`: asks Prometheus about two groups of machines that are watched.

mod show;

use punctual_command::failure::Failure;
use punctual_command::flags::{FormatArgs, parse_whole};
use punctual_command::output;
use punctual_command::progress::Progress;
use punctual_data::quantity;
use punctual_watch::fleet;
use punctual_watch::fleet::client::Prometheus;
use punctual_watch::fleet::{Address, Percentile, Question, Selector};
use show::Found;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

/// Runs the command. It only reads, so that a signal may end it at once.
pub fn compare(args: &CompareArgs) -> Result<ExitCode, Failure> {
    let question = args.question()?;
    let prometheus = Prometheus::at(args.prometheus.clone());
    let mut bar = None;
    let comparison = fleet::compare(&prometheus, &question, &mut |done, all| {
        let bar = bar.get_or_insert_with(|| Progress::of("asking", all as u64));
        bar.reach(done as u64);
        ControlFlow::Continue(())
    });
    drop(bar);
    let found = Found {
        comparison: comparison.map_err(Failure::run)?,
        question,
        prometheus: args.prometheus.clone(),
    };
    output::in_format(
        args.format,
        &found,
        |out| found.text(out),
        || found.page(),
        || found.sheet(),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Two scrapes apart: less has no increase.
const SHORTEST: Duration = Duration::from_secs(60);
/// What Prometheus keeps by default is less.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

/// Compare two groups of machines: which one wakes later, and by how much.
///
/// For example after a new kernel or BIOS has reached a part of a fleet. A group is all machines whose
/// 'punctual_machine_info' has the given labels in Prometheus: those of its target, such as rack, and what
/// the watch says of the machine, such as kernel, clock_source or microcode.
///
/// Each percentile is found for each machine, and its geometric mean over the machines of a group is
/// compared. The 95 % interval of the ratio comes from drawing machines again and again (a bootstrap):
/// it says how much two groups differ by chance, if machines are put into them at random. It cannot
/// know what else differs between the groups. If it contains 1 or comes within 1 % of it: no difference.
///
/// A machine that was in both groups within the window is left out. Each group needs eight machines.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_long_help = EXAMPLES)]
pub struct CompareArgs {
    /// Where Prometheus answers, such as http://localhost:9090
    #[arg(long, value_name = "URL")]
    pub prometheus: Address,

    /// The machines to look at: labels as in PromQL, such as 'kernel="6.6.1"' or 'rack=~"r1.*"'
    #[arg(long = "match", value_name = "SELECTOR")]
    pub matching: Selector,

    /// The machines to compare them with
    #[arg(long, value_name = "SELECTOR")]
    pub against: Selector,

    /// How far back, until now: 1min to 366d
    #[arg(long, value_name = "DURATION", default_value = "1d", value_parser = parse_window)]
    pub window: Duration,

    /// What to compare, such as p99; may be given several times [default: p50, p99 and p99.9]
    #[arg(long, value_name = "PERCENTILE")]
    pub percentile: Vec<Percentile>,

    /// Count each deadline, missed ones too, instead of each wake-up
    #[arg(long)]
    pub deadlines: bool,

    /// Only this way of waiting [default: all that the machines watch]
    #[arg(long, value_name = "METHOD", value_parser = parse_method)]
    pub method: Option<String>,

    /// The seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<u64>)]
    pub seed: u64,

    #[command(flatten)]
    pub format: FormatArgs,
}

/// As clap writes it, but in 80 columns.
const USAGE: &str = "\
punctual-watch compare [OPTIONS] --prometheus <URL>
                              --match <SELECTOR> --against <SELECTOR>";

const EXAMPLES: &str = "\
Examples:
  punctual watch compare --prometheus http://localhost:9090 \\
    --match 'kernel=\"6.6.30\"' --against 'kernel=\"6.1.90\"'
  punctual watch compare --prometheus http://localhost:9090 \\
    --match 'rack=\"r7\"' --against 'rack!=\"r7\"' --window 6h --json

Exit status: 0 done, 1 Prometheus could not be asked, or too few machines match,
2 the command line is wrong; stopped by a signal: 130 by Ctrl-C, 143 by SIGTERM,
129 by SIGHUP.";

fn parse_window(text: &str) -> Result<Duration, String> {
    let window = quantity::parse_duration(text)?;
    if window < SHORTEST || window > LONGEST || window.subsec_nanos() > 0 {
        return Err(
            "it is not between 1min and 366d in whole seconds; write one such as 6h".to_owned(),
        );
    }
    Ok(window)
}

/// The label `method` of the watch's series.
fn parse_method(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !text.is_empty() && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("it is no name of a way to wait, such as punctual-coarse".to_owned()),
    }
}

impl CompareArgs {
    /// What is asked.
    pub fn question(&self) -> Result<Question, Failure> {
        if self.matching == self.against {
            let problem = "it is the same as --match; give the labels of the other group";
            return Err(Failure::flag("--against <SELECTOR>", problem));
        }
        let percentiles = match &self.percentile[..] {
            [] => vec![Percentile::P50, Percentile::P99, Percentile::P999],
            given => given.to_vec(),
        };
        Ok(Question {
            matching: self.matching.clone(),
            against: self.against.clone(),
            window: self.window,
            percentiles,
            deadlines: self.deadlines,
            method: self.method.clone(),
            seed: self.seed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_that_prometheus_cannot_answer_are_refused() {
        assert_eq!(parse_window("1d"), Ok(Duration::from_secs(86_400)));
        for text in ["59s", "367d", "1.0000001h", "x", "-1d"] {
            assert!(parse_window(text).is_err(), "{text}");
        }
    }
}
