//! Prints what was measured: each number of timers as soon as it is through, and when the run is
//! ended before, what there is.

use super::rounds::Rounds;
use super::workload::Figures;
use super::{Report, Row, aims, report};
use crate::failure::{Failure, INTERRUPTED};
use crate::machine::{Invocation, Machine};
use crate::progress::Progress;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Where a run's figures go. Tables are printed one by one, JSON at the end; Ctrl-C is the end, too.
pub struct Output(Arc<Shared>);

struct Shared {
    json: bool,
    progress: Progress,
    measured: Mutex<Measured>,
}

#[derive(Default)]
struct Measured {
    /// Of all numbers of timers that are through.
    rows: Vec<Row>,
    /// Of the one that is not.
    rounds: Option<Rounds>,
    is_over: bool,
}

impl Output {
    /// Of a run that will take about so long.
    pub fn begin(json: bool, total: Duration) -> Result<Self, Failure> {
        let shared = Arc::new(Shared {
            json,
            progress: Progress::new(total)?,
            measured: Mutex::default(),
        });
        let interrupted = Arc::clone(&shared);
        ctrlc::set_handler(move || {
            if let Err(error) = interrupted.end() {
                eprintln!("error: {error}");
            }
            process::exit(INTERRUPTED);
        })?;
        shared.print(&report::beginning(&Machine::here(), &Invocation::this()));
        Ok(Self(shared))
    }

    pub fn announce_size(&self, rounds: Rounds) {
        self.0.measured().rounds = Some(rounds);
    }

    pub fn announce_turn(&self, timers: u64, structure: &str) {
        let what = format!("{timers} timers, {structure}");
        self.0.progress.announce(what);
    }

    /// What the contender in this place came to in a turn that was to take so long.
    pub fn add(&self, place: usize, figures: Figures, took: Duration) {
        if let Some(rounds) = &mut self.0.measured().rounds {
            rounds.add(place, figures);
        }
        self.0.progress.advance(took);
    }

    pub fn print_size(&self) {
        self.0.print_rows(&mut self.0.measured());
    }

    pub fn end(&self) -> Result<(), Failure> {
        self.0.end()
    }
}

impl Shared {
    fn measured(&self) -> MutexGuard<'_, Measured> {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print(&self, text: &str) {
        if !self.json && !text.is_empty() {
            self.progress.print(text);
        }
    }

    /// Whatever there is of the number of timers whose turn it is.
    fn print_rows(&self, measured: &mut Measured) {
        let rounds = measured.rounds.take();
        let rows = rounds.map(|rounds| rounds.rows()).unwrap_or_default();
        self.print(&report::table(&rows));
        measured.rows.extend(rows);
    }

    fn end(&self) -> Result<(), Failure> {
        let mut measured = self.measured();
        if measured.is_over {
            return Ok(());
        }
        measured.is_over = true;
        self.print_rows(&mut measured);
        let aims = aims::of(&measured.rows);
        self.print(&report::end(&aims));
        if self.json {
            let report = Report {
                machine: Machine::here(),
                command: Invocation::this(),
                rows: measured.rows.clone(),
                aims,
            };
            self.progress.print(&serde_json::to_string_pretty(&report)?);
        }
        self.progress.end();
        Ok(())
    }
}
