//! The same seed is the same run, bit for bit.

use punctual::{Instant, Os, Sleeper};
use punctual_sim::engine::Ties;
use punctual_sim::random::{Random, Spread};
use punctual_sim::{Limits, Load, Noise, NoiseSource, Plain, Record, Setup, SimOs, simulate};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);

/// Everything at once: noise, loads, wake-up latency, threads that sleep, spin and ring.
fn log(seed: u64, ties: Ties) -> Vec<Record> {
    let source = NoiseSource {
        mean_interval: 300 * MICROSECOND,
        length: Spread::new(MICROSECOND, 4 * MICROSECOND, 40 * MICROSECOND),
    };
    let setup = Setup {
        seed,
        ties,
        processors: 3,
        noise: Noise {
            interrupts: Some(source),
            dpcs: Some(source),
        },
        loads: vec![Load {
            busy: 900 * MICROSECOND,
            rest: 700 * MICROSECOND,
            ..Load::default()
        }],
        limits: Limits {
            log: 1 << 20,
            ..Limits::default()
        },
        ..Setup::default()
    };
    let plain = Plain {
        wake_latency: Spread::new(Duration::ZERO, 20 * MICROSECOND, 500 * MICROSECOND),
        ..Plain::default()
    };
    let run = simulate(setup, plain, |os| {
        let bell = os.bell();
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let bell = bell.clone();
                os.spawn("busy", Box::new(move || busy(os, thread, &bell)))
                    .unwrap()
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join(&os).unwrap());
    });
    run.unwrap().log
}

fn busy(os: SimOs, thread: u64, bell: &<SimOs as Os>::Bell) {
    let mut random = Random::new(thread);
    let mut sleeper = Sleeper::on(os);
    for _ in 0..50 {
        let duration = Duration::from_micros(random.between(0, 500));
        match random.between(0, 3) {
            0 => os.compute(duration),
            1 => drop(sleeper.sleep(duration)),
            2 => os.ring(bell),
            _ => {
                os.hush(bell);
                os.wait(Some(os.now() + duration), Duration::ZERO, bell);
            }
        }
    }
}

#[test]
fn a_seed_repeats_itself_and_no_other() {
    let once = log(1, Ties::Fifo);
    assert!(once.len() > 500, "{}", once.len());
    assert!(once == log(1, Ties::Fifo), "the same seed gave another log");
    assert!(once != log(2, Ties::Fifo), "another seed gave the same log");
}

/// Threads on processors of their own, all woken at the same instant: the order in which they write
/// their names.
fn order_of_equals(ties: Ties) -> Vec<u64> {
    let setup = Setup {
        ties,
        processors: 64,
        ..Setup::default()
    };
    let run = simulate(setup, Plain::default(), |os| {
        let names = Arc::new(Mutex::new(Vec::new()));
        let threads: Vec<_> = (0..32)
            .map(|thread| {
                let names = Arc::clone(&names);
                let body = move || {
                    let noon = Instant::ZERO + Duration::from_secs(1);
                    os.wait(Some(noon), Duration::ZERO, &os.bell());
                    names.lock().unwrap().push(thread);
                };
                os.spawn("equal", Box::new(body)).unwrap()
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join(&os).unwrap());
        names
    });
    let names = run.unwrap().value;
    let names = names.lock().unwrap();
    names.clone()
}

#[test]
fn the_order_of_ties_is_a_choice() {
    let fifo: Vec<u64> = (0..32).collect();
    assert_eq!(order_of_equals(Ties::Fifo), fifo);
    let scrambled = order_of_equals(Ties::Scrambled(1));
    assert_ne!(scrambled, fifo);
    assert_ne!(scrambled, order_of_equals(Ties::Scrambled(2)));
    assert_eq!(scrambled, order_of_equals(Ties::Scrambled(1)));
}
