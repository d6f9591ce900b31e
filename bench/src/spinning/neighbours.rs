//! What a spinning thread leaves of a core to the sibling hyperthread beside it.

use crate::failure::Failure;
use crate::os::waits;
use crate::progress::Progress;
use crate::statistics::quartiles;
use punctual::os::Spin;
use punctual::{Native, Os};
use serde::Serialize;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use std::{fs, io};

/// Two processors, usually of one core.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    pub spinning: usize,
    pub working: usize,
}

/// How much work is done beside a thread that spins in one way.
#[derive(Debug, Serialize)]
pub struct Row {
    pub spin: &'static str,
    /// Of the work done beside nobody, in the same round: the median, and the quartiles.
    pub work_share: f64,
    pub work_share_low: f64,
    pub work_share_high: f64,
}

pub const NO_SIBLINGS: &str =
    "no two processors that this machine shows are siblings of one core (hyperthreads)";

/// How long the work beside one way lasts.
const TURN: Duration = Duration::from_millis(50);
const ROUNDS: u32 = 20;

/// How long one spin lasts: a long margin.
const SPIN: Duration = Duration::from_micros(150);

/// Named by what is between two looks at the clock. `None`: a loop without any pause.
const WAYS: [(&str, Option<Spin>); 3] = [
    ("bare loop", None),
    ("Spin::Pause", Some(Spin::Pause)),
    ("Spin::LowPower", Some(Spin::LowPower)),
];

pub fn duration(one_in: u32) -> Duration {
    let beside_nobody = TURN;
    let round = WAYS.iter().map(|_| TURN).sum::<Duration>() + beside_nobody;
    round * ROUNDS.div_ceil(one_in)
}

impl Pair {
    /// The first two that the kernel says share a core.
    pub fn of_siblings() -> Result<Option<Self>, Failure> {
        for entry in fs::read_dir("/sys/devices/system/cpu")? {
            let list = match fs::read_to_string(entry?.path().join("topology/thread_siblings_list"))
            {
                Ok(list) => list,
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            let mut siblings = list.trim().split([',', '-']).map(str::parse);
            if let (Some(Ok(spinning)), Some(Ok(working))) = (siblings.next(), siblings.next()) {
                return Ok(Some(Self { spinning, working }));
            }
        }
        Ok(None)
    }

    pub fn measure(self, one_in: u32, progress: &Progress) -> Result<Vec<Row>, Failure> {
        let mut shares: [Vec<f64>; WAYS.len()] = Default::default();
        for _ in 0..ROUNDS.div_ceil(one_in) {
            progress.announce("work beside a spin".to_owned());
            let alone = self.work_beside(|_| {});
            progress.advance(TURN);
            for ((_, spin), shares) in WAYS.iter().zip(&mut shares) {
                let beside = self.work_beside(|ended| match spin {
                    Some(spin) => keep_spinning(*spin, ended),
                    None => while !ended.load(Ordering::Relaxed) {},
                });
                shares.push(beside as f64 / alone as f64);
                progress.advance(TURN);
            }
        }
        Ok(WAYS
            .iter()
            .zip(shares)
            .filter_map(|((name, _), mut shares)| {
                shares.sort_by(f64::total_cmp);
                let work_share = shares[shares.len() / 2];
                let (work_share_low, work_share_high) = quartiles(shares)?;
                Some(Row {
                    spin: name,
                    work_share,
                    work_share_low,
                    work_share_high,
                })
            })
            .collect())
    }

    /// How much one thread does in a turn, while another does something on the other processor.
    fn work_beside(self, neighbour: impl FnOnce(&AtomicBool) + Send) -> u64 {
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                waits::stay_on(self.spinning);
                neighbour(&ended);
            });
            let worker = scope.spawn(|| {
                waits::stay_on(self.working);
                let done = work();
                ended.store(true, Ordering::Relaxed);
                done
            });
            worker.join().unwrap_or(0)
        })
    }
}

fn keep_spinning(spin: Spin, ended: &AtomicBool) {
    let os = Native::new();
    while !ended.load(Ordering::Relaxed) {
        os.spin_until(os.now() + SPIN, spin);
    }
}

/// Independent chains of arithmetic, which use as much of a core as there is.
fn work() -> u64 {
    const CHAINS: usize = 4;
    const BETWEEN_LOOKS: u32 = 1_000;
    let os = Native::new();
    let (until, mut done) = (os.now() + TURN, 0);
    let mut chains = [1_u64; CHAINS];
    while os.now() < until {
        for _ in 0..BETWEEN_LOOKS {
            for (chain, seed) in chains.iter_mut().zip(1_u64..) {
                *chain = chain.rotate_left(7).wrapping_add(seed) ^ *chain >> 3;
            }
        }
        hint::black_box(&chains);
        done += 1;
    }
    done
}
