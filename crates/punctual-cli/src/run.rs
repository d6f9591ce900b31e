//! Runs an experiment on a thread of its own, while this one shows progress and hears Ctrl-C.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use punctual::{Cancel, Native, Os};
use punctual_lab::Experiment;
use punctual_lab::measure::Observer;
use punctual_lab::recording::Unavailable;
use punctual_lab::statistics::Series;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// What an experiment has brought so far.
#[derive(Debug, Default)]
pub struct Collected {
    pub series: Vec<Series>,
    pub unavailable: Vec<Unavailable>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// What the measuring thread tells.
enum News {
    Begins(Vec<String>, Vec<Unavailable>),
    /// A contender's series so far, and how many waits all have made.
    Block(usize, Box<Series>, u64),
    Failed(punctual::Error),
}

/// How often this thread wakes to look whether to stop and to draw: rarely enough not to disturb.
const LOOK: Duration = Duration::from_millis(100);

/// How long after Ctrl-C the wait that was under way may still end and be counted. A thread that is
/// in the middle of a longer one is left there, and ends with the process.
const GRACE: Duration = Duration::from_millis(300);

/// What Ctrl-C cancels from now on, instead of ending the process.
pub fn cancel_on_ctrl_c(machine: &Native) -> Result<Cancel, Failure> {
    let stop = Cancel::on(Native::clone(machine));
    let stops = stop.clone();
    ctrlc::set_handler(move || stops.cancel())
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Who follows every single wait, on the measuring thread. It must be quick.
pub trait Witness: Send + 'static {
    /// The thread is set up, and measuring begins.
    fn begins(&mut self) -> Result<(), punctual::Error> {
        Ok(())
    }

    /// A wait for this deadline begins.
    fn waits(&mut self, deadline: punctual::Instant) {
        let _ = deadline;
    }

    /// It has ended; for so long the thread was ready in it and did not run.
    fn woke(&mut self, woke: punctual::Instant, queued: Option<Duration>) {
        let _ = (woke, queued);
    }
}

/// Nobody looks on.
impl Witness for () {}

/// Runs until the experiment is over or somebody stops it.
pub fn run(
    machine: &Native,
    experiment: Experiment<Native>,
    stop: Cancel,
) -> Result<Collected, Failure> {
    run_before(machine, experiment, stop, (), &mut || Ok(()))
}

/// The same before a witness. Meanwhile, ten times a second, this thread does what it is given.
pub fn run_before(
    machine: &Native,
    experiment: Experiment<Native>,
    stop: Cancel,
    witness: impl Witness,
    meanwhile: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<Collected, Failure> {
    let bar = progress_bar(&experiment);
    let (news, inbox) = mpsc::channel();
    let (measuring, observer) = (
        Native::clone(machine),
        Messenger {
            news,
            stop: stop.clone(),
            witness,
        },
    );
    let body = move || measure(&measuring, &experiment, observer);
    // Joined through its channel, which closes when it ends.
    let thread = machine
        .spawn("measure", Box::new(body))
        .map_err(Failure::run)?;
    let collected = collect(&inbox, &stop, &bar, meanwhile);
    bar.finish_and_clear();
    let collected = collected?;
    if !collected.interrupted {
        thread.join(machine).map_err(Failure::run)?;
    }
    Ok(collected)
}

fn measure<W: Witness>(
    machine: &Native,
    experiment: &Experiment<Native>,
    mut observer: Messenger<W>,
) {
    if let Err(error) = experiment.run(machine, &mut observer) {
        observer.tell(News::Failed(error));
    }
}

/// The measuring thread's end of the channel.
struct Messenger<W> {
    news: Sender<News>,
    stop: Cancel,
    witness: W,
}

impl<W> Messenger<W> {
    fn tell(&self, news: News) {
        // Nobody listens any more only when the command is already ending.
        let _ = self.news.send(news);
    }
}

impl<W: Witness> Observer for Messenger<W> {
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
    }

    fn block(&mut self, contender: usize, series: &Series, waits_made: u64) {
        self.tell(News::Block(contender, Box::new(series.clone()), waits_made));
    }

    fn stops(&self) -> bool {
        self.stop.is_cancelled()
    }
}

/// Takes in the news until the measuring thread ends, or until it has had its grace after Ctrl-C.
fn collect(
    inbox: &Receiver<News>,
    stop: &Cancel,
    bar: &ProgressBar,
    meanwhile: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<Collected, Failure> {
    let mut collected = Collected::default();
    let mut stopped_at = None;
    loop {
        match inbox.recv_timeout(LOOK) {
            Ok(News::Begins(methods, unavailable)) => {
                collected.series = methods.into_iter().map(Series::new).collect();
                collected.unavailable = unavailable;
            }
            Ok(News::Block(contender, series, waits_made)) => {
                collected.series[contender] = *series;
                bar.set_position(waits_made);
            }
            Ok(News::Failed(error)) => return Err(Failure::run(error)),
            Err(RecvTimeoutError::Timeout) => bar.tick(),
            Err(RecvTimeoutError::Disconnected) => break,
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

/// On a terminal only; drawn on standard error, a few times a second.
fn progress_bar(experiment: &Experiment<Native>) -> ProgressBar {
    let bar = ProgressBar::new(experiment.waits());
    let style = ProgressStyle::with_template("measuring {bar:40} {percent:>3} %, {eta} left")
        .expect("the template is a constant");
    bar.set_style(style);
    bar
}
