//! A task whose timers are always due lets the others have their turn.

use punctual_tokio::{Duration, Instant, interval, sleep_until, timeout};
use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, ready};
use tokio::task::coop;

/// More than a task may do before it must give the others a turn.
const MANY: u32 = 10_000;

/// Whether another task of the same thread runs while this one waits again and again.
async fn lets_others_run<F: Future>(mut wait: impl FnMut() -> F) -> bool {
    let had_its_turn = Arc::new(AtomicBool::new(false));
    let turn = Arc::clone(&had_its_turn);
    tokio::spawn(async move { turn.store(true, Ordering::Relaxed) });
    for _ in 0..MANY {
        wait().await;
        if had_its_turn.load(Ordering::Relaxed) {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn sleeps_that_are_over_give_way() {
    let past = Instant::now();
    assert!(lets_others_run(|| sleep_until(past)).await);
}

#[tokio::test]
async fn a_burst_of_ticks_gives_way() {
    let mut beats = interval(Duration::from_nanos(1));
    let had_its_turn = Arc::new(AtomicBool::new(false));
    let turn = Arc::clone(&had_its_turn);
    tokio::spawn(async move { turn.store(true, Ordering::Relaxed) });
    for _ in 0..MANY {
        beats.tick().await;
    }
    assert!(had_its_turn.load(Ordering::Relaxed));
}

#[tokio::test]
async fn a_greedy_future_does_not_hide_its_limit() {
    // Uses up the budget of its task in each poll, and never ends.
    let greedy = poll_fn(|context| {
        loop {
            ready!(coop::poll_proceed(context)).made_progress();
        }
        #[expect(unreachable_code, reason = "gives the closure its type")]
        Poll::<()>::Pending
    });
    let greedy = pin!(greedy);
    assert!(timeout(Duration::from_micros(500), greedy).await.is_err());
    assert!(timeout(Duration::ZERO, pending::<()>()).await.is_err());
}
