//! What a trace came to, from whichever source: its wake-ups, and what is to be known about them.

use crate::advice::System;
use crate::recording::{Head, Part, Reader};
use crate::remarks;
use crate::report::Tally;
use crate::windows::WindowsTrace;
use crate::{Explainer, Names, Recording, Report, ThreadId, Trace, Wait, WakeUp};
use punctual::{Error, Period};
use std::io::BufRead;

/// What is known about wake-ups.
#[derive(Debug)]
pub struct Outcome {
    /// What was traced.
    pub head: Head,
    /// The wake-ups that are explained.
    pub wake_ups: WakeUps,
    /// Notes for the reader, a sentence each.
    pub notes: Vec<String>,
    /// The system whose advice applies.
    pub system: System,
}

/// Explained wake-ups.
#[derive(Debug)]
pub enum WakeUps {
    /// Every one, with the trace.
    Whole(Trace, Vec<WakeUp>),
    /// What was found while the trace came.
    Report(Box<Report>),
}

impl Outcome {
    /// Explains a recording as a whole.
    ///
    /// # Errors
    /// [`Error`] if it cannot be read.
    pub fn of_recording(recording: Recording) -> Result<Self, Error> {
        let explained = recording.explain()?;
        Ok(Self {
            notes: remarks::whole(&recording.head, &explained),
            head: recording.head,
            wake_ups: WakeUps::Whole(explained.trace, explained.wake_ups),
            system: System::Linux,
        })
    }

    /// Explains a recording while it is read, however long it is: of these threads, if a name or an id is
    /// given, with so many of the worst wake-ups. Its scope is that of `head`. `None` if no such thread woke.
    ///
    /// # Errors
    /// [`Error`] if it cannot be read.
    pub fn streamed(
        mut reader: Reader<impl BufRead>,
        head: &Head,
        thread: Option<&str>,
        most: usize,
    ) -> Result<Option<Self>, Error> {
        let mut explainer = Explainer::new(reader.raw(), head)?;
        let mut tally = Tally::new(most);
        let mut has_woken = false;
        let mut note = |mut found: Vec<WakeUp>, names: &Names| {
            found.sort_by_key(|up| up.wait.woke);
            let is_it = |up: &&WakeUp| thread.is_none_or(|name| is_called(up, name, names));
            for wake_up in found.iter().filter(is_it) {
                has_woken = true;
                tally.note(wake_up, names);
            }
        };
        let end = loop {
            match reader.part()? {
                Part::Waits(waits) => waits
                    .into_iter()
                    .for_each(|wait| explainer.wait(wait.into())),
                Part::Portion(portion) => {
                    let found = explainer.portion(&portion)?;
                    note(found, explainer.names());
                }
                Part::End(head) => break *head,
            }
        };
        note(explainer.finish(), explainer.names());
        if thread.is_some() && !has_woken {
            return Ok(None);
        }
        let head = Head {
            scope: head.scope,
            ..end
        };
        Ok(Some(Self::so_far(head, &tally, &explainer)))
    }

    /// What was explained while the trace came.
    pub fn so_far(head: Head, tally: &Tally, explainer: &Explainer) -> Self {
        let report = tally.report(head.realtime_ahead_ns);
        Self {
            notes: remarks::streamed(&head, report.of, explainer),
            wake_ups: WakeUps::Report(Box::new(report)),
            head,
            system: System::Linux,
        }
    }

    /// Explains threads of a trace of Windows, which keep this period if there is one.
    pub fn of_windows(
        trace: &WindowsTrace,
        threads: &[ThreadId],
        period: Option<Period>,
        head: Head,
    ) -> Self {
        let explained = trace.explain(threads, period);
        Self {
            head,
            notes: remarks::of_windows(period, trace, &explained),
            wake_ups: WakeUps::Whole(explained.trace, explained.wake_ups),
            system: System::Windows,
        }
    }

    /// The same, of threads with this name or id. `None` if none of them woke.
    pub fn only(mut self, thread: &str) -> Option<Self> {
        if let WakeUps::Whole(trace, wake_ups) = &mut self.wake_ups {
            wake_ups.retain(|up| is_called(up, thread, &trace.names));
            if wake_ups.is_empty() {
                return None;
            }
        }
        Some(self)
    }

    /// The summary of its wake-ups.
    pub fn report(&self) -> Report {
        let mut report = match &self.wake_ups {
            WakeUps::Report(report) => (**report).clone(),
            WakeUps::Whole(trace, wake_ups) => {
                Tally::of(wake_ups, &trace.names).report(self.head.realtime_ahead_ns)
            }
        };
        report.name_functions(&self.head.functions);
        report
    }
}

/// Whether the thread that woke has this name, or this id.
fn is_called(wake_up: &WakeUp, name: &str, names: &Names) -> bool {
    let Wait { thread, woke, .. } = wake_up.wait;
    names.thread_name(thread, woke) == name || name.parse().is_ok_and(|id| ThreadId(id) == thread)
}
