//! How much later a loop wakes beside something that may cost it: a trace, or a watch.

use crate::failure::Failure;
use crate::report::{Aim, Bound, Column, Report, Table, micros, plain};
use crate::row;
use crate::statistics::Spread;
use crate::turns::Turns;
use punctual::{Native, Period};
use punctual_lab::Machine;
use punctual_lab::waiters::{Kind, Wait, WaiterOptions};
use punctual_trace::recording::Head;
use punctual_trace::{Capture, Explainer, ThreadId};
use punctual_watch::board::Board;
use punctual_watch::faults::{Fault, Faults};
use punctual_watch::late::Lates;
use punctual_watch::observer::Observer;
use punctual_watch::recorder::Recorder;
use punctual_watch::sampler::Samplers;
use punctual_watch::settings::{LateSettings, Settings};
use rustix::thread::gettid;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// What runs beside the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Nothing,
    Trace,
    Watch,
    /// With its flight recorder.
    WatchAndRecorder,
}

/// Ends it.
pub type End = Box<dyn FnOnce() -> Result<(), Failure>>;

/// The threads have started and the kernel's ring is there.
const STARTING: Duration = Duration::from_millis(100);

/// As often as the command drains its capture.
const DRAIN_EVERY: Duration = Duration::from_millis(100);

/// By how much the median lateness may move, as a share of it.
const MOST_MOVED: f64 = 0.05;

/// The loop waits by absolute `clock_nanosleep` at the least slack, where a microsecond shows, and at Linux's default,
/// as most programs have it.
const SLACKS: [(&str, Duration); 2] = [
    ("slack 1 ns", Duration::from_nanos(1)),
    ("slack 50 µs", Duration::from_micros(50)),
];
const PERIOD: Duration = Duration::from_millis(1);

/// Enough for a median, and few enough for the machine's moods to meet all sides.
const WAITS: u32 = 200;

impl Beside {
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Trace => "trace",
            Self::Watch => "watch",
            Self::WatchAndRecorder => "watch and recorder",
        }
    }

    /// Starts it as the command does by default, for the calling thread.
    pub fn start(self, folder: &Path) -> Result<End, Failure> {
        let end: End = match self {
            Self::Nothing => Box::new(|| Ok(())),
            Self::Trace => trace()?,
            Self::Watch => watch(None)?,
            Self::WatchAndRecorder => watch(Some(folder))?,
        };
        thread::sleep(STARTING);
        Ok(end)
    }
}

fn trace() -> Result<End, Failure> {
    let mut capture = Capture::prepare()?;
    let thread = gettid().as_raw_pid().unsigned_abs();
    let head = Head {
        threads: vec![(thread, String::new())],
        ..Head::default()
    };
    // The command explains while it records.
    let mut explainer = Explainer::new(capture.raw(), &head)?;
    capture.starter().start(Some(ThreadId(thread)))?;
    let (over, is_over) = mpsc::channel::<()>();
    let drainer = thread::spawn(move || -> Result<(), punctual::Error> {
        while is_over.recv_timeout(DRAIN_EVERY) == Err(RecvTimeoutError::Timeout) {
            explainer.portion(&capture.take()?)?;
        }
        Ok(())
    });
    Ok(Box::new(move || {
        drop(over);
        Ok(drainer.join().map_err(|_| "draining the trace broke")??)
    }))
}

fn watch(recorder_in: Option<&Path>) -> Result<End, Failure> {
    let (recorder, lates) = recorder_in.map(recorder).transpose()?.unzip();
    let settings = Settings {
        late: recorder_in.map(late),
        ..Settings::default()
    };
    let board = Arc::new(Board::new(&settings, Arc::default(), lates)?);
    let observer = Observer::start(&board)?;
    let late_events = recorder.as_ref().map(Recorder::late_events);
    let samplers = Samplers::start(&settings, &board, late_events)?;
    Ok(Box::new(move || {
        samplers.stop();
        observer.stop();
        recorder.into_iter().for_each(Recorder::stop);
        Ok(())
    }))
}

