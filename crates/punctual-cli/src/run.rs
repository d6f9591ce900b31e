//! Runs an experiment. On this machine it runs on a thread of its own, while this thread shows
//! progress and handles signals. It can also run on a simulated machine. `S` is the series of each
//! contender.

#[cfg(feature = "sim")]
pub mod simulated;

use crate::refusal::refused;
use indicatif::ProgressBar;
use punctual::{Cancel, Error, Os};
use punctual_command::failure::Failure;
use punctual_command::progress;
use punctual_command::stop::Stop;
use punctual_lab::children::{self, Running};
use punctual_lab::machine::Unavailable;
use punctual_lab::observer::Observer;
use punctual_lab::question::{Conditions, Refusal};
use punctual_lab::recording::Recording;
use punctual_lab::resolution::assume;
use punctual_lab::schedule::{Question, Schedule};
use punctual_lab::{Environment, Machine, Native};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// A finished or stopped experiment.
pub struct Ran<S> {
    /// The machine before the experiment.
    pub environment: Environment,
    /// The changes of the machine by the end.
    pub environment_changes: Vec<String>,
    pub collected: Collected<S>,
    /// Why the result is incomplete.
    pub spoiled: Option<Failure>,
}

impl<T: Clone> Ran<T> {
    /// As a recording.
    pub fn recording<S: Schedule<Series = T>>(
        &self,
        question: &Question<S>,
        plan: S::Plan,
    ) -> Recording<S> {
        let collected = &self.collected;
        let names = collected.names.iter().cloned();
        let found: Vec<_> = names.zip(collected.series.iter().cloned()).collect();
        Recording {
            environment_changes: self.environment_changes.clone(),
            interrupted: collected.interrupted,
            unavailable: collected.unavailable.clone(),
            ..Recording::of(question, plan, &self.environment, &found)
        }
    }
}

/// The results of an experiment so far.
#[derive(Debug)]
pub struct Collected<S> {
    /// The contenders' names.
    pub names: Vec<String>,
    /// The latest series of each; `None` if it has had no turn.
    pub series: Vec<Option<S>>,
    pub unavailable: Vec<Unavailable>,
    /// The interval of the machine's timer, where a condition is varied.
    pub interval_ns: Option<u64>,
    /// Whether a signal ended it.
    pub interrupted: bool,
    /// A sentence, if the thread was pinned and has left its processor.
    pub strayed: Option<String>,
}

impl<S: Clone> Collected<S> {
    fn begin(&mut self, names: Vec<String>, unavailable: Vec<Unavailable>) {
        self.series = vec![None; names.len()];
        self.names = names;
        self.unavailable = unavailable;
    }

    /// A signal came before the first turn.
    fn stopped_early(names: &[String]) -> Self {
        let mut collected = Self {
            interrupted: true,
            ..Self::default()
        };
        collected.begin(names.to_vec(), Vec::new());
        collected
    }
}

impl<S> Default for Collected<S> {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            series: Vec::new(),
            unavailable: Vec::new(),
            interval_ns: None,
            interrupted: false,
            strayed: None,
        }
    }
}

/// A message from the measuring thread.
enum News<S> {
    Begins(Vec<String>, Vec<Unavailable>),
    /// A contender's series so far, and the steps that are done.
    Block(usize, Box<S>, u64),
    Interval(Option<u64>),
    /// The thread has left the processor that it was pinned to.
    Strayed(String),
    Failed(Error),
}

/// How often this thread wakes to check for a stop and to draw: rarely, so that it does not
/// disturb.
const LOOK: Duration = Duration::from_millis(100);

/// How long after a signal the current wait may still end and be counted. A thread in a longer wait
/// is left there, and ends with the process.
const GRACE: Duration = Duration::from_millis(300);

/// Follows every single wait, on the measuring thread. It must be quick.
pub trait Witness: Send + 'static {
    /// The thread is set up, and the measurement begins.
    fn begins(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// A wait for this deadline begins.
    fn waits(&mut self, deadline: punctual::Instant) {
        let _ = deadline;
    }

    /// The wait has ended; the thread was ready but not running for this long.
    fn woke(&mut self, woke: punctual::Instant, queued: Option<Duration>) {
        let _ = (woke, queued);
    }
}

