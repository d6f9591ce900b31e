//! The late wake-ups that were saved: their list, and when their files are written and removed.

use super::folder::{self, Folder};
use super::list::Document;
use super::{LateWakeUp, Rules};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The saved wake-ups of a recorder. Any thread may read the list.
#[derive(Debug)]
pub struct Saved {
    rules: Rules,
    /// `None` if wake-ups are only listed.
    folder: Option<Folder>,
    /// Held while one is saved. The list is locked only to read or change it.
    saving: Mutex<()>,
    /// The last at the end.
    list: Mutex<Vec<LateWakeUp>>,
    /// How many were put on the list.
    listed: AtomicU64,
    /// What could not be understood or written when the folder was opened.
    remarks: Mutex<Vec<String>>,
}

/// The files of a wake-up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// The recording, as `punctual explain --from` reads it.
    pub recording: Vec<u8>,
    /// The picture for Perfetto.
    pub perfetto: Vec<u8>,
}

impl Saved {
    /// A list without files.
    pub fn without_files(rules: Rules) -> Self {
        Self {
            rules,
            folder: None,
            saving: Mutex::default(),
            list: Mutex::default(),
            listed: AtomicU64::new(0),
            remarks: Mutex::default(),
        }
    }

    /// Opens a folder, which is made if it is not there, and reads the list of an earlier run. Files that a killed
    /// run left half done are removed.
    ///
    /// # Errors
    /// When the folder cannot be made or written, or another recorder uses it. The message says what to do.
    pub fn open(folder: &Path, rules: Rules) -> io::Result<Self> {
        let folder = Folder::open(folder)?;
        let (list, remark) = folder.read();
        let saved = Self {
            folder: Some(folder),
            list: Mutex::new(list),
            remarks: Mutex::new(remark.into_iter().collect()),
            ..Self::without_files(rules)
        };
        // Fewer may be kept than before.
        if let Err(error) = saved.shorten() {
            locked(&saved.remarks).push(error.to_string());
        }
        Ok(saved)
    }

    /// What was wrong with the folder when it was opened, a sentence each; given once.
    pub fn take_remarks(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.remarks))
    }

    /// The rules of keeping.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The saved wake-ups, the last at the end.
    pub fn list(&self) -> Vec<LateWakeUp> {
        locked(&self.list).clone()
    }

    /// The list as a document of the schema [`SCHEMA`](super::SCHEMA).
    pub fn to_json(&self) -> String {
        Document::of(&locked(&self.list)).to_json()
    }

    /// How many were put on the list since it was opened.
    pub fn listed(&self) -> u64 {
        self.listed.load(Relaxed)
    }

    /// The bytes of all files in the folder.
    pub fn bytes(&self) -> u64 {
        locked(&self.list).iter().map(|late| late.bytes).sum()
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
        Some(self.folder.as_ref()?.path(file(late)?))
    }

    /// Whether wake-ups are saved with their files.
    pub(super) fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    pub(super) fn has_place_for(&self, lateness_ns: u64) -> bool {
        self.rules.has_place_for(lateness_ns, &locked(&self.list))
    }

    /// Puts a wake-up on the list, and writes its files if it has any. Others make room. If the files cannot be written,
    /// the wake-up is on the list without them, with a note that says why. Whoever reads the list meanwhile does not wait
    /// for the disk.
    ///
    /// Returns what is on the list now, and whether all could be written.
    pub fn save(
        &self,
        (mut late, files): (LateWakeUp, Option<Files>),
    ) -> (LateWakeUp, io::Result<()>) {
        let _one_at_a_time = locked(&self.saving);
        late.id = unused(&locked(&self.list), &late.id);
        let written = files.map_or(Ok(()), |files| self.write(&mut late, &files));
        if let Err(error) = &written {
            late.add_note(format!("the recording could not be written: {error}"));
        }
        locked(&self.list).push(late.clone());
        self.listed.fetch_add(1, Relaxed);
        (late, written.and(self.shorten()))
    }

    fn write(&self, late: &mut LateWakeUp, files: &Files) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let (bytes, most_bytes) = (files.bytes(), self.rules.most_bytes);
        if bytes > most_bytes {
            late.note = Some(format!(
                "its recording of {bytes} bytes is larger than what all of them may take, {most_bytes} bytes"
            ));
            return Ok(());
        }
        let (recording, perfetto) = folder::names(&late.id);
        folder.write(&recording, &files.recording)?;
        if let Err(error) = folder.write(&perfetto, &files.perfetto) {
            // Half of it would stay where it is not counted.
            folder.remove(&recording);
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
            (self.rules.shorten(&mut list), Document::of(&list))
        };
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let written = folder.write_list(&document);
        for file in gone.iter().flat_map(LateWakeUp::files) {
            folder.remove(file);
        }
        written
    }
}

impl Files {
    fn bytes(&self) -> u64 {
        (self.recording.len() + self.perfetto.len()) as u64
    }
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
