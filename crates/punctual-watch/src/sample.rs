//! A made-up board, the same each time.

use crate::board::{Board, Reading, Readings, Series};
use crate::faults::{Fault, Faults};
use crate::late::Lates;
use crate::settings::LateSettings;
use punctual_trace::recorder::{Files, LateWakeUp, Part};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// A board of two processors after a minute at 100 Hz: one punctual, one with a load beside it. It has
/// readings of every kind and a fault, and no flight recorder.
pub fn board() -> Board {
    Machine::new(1).board(Duration::from_secs(60))
}

/// The same with a flight recorder, which keeps a late wake-up in this folder. Its files are no real recordings.
///
/// # Errors
/// If the folder cannot be written.
pub fn board_with_late_wake_up(folder: &Path) -> io::Result<Board> {
    let lates = Lates::open(&LateSettings {
        threshold: Duration::from_millis(5),
        keep: 100,
        folder: folder.to_owned(),
        keep_bytes: 1 << 20,
    })?;
    let files = Files {
        recording: b"a recording".to_vec(),
        perfetto: b"a picture".to_vec(),
    };
    lates.saved.save((late_wake_up(), Some(files))).1?;
    Ok(Board {
        lates: Some(Arc::new(lates)),
        ..board()
    })
}

/// A made-up machine of two processors. Its number decides how punctual it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    number: u64,
}

impl Machine {
    /// The machine of this number.
    pub const fn new(number: u64) -> Self {
        Self { number }
    }

    /// What its watch has counted after running for so long. A longer time gives no smaller count.
    pub fn board(self, running: Duration) -> Board {
        let started = SystemTime::UNIX_EPOCH + Duration::from_secs(1_750_000_000);
        let series = (0..2).map(|processor| Arc::new(self.series(processor, running)));
        let faults = Faults::default();
        faults.happened(Fault::ClockStepped, "the wall clock was put forward by 2 s");
        Board {
            series: series.collect(),
            readings: Mutex::new(readings(self.number, running)),
            faults: Arc::new(faults),
            lates: None,
            started,
            quota: Arc::default(),
        }
    }

    fn series(self, processor: usize, running: Duration) -> Series {
        const HERTZ: u32 = 100;
        let series = Series::new(processor, "punctual-coarse", HERTZ);
        let waits = running.as_secs().saturating_mul(HERTZ.into());
        // A wake-up of an idle Linux is late by 50 µs to 130 µs; those of one machine are alike.
        let usual = 50_000 + splitmix(self.number) % 30_000;
        for wait in 0..waits {
            let draw = splitmix(self.number ^ (wait << 8) ^ processor as u64);
            let tail = match draw % 1_000 {
                // With a load beside it, the thread waits for a processor now and then.
                0..20 if processor == 1 => 3_000_000 + draw % 9_000_000,
                0..2 => 400_000 + draw % 600_000,
                _ => 0,
            };
            let timer = usual + draw % 50_000;
            let lateness = timer + tail;
            series.wakes.count(lateness);
            series.deadlines.count(lateness);
            series.timer_ns.fetch_add(timer, Relaxed);
            series.queue_ns.fetch_add(tail, Relaxed);
            // One of the period after each that lasts longer than a period.
            if lateness > 10_000_000 {
                series.deadlines.count(lateness - 10_000_000);
                series.missed.fetch_add(1, Relaxed);
            }
            series.processor_ns.fetch_add(30_000, Relaxed);
        }
        series
            .rate_millihertz
            .store(u64::from(HERTZ) * 1_000, Relaxed);
        series.is_running.store(true, Relaxed);
        series
    }
}

/// A number of 64 bits that looks random, the same for the same seed: <https://prng.di.unimi.it/splitmix64.c>.
pub fn splitmix(seed: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[expect(clippy::cast_precision_loss, reason = "a few seconds")]
fn readings(number: u64, running: Duration) -> Readings {
    let seconds = running.as_secs() as f64;
    let rises = |name, help, labels: &[(&'static str, &str)], value| Reading {
        name,
        help,
        unit: Some("seconds"),
        rises: true,
        labels: labels
            .iter()
            .map(|&(key, label)| (key, label.to_owned()))
            .collect(),
        value,
    };
    let other = "processor time of all other threads of the watch";
    let steal = "time for which the hypervisor gave the processor to others";
    let waiting = "time for which some thread waited for the resource";
    let facts = [
        ("clock_source", "tsc".to_owned()),
        ("governor", "performance".to_owned()),
        ("kernel", format!("Linux 6.12.{}", number % 7)),
        ("idle_driver", "intel_idle".to_owned()),
        ("microcode", "0xb000040".to_owned()),
        ("tick", "250 Hz".to_owned()),
    ];
    Readings {
        renewed: Some(Instant::now()),
        facts: facts.into(),
        numbers: vec![
            rises("steal", steal, &[("cpu", "0")], seconds / 1_000.0),
            rises("steal", steal, &[("cpu", "1")], seconds / 100.0),
            rises(
                "pressure_waiting",
                waiting,
                &[("resource", "cpu")],
                seconds / 50.0,
            ),
            rises("watch_other_processor", other, &[], seconds / 2_000.0),
            Reading {
                name: "timer_slack",
                help: "by how much the kernel may delay timers of ordinary threads",
                unit: Some("seconds"),
                rises: false,
                labels: Vec::new(),
                value: 0.000_05,
            },
        ],
    }
}

fn late_wake_up() -> LateWakeUp {
    let cause = |cause: &str, occupant: &str, lateness_ns| Part {
        cause: cause.to_owned(),
        occupant: occupant.to_owned(),
        lateness_ns,
    };
    LateWakeUp {
        id: "20250615-150640-1".to_owned(),
        woke_unix_ns: 1_750_000_000_000_000_000,
        processor: Some(1),
        subject: "punctual-coarse".to_owned(),
        lateness_ns: 11_400_000,
        verdict: "exact".to_owned(),
        causes: vec![
            cause("run-queue-wait", "<cc1plus> & co-4711", 11_000_000),
            cause("slack", "", 400_000),
        ],
        ..LateWakeUp::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_each_time_and_rises() {
        let minute = board();
        assert_eq!(
            minute.series[0].wakes.read(),
            board().series[0].wakes.read()
        );
        assert_eq!(minute.series[1].wakes.read().total(), 6_000);
        let hour = Machine::new(1).board(Duration::from_secs(3_600));
        let (early, late) = (minute.series[1].wakes.read(), hour.series[1].wakes.read());
        assert!(
            early
                .counts
                .iter()
                .zip(&late.counts)
                .all(|(early, late)| early <= late)
        );
        let deadlines = minute.series[1].deadlines.read().total();
        assert_eq!(deadlines, 6_000 + minute.series[1].missed.load(Relaxed));
    }
}
