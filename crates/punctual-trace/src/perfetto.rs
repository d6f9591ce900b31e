//! Writes a trace and its wake-ups as a file for <https://ui.perfetto.dev>.
//!
//! The file shows for each explained thread its deadlines, its timers, when it was ready and running,
//! and why it was late. For each processor it shows which thread had it.

mod packets;

use crate::chronicle::{Chronicle, State};
use crate::event::{Kind, Left, ThreadId};
use crate::segment::{Lateness, Occupant, Verdict, WakeUp};
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
        trace,
        end,
    };
    for &thread in &threads {
        let of_thread = wake_ups.iter().filter(|up| up.wait.thread == thread);
        let mut of_thread: Vec<_> = of_thread.collect();
        of_thread.sort_by_key(|up| (up.wait.woke, up.wait.deadline));
        picture.thread(thread, &of_thread)?;
    }
    picture.processors()
}

struct Picture<'a> {
    packets: Packets<'a>,
    chronicle: Chronicle,
    trace: &'a Trace,
    end: Instant,
}

impl Picture<'_> {
    fn thread(&mut self, thread: ThreadId, wake_ups: &[&WakeUp]) -> io::Result<()> {
        let title = format!("Wake-ups of {}", self.trace.names.thread(thread, self.end));
        let group = self.packets.group(&title)?;
        let mut track = self.packets.track(group, "deadline")?;
        let deadlines: BTreeSet<_> = wake_ups.iter().map(|up| up.wait.deadline).collect();
        for deadline in deadlines {
            self.packets.instant(&mut track, deadline, "deadline")?;
        }
        self.timers(group, thread)?;
        self.marks(group, thread)?;
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

    /// What the thread wrote into the trace, and where its frames began.
    fn marks(&mut self, group: Group, thread: ThreadId) -> io::Result<()> {
        let own = self.trace.events().iter();
        let mut track = None;
        for event in own.filter(|event| event.running == Some(thread)) {
            let name = match event.kind {
                Kind::Marked { text } => self.trace.names.text(text),
                Kind::Framed => "frame",
                _ => continue,
            };
            if track.is_none() {
                track = Some(self.packets.track(group, "marks")?);
            }
            if let Some(track) = &mut track {
                self.packets.instant(track, event.at, name)?;
            }
        }
        Ok(())
    }

    /// When it was ready, when it ran, and when something in the kernel held it.
    fn states(&mut self, group: Group, thread: ThreadId) -> io::Result<()> {
        let mut ready = self.packets.track(group, "ready")?;
        let mut running = self.packets.track(group, "running")?;
        let mut held = self.packets.track(group, "blocked or stopped")?;
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
                State::Waiting { how: Left::Blocked } => {
                    let name = "blocked in the kernel";
                    self.packets.slice(&mut held, from, to, name)?;
                }
                State::Waiting { how: Left::Stopped } => {
                    self.packets.slice(&mut held, from, to, "stopped")?;
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
            Verdict::Exact | Verdict::Ambiguous => {
                let at_most = match wake_up.lateness {
                    Lateness::AtMost => "at most ",
                    Lateness::Known | Lateness::Unknown => "",
                };
                let late = Duration::from_nanos(wait.lateness_ns());
                format!("late by {at_most}{late:?}")
            }
        };
        let Some(began) = self.packets.begin(track, wait.deadline, wait.woke, &name)? else {
            return Ok(());
        };
        for (from, segment) in wake_up.timed_segments() {
            let to = from + Duration::from_nanos(segment.ns);
            let occupant = segment.occupant.name(&self.trace.names, from);
            let priority = segment.priority.map(|priority| format!(", {priority}"));
            let (cause, priority) = (segment.cause, priority.unwrap_or_default());
            let name = format!("{cause}: {occupant}{priority}");
            if to > began {
                self.packets.within(track, from.max(began), to, &name)?;
            }
        }
        self.packets.end(track, wait.woke)
    }

    fn processors(&mut self) -> io::Result<()> {
        let group = self.packets.group("Processors")?;
        for processor in self.trace.processors() {
            let name = format!("processor {}", processor.0);
            let mut track = self.packets.track(group, &name)?;
            let occupancy = self.chronicle.occupancy(processor);
            for (span, to) in occupancy.between(Instant::ZERO, self.end) {
                if !matches!(span.occupant, Occupant::Idle | Occupant::Unknown) {
                    let occupant = span.occupant.name(&self.trace.names, span.from);
                    self.packets.slice(&mut track, span.from, to, &occupant)?;
                }
            }
        }
        Ok(())
    }
}
