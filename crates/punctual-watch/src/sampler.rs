//! The threads that wait and count: one of each watched processor and method.

mod sampling;
mod thread;

use crate::board::Board;
use crate::governor::Governor;
use crate::recorder::LateEvent;
use crate::settings::Settings;
use punctual::{Cancel, Error};
use punctual_lab::Native;
use sampling::{Late, Shared};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The running samplers of a watch. They end when this is dropped.
pub struct Samplers {
    stop: Arc<AtomicBool>,
    cancel: Cancel<Native>,
    threads: Vec<JoinHandle<()>>,
}

impl Samplers {
    /// Starts a thread for each series of the board.
    ///
    /// A wake-up that is later than the recorder's threshold is sent to `late_events`, unless that is full: a
    /// sampler never waits for the recorder.
    ///
    /// # Errors
    /// If the system does not start a thread, or has no way of waiting.
    pub fn start(
        settings: &Settings,
        board: &Arc<Board>,
        late_events: Option<SyncSender<LateEvent>>,
    ) -> Result<Self, Error> {
        let os = Native::detect()?;
        let mut samplers = Self {
            stop: Arc::default(),
            cancel: Cancel::on(os.clone()),
            threads: Vec::new(),
        };
        board.quota.find();
        let late = late_events.zip(settings.late.as_ref());
        let late = late.map(|(late_events, late)| Late {
            threshold: late.threshold,
            late_events,
            lates: board.lates.clone(),
        });
        for (shared, quota) in shared(settings, board, &samplers.stop, late.as_ref()) {
            let start = thread::start(os.clone(), shared, quota, samplers.cancel.clone());
            // Those that have started end as this is dropped.
            samplers.threads.push(start?);
        }
        Ok(samplers)
    }

    /// Ends the samplers, and returns when they have ended: at once, or after the wait of a way of waiting that
    /// cannot be cancelled, at most a period.
    pub fn stop(self) {}
}

/// What each sampler shares with others.
fn shared<'a>(
    settings: &'a Settings,
    board: &'a Board,
    stop: &'a Arc<AtomicBool>,
    late: Option<&'a Late>,
) -> impl Iterator<Item = (Shared, Arc<crate::os::OwnQuota>)> + 'a {
    let mut of_processor: BTreeMap<usize, usize> = BTreeMap::new();
    for series in &board.series {
        *of_processor.entry(series.processor).or_default() += 1;
    }
    let governor = |(processor, samplers)| {
        let governor = Governor::new(samplers, settings.budget, settings.rate_hertz);
        (processor, (Arc::new(Mutex::new(governor)), 0))
    };
    let mut governors: BTreeMap<_, _> = of_processor.into_iter().map(governor).collect();
    board.series.iter().filter_map(move |series| {
        let (governor, next) = governors.get_mut(&series.processor)?;
        let index = *next;
        *next += 1;
        let shared = Shared {
            series: Arc::clone(series),
            faults: Arc::clone(&board.faults),
            governor: Arc::clone(governor),
            index,
            stop: Arc::clone(stop),
            late: late.cloned(),
        };
        Some((shared, Arc::clone(&board.quota)))
    })
}

impl Drop for Samplers {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        self.cancel.cancel();
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // It panics only if this crate is wrong, and has then said so.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Samplers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Samplers");
        shown
            .field("threads", &self.threads.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Series;
    use crate::faults::Fault;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn they_wait_and_count_until_they_are_stopped() {
        let settings = Settings {
            methods: vec!["punctual-coarse", "std-sleep"],
            rate_hertz: 1_000,
            budget: 1.0,
            ..Settings::default()
        };
        let board = Arc::new(Board::new(&settings, Arc::default(), None).unwrap());
        let samplers = Samplers::start(&settings, &board, None).unwrap();
        let counted = |series: &Arc<Series>| series.wakes.read().total();
        while board.series.iter().any(|series| counted(series) < 10) {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(
            board
                .series
                .iter()
                .all(|series| series.is_running.load(Relaxed))
        );
        samplers.stop();
        assert!(
            board
                .series
                .iter()
                .all(|series| !series.is_running.load(Relaxed))
        );
        let before: Vec<_> = board.series.iter().map(counted).collect();
        thread::sleep(Duration::from_millis(5));
        assert_eq!(before, board.series.iter().map(counted).collect::<Vec<_>>());
        for series in &board.series {
            let (wakes, missed) = (counted(series), series.missed.load(Relaxed));
            assert_eq!(series.deadlines.read().total(), wakes + missed);
        }
    }

    #[test]
    fn a_processor_that_is_not_there_is_said_once_and_stopping_does_not_wait_for_it() {
        let settings = Settings::default();
        let mut board = Board::new(&settings, Arc::default(), None).unwrap();
        let nowhere = Series::new(60_000, "punctual-coarse", 100);
        board.series = vec![Arc::new(nowhere)];
        let board = Arc::new(board);
        let samplers = Samplers::start(&settings, &board, None).unwrap();
        while board.faults.count(Fault::ProcessorOffline) == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        samplers.stop();
        assert!(!board.series[0].is_running.load(Relaxed));
    }
}
