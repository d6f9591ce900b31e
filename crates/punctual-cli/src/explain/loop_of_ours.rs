//! Explains the periodic loop of `measure`.

use super::capture::{After, Before, Known};
use super::explanation::subject;
use super::live::Live;
use super::unprivileged::{Books, Run};
use super::{ExplainArgs, Traced, check_files};
use crate::os::own_thread;
use crate::run::{self, Prepared, Witness};
use punctual::{Instant, Os};
use punctual_command::failure::Failure;
use punctual_command::stop::Stop;
use punctual_lab::Native;
use punctual_lab::measure::SeriesRecord;
use punctual_trace::recording::RecordedWait;
use punctual_trace::{Starter, ThreadId};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// The kernel's name for the measuring thread.
const THREAD_NAME: &str = "measure";

pub(super) fn run(args: &ExplainArgs, stop: &Stop) -> Result<Traced, Failure> {
    let question = args.question();
    let prepared = Prepared::of(&question, "--duration")?;
    let machine = run::detect(&question.conditions)?;
    run::rehearse(&question, &machine)?;
    check_files(args, stop)?;
    let before = Before::read(&machine);
    let mut books = Books::open(&before.environment);
    let guard = stop.guard();
    let running = run::start(&question.conditions, stop)?;
    let cancel = stop.cancel_on(&machine);
    let known = Known {
        question: Some(question.clone()),
        subject: subject(&question),
        ..Known::default()
    };
    let (mut live, refused) = match Live::prepare(args, known, before, stop) {
        Ok(live) => (Some(live), None),
        Err(refused) if args.needs_the_trace() => {
            let problem = format!("there is no trace to write or to watch: {refused}");
            return Err(Failure::run(problem));
        }
        Err(error) => (None, Some(error)),
    };
    let (news, inbox) = mpsc::channel();
    let watcher = Watcher {
        machine: machine.clone(),
        starter: live.as_ref().map(|live| live.trace.starter()),
        left_of_warm_up: prepared.plan.warm_up(),
        wait: RecordedWait::default(),
        news,
    };
    let mut waited: Vec<(RecordedWait, Option<Duration>)> = Vec::new();
    let ends = cancel.clone();
    let mut meanwhile = || {
        let Some(live) = &mut live else {
            waited.extend(inbox.try_iter().filter_map(News::wait));
            if let Some((wait, _)) = waited.last() {
                books.look(wait.thread);
            }
            return Ok(());
        };
        let waits = told(&inbox, live);
        live.look(&waits)?;
        if live.trace.has_happened() || live.trace.is_full() {
            ends.cancel();
        }
        Ok(())
    };
    let collected = run::before(
        &machine,
        &question,
        &prepared,
        cancel,
        watcher,
        &mut meanwhile,
    )?;
    for running in running {
        running.check().map_err(Failure::run)?;
    }
    if let Some(strayed) = &collected.strayed {
        return Err(Failure::run(strayed));
    }
    if let Some(missing) = collected.unavailable.first() {
        return Err(Failure::flag("--method", &missing.reason));
    }
    let after = After::read(&machine);
    let Some(mut live) = live else {
        waited.extend(inbox.try_iter().filter_map(News::wait));
        let run = Run {
            question: question.clone(),
            subject: subject(&question),
            refused: refused.map_or_else(String::new, |error| error.to_string()),
            waited,
            series: collected
                .series
                .first()
                .and_then(Option::as_ref)
                .map(SeriesRecord::from),
            interrupted: guard.end(),
            is_long: args.long,
        };
        let accounts = Box::new(books.close(run, &after.environment));
        return Ok(Traced::OwnAccounts(accounts));
    };
    let waits = told(&inbox, &mut live);
    let ended = live.finish(&waits, &after, guard)?;
    Ok(Traced::Kernel(Box::new(ended)))
}

/// The waits that ended since the last time. A thread that began is followed.
fn told(inbox: &Receiver<News>, live: &mut Live) -> Vec<RecordedWait> {
    let mut waits = Vec::new();
    for news in inbox.try_iter() {
        match news {
            News::Began(thread) => live.trace.follow(thread, THREAD_NAME),
            News::Waited(wait, _) => waits.push(wait),
        }
    }
    waits
}

/// What the measuring thread tells.
enum News {
    /// The thread's number, before its first wait.
    Began(u32),
    /// A wait, and how long the thread was ready but not running.
    Waited(RecordedWait, Option<Duration>),
}

impl News {
    fn wait(self) -> Option<(RecordedWait, Option<Duration>)> {
        match self {
            Self::Began(_) => None,
            Self::Waited(wait, queued) => Some((wait, queued)),
        }
    }
}

/// Runs on the measuring thread. Starts the trace, and keeps what only that thread knows.
struct Watcher {
    machine: Native,
    starter: Option<Starter>,
    left_of_warm_up: u64,
    wait: RecordedWait,
    news: Sender<News>,
}

impl Witness for Watcher {
    fn begins(&mut self) -> Result<(), punctual::Error> {
        let thread = own_thread().unwrap_or(0);
        self.wait.thread = thread;
        // Before there is anything in the trace.
        self.tell(News::Began(thread));
        match &self.starter {
            Some(starter) => starter.start(Some(ThreadId(thread))),
            None => Ok(()),
        }
    }

    fn waits(&mut self, deadline: Instant) {
        self.wait.deadline_ns = deadline.as_nanos();
        self.wait.began_ns = Os::now(&self.machine).as_nanos();
    }

    fn woke(&mut self, woke: Instant, queued: Option<Duration>) {
        if self.left_of_warm_up > 0 {
            self.left_of_warm_up -= 1;
            return;
        }
        self.wait.woke_ns = woke.as_nanos();
        self.tell(News::Waited(self.wait, queued));
    }
}

impl Watcher {
    fn tell(&self, news: News) {
        // Sending fails only while the command is already ending.
        let _ = self.news.send(news);
    }
}
