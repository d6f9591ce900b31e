//! Prints the events of a recording, one a line: `dump FILE [FROM_NS TO_NS]`.

use punctual_trace::{Event, Recording};
use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, range) = match arguments.as_slice() {
        [file] => (file, 0..u64::MAX),
        [file, from, to] => (file, from.parse()?..to.parse()?),
        _ => return Err("give a recording, and two instants in nanoseconds if you like".into()),
    };
    let trace = Recording::read(&std::fs::read(file)?)?.trace()?;
    let mut out = stdout().lock();
    let within = |event: &&Event| range.contains(&event.at.as_nanos());
    for event in trace.events().iter().filter(within) {
        let running = event
            .running
            .map(|thread| trace.names.thread(thread, event.at));
        writeln!(
            out,
            "{:?} processor {} {:20}{} {:?}",
            event.at,
            event.processor.0,
            running.unwrap_or_default().escape_debug().to_string(),
            if event.asked_to_switch { " !" } else { "  " },
            event.kind
        )?;
    }
    Ok(())
}
