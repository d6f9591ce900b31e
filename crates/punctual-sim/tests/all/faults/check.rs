//! The judge of a log: never early, never lost, never twice, never after a cancel, never drifting.

mod bell;
mod schedule;
mod timers;
mod waits;

use super::log::What;
use punctual::Instant;
use punctual_sim::faults::Calls;
use std::time::Duration;
use timers::Timers;
use waits::Waits;

/// By how much everything may be late on machines with all these faults. Nothing is lost that comes by
/// then; a wake-up that is lost makes something come much later, or never. Where noise leaves a quarter of
/// a processor to three loads, a turn comes after a third of a second, and a wake-up may need three: one
/// in 300,000 seeds is more than a second late.
pub const BOUND: Duration = Duration::from_secs(2);

/// What a check finds wrong, in words.
pub type Verdict = Result<(), String>;

/// Fails with these words unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($words:tt)*) => {
        if !$condition {
            return Err(format!($($words)*));
        }
    };
}
use ensure;

/// How a driver was shut down.
#[derive(Default)]
struct ShutDown {
    begun: Option<Instant>,
    is_complete: bool,
}

pub fn check(log: &[What]) -> Verdict {
    let (mut timers, mut waits) = (Timers::default(), Waits::default());
    let mut shut_down = ShutDown::default();
    let mut is_over = false;
    for (line, what) in log.iter().enumerate() {
        let verdict = match *what {
            What::ShutDown { at } => {
                shut_down.begun.get_or_insert(at);
                Ok(())
            }
            What::IsShutDown => {
                shut_down.is_complete = true;
                Ok(())
            }
            What::Counted { len } => match log[..line] {
                [.., ref before, What::Count] if shut_down.begun.is_none() => {
                    timers.counted(len, before)
                }
                _ => Ok(()),
            },
            What::Broken { actor } => Err(format!("thread {actor} panicked")),
            What::Refused { .. } => Ok(()),
            What::Served { calls } => few_calls(calls, log.len()),
            What::Popped { window, at } => popped(window.earliest(), window.latest(), at),
            What::Left { timers: 0 } => Ok(()),
            What::Left { timers } => Err(format!(
                "a queue lost {timers} timers, or popped some twice"
            )),
            What::Over { .. } => {
                is_over = true;
                timers.over(what, &shut_down)
            }
            _ => timers
                .see(what, &shut_down)
                .and_then(|()| waits.see(what, &shut_down)),
        };
        verdict.map_err(|words| format!("line {line}, {what:?}: {words}"))?;
    }
    ensure!(is_over, "the program did not come to its end");
    waits.over()
}

/// A driver sleeps unless something ended its wait or there is something to do, of which each thing is a line
/// of the log or a future that is woken, and each future has a line.
fn few_calls(calls: Calls, lines: usize) -> Verdict {
    let Calls {
        readings,
        waits,
        early_ends,
        ..
    } = calls;
    let things = 2 * lines as u64 + 8;
    ensure!(
        waits <= things + early_ends,
        "{waits} waits for {things} things to do"
    );
    let most = 16 * (things + waits);
    ensure!(
        readings <= most,
        "{readings} readings for {things} things to do"
    );
    Ok(())
}

fn popped(earliest: Instant, latest: Instant, at: Instant) -> Verdict {
    ensure!(at >= earliest, "popped early, by {:?}", earliest - at);
    ensure!(at <= latest + BOUND, "popped {:?} late", at - latest);
    Ok(())
}
