//! The late wake-ups that were saved: their list, their files, and what is counted of them.
//!
//! Everything is in one folder. `late.json` is the list; each saved wake-up has a recording, `ID.punctual`, and a
//! picture for Perfetto, `ID.perfetto-trace`.

mod document;
mod store;

pub use document::SCHEMA;

use crate::buckets::{BOUNDED, bucket};
use crate::series::Series;
use crate::settings::LateSettings;
use document::Document;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::Store;

/// A wake-up that was later than the threshold, as it stands in `late.json`, at `/late` and on the page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LateWakeUp {
    /// Unique on this machine; made of letters, digits and hyphens.
    pub id: String,
    /// When it woke, in nanoseconds since 1970 UTC.
    pub woke_unix_ns: u64,
    /// The watched processor.
    pub processor: usize,
    /// The way of waiting.
    pub method: String,
    /// How late it was.
    pub lateness_ns: u64,
    /// The explanation: `exact`, `merged`, `unexplained`.
    pub verdict: String,
    /// What made it late, the greatest part first.
    pub causes: Vec<Part>,
    /// The file of the recording, in the recorder's folder; `None` where it was not kept.
    pub recording: Option<String>,
    /// The file for Perfetto beside it.
    pub perfetto: Option<String>,
    /// How many bytes the two have.
    pub bytes: u64,
    /// Why there is no recording, or why it explains less.
    pub note: Option<String>,
}

/// A part of a lateness.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// What it was, in words: `another thread ran: cc1plus (4711)`.
    pub cause: String,
    /// How much of the lateness.
    pub lateness_ns: u64,
}

/// The latest wake-up of a series and a bucket that was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exemplar {
    /// The id of the saved wake-up.
    pub id: String,
    /// How late it was.
    pub lateness_ns: u64,
    /// When it woke, in nanoseconds since 1970 UTC.
    pub woke_unix_ns: u64,
}

/// What a flight recorder has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LateCounts {
    /// Late wake-ups that were put on the list since the start.
    pub kept: u64,
    /// Late wake-ups that were only counted: there were too many at once.
    pub not_kept: u64,
    /// The bytes of all recordings in the folder.
    pub bytes: u64,
    /// Events that the kernel has written into the ring.
    pub events: u64,
    /// Events that the kernel could not write. Those that newer ones replaced are not among them.
    pub lost_events: u64,
}

/// By processor and method, one for each bucket.
type Exemplars = HashMap<(usize, String), Vec<Option<Exemplar>>>;

/// The saved wake-ups of this machine.
#[derive(Debug)]
pub struct Lates {
    store: Store,
    keep: usize,
    keep_bytes: u64,
    /// Held while one is saved. The list is locked only to read or change it.
    saving: Mutex<()>,
    /// The latest last.
    list: Mutex<Vec<LateWakeUp>>,
    exemplars: Mutex<Exemplars>,
    /// What could not be understood or written when the folder was opened.
    remarks: Mutex<Vec<String>>,
    kept: AtomicU64,
    not_kept: AtomicU64,
    events: AtomicU64,
    lost_events: AtomicU64,
}

impl Lates {
    /// Opens the folder, which is made if it is not there, and reads the list of an earlier run. Files that a killed
    /// run left half done are removed.
    ///
    /// # Errors
    /// When the folder cannot be made or written, or another watch uses it. The message says what to do.
    pub fn open(settings: &LateSettings) -> io::Result<Self> {
        let store = Store::open(&settings.folder)?;
        let (list, remarks) = store.read();
        let lates = Self {
            store,
            keep: settings.keep,
            keep_bytes: settings.keep_bytes,
            saving: Mutex::new(()),
            list: Mutex::new(list),
            exemplars: Mutex::default(),
            remarks: Mutex::new(remarks),
            kept: AtomicU64::new(0),
            not_kept: AtomicU64::new(0),
            events: AtomicU64::new(0),
            lost_events: AtomicU64::new(0),
        };
        // Fewer may be kept than before.
        if let Err(error) = lates.shorten() {
            locked(&lates.remarks).push(error.to_string());
        }
        Ok(lates)
    }

