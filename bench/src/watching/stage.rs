//! What runs beside the program: nothing, a watch, or a watch with its flight recorder.

use crate::failure::Failure;
use punctual_watch::board::Board;
use punctual_watch::faults::{Fault, Faults};
use punctual_watch::late::Lates;
use punctual_watch::observer::Observer;
use punctual_watch::recorder::Recorder;
use punctual_watch::sampler::Samplers;
use punctual_watch::settings::{LateSettings, Settings};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Nothing,
    Watch,
    WatchAndRecorder,
}

/// The threads have started and the kernel's ring is there.
const STARTING: Duration = Duration::from_millis(100);

/// No wake-up is so late that it is recorded: what is measured is the ring.
const THRESHOLD: Duration = Duration::from_secs(60);

impl Stage {
    pub const ALL: [Self; 3] = [Self::Nothing, Self::Watch, Self::WatchAndRecorder];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Watch => "watch",
            Self::WatchAndRecorder => "watch and recorder",
        }
    }

    /// Starts it, with the settings that a watch has by default.
    pub fn start(self, folder: &Path) -> Result<Running, Failure> {
        let late = late(folder);
        let settings = Settings {
            late: (self == Self::WatchAndRecorder).then(|| late.clone()),
            ..Settings::default()
        };
        let mut running = Running::default();
        if self == Self::Nothing {
            return Ok(running);
        }
        let mut occasions = None;
        let mut lates = None;
        if self == Self::WatchAndRecorder {
            let recorder = start_recorder(&late, &Arc::default())?;
            occasions = Some(recorder.0.occasions());
            (running.recorder, lates) = (Some(recorder.0), Some(recorder.1));
        }
        let board = Arc::new(Board::new(&settings, Arc::default(), lates)?);
        running.observer = Some(Observer::start(&board)?);
        running.samplers = Some(Samplers::start(&settings, &board, occasions)?);
        thread::sleep(STARTING);
        Ok(running)
    }
}

/// What runs until it is stopped.
#[derive(Debug, Default)]
pub struct Running {
    samplers: Option<Samplers>,
    observer: Option<Observer>,
    recorder: Option<Recorder>,
}

impl Running {
    pub fn stop(self) {
        self.samplers.into_iter().for_each(Samplers::stop);
        self.observer.into_iter().for_each(Observer::stop);
        self.recorder.into_iter().for_each(Recorder::stop);
    }
}

fn late(folder: &Path) -> LateSettings {
    LateSettings {
        threshold: THRESHOLD,
        keep: 1,
        folder: folder.to_owned(),
        keep_bytes: 1 << 20,
    }
}

/// A flight recorder alone, and what it counts.
pub fn start_recorder(
    late: &LateSettings,
    faults: &Arc<Faults>,
) -> Result<(Recorder, Arc<Lates>), Failure> {
    let lates = Arc::new(Lates::open(late)?);
    let recorder = Recorder::start(Arc::clone(&lates), Arc::clone(faults))?;
    Ok((recorder, lates))
}

/// The same for these measurements.
pub fn recorder_in(folder: &Path) -> Result<(Recorder, Arc<Lates>, Arc<Faults>), Failure> {
    let faults = Arc::default();
    let (recorder, lates) = start_recorder(&late(folder), &faults)?;
    thread::sleep(STARTING);
    Ok((recorder, lates, faults))
}

/// Why there can be no flight recorder here, if there can be none.
pub fn recorder_refused(folder: &Path) -> Result<Option<String>, Failure> {
    let (recorder, _, faults) = recorder_in(folder)?;
    recorder.stop();
    let refused = faults.count(Fault::Trace) > 0;
    Ok(refused
        .then(|| "the kernel's trace cannot be read; run this as root, with tracefs".to_owned()))
}
