//! What it costs a loop to be traced: the same waits with and without, in turns.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::statistics::Spread;
use crate::waiting::beside::{BLOCK, SLACKS, WAYS, median, waits};
use punctual_trace::recording::Head;
use punctual_trace::{Capture, Explainer, ThreadId};
use serde::Serialize;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// As often as the command drains its capture.
const DRAIN_EVERY: Duration = Duration::from_millis(100);

/// Median lateness without and with a trace.
#[derive(Debug, Serialize)]
pub struct Cost {
    pub name: &'static str,
    pub waits_each: u64,
    pub untraced_p50_ns: Spread,
    pub traced_p50_ns: Spread,
    /// Traced over untraced, turn by turn.
    pub ratio: Spread,
}

/// How long it takes.
pub fn duration(rounds: u32) -> Duration {
    WAYS.map(|_| BLOCK * 2 * rounds).iter().sum()
}

/// Measures on this thread, while another drains the trace.
pub fn measure(rounds: u32, progress: &Progress) -> Result<Vec<Cost>, Failure> {
    let mut capture = Capture::prepare()?;
    let starter = capture.starter();
    let thread = this_thread()?;
    // The command explains while it records.
    let head = Head {
        threads: vec![(thread.0, String::new())],
        ..Head::default()
    };
    let mut explainer = Explainer::new(capture.raw(), &head)?;
    let (is_over, is_traced) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let drainer = scope.spawn(|| -> Result<(), punctual::Error> {
            while !is_over.load(Ordering::Relaxed) {
                thread::sleep(DRAIN_EVERY);
                // Who is not traced has nobody who drains.
                if is_traced.load(Ordering::Relaxed) {
                    explainer.portion(&capture.take()?)?;
                }
            }
            Ok(())
        });
        let set = |traced: bool| {
            is_traced.store(traced, Ordering::Relaxed);
            if traced {
                starter.start(Some(thread))
            } else {
                starter.pause()
            }
        };
        let outcome = in_turns(rounds, progress, &set);
        is_over.store(true, Ordering::Relaxed);
        drainer.join().map_err(|_| "draining the trace broke")??;
        outcome
    })
}

fn in_turns(
    rounds: u32,
    progress: &Progress,
    set: &dyn Fn(bool) -> Result<(), punctual::Error>,
) -> Result<Vec<Cost>, Failure> {
    // By way of waiting, then untraced and traced.
    let mut medians: [[Vec<f64>; 2]; 2] = Default::default();
    for round in 0..rounds {
        for (slack, medians) in SLACKS.into_iter().zip(&mut medians) {
            // Now one is first, now the other.
            for side in [round % 2, 1 - round % 2] {
                set(side == 1)?;
                medians[side as usize].push(median(slack));
                set(false)?;
                progress.advance(BLOCK);
            }
        }
    }
    let waits_each = waits(rounds);
    let costs = WAYS.into_iter().zip(medians);
    costs
        .map(|(name, [untraced, traced])| {
            let none = || Failure::from("nothing was measured");
            Ok(Cost {
                name,
                waits_each,
                ratio: Spread::of_ratios(&traced, &untraced).ok_or_else(none)?,
                untraced_p50_ns: Spread::of(untraced).ok_or_else(none)?,
                traced_p50_ns: Spread::of(traced).ok_or_else(none)?,
            })
        })
        .collect()
}

fn this_thread() -> Result<ThreadId, Failure> {
    let path = fs::read_link("/proc/thread-self")?;
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(ThreadId(name.ok_or("this thread has no number")?.parse()?))
}
