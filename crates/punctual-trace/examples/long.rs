//! Explains a recording again and again, as if it had lasted for hours, and prints how fast that was:
//! `long FILE HOURS`. The recording must be of a loop of our own. Watch its memory meanwhile.

use punctual_trace::recording::{RecordedWait, Recording};
use punctual_trace::report::Tally;
use punctual_trace::tracefs::Portion;
use punctual_trace::{Explainer, Wait};
use std::error::Error;
use std::io::{Write, stdout};
use std::time::Instant as Clock;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [file, hours] = arguments.as_slice() else {
        return Err("give a recording, and for how many hours".into());
    };
    let recording = Recording::read(&std::fs::read(file)?)?;
    let waits = recording.head.waits.clone().ok_or("it is not of a loop")?;
    let (first, last) = waits.first().zip(waits.last()).ok_or("it has no waits")?;
    let length_ns = last.deadline_ns - first.deadline_ns + 1_000_000;
    let copies = hours.parse::<u64>()? * 3_600_000_000_000 / length_ns;
    let mut explainer = Explainer::new(&recording.raw, &recording.head)?;
    let mut tally = Tally::new(100);
    let began = Clock::now();
    for copy in 0..copies {
        let (portion, waits) = later(&recording, &waits, copy * length_ns);
        waits.into_iter().for_each(|wait| explainer.wait(wait));
        for wake_up in explainer.portion(&portion)? {
            tally.note(&wake_up, explainer.names());
        }
        if copy % (copies / 10).max(1) == 0 {
            told(&explainer, &tally, began)?;
        }
    }
    told(&explainer, &tally, began)
}

/// The same, so much later. It is complete until its last wait ended.
fn later(recording: &Recording, waits: &[RecordedWait], later_ns: u64) -> (Portion, Vec<Wait>) {
    let mut pages = recording.raw.pages.clone();
    for (_, pages) in &mut pages {
        for page in pages.chunks_mut(recording.raw.page_bytes) {
            if let Some((time, _)) = page.split_first_chunk_mut() {
                *time = (u64::from_le_bytes(*time) + later_ns).to_le_bytes();
            }
        }
    }
    let moved = |wait: &RecordedWait| {
        Wait::from(RecordedWait {
            began_ns: wait.began_ns + later_ns,
            deadline_ns: wait.deadline_ns + later_ns,
            woke_ns: wait.woke_ns + later_ns,
            ..*wait
        })
    };
    let waits: Vec<_> = waits.iter().map(moved).collect();
    let portion = Portion {
        complete_until: waits.last().map(|wait| wait.woke),
        pages,
    };
    (portion, waits)
}

fn told(explainer: &Explainer, tally: &Tally, began: Clock) -> Result<(), Box<dyn Error>> {
    let events: u64 = explainer.kinds().values().sum();
    let report = tally.report(None);
    let seconds = began.elapsed().as_secs_f64();
    writeln!(
        stdout(),
        "{} of {} wake-ups explained, {events} events in {seconds:.0} s",
        report.explained(),
        report.of
    )?;
    Ok(())
}
