//! Setups and faults of which a seed chooses some. Bugs often need a few faults together and the absence of
//! others, so each seed leaves some out (Groce et al., "Swarm testing", ISSTA 2012).

use super::{Fault, Faults};
use crate::engine::Ties;
use crate::random::{Random, Spread};
use crate::{Limits, Load, NORMAL_PRIORITY, Noise, NoiseSource, Setup};
use std::time::Duration;

/// The purposes of the streams of chance of one seed.
const SETUP: u64 = 4 << 32;
const FAULTS: u64 = SETUP + 1;

/// The longest of a fault, in means.
const LONGEST: u32 = 10;

impl Setup {
    /// A small machine that a seed chooses: 1 to 4 processors, often with scrambled ties, noise, quanta and
    /// programs that compete for the processors, of lower or higher priority. No program can keep all
    /// processors for longer than some milliseconds.
    ///
    /// ```
    /// use punctual_sim::Setup;
    ///
    /// assert_eq!(Setup::swarm(1), Setup::swarm(1));
    /// assert_ne!(Setup::swarm(1), Setup::swarm(2));
    /// ```
    pub fn swarm(seed: u64) -> Self {
        let mut random = Random::stream(seed, SETUP);
        let ties = match random.between(0, 1) {
            0 => Ties::Fifo,
            _ => Ties::Scrambled(random.next_u64()),
        };
        let noise = Noise {
            interrupts: chance(&mut random, 3).then(|| source(&mut random, 100, 3_000, 1, 20)),
            dpcs: chance(&mut random, 3).then(|| source(&mut random, 200, 10_000, 5, 150)),
        };
        let loads = match random.between(0, 2) {
            0 => random.between(1, 3),
            _ => 0,
        };
        let quantum = chance(&mut random, 2).then(|| micros(&mut random, 500, 20_000));
        Self {
            seed,
            ties,
            processors: usize::try_from(random.between(1, 4)).expect("at most 4"),
            quantum,
            dispatch_cost: micros(&mut random, 0, 5),
            noise,
            loads: (0..loads)
                .map(|_| load(&mut random, quantum.is_some()))
                .collect(),
            limits: Limits::default(),
        }
    }
}

impl Faults {
    /// Faults that a seed chooses, each as likely to be absent as to be there: one in 2 to one in 100
    /// opportunities, of microseconds to milliseconds.
    ///
    /// ```
    /// use punctual_sim::faults::Faults;
    ///
    /// assert_eq!(Faults::swarm(1), Faults::swarm(1));
    /// assert_ne!(Faults::swarm(1), Faults::swarm(2));
    /// ```
    pub fn swarm(seed: u64) -> Self {
        let random = &mut Random::stream(seed, FAULTS);
        Self {
            early_ends: fault(random, 2, 50, 0, 2_000),
            repeated_wakes: fault(random, 1, 10, 0, 200),
            late_timers: fault(random, 2, 100, 10, 2_000),
            late_bells: fault(random, 2, 50, 1, 500),
            unsaid_bells: fault(random, 2, 20, 0, 0),
            // Each wait makes some ten calls.
            slow_calls: fault(random, 20, 1_000, 1, 300),
            refused_threads: fault(random, 10, 50, 0, 0),
            clock_grain: match random.between(0, 1) {
                0 => Duration::ZERO,
                // As coarse as the counters of old machines, and almost as a tick.
                _ => Duration::from_nanos(random.between(40, 400) * random.between(1, 1_000)),
            },
            clock_stalls: chance(random, 2).then(|| source(random, 1_000, 30_000, 1, 500)),
            clock_jumps: chance(random, 2).then(|| source(random, 5_000, 50_000, 10, 3_000)),
        }
    }
}

fn chance(random: &mut Random, one_in: u64) -> bool {
    random.between(1, one_in) == 1
}

/// As likely between one and two as between a thousand and two thousand.
fn scaled(random: &mut Random, least: u64, most: u64) -> u64 {
    let most = random.between(least, most);
    let halved = most >> random.between(0, 6);
    halved.max(least)
}

fn micros(random: &mut Random, least: u64, most: u64) -> Duration {
    Duration::from_micros(scaled(random, least, most))
}

fn fault(random: &mut Random, least: u64, most: u64, shortest: u64, longest: u64) -> Fault {
    let is_there = chance(random, 2);
    let one_in = scaled(random, least, most);
    let mean = micros(random, shortest, longest);
    let size = Spread::new(Duration::ZERO, mean, mean * LONGEST);
    match is_there {
        true => Fault::one_in(one_in, size),
        false => Fault::NEVER,
    }
}

fn source(random: &mut Random, least: u64, most: u64, shortest: u64, longest: u64) -> NoiseSource {
    let mean = micros(random, shortest, longest);
    NoiseSource {
        mean_interval: micros(random, least, most),
        length: Spread::new(Duration::ZERO, mean, mean * LONGEST),
    }
}

fn load(random: &mut Random, is_preempted: bool) -> Load {
    let busy = micros(random, 300, 3_000);
    match random.between(0, 2) {
        // At the program's own priority, and for ever.
        0 if is_preempted => Load {
            priority: NORMAL_PRIORITY,
            busy,
            rest: Duration::ZERO,
        },
        lower_or_higher => Load {
            priority: if lower_or_higher == 1 { 4 } else { 12 },
            busy,
            rest: 4 * busy,
        },
    }
}
