//! Writes a trace and its wake-ups as a file for <https://ui.perfetto.dev>.
//!
//! The file shows for each explained thread its deadlines, its timers, when it was ready and running,
//! and why it was late. For each processor it shows which thread had it.

mod packets;

use crate::chronicle::{Chronicle, State};
use crate::event::ThreadId;
use crate::names::Names;
use crate::segment::{Verdict, WakeUp, Who};
use crate::trace::Trace;
use packets::{Group, Packets, Track};
use punctual::Instant;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

/// Writes the file.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, trace: &Trace, wake_ups: &[WakeUp]) -> io::Result<()> {
    let threads: BTreeSet<_> = wake_ups.iter().map(|up| up.wait.thread).collect();
    let threads: Vec<_> = threads.into_iter().collect();
    let end = trace.events().last().map_or(Instant::ZERO, |last| last.at);
    let mut picture = Picture {
        packets: Packets::new(out),
        chronicle: Chronicle::new(trace, &threads),
        names: &trace.names,
        end,
    };
    for &thread in &threads {
        let of_thread = wake_ups.iter().filter(|up| up.wait.thread == thread);
        let mut of_thread: Vec<_> = of_thread.collect();
        of_thread.sort_by_key(|up| (up.wait.woke, up.wait.deadline));
        picture.thread(thread, &of_thread)?;
    }
    picture.processors(trace)
}

struct Picture<'a> {
    packets: Packets<'a>,
    chronicle: Chronicle,
    names: &'a Names,
    end: Instant,
}

impl Picture<'_> {
    fn thread(&mut self, thread: ThreadId, wake_ups: &[&WakeUp]) -> io::Result<()> {
        let title = format!("Wake-ups of {}", self.names.thread(thread));
        let group = self.packets.group(&title)?;
        let mut track = self.packets.track(group, "deadline")?;
        let deadlines: BTreeSet<_> = wake_ups.iter().map(|up| up.wait.deadline).collect();
        for deadline in deadlines {
            self.packets.instant(&mut track, deadline, "deadline")?;
        }
        self.timers(group, thread)?;
        self.states(group, thread)?;
        let mut late = self.packets.track(group, "late, and why")?;
        for up in wake_ups {
            self.lateness(&mut late, up)?;
        }
        Ok(())
    }

    /// The timers that woke the thread, from when they were armed until they expired.
    fn timers(&mut self, group: Group, thread: ThreadId) -> io::Result<()> {
        let mut track = self.packets.track(group, "timer")?;
        for fired in self.chronicle.fired(thread) {
            match fired.armed {
                Some(armed) => {
                    let (from, to) = (armed.at, fired.expired_at);
                    self.packets.slice(&mut track, from, to, "timer")?;
                }
                None => self
                    .packets
                    .instant(&mut track, fired.expired_at, "expired")?,
            }
        }
        Ok(())
    }

    /// When it was ready, and when it ran.
    fn states(&mut self, group: Group, thread: ThreadId) -> io::Result<()> {
        let mut ready = self.packets.track(group, "ready")?;
        let mut running = self.packets.track(group, "running")?;
        let history = self.chronicle.history(thread);
        let mut from = Instant::ZERO;
        loop {
            let (state, next) = history.at(from);
            let to = next.map_or(self.end, |(at, _)| at);
            match state {
                State::Ready { on, .. } => {
                    let name = format!("in the queue of processor {}", on.0);
                    self.packets.slice(&mut ready, from, to, &name)?;
                }
                State::Running { on, .. } => {
                    let name = format!("on processor {}", on.0);
                    self.packets.slice(&mut running, from, to, &name)?;
                }
                State::Unknown | State::Waiting { .. } => {}
            }
            match next {
                Some((at, _)) => from = at,
                None => return Ok(()),
            }
        }
    }

    /// A lateness with its segments. Where the one before it has not ended, what is left of it.
    fn lateness(&mut self, track: &mut Track, wake_up: &WakeUp) -> io::Result<()> {
        let wait = &wake_up.wait;
        let name = match wake_up.verdict {
            Verdict::Unexplained(reason) => format!("not explained: {reason}"),
            Verdict::Exact | Verdict::Merged => {
                format!("late by {:?}", Duration::from_nanos(wait.lateness_ns()))
            }
        };
        let Some(began) = self.packets.begin(track, wait.deadline, wait.woke, &name)? else {
            return Ok(());
        };
        let mut from = wait.deadline;
        for segment in &wake_up.segments {
            let to = from + Duration::from_nanos(segment.ns);
            let who = segment.who.name(self.names);
            let name = format!("{}: {who}", segment.cause);
            if to > began {
                self.packets.within(track, from.max(began), to, &name)?;
            }
            from = to;
        }
        self.packets.end(track, wait.woke)
    }

    fn processors(&mut self, trace: &Trace) -> io::Result<()> {
        let group = self.packets.group("Processors")?;
        for processor in trace.processors() {
            let name = format!("processor {}", processor.0);
            let mut track = self.packets.track(group, &name)?;
            let occupancy = self.chronicle.occupancy(processor);
            for (span, to) in occupancy.between(Instant::ZERO, self.end) {
                if !matches!(span.who, Who::Idle | Who::Unknown) {
                    let who = span.who.name(self.names);
                    self.packets.slice(&mut track, span.from, to, &who)?;
                }
            }
        }
        Ok(())
    }
}