/// An observer that does nothing.
impl Witness for () {}

/// What a question means on its machine.
pub struct Prepared<P> {
    /// The names of the resulting series.
    pub series: Vec<String>,
    pub plan: P,
    /// Of this question, and of the questions that are asked before it and with it.
    pub steps: u64,
    pub steps_before: u64,
    pub steps_of_all: u64,
}

impl<P> Prepared<P> {
    /// Checks that the machine can answer the question; nothing runs. `length_flag` is the flag for
    /// how long it takes.
    pub fn of<S: Schedule<Plan = P>>(
        question: &Question<S>,
        length_flag: &'static str,
    ) -> Result<Self, Failure> {
        let prepared = match question.on {
            #[cfg(feature = "sim")]
            Some(_) => Self::on::<S, punctual_lab::simulated::SimulatedOs>(question),
            _ => Self::on::<S, Native>(question),
        };
        prepared.map_err(|refusal| refused(refusal, length_flag, question.on.is_some()))
    }

    fn on<S: Schedule<Plan = P>, M: Machine>(question: &Question<S>) -> Result<Self, Refusal> {
        let steps = question.steps::<M>()?;
        Ok(Self {
            series: question.series::<M>()?,
            plan: question.plan::<M>()?,
            steps,
            steps_before: 0,
            steps_of_all: steps,
        })
    }
}

/// Asks the machine that it names, until it is answered or a signal stops it.
pub fn ask<S: Schedule>(
    question: &Question<S>,
    prepared: &Prepared<S::Plan>,
    stop: &Stop,
) -> Result<Ran<S::Series>, Failure> {
    match question.on {
        #[cfg(feature = "sim")]
        Some(_) => simulated::ask(question, prepared, stop),
        _ => native(question, prepared, stop),
    }
}

fn native<S: Schedule>(
    question: &Question<S>,
    prepared: &Prepared<S::Plan>,
    stop: &Stop,
) -> Result<Ran<S::Series>, Failure> {
    let machine = detect(&question.conditions)?;
    rehearse(question, &machine)?;
    let environment = machine.environment();
    // From here on, a signal stops the load in an orderly way.
    let guard = stop.guard();
    let running = start(&question.conditions, stop)?;
    let cancel = stop.cancel_on(&machine);
    let mut collected = before(&machine, question, prepared, cancel, (), &mut || Ok(()))?;
    // A load that ended early did not run all the time.
    let one_ended = running.iter().find_map(|running| running.check().err());
    let timer_interval_ns = match running.is_empty() {
        true => environment.timer_interval_ns,
        // The companions' requests are part of the measured machine.
        false => machine.environment().timer_interval_ns,
    };
    drop(running);
    let mut environment_changes = environment.differences(&machine.environment());
    environment_changes.extend(one_ended.iter().map(ToString::to_string));
    let strayed = collected.strayed.clone();
    environment_changes.extend(strayed.clone());
    collected.interrupted = guard.end();
    Ok(Ran {
        environment: Environment {
            timer_interval_ns,
            ..environment
        },
        environment_changes,
        collected,
        spoiled: one_ended
            .map(Failure::run)
            .or_else(|| strayed.map(Failure::run)),
    })
}

/// The machine that this program runs on, with this process standing as the conditions say.
pub fn detect(conditions: &Conditions) -> Result<Native, Failure> {
    let standing = conditions.standing;
    assume(standing).map_err(|reason| {
        // Neither the length nor the machine is to blame.
        refused(Refusal::Standing { standing, reason }, "--duration", false)
    })?;
    Native::detect().map_err(Failure::run)
}

/// Tries on this thread what the measuring thread will do, and undoes it.
pub fn rehearse<S: Schedule>(question: &Question<S>, machine: &Native) -> Result<(), Failure> {
    let tried = question.rehearse(machine);
    // The length is not tried.
    tried.map_err(|refusal| refused(refusal, "--duration", false))
}

