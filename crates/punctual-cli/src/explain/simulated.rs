//! Explains the loop on a simulated machine from the machine's own log.

use super::explanation::subject;
use super::{ExplainArgs, check_files};
use crate::refusal::refused;
use crate::run::simulated::machine;
use punctual::{Instant, Os};
use punctual_command::failure::Failure;
use punctual_command::output;
use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_data::statistics::Series;
use punctual_lab::Machine;
use punctual_lab::machine::Unavailable;
use punctual_lab::observer::Observer;
use punctual_lab::simulated::SimulatedOs;
use punctual_trace::advice::System;
use punctual_trace::outcome::{Outcome, WakeUps};
use punctual_trace::recording::Head;
use punctual_trace::simulated::Simulated;
use punctual_trace::windows::{etl, xperf};
use punctual_trace::{Chronicle, Reason, ThreadId, Verdict, Wait, WakeUp, explain};
use std::path::Path;
use std::time::Duration;

/// The number of records after which the loop is stopped. A wake-up on an idle machine has a dozen,
/// so this is enough for 20,000 of them. To explain them takes a fraction of a second and 100 MB.
const MOST_RECORDS: usize = 1 << 18;

/// The number of waits after which the loop is stopped. One that spins has hardly any records.
const MOST_WAITS: usize = MOST_RECORDS / 8;

/// Room for what happens until the loop has stopped.
const SPARE_RECORDS: usize = MOST_RECORDS / 8;

/// The findings of a run.
pub(super) fn run((args, stop): (&ExplainArgs, &Stop)) -> Result<Outcome, Failure> {
    let question = args.question();
    let Some(simulated) = &question.on else {
        return Err(Failure::run("no simulated machine is given"));
    };
    let refused = |refusal| refused(refusal, "--duration", true);
    let steps = question.steps::<SimulatedOs>().map_err(refused)?;
    let machine = machine(simulated, &question.conditions)?;
    check_files(args, stop)?;
    let guard = stop.guard_while_computing();
    let (stops, asked) = (stop.clone(), question.clone());
    let run = machine.run_logged(simulated.seed, MOST_RECORDS + SPARE_RECORDS, move |os| {
        let mut watcher = Watcher {
            os: os.clone(),
            contender: contender(asked.request),
            progress: Progress::of("simulating", steps),
            stop: stops,
            block: Vec::new(),
            is_warm: false,
            seen: Seen::default(),
        };
        let environment = os.environment();
        let outcome = asked.run(&os, &mut watcher);
        // No value of the machine may outlive it.
        outcome.map(|()| (environment, watcher.seen))
    });
    let interrupted = guard.end();
    let run = run.map_err(Failure::run)?;
    let (mut environment, seen) = run.value.map_err(Failure::run)?;
    if let Some(missing) = seen.unavailable.first() {
        return Err(Failure::flag("--method", &missing.reason));
    }
    environment.system = Some(format!("{machine}, simulated"));
    let is_whole = run.log.len() < MOST_RECORDS + SPARE_RECORDS;
    let processors = machine.parameters.processors;
    let simulated = Simulated::new(&run.log, &run.threads, processors, is_whole);
    if let Some(file) = &args.save {
        let (processes, system) = (simulated.processes(), machine.to_string());
        let trace = &simulated.trace;
        output::file(stop, file, |out| match is_log(file) {
            true => etl::write(out, trace, &processes),
            false => xperf::write(out, trace, &processes, &system),
        })?;
    }
    let thread = simulated
        .threads
        .first()
        .map_or(ThreadId::IDLE, |main| main.thread);
    let chronicle = Chronicle::new(&simulated.trace, &[thread]);
    let wake_ups = seen.waits.iter().map(|wait| {
        let wait = Wait { thread, ..*wait };
        explain(&chronicle, &wait)
    });
    let wake_ups: Vec<_> = wake_ups.collect();
    let environment = serde_json::to_value(&environment).map_err(Failure::run)?;
    Ok(Outcome {
        head: Head {
            punctual_version: env!("CARGO_PKG_VERSION").to_owned(),
            question: serde_json::to_value(&question).map_err(Failure::run)?,
            subject: subject(&question),
            environment,
            was_full: seen.was_full,
            interrupted,
            ..Head::default()
        },
        notes: notes(&wake_ups),
        wake_ups: WakeUps::Whole(simulated.trace, wake_ups),
        system: System::Windows,
    })
}

/// A machine's log is complete: a wait without a timer's end was ended by a thread.
fn notes(wake_ups: &[WakeUp]) -> Vec<String> {
    let without_timer = Verdict::Unexplained(Reason::NoTimer);
    let was_woken = wake_ups.iter().any(|up| up.verdict == without_timer);
    let note = "timer-queue and time-set-event call back on a thread of their own, which wakes \
                the loop's thread; such wake-ups are not explained";
    was_woken.then(|| note.to_owned()).into_iter().collect()
}

/// Which of the methods is explained: with a request there is a second one, which makes it.
fn contender(request: Option<Duration>) -> usize {
    usize::from(request.is_some())
}

/// What the observer returns from the machine.
#[derive(Default)]
struct Seen {
    waits: Vec<Wait>,
    unavailable: Vec<Unavailable>,
    was_full: bool,
}

/// Keeps every wait of one contender, without its warm-up.
struct Watcher {
    os: SimulatedOs,
    contender: usize,
    progress: Progress,
    stop: Stop,
    /// The waits of the current block, whose contender is known at its end.
    block: Vec<Wait>,
    is_warm: bool,
    seen: Seen,
}

impl Watcher {
    fn is_full(&self) -> bool {
        let waits = self.seen.waits.len() + self.block.len();
        waits >= MOST_WAITS || self.os.win32().records() >= MOST_RECORDS
    }
}

impl Observer<Series> for Watcher {
    fn begins(&mut self, _: Vec<String>, unavailable: Vec<Unavailable>) {
        self.seen.unavailable = unavailable;
    }

    fn waits(&mut self, deadline: Instant) {
        let began = self.os.now();
        self.block.push(Wait {
            thread: ThreadId::IDLE,
            began,
            deadline,
            woke: began,
        });
    }

    fn woke(&mut self, woke: Instant, _: Option<Duration>) {
        if let Some(wait) = self.block.last_mut() {
            wait.woke = woke;
        }
    }

    fn block(&mut self, contender: usize, _: &Series, done: u64) {
        self.seen.was_full |= self.is_full();
        self.progress.reach(done);
        let block = std::mem::take(&mut self.block);
        if contender != self.contender {
            return;
        }
        if std::mem::replace(&mut self.is_warm, true) {
            self.seen.waits.extend(block);
        }
    }

    fn stops(&self) -> bool {
        self.stop.is_asked_for() || self.is_full()
    }
}

/// Whether a file's name is that of a log of Windows, rather than of the text of one.
fn is_log(file: &Path) -> bool {
    let extension = file.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("etl"))
}