/// No wake-up is so late that it is recorded: what is measured is the kernel's ring.
fn late(folder: &Path) -> LateSettings {
    LateSettings {
        threshold: Duration::from_secs(60),
        keep: 1,
        folder: folder.to_owned(),
        keep_bytes: 1 << 20,
    }
}

/// A flight recorder alone, and what it counts.
pub fn recorder(folder: &Path) -> Result<(Recorder, Arc<Lates>), Failure> {
    let (faults, lates) = (
        Arc::<Faults>::default(),
        Arc::new(Lates::open(&late(folder))?),
    );
    let recorder = Recorder::start(Arc::clone(&lates), Arc::clone(&faults))?;
    match faults.count(Fault::Trace) {
        0 => Ok((recorder, lates)),
        _ => Err("the kernel's trace cannot be read; run this as root, with tracefs".into()),
    }
}

/// A wait of the laboratory, made for deadlines this far apart.
pub fn wait_of_lab(name: &str, os: &Native, period: Duration) -> Result<Box<dyn Wait>, Failure> {
    let mut known = Native::waiters().into_iter();
    let waiter = known.find(|waiter| waiter.name == name);
    let make = waiter
        .and_then(|waiter| waiter.make(Kind::Deadlines))
        .ok_or("no such wait")?;
    Ok(make(os, WaiterOptions::of(Period::from_duration(period)))?)
}

/// The median lateness of a turn, in nanoseconds.
fn median(slack: Duration) -> Result<f64, Failure> {
    let os = Native::new();
    let mut wait = wait_of_lab("clock-nanosleep", &os, PERIOD)?;
    let _slack = os.slacken(slack)?;
    let start = os.now();
    let latenesses = (1..=WAITS).map(|index| {
        let deadline = start + PERIOD * index;
        wait.wait_until(deadline)
            .duration_since(deadline)
            .as_nanos() as f64
    });
    let spread = Spread::of(latenesses.collect());
    Ok(spread.map_or(0.0, |spread| spread.median))
}

/// Has the loop run beside each of these, of which the first is nothing, in turns.
pub fn compare(
    all: &[Beside],
    folder: &Path,
    rounds: u32,
    turns: &Turns,
    report: &mut Report,
) -> Result<(), Failure> {
    turns.announce("lateness");
    let taken = turns.take(&mut all.to_vec(), 0, rounds, |beside, _| {
        let end = beside.start(folder)?;
        let medians = [median(SLACKS[0].1)?, median(SLACKS[1].1)?];
        end()?;
        Ok(medians)
    })?;
    let mut table = Table::new(
        "lateness",
        "A loop at 1 kHz: medians of the turns' medians, ± half the range",
        vec![
            Column::words("way", "", 13),
            Column::words("beside", "beside it", 20),
            Column::figure("waits", "waits", 7, plain::<0>),
            Column::figure("p50_ns", "p50, µs", 16, micros),
            Column::figure("ratio", "ratio", 16, plain::<3>),
        ],
    );
    for (index, (way, _)) in SLACKS.into_iter().enumerate() {
        let of = |place: usize| {
            taken[place]
                .iter()
                .map(|turn| turn[index])
                .collect::<Vec<_>>()
        };
        for (place, beside) in all.iter().enumerate() {
            let ratio = Spread::of_ratios(&of(place), &of(0));
            let waits = WAITS * u32::try_from(taken[place].len())?;
            table.push(row![
                way,
                beside.name(),
                waits,
                Spread::of(of(place)),
                ratio
            ]);
            if place > 0 {
                let what = format!(
                    "{way}, {}: the median moves, as a share of it",
                    beside.name()
                );
                let moved = ratio.map(|ratio| (ratio.median - 1.0).abs());
                report
                    .aims
                    .push(Aim::new(&what, Bound::Below(MOST_MOVED), moved));
            }
        }
    }
    report.tables.push(table);
    Ok(())
}
