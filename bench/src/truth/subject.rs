//! The program whose wake-ups are explained. It knows when it should have woken, and when it did.

mod before;
mod waiting;

use super::condition::{Around, Condition, Method};
use super::log::{self, Entry};
use crate::answering::{Worker, end_of_input};
use crate::failure::Failure;
use crate::os::waits;
use before::Delay;
use rustix::process::{Signal, getppid, kill_process};
use rustix::thread::gettid;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, thread};
use waiting::Waiter;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-explained";

/// The hidden subcommand of the process that disturbs the program.
pub const DISTURBER: &str = "disturb";

/// How long each wait is; `poll` takes whole milliseconds.
const WAIT: u64 = 2_000_000;

/// How long it takes what comes before a wait, where this program decides.
const DELAY: u64 = 2_500_000;

/// The processor of a program that a real-time thread disturbs, and of that thread.
const DISTURBED_PROCESSOR: usize = 0;

/// What one thread does.
#[derive(Debug, Clone, clap::Args)]
pub struct Program {
    #[arg(long)]
    pub condition: String,
    /// How many waits each thread makes.
    #[arg(long)]
    pub count: usize,
    #[arg(long)]
    pub log: PathBuf,
    /// The file in which the kernel counts how often the program's group was out of processor time.
    #[arg(long)]
    pub statistics: Option<PathBuf>,
    /// Ends when its input does, if that is earlier.
    #[arg(long)]
    pub until_input_ends: bool,
}

impl Program {
    pub fn run(&self) -> Result<(), Failure> {
        let condition: Condition = self.condition.parse()?;
        waits::name_thread("truth");
        let end = match self.until_input_ends {
            true => end_of_input(),
            false => Arc::default(),
        };
        if condition.around == Around::RealTime {
            waits::stay_on(DISTURBED_PROCESSOR);
        }
        let disturber = disturber(condition)?;
        let (count, statistics) = (self.count, self.statistics.as_deref());
        let others = (1..condition.threads).map(|index| {
            let end = Arc::clone(&end);
            thread::spawn(move || {
                waits::name_thread(&format!("truth-{index}"));
                waited(condition, count, None, &end).map_err(|error| error.to_string())
            })
        });
        let others: Vec<_> = others.collect();
        let mut entries = waited(condition, count, statistics, &end)?;
        for other in others {
            entries.extend(other.join().map_err(|_| "a thread has panicked")??);
        }
        drop(disturber);
        log::write(&self.log, &entries)
    }
}

fn waited(
    condition: Condition,
    count: usize,
    statistics: Option<&Path>,
    end: &AtomicBool,
) -> Result<Vec<Entry>, Failure> {
    let waiter = Waiter::new(condition.method)?;
    let mut delay = Delay::new(condition.before)?;
    let mut entries = Vec::with_capacity(count);
    let mut name = thread_name().unwrap_or_else(|| "truth".to_owned());
    let mut throttled = times_throttled(statistics)?;
    while entries.len() < count && !end.load(Ordering::Relaxed) {
        if condition.around == Around::Renamed && entries.len() == count / 2 {
            name = "truth-renamed".to_owned();
            waits::name_thread(&name);
        }
        let asked = waits::now();
        // A wait for a while begins after what comes before it, and is late for other reasons.
        let deadline = match condition.method {
            Method::SleepUntil => {
                let deadline = asked + delay.deadline_after(WAIT);
                delay.pass(DELAY)?;
                waiter.until(deadline);
                deadline
            }
            _ => {
                delay.pass(DELAY)?;
                let deadline = waits::now() + WAIT;
                waiter.until(deadline);
                deadline
            }
        };
        let woke = waits::now();
        let before = std::mem::replace(&mut throttled, times_throttled(statistics)?);
        entries.push(Entry {
            thread: gettid().as_raw_pid().unsigned_abs(),
            name: name.clone(),
            asked,
            deadline,
            woke,
            throttled: throttled > before,
        });
    }
    Ok(entries)
}

/// How often the group in this file was out of processor time.
fn times_throttled(statistics: Option<&Path>) -> Result<u64, Failure> {
    let Some(path) = statistics else {
        return Ok(0);
    };
    let text = fs::read_to_string(path)?;
    let mut counts = text
        .lines()
        .filter_map(|line| line.strip_prefix("nr_throttled "));
    Ok(counts.next().ok_or("no nr_throttled")?.parse()?)
}

/// The name that the system has for the calling thread.
fn thread_name() -> Option<String> {
    let name = fs::read_to_string("/proc/thread-self/comm").ok()?;
    Some(name.trim_end().to_owned())
}

fn disturber(condition: Condition) -> Result<Option<Worker>, Failure> {
    let disturbs = matches!(condition.around, Around::Stops | Around::RealTime);
    let start = || Worker::start(DISTURBER, condition.name);
    disturbs.then(start).transpose()
}

/// Disturbs the program that has started this, until that ends.
pub fn disturb(condition: &str) -> Result<(), Failure> {
    const PAUSE: u64 = 7_000_000;
    const DISTURBANCE: u64 = 3_000_000;
    let condition: Condition = condition.parse()?;
    let program = getppid().ok_or("nothing has started this")?;
    let end = end_of_input();
    if condition.around == Around::RealTime {
        waits::stay_on(DISTURBED_PROCESSOR);
        waits::become_real_time(50)?;
    }
    while !end.load(Ordering::Relaxed) {
        waits::sleep_for(PAUSE);
        if condition.around == Around::Stops {
            kill_process(program, Signal::STOP)?;
            waits::sleep_for(DISTURBANCE);
            kill_process(program, Signal::CONT)?;
        } else {
            let until = waits::now() + DISTURBANCE;
            while waits::now() < until {}
        }
    }
    Ok(())
}
