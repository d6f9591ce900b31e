//! The folder of the late wake-ups: what is written there, whole or not at all, and what is read at the start.

use super::LateWakeUp;
use super::document::Document;
use crate::os::folder::{self, FolderLock};
use punctual_data::file;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The list.
const LIST: &str = "late.json";

/// A list that was not understood.
const LIST_ASIDE: &str = "late.json.not-understood";

/// Held while a watch uses the folder.
const LOCK: &str = "lock";

const RECORDING: &str = ".punctual";
const PERFETTO: &str = ".perfetto-trace";

/// The folder.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    _lock: FolderLock,
}

/// The files of the wake-up with this id.
pub(super) fn names(id: &str) -> (String, String) {
    (format!("{id}{RECORDING}"), format!("{id}{PERFETTO}"))
}

impl Store {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        folder::make_private(path).map_err(|error| told(path, "make", &error))?;
        let lock = FolderLock::take(&path.join(LOCK)).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => io::Error::new(
                ErrorKind::WouldBlock,
                format!(
                    "another watch keeps its late wake-ups in {}: give this one another folder",
                    path.display()
                ),
            ),
            _ => told(path, "write into", &error),
        })?;
        Ok(Self {
            folder: path.to_owned(),
            _lock: lock,
        })
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The list of an earlier run, and what is wrong with it. Only files of ours that are on no list are removed.
    pub(super) fn read(&self) -> (Vec<LateWakeUp>, Vec<String>) {
        let mut remarks = Vec::new();
        let list = match self.read_list() {
            Ok(list) => Some(list),
            Err(why) => {
                // What it lists may be wanted: nothing is removed.
                let (from, to) = (self.path(LIST), self.path(LIST_ASIDE));
                let moved = fs::rename(&from, &to).map(|()| to);
                remarks.push(format!(
                    "{} was not understood ({why}){}",
                    from.display(),
                    match moved {
                        Ok(to) => format!("; it is now {}", to.display()),
                        Err(error) => format!(", and cannot be moved: {error}"),
                    }
                ));
                None
            }
        };
        let mut listed = list.clone().unwrap_or_default();
        for late in &mut listed {
            self.check(late);
        }
        self.tidy(list.is_some().then_some(&listed));
        (listed, remarks)
    }

    fn read_list(&self) -> Result<Vec<LateWakeUp>, String> {
        match fs::read_to_string(self.path(LIST)) {
            Ok(text) => Document::parse(&text).map(|document| document.late_wake_ups),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Whoever writes to the list by hand must not make the watch give away other files.
    fn check(&self, late: &mut LateWakeUp) {
        let (recording, perfetto) = names(&late.id);
        let is_there = |file: &String| self.path(file).is_file();
        late.recording = late.recording.take().filter(|file| *file == recording);
        late.perfetto = late.perfetto.take().filter(|file| *file == perfetto);
        let had_one = late.recording.is_some();
        late.recording = late.recording.take().filter(is_there);
        late.perfetto = late.perfetto.take().filter(is_there);
        if had_one && late.recording.is_none() {
            late.note = Some("its recording is gone".to_owned());
        }
        let files = late.recording.iter().chain(&late.perfetto);
        let lengths = files.filter_map(|file| fs::metadata(self.path(file)).ok());
        late.bytes = lengths.map(|file| file.len()).sum();
    }

    /// Removes what a killed run left: half-written files and, if the list was read, files of wake-ups that are not
    /// on it.
    fn tidy(&self, listed: Option<&Vec<LateWakeUp>>) {
        file::tidy(&self.folder);
        let files = listed.iter().flat_map(|list| list.iter());
        let files = files.flat_map(|late| late.recording.iter().chain(&late.perfetto));
        let kept: BTreeSet<&OsStr> = files.map(OsStr::new).collect();
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let text = name.to_string_lossy();
            let of_ours = |end| text.strip_suffix(end).is_some_and(is_id);
            let is_left = listed.is_some() && (of_ours(RECORDING) || of_ours(PERFETTO));
            if is_left && !kept.contains(name.as_os_str()) {
                // If it stays, it is removed by the next run.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Writes a file, whole or not at all.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let file = self.path(name);
        // A disk that is full may say so only when it is told to write.
        file::replace(&file, bytes, File::sync_data).map_err(|error| told(&file, "write", &error))
    }

    pub(super) fn write_list(&self, list: &Document) -> io::Result<()> {
        self.write(LIST, list.to_json().as_bytes())
    }

    /// If it cannot be removed, the next run tries again.
    pub(super) fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.path(name));
    }
}

/// Whether a name is one that we give: it begins with the day and ends with the processor.
fn is_id(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.chars().all(is_plain)
        && name.contains("Z-cpu")
        && name.starts_with(|c: char| c.is_ascii_digit())
}

fn told(file: &Path, verb: &str, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot {verb} {}: {error}", file.display()),
    )
}
