//! A program under a Windows: what is asked, and what came of it.

use crate::session::{Counts, Ended, Options, Refusal, Session, Status};
use crate::summary::{CallRecord, SCHEMA, Summary};
use crate::windows::{Conditions, Windows};
use punctual_data::quantity::whole_nanos;
use punctual_lab::simulated::SimulatedMachine;
use punctual_sim::random::Random;
use serde::Serialize;
use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

/// Which program runs, and under what.
#[derive(Debug, Clone)]
pub struct Question {
    /// The Windows by its name, with what was changed about it.
    pub machine: SimulatedMachine,
    /// The same machine, and what runs on it beside the program.
    pub conditions: Conditions,
    /// The program and its arguments.
    pub command: Vec<OsString>,
}

/// A run that is over.
#[derive(Debug)]
pub struct Run {
    /// What was asked.
    pub question: Question,
    /// The machine, which has counted the waits.
    pub windows: Windows,
    /// How it ended.
    pub ended: Ended,
    /// How long it took.
    pub took: Duration,
}

/// Runs of one program, each with another phase of the ticks.
#[derive(Debug)]
pub struct Repeated {
    /// The last of them.
    pub last: Run,
    /// Those that failed: their numbers, phases, and how they ended.
    pub failed: Vec<(u64, Duration, Status)>,
}

impl Question {
    /// Runs the program once.
    ///
    /// # Errors
    /// If it cannot be run, or not under a Windows.
    pub fn run(&self) -> Result<Run, Refusal> {
        let mut words = self.command.iter();
        let program = words.next().map(OsString::as_os_str);
        let mut command = Command::new(program.unwrap_or_default());
        command.args(words);
        let mut windows = Windows::new(self.conditions.clone());
        let began = Instant::now();
        let ended = Session::run(&command, &mut windows, &Options::default())?;
        Ok(Run {
            question: self.clone(),
            windows,
            ended,
            took: began.elapsed(),
        })
    }

    /// Runs it so many times, at least once, or until it fails. A run that was stopped is the last.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn repeat(mut self, times: u64, until_fails: bool) -> Result<Repeated, Refusal> {
        let mut failed = Vec::new();
        let mut number = 0;
        loop {
            self.conditions.phase = self.drawn_phase(number);
            let last = self.run()?;
            let status = last.ended.status;
            if status != Status::Exited(0) && !status.is_stopped() {
                failed.push((number, self.conditions.phase, status));
            }
            let is_enough = until_fails && !failed.is_empty();
            number += 1;
            if number >= times || is_enough || status.is_stopped() {
                return Ok(Repeated { last, failed });
            }
        }
    }

    /// The phase of the ticks in this run of a series: drawn from the seed for the first, and spread evenly from there on.
    pub fn drawn_phase(&self, number: u64) -> Duration {
        /// What phases are drawn for: apart from all else that comes from the same seed.
        const PHASES: u64 = 4 << 32;
        /// Phases are in whole microseconds, which are easy to write again.
        const STEP_NS: u64 = 1_000;
        /// The golden ratio's share of an interval: phases that far apart cover it evenly, however many they are.
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let interval = whole_nanos(self.machine.parameters.default_interval);
        let mut random = Random::stream(self.conditions.seed, PHASES);
        let first = random.between(0, interval - 1) as f64 / interval as f64;
        let share = (first + number as f64 * GOLDEN).fract();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between zero and an interval"
        )]
        let after = (share * interval as f64) as u64;
        Duration::from_nanos(after / STEP_NS * STEP_NS)
    }
}

/// A run as versioned JSON: what was asked, how it ended, and what the waits were.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: &'static str,
    punctual_version: &'static str,
    question: Asked,
    exited: Option<i32>,
    signal: Option<i32>,
    took_ns: u64,
    #[serde(flatten)]
    summary: Summary,
    tracer: Counts,
}

#[derive(Debug, Serialize)]
struct Asked {
    machine: String,
    persona: String,
    with: Vec<String>,
    request_ns: Option<u64>,
    hidden: bool,
    phase_ns: u64,
    seed: u64,
    command: Vec<String>,
}

impl Run {
    /// Its document.
    pub fn document(&self) -> Document {
        let Question {
            machine,
            conditions,
            command,
        } = &self.question;
        let (exited, signal) = match self.ended.status {
            Status::Exited(code) => (Some(code), None),
            Status::Signalled(signal) => (None, Some(signal)),
        };
        let words = command.iter();
        Document {
            schema: SCHEMA,
            punctual_version: env!("CARGO_PKG_VERSION"),
            question: Asked {
                machine: machine.to_string(),
                persona: conditions.personas.to_string(),
                with: conditions
                    .companions
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                request_ns: conditions.request.map(whole_nanos),
                hidden: conditions.hidden,
                phase_ns: whole_nanos(conditions.phase),
                seed: conditions.seed,
                command: words
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect(),
            },
            exited,
            signal,
            took_ns: whole_nanos(self.took),
            summary: Summary::of(&self.windows),
            tracer: self.ended.counts,
        }
    }
}

/// The calls of several runs, those of one process and call after each other, with the numbers of their runs.
pub fn compared(runs: &[Run]) -> Vec<(usize, CallRecord)> {
    let calls = runs.iter().enumerate().flat_map(|(number, run)| {
        let calls = Summary::of(&run.windows).calls.into_iter();
        calls.map(move |call| (number, call))
    });
    let mut calls: Vec<_> = calls.collect();
    let key =
        |(number, call): &(usize, CallRecord)| (call.process.clone(), call.call.clone(), *number);
    calls.sort_by_key(key);
    // Of several processes of a name, the one with the most waits stands for all.
    calls.dedup_by_key(|call| key(call));
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_repeatable_and_cover_an_interval() {
        let machine: SimulatedMachine = "windows-7".parse().unwrap();
        let interval = machine.parameters.default_interval;
        let question = Question {
            conditions: Conditions::new(machine.version),
            machine,
            command: Vec::new(),
        };
        let drawn = |number| question.drawn_phase(number);
        let mut phases: Vec<Duration> = (0..20).map(drawn).collect();
        assert_eq!(phases[3], drawn(3));
        assert!(phases.iter().all(|phase| phase.as_nanos() % 1_000 == 0));
        phases.sort_unstable();
        phases.push(phases[0] + interval);
        let gaps = phases.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max() < Some(interval / 8));
    }
}
