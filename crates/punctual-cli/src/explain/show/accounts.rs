//! What is known without the kernel's trace.

use super::stopped;
use crate::explain::unprivileged::{Accounts, Split};
use crate::explain::words;
use crate::show::{PER_WAKE, TIMER_AND_QUEUE, machine, per_deadline, per_wake};
use punctual_data::markdown::Page;
use punctual_data::quantity::nanos;
use punctual_data::show::Show;
use punctual_data::table::{Table, or_empty};
use punctual_data::text::{self, Text, heading, titled};
use punctual_lab::measure::SeriesRecord;
use punctual_trace::report::text::counted;
use std::io;

/// The number of wake-ups in the list.
const MOST: usize = 10;

impl Show for Accounts {
    fn text(&self, out: &mut Text) -> io::Result<()> {
        text::paragraph(out, &answer(self))?;
        if self.is_long {
            machine(out, &self.environment)?;
        }
        titled(out, &title(self))?;
        if let Some(series) = measured(self) {
            heading(out, "Lateness")?;
            per_deadline(&[series]).text(out)?;
            if self.is_long {
                heading(out, PER_WAKE)?;
                per_wake(&[series]).text(out)?;
            }
            writeln!(out, "{TIMER_AND_QUEUE}")?;
        }
        if self.is_long {
            worst(out, &self.wakeups)?;
        }
        text::notes(out, &notes(self))
    }

    fn page(&self) -> Page {
        let tables = measured(self).into_iter().flat_map(|series| {
            [
                ("Lateness".to_owned(), per_deadline(&[series])),
                (PER_WAKE.to_owned(), per_wake(&[series])),
            ]
        });
        Page {
            tables: tables.collect(),
            remarks: notes(self),
            command: Some(words(&self.question).to_string()),
            ..Page::of(title(self), self.environment.lines())
        }
    }

    /// A row for every wake-up, because there are no causes to count.
    fn sheet(&self) -> Table {
        let names = "lateness_ns timer_ns queue_ns";
        Table::sheet(names).with(self.wakeups.iter().map(|up| {
            vec![
                up.lateness_ns.to_string(),
                or_empty(up.timer_ns),
                or_empty(up.queue_ns),
            ]
        }))
    }
}

fn answer(accounts: &Accounts) -> String {
    let worst = accounts.wakeups.iter().max_by_key(|up| up.lateness_ns);
    let (Some(worst), Some(series)) = (worst, measured(accounts)) else {
        return "Can't tell: the loop did not wake. Run longer.".to_owned();
    };
    let begin = counted(&series.per_wake, series.count, worst.lateness_ns);
    match (worst.timer_ns, worst.queue_ns) {
        (Some(timer), Some(queue)) => {
            let (timer, queue) = (nanos(timer), nanos(queue));
            format!(
                "{begin}: the timer came {timer} late, and the thread waited {queue} for a processor."
            )
        }
        _ => format!("{begin}, and the system can't tell why."),
    }
}

fn title(accounts: &Accounts) -> String {
    let stopped = stopped(accounts.interrupted);
    format!("Wake-ups of {}{stopped}", accounts.subject)
}

fn measured(accounts: &Accounts) -> Option<&SeriesRecord> {
    accounts.series.as_ref().filter(|series| series.count > 0)
}

fn worst(out: &mut Text, wakeups: &[Split]) -> io::Result<()> {
    let mut worst: Vec<_> = wakeups.iter().collect();
    worst.sort_by_key(|up| std::cmp::Reverse(up.lateness_ns));
    heading(out, &format!("The {} worst", worst.len().min(MOST)))?;
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

/// A note about time that the hypervisor took.
pub fn stolen(ns: u64) -> String {
    let time = nanos(ns);
    format!("the hypervisor gave our processors to other machines for {time} in total")
}

fn notes(accounts: &Accounts) -> Vec<String> {
    let mut notes = accounts.environment_changes.clone();
    let mut add = |count: Option<u64>, text: &dyn Fn(u64) -> String| {
        notes.extend(count.filter(|&count| count > 0).map(text));
    };
    add(accounts.involuntary_switches, &|count| {
        format!("the thread lost its processor {count} times while it still needed it")
    });
    add(accounts.times_throttled, &|count| {
        format!("the program had to wait {count} times for the processor quota of its cgroup")
    });
    add(accounts.steal_ns, &stolen);
    notes.push(format!(
        "without the kernel's trace, the threads, interrupts and slack behind each wake-up are \
         unknown. It cannot be read: {}",
        accounts.refused
    ));
    notes
}
