//! Watching: how much later a program wakes while a watch runs, what the watch uses of the processors, and what
//! its flight recorder costs a busy machine.

use crate::beside::{self, Beside};
use crate::failure::Failure;
use crate::os::Meter;
use crate::report::{Aim, Bound, Column, Report, Table, plain};
use crate::row;
use crate::statistics::Spread;
use crate::turns::Turns;
use punctual_command::stop::Stop;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use std::{env, fs, process, thread};

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Plan {
    /// Takes half a minute. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,
}

/// How long a watch runs to find out what it uses, and which share of each processor it may use.
const USING: Duration = Duration::from_secs(10);
const MOST_USED: f64 = 0.01;

/// How often two threads pass a word to and fro in a turn. Each passing is a wake-up and a switch.
const PASSES: u32 = 100_000;

/// The recorder takes over the kernel's counts every two seconds.
const COUNTING: Duration = Duration::from_millis(2_300);

const ROUNDS: u32 = 20;
const QUICK_ROUNDS: u32 = 4;

impl Plan {
    /// A minute and a half.
    pub fn run(&self, stop: &Stop) -> Result<Report, Failure> {
        let folder = env::temp_dir().join(format!("punctual-bench-{}", process::id()));
        let report = self.run_in(&folder, stop);
        // It may not have been made.
        let _ = fs::remove_dir_all(&folder);
        report
    }

    fn run_in(&self, folder: &Path, stop: &Stop) -> Result<Report, Failure> {
        let rounds = if self.quick { QUICK_ROUNDS } else { ROUNDS };
        let mut all = vec![Beside::Nothing, Beside::Watch, Beside::WatchAndRecorder];
        let mut report = Report::default();
        match beside::recorder(folder) {
            Ok((recorder, _)) => recorder.stop(),
            Err(error) => {
                report.note = format!("The flight recorder was not measured: {error}");
                all.pop();
            }
        }
        let turns = Turns::new(stop, (all.len() + 1) * rounds as usize);
        beside::compare(&all, folder, rounds, &turns, &mut report)?;
        shares(&all[1..], folder, &turns, &mut report)?;
        if all.contains(&Beside::WatchAndRecorder) {
            busy(folder, rounds / 2, &turns, &mut report)?;
        }
        Ok(report)
    }
}

/// What each uses while nothing else runs.
fn shares(
    all: &[Beside],
    folder: &Path,
    turns: &Turns,
    report: &mut Report,
) -> Result<(), Failure> {
    let percent = |share: f64| plain::<2>(share * 100.0);
    let mut table = Table::new(
        "shares",
        "Processor time of all its threads over elapsed time, %",
        vec![
            Column::words("watch", "", 20),
            Column::figure("of_one_processor", "of one processor", 17, percent),
            Column::figure("of_each_processor", "of each", 10, percent),
        ],
    );
    turns.announce("what a watch uses");
    let mut all = all.to_vec();
    let taken = turns.take(&mut all, 0, 1, |watch, _| {
        let end = watch.start(folder)?;
        let before = Meter::Process.read();
        thread::sleep(USING);
        let used = Meter::Process.read().saturating_sub(before);
        end()?;
        Ok(used.as_secs_f64() / USING.as_secs_f64())
    })?;
    let processors = thread::available_parallelism()?.get() as f64;
    for (watch, shares) in all.iter().zip(&taken) {
        let of_one = shares.first().copied();
        let of_each = of_one.map(|share| share / processors);
        table.push(row![watch.name(), of_one, of_each]);
        let what = format!("{}: share of each processor", watch.name());
        report
            .aims
            .push(Aim::new(&what, Bound::Below(MOST_USED), of_each));
    }
    report.tables.push(table);
    Ok(())
}

/// What the kernel's ring costs programs that make many events.
fn busy(folder: &Path, rounds: u32, turns: &Turns, report: &mut Report) -> Result<(), Failure> {
    let millis = |seconds: f64| plain::<0>(seconds * 1e3);
    let mut table = Table::new(
        "busy",
        "The recorder beside two threads that wake each other: processor time",
        vec![
            Column::figure("events_each", "events", 16, plain::<0>),
            Column::figure("untraced_seconds", "without, ms", 14, millis),
            Column::figure("traced_seconds", "with, ms", 14, millis),
            Column::figure(
                "seconds_per_100_000",
                "ms per 100,000 events",
                24,
                |seconds| plain::<1>(seconds * 1e3),
            ),
        ],
    );
    turns.announce("what the recorder costs under load");
    let taken = turns.take(&mut [false, true], 0, rounds, |is_traced, _| {
        if !*is_traced {
            return Ok((pass_to_and_fro()?, 0.0));
        }
        let (recorder, lates) = beside::recorder(folder)?;
        let took = pass_to_and_fro()?;
        thread::sleep(COUNTING);
        let events = lates.counts().events as f64;
        recorder.stop();
        Ok((took, events))
    })?;
    let of = |part: &dyn Fn(usize) -> f64| Spread::of((0..taken[0].len()).map(part).collect());
    let [without, with] = [0, 1].map(|side: usize| of(&|turn| taken[side][turn].0));
    let per = of(&|turn| (taken[1][turn].0 - taken[0][turn].0) / taken[1][turn].1 * 1e5);
    table.push(row![of(&|turn| taken[1][turn].1), without, with, per]);
    report.tables.push(table);
    Ok(())
}

/// Seconds of processor time of this process meanwhile.
fn pass_to_and_fro() -> Result<f64, Failure> {
    let ((there, comes), (back, returns)) = (sync_channel::<()>(0), sync_channel::<()>(0));
    let before = Meter::Process.read();
    let other = thread::spawn(move || while comes.recv().is_ok() && back.send(()).is_ok() {});
    for _ in 0..PASSES / 2 {
        there.send(())?;
        returns.recv()?;
    }
    drop(there);
    other.join().map_err(|_| "the other thread broke")?;
    Ok(Meter::Process.read().saturating_sub(before).as_secs_f64())
}