    /// What was wrong with the folder when it was opened, a sentence each; given once.
    pub fn take_remarks(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.remarks))
    }

    /// The saved wake-ups, the latest last.
    pub fn list(&self) -> Vec<LateWakeUp> {
        locked(&self.list).clone()
    }

    /// The list as a document of the schema [`SCHEMA`].
    pub fn to_json(&self) -> String {
        Document::of(&locked(&self.list)).to_json()
    }

    /// The recording of a saved wake-up, if it has one.
    pub fn recording_path(&self, id: &str) -> Option<PathBuf> {
        self.path(id, |late| late.recording.as_deref())
    }

    /// The picture for Perfetto of a saved wake-up, if it has one.
    pub fn perfetto_path(&self, id: &str) -> Option<PathBuf> {
        self.path(id, |late| late.perfetto.as_deref())
    }

    /// The file of a wake-up on the list. Names come from the list alone, never from who asks.
    fn path(&self, id: &str, file: impl Fn(&LateWakeUp) -> Option<&str>) -> Option<PathBuf> {
        let list = locked(&self.list);
        let late = list.iter().find(|late| late.id == id)?;
        Some(self.store.path(file(late)?))
    }

    /// The latest wake-up of a series in a bucket that was saved since the start.
    pub fn exemplar(&self, series: &Series, bucket: usize) -> Option<Exemplar> {
        let exemplars = locked(&self.exemplars);
        let of_series = exemplars.get(&(series.processor, series.method.to_owned()))?;
        of_series.get(bucket)?.clone()
    }

    /// What was counted so far.
    pub fn counts(&self) -> LateCounts {
        LateCounts {
            kept: self.kept.load(Relaxed),
            not_kept: self.not_kept.load(Relaxed),
            bytes: locked(&self.list).iter().map(|late| late.bytes).sum(),
            events: self.events.load(Relaxed),
            lost_events: self.lost_events.load(Relaxed),
        }
    }

    /// Counts a late wake-up that is not looked at, as when too many came at once. It takes no lock.
    pub fn count_not_kept(&self) {
        self.not_kept.fetch_add(1, Relaxed);
    }

    /// Takes over what the kernel has counted. Its counters begin again with each trace, so these are sums.
    pub fn count_events(&self, more: u64, more_lost: u64) {
        self.events.fetch_add(more, Relaxed);
        self.lost_events.fetch_add(more_lost, Relaxed);
    }

    /// Saves a wake-up with the bytes of its recording and its picture, and puts it on the list. The oldest make
    /// room. If the files cannot be written, the wake-up is on the list without them, with a note that says why.
    /// Whoever reads the list meanwhile does not wait for the disk.
    ///
    /// # Errors
    /// Those of writing files. The wake-up is on the list anyway.
    pub fn save(&self, mut late: LateWakeUp, files: Option<Files<'_>>) -> io::Result<()> {
        let _one_at_a_time = locked(&self.saving);
        late.id = unused(&locked(&self.list), &late.id);
        let written = files.map_or(Ok(()), |files| self.write(&mut late, &files));
        if let Err(error) = &written {
            let error = format!("the recording could not be written: {error}");
            late.note = Some(match late.note {
                Some(note) => format!("{note}; {error}"),
                None => error,
            });
        }
        self.remember(&late);
        locked(&self.list).push(late);
        self.kept.fetch_add(1, Relaxed);
        written.and(self.shorten())
    }

    fn write(&self, late: &mut LateWakeUp, files: &Files<'_>) -> io::Result<()> {
        let bytes = (files.recording.len() + files.perfetto.len()) as u64;
        if bytes > self.keep_bytes {
            late.note = Some(format!(
                "its recording of {bytes} bytes is larger than what all of them may take, {} bytes",
                self.keep_bytes
            ));
            return Ok(());
        }
        let (recording, perfetto) = store::names(&late.id);
        self.store.write(&recording, files.recording)?;
        if let Err(error) = self.store.write(&perfetto, files.perfetto) {
            // Half of it would stay where nobody counts it.
            self.store.remove(&recording);
            return Err(error);
        }
        (late.recording, late.perfetto) = (Some(recording), Some(perfetto));
        late.bytes = bytes;
        Ok(())
    }

    /// Writes the list without those that are too many, and then removes their files: so none is listed whose files
    /// are gone.
    fn shorten(&self) -> io::Result<()> {
        let (gone, document) = {
            let mut list = locked(&self.list);
            let too_many = self.too_many(&list);
            let gone: Vec<_> = list.drain(..too_many).collect();
            (gone, Document::of(&list))
        };
        let written = self.store.write_list(&document);
        for late in gone {
            for file in late.recording.iter().chain(&late.perfetto) {
                self.store.remove(file);
            }
            self.forget(&late);
        }
        written
    }

    /// How many of the oldest must go.
    fn too_many(&self, list: &[LateWakeUp]) -> usize {
        let mut bytes: u64 = list.iter().map(|late| late.bytes).sum();
        let mut gone = 0;
        while list.len() - gone > self.keep || (bytes > self.keep_bytes && gone < list.len()) {
            bytes -= list[gone].bytes;
            gone += 1;
        }
        gone
    }

    fn remember(&self, late: &LateWakeUp) {
        let mut exemplars = locked(&self.exemplars);
        let of_series = exemplars
            .entry((late.processor, late.method.clone()))
            .or_insert_with(|| vec![None; BOUNDED + 1]);
        of_series[bucket(late.lateness_ns)] = Some(Exemplar {
            id: late.id.clone(),
            lateness_ns: late.lateness_ns,
            woke_unix_ns: late.woke_unix_ns,
        });
    }

    /// An exemplar must lead to a wake-up that is still there.
    fn forget(&self, late: &LateWakeUp) {
        let mut exemplars = locked(&self.exemplars);
        let of_series = exemplars.get_mut(&(late.processor, late.method.clone()));
        let exemplar = of_series.map(|of_series| &mut of_series[bucket(late.lateness_ns)]);
        if let Some(exemplar) = exemplar
            && exemplar.as_ref().is_some_and(|it| it.id == late.id)
        {
            *exemplar = None;
        }
    }
}

/// The files of a wake-up.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// The recording, as `punctual explain --from` reads it.
    pub recording: &'a [u8],
    /// The picture for Perfetto.
    pub perfetto: &'a [u8],
}

/// The id, or the first like it that no other wake-up has.
fn unused(list: &[LateWakeUp], id: &str) -> String {
    let is_used = |id: &str| list.iter().any(|late| late.id == id);
    let more = (2..).map(|number| format!("{id}-{number}"));
    let mut ids = std::iter::once(id.to_owned()).chain(more);
    ids.find(|id| !is_used(id)).expect("numbers do not end")
}

/// A thread that panicked left every list whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
