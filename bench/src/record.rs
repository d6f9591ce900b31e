//! Records what waits meet on a loaded machine, under several policies, for `margin` to replay.

use crate::failure::Failure;
use crate::margin::recording::{DEFAULT, POLICIES, UNIT_NANOS, period_from_millis};
use crate::report;
use crate::turns::Turns;
use crate::waiting::load::Load;
use clap::value_parser;
use punctual::margin::Margin;
use punctual::os::Slice;
use punctual::{Native, Sleeper, SliceGuard};
use punctual_command::stop::Stop;
use punctual_lab::Machine;
use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// What is recorded, and where.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// What the recording is called: letters, digits and hyphens. The period is added to it.
    #[arg(value_name = "NAME", value_parser = parse_name)]
    name: String,

    /// Where the file goes. A file that is there already is not replaced.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// How many times a second to wait.
    #[arg(long, value_name = "HERTZ", default_value_t = 1_000, value_parser = value_parser!(u32).range(10..=10_000))]
    rate: u32,

    /// The load on the machine.
    #[arg(long, value_name = "LOAD", value_enum, default_value_t = Load::Idle)]
    load: Load,

    /// How many blocks of 50 waits each policy has.
    #[arg(long, value_name = "NUMBER", default_value_t = 60, value_parser = value_parser!(u32).range(1..=10_000))]
    rounds: u32,
}

/// Waits in a block. A processor's tick (4 ms at 250 Hz) meets the waits of a block at the same places,
/// so many short blocks tell more than few long ones.
const BLOCK: u32 = 50;

/// Between two blocks, so that the scheduler has forgotten what the one before spun.
const PAUSE: Duration = Duration::from_millis(5);

/// In hundredths of the period: none, all, and dense where margins are usually chosen.
const MARGINS_PERCENT: [u32; 7] = [0, 3, 6, 10, 20, 40, 100];

/// A later spin than this has lost its processor: reading a clock takes some tens of nanoseconds.
const PUNCTUAL: Duration = Duration::from_micros(1);

/// A slice, and a margin with what learns nothing from it.
struct Policy {
    slice: Option<Duration>,
    margin: Duration,
    sleeper: Sleeper,
}

impl Plan {
    /// Returns the file.
    pub fn run(&self, stop: &Stop) -> Result<PathBuf, Failure> {
        // In the name, and so exact: the period that `margin` will read there.
        let millis = format!("{:.3}", 1e3 / f64::from(self.rate));
        let millis = millis.trim_end_matches('0').trim_end_matches('.');
        let period = period_from_millis(millis).map(Duration::from_nanos);
        let period = period.ok_or("the rate has no period in whole nanoseconds")?;
        let path = self
            .folder
            .join(format!("{}-{millis}ms.{POLICIES}", self.name));
        let unwritable = |error| format!("{}: {error}", path.display());
        let mut file = File::create_new(&path).map_err(unwritable)?;
        let recorded = self.record(period, stop);
        if recorded.is_err() {
            // It is empty, and it is ours.
            let _ = fs::remove_file(&path);
        }
        file.write_all(recorded?.as_bytes()).map_err(unwritable)?;
        Ok(path)
    }

    fn record(&self, period: Duration, stop: &Stop) -> Result<String, Failure> {
        let mut policies = policies(period);
        let turns = Turns::new(stop, policies.len() * self.rounds as usize);
        turns.announce(&self.name);
        let load = self.load.start()?;
        let taken = turns.take(&mut policies, 0, self.rounds, |policy, _| {
            load.iter().try_for_each(|running| running.check())?;
            policy.record(period)
        })?;
        if turns.are_over() {
            return Err("interrupted; nothing was kept".into());
        }
        let mut text = String::new();
        for line in Native::new().environment().lines() {
            writeln!(text, "# {line}")?;
        }
        writeln!(text, "# {}", report::command(env::args().skip(1)))?;
        // Round by round, as they were recorded.
        for round in 0..self.rounds as usize {
            text.extend(taken.iter().map(|blocks| &blocks[round][..]));
        }
        Ok(text)
    }
}

fn policies(period: Duration) -> Vec<Policy> {
    let mut slices = vec![None];
    match SliceGuard::set(&Native::new(), Slice::SHORTEST) {
        Ok(_guard) => slices.push(Some(Slice::SHORTEST)),
        Err(error) => eprintln!("only with the default slice: {error}"),
    }
    let policy = |slice| {
        MARGINS_PERCENT.map(move |percent| {
            // In whole microseconds, as the file has it, and no less than the period if it is all.
            let micros = (period * percent / 100).as_nanos().div_ceil(1_000);
            let margin = Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX));
            let sleeper = Sleeper::new().with_margin(Margin::fixed(margin));
            let sleeper = sleeper.with_slice(Slice::Unchanged);
            Policy {
                slice,
                margin,
                sleeper,
            }
        })
    };
    slices.into_iter().flat_map(policy).collect()
}

impl Policy {
    /// Waits for a block of deadlines: a line of the file. A missed deadline is no wait.
    fn record(&mut self, period: Duration) -> Result<String, Failure> {
        let os = Native::new();
        let held = self.slice.map(|slice| SliceGuard::set(&os, slice));
        let _held = held.transpose()?;
        thread::sleep(PAUSE);
        let mut met = Vec::with_capacity(BLOCK as usize);
        let mut deadline = self.sleeper.now() + period;
        for _ in 0..BLOCK {
            met.push(self.sleeper.sleep_until(deadline));
            let now = self.sleeper.now();
            while deadline <= now {
                deadline += period;
            }
        }
        let slice = self.slice.map(|slice| slice.as_micros().to_string());
        let slice = slice.as_deref().unwrap_or(DEFAULT);
        let mut line = format!("{slice} {}", self.margin.as_micros());
        for wake in met {
            let alarm = wake.deadline - self.margin;
            let latency = (wake.woke - wake.spun).duration_since(alarm);
            match wake.slept.is_zero() {
                true => line.push_str(" -"),
                false => write!(line, " {}", units(latency))?,
            }
            if !wake.spun.is_zero() && wake.lateness() > PUNCTUAL {
                write!(line, "+{}", units(wake.lateness()))?;
            }
        }
        line.push('\n');
        Ok(line)
    }
}

fn parse_name(text: &str) -> Result<String, String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !text.is_empty() && text.bytes().all(allowed) {
        return Ok(text.to_owned());
    }
    Err("not a name of letters, digits and hyphens".to_owned())
}

fn units(duration: Duration) -> u128 {
    let unit = u128::from(UNIT_NANOS);
    (duration.as_nanos() + unit / 2) / unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::recording::Recording;

    #[test]
    fn what_is_recorded_is_a_recording_of_its_rate() {
        let folder = std::env::temp_dir().join(format!("record-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let plan = Plan {
            name: "test".to_owned(),
            folder: folder.clone(),
            rate: 6_000,
            load: Load::Idle,
            rounds: 1,
        };
        let stop = Stop::deaf();
        let path = plan.run(&stop).unwrap();
        assert_eq!(path, folder.join("test-0.167ms.policies"));
        assert!(Recording::read(&path, None).is_ok());
        // A second recording does not replace the first.
        let again = plan.run(&stop).unwrap_err().to_string();
        assert!(again.contains("test-0.167ms.policies"), "{again}");
        fs::remove_dir_all(folder).unwrap();
    }
}
