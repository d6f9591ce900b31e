//! A busy machine: what the kernel's ring costs programs that make many events.

use super::stage::recorder_in;
use crate::failure::Failure;
use crate::os::Meter;
use crate::progress::Progress;
use crate::statistics::Spread;
use serde::Serialize;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// How often two threads pass a word to and fro in a turn. Each passing is a wake-up and a switch.
const PASSES: u32 = 100_000;

/// The recorder takes over the kernel's counts every two seconds.
const COUNTING: Duration = Duration::from_millis(2_300);

/// What it costs.
#[derive(Debug, Serialize)]
pub struct Busy {
    pub events_each: Spread,
    pub untraced_seconds: Spread,
    pub traced_seconds: Spread,
    /// Milliseconds of processor time for each 100,000 events, turn by turn.
    pub milliseconds_per_100_000: Spread,
}

/// Measures with and without a ring, in turns.
pub fn measure(folder: &Path, rounds: u32, progress: &Progress) -> Result<Busy, Failure> {
    progress.announce("what the recorder costs under load".to_owned());
    let [mut without, mut with, mut events, mut costs] = [const { Vec::new() }; 4];
    for _ in 0..rounds {
        let untraced = pass_to_and_fro()?;
        let (recorder, lates, _) = recorder_in(folder)?;
        let traced = pass_to_and_fro()?;
        thread::sleep(COUNTING);
        let counted = lates.counts().events as f64;
        recorder.stop();
        if counted < 1.0 {
            return Err("the kernel counted no events".into());
        }
        let more = traced.as_secs_f64() - untraced.as_secs_f64();
        costs.push(more * 1e3 / counted * 1e5);
        without.push(untraced.as_secs_f64());
        with.push(traced.as_secs_f64());
        events.push(counted);
    }
    let spread = |values| Spread::of(values).ok_or_else(|| Failure::from("nothing was measured"));
    Ok(Busy {
        events_each: spread(events)?,
        untraced_seconds: spread(without)?,
        traced_seconds: spread(with)?,
        milliseconds_per_100_000: spread(costs)?,
    })
}

/// Processor time of this process meanwhile.
fn pass_to_and_fro() -> Result<Duration, Failure> {
    let (there, comes) = sync_channel::<()>(0);
    let (back, returns) = sync_channel::<()>(0);
    let before = Meter::Process.read();
    let other = thread::spawn(
        move || {
            while comes.recv().is_ok() && back.send(()).is_ok() {}
        },
    );
    for _ in 0..PASSES / 2 {
        there.send(())?;
        returns.recv()?;
    }
    drop(there);
    other.join().map_err(|_| "the other thread broke")?;
    Ok(Meter::Process.read().saturating_sub(before))
}
