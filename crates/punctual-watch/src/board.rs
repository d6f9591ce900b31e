//! Everything that is counted. Samplers and observers write it, and everyone else reads it.

use super::histogram::Histogram;
use crate::faults::Faults;
use crate::late::Lates;
use crate::os::OwnQuota;
use crate::settings::Settings;
use crate::watched::{method, processors};
use punctual::Error;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

pub use crate::readings::{Reading, Readings};

/// Made once at the start. What samplers write in it never grows.
#[derive(Debug)]
pub struct Board {
    /// One of each watched processor and method.
    pub series: Vec<Arc<Series>>,
    /// What the system says about itself, renewed every few seconds.
    pub readings: Mutex<Readings>,
    /// What went wrong.
    pub faults: Arc<Faults>,
    /// The late wake-ups that were saved; `None` without a flight recorder.
    pub lates: Option<Arc<Lates>>,
    /// When the watch started.
    pub started: SystemTime,
    /// The quotas of the groups in which the watch runs.
    pub(crate) quota: Arc<OwnQuota>,
}

impl Board {
    /// A board for what the settings watch: one series of each processor and method.
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for a processor that the machine does not have, or a method that
    /// it does not have or that spins.
    pub fn new(
        settings: &Settings,
        faults: Arc<Faults>,
        lates: Option<Arc<Lates>>,
    ) -> Result<Self, Error> {
        Ok(Self {
            series: series(settings, &[])?,
            readings: Mutex::default(),
            faults,
            lates,
            started: SystemTime::now(),
            quota: Arc::default(),
        })
    }

    /// How many waits of all samplers have ended.
    pub fn wakes(&self) -> u64 {
        let wakes = self.series.iter().map(|series| series.wakes.read().total());
        wakes.sum()
    }

    /// How many samplers wait.
    pub fn running(&self) -> usize {
        let is_running = |series: &&Arc<Series>| series.is_running.load(Relaxed);
        self.series.iter().filter(is_running).count()
    }

    /// A board for other settings, on which everything that has been counted stays. What is no longer watched is
    /// no longer on it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn renewed(&self, settings: &Settings, lates: Option<Arc<Lates>>) -> Result<Self, Error> {
        let readings = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Self {
            series: series(settings, &self.series)?,
            readings: Mutex::new(readings.clone()),
            faults: Arc::clone(&self.faults),
            lates,
            started: self.started,
            quota: Arc::clone(&self.quota),
        })
    }
}

/// One of each processor and method, those that there are already included.
fn series(settings: &Settings, old: &[Arc<Series>]) -> Result<Vec<Arc<Series>>, Error> {
    let mut series = Vec::new();
    for processor in processors(&settings.processors)?.numbers() {
        let processor = processor as usize;
        for name in &settings.methods {
            let method = method(name)?;
            let is_it = |old: &&Arc<Series>| old.processor == processor && old.method == method;
            let one = match old.iter().find(is_it) {
                Some(old) => Arc::clone(old),
                None => Arc::new(Series::new(processor, method, settings.rate_hertz)),
            };
            one.asked_hertz.store(settings.rate_hertz, Relaxed);
            series.push(one);
        }
    }
    Ok(series)
}

/// What one sampler counts: one processor, one method.
#[derive(Debug)]
pub struct Series {
    /// The processor, as the system numbers it.
    pub processor: usize,
    /// The name of the way of waiting.
    pub method: &'static str,
    /// How late each wake-up was.
    pub wakes: Histogram,
    /// How late each deadline was met, every missed one included.
    pub deadlines: Histogram,
    /// Deadlines that had passed before their turn came.
    pub missed: AtomicU64,
    /// Lateness that the timer caused: all that the thread was not ready to run. Where the system does not tell how
    /// long a thread was ready, as on Windows, it is the whole lateness.
    pub timer_ns: AtomicU64,
    /// Lateness for which the thread was ready but not running.
    pub queue_ns: AtomicU64,
    /// Processor time that the sampler has used.
    pub processor_ns: AtomicU64,
    /// How often it is to wait, in hertz.
    pub asked_hertz: AtomicU32,
    /// How often it waits at present, in thousandths of a hertz. The budget can make it less than asked for.
    pub rate_millihertz: AtomicU64,
    /// Whether it is waiting: not while its processor is offline, or where its method cannot be made.
    pub is_running: AtomicBool,
}

impl Series {
    /// A series without any count, not running.
    pub fn new(processor: usize, method: &'static str, asked_hertz: u32) -> Self {
        Self {
            processor,
            method,
            wakes: Histogram::default(),
            deadlines: Histogram::default(),
            missed: AtomicU64::new(0),
            timer_ns: AtomicU64::new(0),
            queue_ns: AtomicU64::new(0),
            processor_ns: AtomicU64::new(0),
            asked_hertz: AtomicU32::new(asked_hertz),
            rate_millihertz: AtomicU64::new(0),
            is_running: AtomicBool::new(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_lab::environment::ProcessorSet;

    #[test]
    fn other_settings_keep_what_was_counted() {
        let mut settings = Settings {
            processors: ProcessorSet::from_iter([0]),
            ..Settings::default()
        };
        let board = Board::new(&settings, Arc::default(), None).unwrap();
        board.series[0].wakes.count(1);
        settings.methods.insert(0, "std-sleep");
        settings.rate_hertz = 20;
        let renewed = board.renewed(&settings, None).unwrap();
        let kept = [&renewed.series[0], &renewed.series[1]].map(|one| one.wakes.read().total());
        assert_eq!(kept, [0, 1]);
        assert_eq!(renewed.series[1].asked_hertz.load(Relaxed), 20);
        settings.methods.push("nap");
        assert!(board.renewed(&settings, None).is_err());
    }
}
