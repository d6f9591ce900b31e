//! What can be said without the kernel's trace.

use super::super::{heading, nanos, table};
use super::{labelled, machine};
use crate::explain::unprivileged::{Accounts, Split};
use std::io::{self, Write};

/// How many wake-ups are listed.
const MOST: usize = 10;

/// Writes all of it.
pub fn accounts(out: &mut dyn Write, accounts: &Accounts) -> io::Result<()> {
    machine(out, &accounts.environment)?;
    let title = format!("Wake-ups of {}", accounts.subject);
    heading(out, &title)?;
    writeln!(out, "  0 of {} explained", accounts.wakeups.len())?;
    if let Some(series) = accounts.series.as_ref().filter(|series| series.count > 0) {
        heading(out, "Lateness")?;
        table::per_wake(out, &[series])?;
        heading(out, "The same per deadline, every missed deadline counted")?;
        table::per_deadline(out, &[series])?;
    }
    worst(out, &accounts.wakeups)?;
    writeln!(out)?;
    for note in notes(accounts) {
        labelled(out, "note:", &note)?;
    }
    Ok(())
}

fn worst(out: &mut dyn Write, wakeups: &[Split]) -> io::Result<()> {
    let mut worst: Vec<_> = wakeups.iter().collect();
    worst.sort_by_key(|up| std::cmp::Reverse(up.lateness_ns));
    heading(out, &format!("The {} latest", worst.len().min(MOST)))?;
    for up in worst.into_iter().take(MOST) {
        let part = |ns: Option<u64>| ns.map_or("unknown".to_owned(), nanos);
        writeln!(
            out,
            "{:>10} = {:>10} timer + {:>10} queue",
            nanos(up.lateness_ns),
            part(up.timer_ns),
            part(up.queue_ns)
        )?;
    }
    Ok(())
}

/// What it means that a machine has lost time.
pub fn stolen(ns: u64) -> String {
    let time = nanos(ns);
    format!("the hypervisor ran others for {time} on our processors, all of them together")
}

fn notes(accounts: &Accounts) -> Vec<String> {
    let mut notes = accounts.environment_changes.clone();
    let mut add = |count: Option<u64>, text: &dyn Fn(u64) -> String| {
        notes.extend(count.filter(|&count| count > 0).map(text));
    };
    add(accounts.involuntary_switches, &|count| {
        format!("a processor was taken from the thread {count} times while it wanted it")
    });
    add(accounts.times_throttled, &|count| {
        format!("the processor quota of its cgroup made the program wait {count} times")
    });
    add(accounts.steal_ns, &stolen);
    notes.push(format!(
        "the kernel's trace would say, of every wake-up, which thread or interrupt had the \
         processor, and what was slack; but {}",
        accounts.refused
    ));
    notes
}
