//! A sampler's thread: begins to sample, and begins anew when its processor is back.

use super::sampling::{Own, Sampling, Shared, Step, Surroundings};
use crate::disturbances::Clocks;
use crate::faults::Fault;
use crate::os::{self, OwnQuota};
use crate::watched::offer;
use punctual::{Cancel, Error, Instant, Os, Period, Sleeper};
use punctual_lab::waiters::{Kind, Wait, WaiterOptions};
use punctual_lab::{Machine, Native};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, Builder, JoinHandle};
use std::time::{Duration, SystemTime};

/// How long it waits until it tries again: nobody notices the seconds when a processor comes back.
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// Starts it.
///
/// # Errors
/// If the system does not.
pub(super) fn start(
    os: Native,
    shared: Shared,
    quota: Arc<OwnQuota>,
    cancel: Cancel<Native>,
) -> Result<JoinHandle<()>, Error> {
    // Linux keeps 15 bytes.
    let name = format!("watch-{}", shared.series.processor);
    let work = move || run(&os, &shared, &quota, &cancel);
    Builder::new()
        .name(name)
        .spawn(work)
        .map_err(|error| Error::system(format!("a sampler's thread: {error}")).because_of(error))
}

fn run(os: &Native, shared: &Shared, quota: &Arc<OwnQuota>, cancel: &Cancel<Native>) {
    let mut trouble = None;
    while !shared.stop.load(Relaxed) {
        let (fault, what) = match own(os, shared, quota, cancel) {
            Ok(own) => {
                if let Some(fault) = trouble.take() {
                    let processor = shared.series.processor;
                    shared.faults.ended(
                        fault,
                        format_args!("processor {processor} is watched again"),
                    );
                }
                shared.series.is_running.store(true, Relaxed);
                let end = sample(Sampling::begin(shared.clone(), own));
                shared.series.is_running.store(false, Relaxed);
                if end == Step::Stopped {
                    return;
                }
                (Fault::ProcessorOffline, moved(shared.series.processor))
            }
            Err(refused) => refused,
        };
        // What lasts is one fault, however often it is tried.
        if trouble != Some(fault) {
            shared.faults.happened(fault, what);
            trouble = Some(fault);
        }
        thread::park_timeout(TRY_AGAIN);
    }
}

fn sample(mut sampling: Sampling) -> Step {
    loop {
        match sampling.step() {
            Step::GoesOn => {}
            end => return end,
        }
    }
}

/// What the thread has of its own, once it is on its processor.
fn own(
    os: &Native,
    shared: &Shared,
    quota: &Arc<OwnQuota>,
    cancel: &Cancel<Native>,
) -> Result<Own, (Fault, String)> {
    let series = &shared.series;
    os::pin(series.processor).map_err(|error| {
        (
            Fault::ProcessorOffline,
            format!("{error}; it is tried again"),
        )
    })?;
    let method = make(os, shared, cancel).map_err(|error| {
        let (method, processor) = (series.method, series.processor);
        let what = format!("{method} cannot wait on processor {processor}: {error}");
        (Fault::Method, what)
    })?;
    Ok(Own {
        method,
        times: os.thread_times(),
        surroundings: Box::new(Here {
            os: os.clone(),
            quota: Arc::clone(quota),
        }),
        thread: os::this_thread(),
    })
}

fn make(os: &Native, shared: &Shared, cancel: &Cancel<Native>) -> Result<Box<dyn Wait>, Error> {
    if shared.series.method == COARSE {
        return Ok(Box::new(Coarse::new(os.clone(), cancel.clone())));
    }
    let offer = offer(shared.series.method)?;
    let hertz = u64::from(shared.series.asked_hertz.load(Relaxed).max(1));
    let options = WaiterOptions {
        name: offer.name,
        ..WaiterOptions::of(Period::from_hertz(hertz))
    };
    let make = offer.make(Kind::Deadlines);
    let make = make.ok_or_else(|| Error::unsupported("it waits for no deadlines"))?;
    let mut method = make(os, options)?;
    method.begin_turn();
    Ok(method)
}

fn moved(processor: usize) -> String {
    format!(
        "processor {processor} went offline, or this process may not use it any more; the others are watched, and it \
         is tried again"
    )
}

/// This machine, and the watch's quotas on it.
struct Here {
    pub os: Native,
    pub quota: Arc<OwnQuota>,
}

impl Surroundings for Here {
    fn now(&self) -> Instant {
        Os::now(&self.os)
    }

    fn clocks(&self) -> Clocks {
        os::clocks()
    }

    fn throttled_ns(&self) -> Option<u64> {
        self.quota.throttled_ns()
    }

    fn processor(&self) -> Option<usize> {
        self.os.processor()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// The laboratory's method of this name cannot be cancelled. This one is the same and can be, so that a watch ends
/// at once.
const COARSE: &str = "punctual-coarse";

/// A sleeper that never spins.
struct Coarse {
    sleeper: Sleeper<Native>,
    cancel: Cancel<Native>,
}

impl Coarse {
    pub(super) fn new(os: Native, cancel: Cancel<Native>) -> Self {
        Self {
            sleeper: Sleeper::on(os).coarse(),
            cancel,
        }
    }
}

impl Wait for Coarse {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        match self.sleeper.sleep_until_unless(deadline, &self.cancel) {
            Ok(wake) => wake.woke,
            Err(_) => self.sleeper.now(),
        }
    }
}