/// Starts the load and the companions. If a signal comes meanwhile, none is left.
pub fn start(conditions: &Conditions, stop: &Stop) -> Result<Vec<Running>, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::run(format!("cannot find this program to start a load: {error}"))
    })?;
    let running = children::start(conditions, &program, &|| stop.is_asked_for());
    Ok(running.map_err(Failure::run)?.unwrap_or_default())
}

/// Runs on this machine, on a thread of its own, with a witness. Meanwhile, this thread calls the
/// given function ten times a second.
pub fn before<S: Schedule>(
    machine: &Native,
    question: &Question<S>,
    prepared: &Prepared<S::Plan>,
    stop: Cancel<Native>,
    witness: impl Witness,
    meanwhile: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<Collected<S::Series>, Failure> {
    if stop.is_cancelled() {
        return Ok(Collected::stopped_early(&prepared.series));
    }
    let bar = progress::bar("measuring", prepared.steps_of_all);
    bar.set_position(prepared.steps_before);
    let (news, inbox) = mpsc::channel();
    let (measuring, question) = (machine.clone(), question.clone());
    let mut observer = Messenger {
        news,
        stop: stop.clone(),
        pin: Pin::new(machine, question.conditions.pin),
        witness,
    };
    let body = move || {
        if let Err(error) = question.run(&measuring, &mut observer) {
            observer.tell(News::Failed(error));
        }
    };
    // The thread ends when its channel closes.
    let thread = machine
        .spawn("measure", Box::new(body))
        .map_err(Failure::run)?;
    let collected = collect(&inbox, &stop, (&bar, prepared.steps_before), meanwhile);
    bar.finish_and_clear();
    let collected = collected?;
    if !collected.interrupted {
        thread.join(machine).map_err(Failure::run)?;
    }
    Ok(collected)
}

/// The measuring thread's end of the channel.
struct Messenger<S, W> {
    news: Sender<News<S>>,
    stop: Cancel<Native>,
    pin: Pin,
    witness: W,
}

impl<S, W> Messenger<S, W> {
    fn tell(&self, news: News<S>) {
        // Sending fails only while the command is already ending.
        let _ = self.news.send(news);
    }
}

impl<S: Clone + Send + 'static, W: Witness> Observer<S> for Messenger<S, W> {
    fn begins(&mut self, methods: Vec<String>, unavailable: Vec<Unavailable>) {
        self.tell(News::Begins(methods, unavailable));
        if let Err(error) = self.witness.begins() {
            self.stop.cancel();
            self.tell(News::Failed(error));
        }
    }

    fn waits(&mut self, deadline: punctual::Instant) {
        self.witness.waits(deadline);
    }

    fn woke(&mut self, woke: punctual::Instant, queued: Option<Duration>) {
        self.witness.woke(woke, queued);
        if let Some(strayed) = self.pin.look() {
            self.tell(News::Strayed(strayed));
        }
    }

    fn block(&mut self, contender: usize, series: &S, done: u64) {
        self.tell(News::Block(contender, Box::new(series.clone()), done));
        if let Some(strayed) = self.pin.look_closely() {
            self.tell(News::Strayed(strayed));
        }
    }

    fn interval(&mut self, interval_ns: Option<u64>) {
        self.tell(News::Interval(interval_ns));
    }

    fn stops(&self) -> bool {
        self.stop.is_cancelled()
    }
}

