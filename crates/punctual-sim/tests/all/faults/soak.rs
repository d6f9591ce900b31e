//! Many seeds, on all processors of the host.

use super::program::Program;
use super::tally::Tally;
use super::{QUICK, TEST, verdict};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// After so many failures the rest is not run.
const MOST_FAILURES: usize = 4;

/// Seeds for each process. Threads that compute for ever keep their stacks until the process ends, and Linux
/// allows a process 65,530 mappings: two for each stack, of which some seeds have four.
const SEEDS_PER_PROCESS: u64 = 5_000;

pub fn seed_of_the_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs() << 24
}

/// The command that replays a seed.
fn replay_command(seed: u64) -> String {
    let profile = if cfg!(debug_assertions) {
        ""
    } else {
        " --release"
    };
    format!(
        "PUNCTUAL_SEED={seed} cargo test{profile} -p punctual-sim --test all -- --nocapture {TEST}"
    )
}

pub fn replay(seed: u64) {
    println!("{:#?}", Program::of(seed));
    let (outcome, verdict) = verdict(seed);
    for (line, what) in outcome.log.iter().enumerate() {
        println!("{line} {what:?}");
    }
    println!("{:?}", outcome.faults);
    if let Err(words) = verdict {
        panic!("seed {seed} fails: {words}");
    }
}

/// Runs as many seeds as are asked for, with a report.
pub fn run_long(first: u64, seeds: u64) {
    if seeds <= SEEDS_PER_PROCESS {
        let soak = Soak::run(first, seeds);
        eprint!("{}", soak.tally.lock().unwrap());
        return soak.judge();
    }
    let (mut tally, began) = (Tally::default(), Instant::now());
    eprintln!("{seeds} seeds from PUNCTUAL_FIRST_SEED={first}");
    let mut done = 0;
    while done < seeds {
        let these = SEEDS_PER_PROCESS.min(seeds - done);
        let passed = run_in_a_process(first.wrapping_add(done), these, &mut tally);
        assert!(passed, "of the seeds above, some fail");
        done += these;
        eprintln!("{done} seeds, {:.0} a second", rate(done, began.elapsed()));
    }
    eprint!("{tally}");
    eprintln!(
        "{seeds} seeds in {:.0?}, {:.0} a second",
        began.elapsed(),
        rate(done, began.elapsed())
    );
    assert_eq!(tally.missing(), None, "this fault never came");
}

/// Returns whether all passed, and shows what it writes except for its tally.
fn run_in_a_process(first: u64, seeds: u64, tally: &mut Tally) -> bool {
    let this = std::env::current_exe().unwrap();
    let mut child = Command::new(this)
        .args(["--exact", TEST, "--nocapture"])
        .env("PUNCTUAL_FIRST_SEED", first.to_string())
        .env("PUNCTUAL_SEEDS", seeds.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let written = BufReader::new(child.stderr.take().unwrap());
    for line in written.lines().map_while(Result::ok) {
        if !tally.read(&line) {
            eprintln!("{line}");
        }
    }
    child.wait().unwrap().success()
}

#[allow(clippy::cast_precision_loss, reason = "a rate")]
fn rate(done: u64, elapsed: Duration) -> f64 {
    done as f64 / elapsed.max(Duration::from_millis(1)).as_secs_f64()
}

pub struct Soak {
    first: u64,
    seeds: u64,
    next: AtomicU64,
    failed: Mutex<Vec<(u64, String)>>,
    tally: Mutex<Tally>,
}

impl Soak {
    /// Runs these seeds in this process.
    pub fn run(first: u64, seeds: u64) -> Self {
        let soak = Self {
            first,
            seeds,
            next: AtomicU64::new(0),
            failed: Mutex::default(),
            tally: Mutex::default(),
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..processors {
                scope.spawn(|| soak.work());
            }
        });
        soak
    }

    fn work(&self) {
        let mut tally = Tally::default();
        while self.failed.lock().unwrap().len() < MOST_FAILURES {
            let done = self.next.fetch_add(1, Ordering::Relaxed);
            if done >= self.seeds {
                break;
            }
            let seed = self.first.wrapping_add(done);
            let (outcome, verdict) = verdict(seed);
            if let Err(words) = verdict {
                self.failed.lock().unwrap().push((seed, words));
            }
            tally.see(&outcome.log, outcome.faults.as_ref().ok());
        }
        self.tally.lock().unwrap().merge(&tally);
    }

    /// Fails with the seeds that do.
    pub fn judge(self) {
        let mut failed = self.failed.into_inner().unwrap();
        failed.sort();
        for (seed, words) in &failed {
            let after = seed.wrapping_sub(self.first);
            eprintln!(
                "after {after} others, seed {seed} fails: {words}\n  {}",
                replay_command(*seed)
            );
        }
        assert!(failed.is_empty(), "{} seeds fail", failed.len());
        if self.seeds >= QUICK {
            assert_eq!(
                self.tally.into_inner().unwrap().missing(),
                None,
                "this fault never came"
            );
        }
    }
}
