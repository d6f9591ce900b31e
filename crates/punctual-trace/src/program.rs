//! Explains a program that does not tell of its waits, from the whole trace of it.

use crate::chronicle::Chronicle;
use crate::event::ThreadId;
use crate::explain::explain;
use crate::pending::{Finder, lead};
use crate::periodic::{Candidate, Periodic};
use crate::scope::{LeftOut, Scope};
use crate::segment::WakeUp;
use crate::trace::Trace;
use punctual::Instant;

/// Explains these threads, and all that they started, from when on the trace is complete.
pub fn explain_program(
    trace: &Trace,
    threads: &[ThreadId],
    scope: Scope,
    complete_from: Instant,
) -> (Vec<WakeUp>, LeftOut) {
    let mut chronicle = Chronicle::of_family(threads);
    chronicle.begins(complete_from);
    let mut finder = Finder::of(scope);
    finder.prepare(&mut chronicle);
    let events = trace.events().iter();
    let found: Vec<_> = events
        .filter_map(|event| finder.note(&mut chronicle, event))
        .collect();
    let mut periodic = Periodic::of(scope);
    let mut wake_ups = Vec::new();
    for open in found {
        match (open.wait(&chronicle, lead(scope.period)), &mut periodic) {
            (None, _) => {}
            (Some(Err(wake_up)), _) => wake_ups.push(wake_up),
            (Some(Ok(wait)), None) => wake_ups.push(explain(&chronicle, &wait)),
            (Some(Ok(wait)), Some(periodic)) => {
                let candidate = Candidate::explain(&chronicle, &wait, open.asked());
                wake_ups.extend(periodic.note(candidate));
            }
        }
    }
    let left_out = periodic.map(|mut periodic| {
        wake_ups.extend(periodic.finish());
        periodic.left_out().clone()
    });
    (wake_ups, left_out.unwrap_or_default())
}
