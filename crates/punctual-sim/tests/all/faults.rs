//! Random programs on machines with random faults, judged by simple rules. A seed decides everything, so a
//! seed that fails can be replayed.
//!
//! | variable | effect |
//! |---|---|
//! | `PUNCTUAL_SEED=123` | replays one seed, and prints its program and what happened |
//! | `PUNCTUAL_SEEDS=1000000` | runs so many seeds, on all processors |
//! | `PUNCTUAL_FIRST_SEED=1` | the first of them; without it, the clock decides |

mod callbacks;
mod check;
mod draw;
mod kinds;
mod log;
mod program;
mod run;
mod soak;
mod tally;
mod tasks;
mod world;

use program::Program;

/// As many as take a few seconds.
const QUICK: u64 = 400;

/// Why a seed fails, if it does.
fn verdict(seed: u64) -> (run::Outcome, Result<(), String>) {
    let outcome = run::run(seed, &Program::of(seed));
    let verdict = check::check(&outcome.log);
    // What the log shows comes before what became of the machine.
    let verdict = match &outcome.faults {
        Ok(_) => verdict,
        Err(error) => Err(match verdict {
            Err(words) if !words.starts_with("the program") => format!("{words}; {error}"),
            _ => error.clone(),
        }),
    };
    (outcome, verdict)
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{variable} must be a number, such as 123")),
    )
}

/// The name of the test below.
const TEST: &str = "faults::nothing_is_early_lost_or_doubled_whatever_the_faults";

#[test]
fn nothing_is_early_lost_or_doubled_whatever_the_faults() {
    if let Some(seed) = number("PUNCTUAL_SEED") {
        return soak::replay(seed);
    }
    let first = number("PUNCTUAL_FIRST_SEED");
    match number("PUNCTUAL_SEEDS") {
        Some(seeds) => soak::run_long(first.unwrap_or_else(soak::seed_of_the_clock), seeds),
        None => soak::Soak::run(first.unwrap_or(0), QUICK).judge(),
    }
}

#[test]
fn a_seed_replays_to_the_byte() {
    for seed in 0..40 {
        let (one, other) = (verdict(seed), verdict(seed));
        assert_eq!(format!("{:?}", one.0.log), format!("{:?}", other.0.log));
        assert_eq!(one.0.faults, other.0.faults);
        assert_eq!(one.1, other.1);
    }
    let log = |seed| format!("{:?}", verdict(seed).0.log);
    assert_ne!(log(1), log(2));
}