/// Receives the news until the measuring thread ends, or until the grace period after a signal is
/// over.
fn collect<S: Clone + Send + 'static>(
    inbox: &Receiver<News<S>>,
    stop: &Cancel<Native>,
    (bar, before): (&ProgressBar, u64),
    meanwhile: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<Collected<S>, Failure> {
    let mut collected = Collected::default();
    let mut stopped_at = None;
    loop {
        match inbox.recv_timeout(LOOK) {
            Ok(News::Begins(methods, unavailable)) => {
                collected.begin(methods, unavailable);
            }
            Ok(News::Block(contender, series, done)) => {
                collected.series[contender] = Some(*series);
                bar.set_position(before.saturating_add(done));
            }
            Ok(News::Interval(interval_ns)) => collected.interval_ns = interval_ns,
            Ok(News::Strayed(strayed)) => collected.strayed = Some(strayed),
            Ok(News::Failed(error)) => return Err(Failure::run(error)),
            Err(RecvTimeoutError::Timeout) => bar.tick(),
            Err(RecvTimeoutError::Disconnected) => {
                // The thread stops when it hears of a signal, which may be before this thread checks.
                collected.interrupted = stop.is_cancelled();
                break;
            }
        }
        meanwhile()?;
        if stop.is_cancelled() {
            collected.interrupted = true;
            if stopped_at.get_or_insert_with(Instant::now).elapsed() > GRACE {
                break;
            }
        }
    }
    Ok(collected)
}

/// The processor, until the thread has left it.
struct Pin {
    machine: Native,
    processor: Option<usize>,
}

impl Pin {
    fn new(machine: &Native, processor: Option<usize>) -> Self {
        Self {
            machine: machine.clone(),
            processor,
        }
    }

    /// Looks where the calling thread is, between two waits: this costs a few nanoseconds. Says once
    /// that it has left.
    fn look(&mut self) -> Option<String> {
        let pinned = self.processor?;
        let found = self.machine.processor();
        self.lost(found.is_some_and(|found| found != pinned))
    }

    /// Looks where it may be, between two turns. It may be free and by chance where it was.
    fn look_closely(&mut self) -> Option<String> {
        let kept = self.machine.is_kept_to(self.processor?);
        self.lost(kept == Some(false))
    }

    fn lost(&mut self, lost: bool) -> Option<String> {
        let processor = self.processor.take_if(|_| lost)?;
        Some(format!(
            "the thread pinned to processor {processor} was moved from it during the run: the processor \
             went offline, or another program changed where the thread may run"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::guard::PinGuard;

    /// The news from a thread that ends at once.
    fn of_a_thread_that_ended(cancelled: bool) -> Collected<u8> {
        let (news, inbox) = mpsc::channel();
        news.send(News::Begins(
            vec!["a".to_owned(), "b".to_owned()],
            Vec::new(),
        ))
        .unwrap();
        news.send(News::Block(0, Box::new(7), 1)).unwrap();
        drop(news);
        let stop = Cancel::on(Native::detect().unwrap());
        if cancelled {
            stop.cancel();
        }
        collect(&inbox, &stop, (&ProgressBar::hidden(), 0), &mut || Ok(())).unwrap()
    }

    #[test]
    fn who_stops_at_once_was_interrupted_all_the_same() {
        for cancelled in [false, true] {
            let collected = of_a_thread_that_ended(cancelled);
            assert_eq!(collected.interrupted, cancelled);
            assert_eq!(collected.series, [Some(7), None]);
        }
    }

    #[test]
    fn a_thread_that_stays_is_not_reported() {
        let machine = Native::detect().unwrap();
        // The first one that it may use.
        let Some((processor, _pinned)) =
            (0..1024).find_map(|number| Some((number, PinGuard::pin(&machine, number).ok()?)))
        else {
            println!("skipped: this system pins no threads");
            return;
        };
        let mut pin = Pin::new(&machine, Some(processor));
        assert_eq!((pin.look(), pin.look_closely()), (None, None));
        let mut nowhere = Pin::new(&machine, None);
        assert_eq!((nowhere.look(), nowhere.look_closely()), (None, None));
    }

    #[test]
    fn a_thread_that_left_is_reported_once() {
        let mut pin = Pin::new(&Native::detect().unwrap(), Some(3));
        assert_eq!(pin.lost(false), None);
        let said = pin.lost(true).unwrap();
        assert!(said.contains("pinned to processor 3 was moved"), "{said}");
        assert_eq!(
            (pin.lost(true), pin.look(), pin.look_closely()),
            (None, None, None)
        );
    }
}
