//! One task of a tokio runtime that keeps a beat of 1 kHz, with an interval of tokio's and with one
//! that takes its place.

use super::rates::runtime;
use super::{ADAPTER, Beating, medians};
use crate::failure::Failure;
use crate::os::{Meter, SlackGuard};
use crate::statistics::{Figures, nanos};
use crate::waiting::DEFAULT_SLACK;
use crate::waiting::grid::Outcome;
use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

const PERIOD: Duration = Duration::from_millis(1);

const TICKS: u32 = 1_000;

pub const TURN: Duration = Duration::from_secs(1);

/// Who keeps it, and on which flavour of the runtime.
#[derive(Debug, Clone, Copy)]
pub struct Beat {
    is_ours: bool,
    threads: usize,
}

impl Beat {
    pub const ALL: [Self; 4] = [
        Self::new(true, 1),
        Self::new(true, 2),
        Self::new(false, 1),
        Self::new(false, 2),
    ];

    const fn new(is_ours: bool, threads: usize) -> Self {
        Self { is_ours, threads }
    }

    pub fn contender(self) -> &'static str {
        if self.is_ours { ADAPTER } else { "tokio" }
    }

    /// One turn.
    pub fn keep(self) -> Result<Outcome, Failure> {
        let _slack = SlackGuard::set(DEFAULT_SLACK);
        let runtime = runtime(self.threads)?;
        // In a task, because a runtime of several threads runs only tasks on its workers.
        let kept = if self.is_ours {
            runtime.spawn(async {
                let mut beats = punctual_tokio::interval_at(Instant::now() + PERIOD, PERIOD);
                keep(move |context| beats.poll_tick(context)).await
            })
        } else {
            runtime.spawn(async {
                let mut beats = tokio::time::interval_at(Instant::now() + PERIOD, PERIOD);
                keep(move |context| beats.poll_tick(context)).await
            })
        };
        Ok(runtime.block_on(kept)?)
    }

    pub fn row(self, turns: &[Outcome]) -> Result<Beating, Failure> {
        Ok(Beating {
            contender: self.contender(),
            threads: self.threads,
            p50_ns: medians(turns)?,
            figures: Figures::of(turns)?,
        })
    }
}

/// How late the task gets to run after each tick, counted from the tick's deadline.
async fn keep(mut poll_tick: impl FnMut(&mut Context<'_>) -> Poll<Instant>) -> Outcome {
    let (began, used) = (Instant::now(), Meter::Process.read());
    let mut latenesses = Vec::new();
    for _ in 0..TICKS {
        let deadline = poll_fn(&mut poll_tick).await;
        latenesses.push(nanos(deadline.elapsed()));
    }
    Outcome {
        latenesses,
        missed: Some(0),
        passed: Vec::new(),
        processor: Some(Meter::Process.read() - used),
        spun: None,
        elapsed: began.elapsed(),
    }
}
