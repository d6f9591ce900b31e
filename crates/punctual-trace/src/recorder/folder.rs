//! The folder of saved wake-ups: what is written there, whole or not at all, and what is read at the start.
//!
//! `late.json` is the list; each saved wake-up has a recording, `ID.trace`, and a picture for Perfetto, `ID.perfetto-trace`.

use super::LateWakeUp;
use super::list::{Document, is_id, is_plain};
use crate::os::{FolderLock, make_private};
use punctual_data::file;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The list.
const LIST: &str = "late.json";

/// A list that was not understood.
const LIST_ASIDE: &str = "late.json.not-understood";

/// Held while a recorder uses the folder.
const LOCK: &str = "lock";

const RECORDING: &str = ".trace";
const PERFETTO: &str = ".perfetto-trace";

/// The longest list that is read: sixty thousand wake-ups with as many causes as are told.
const LONGEST_LIST: u64 = 64 << 20;

/// The folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: FolderLock,
}

/// The files of the wake-up with this id.
pub(super) fn names(id: &str) -> (String, String) {
    (format!("{id}{RECORDING}"), format!("{id}{PERFETTO}"))
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        make_private(path).map_err(|error| told(path, "make", &error))?;
        let lock = FolderLock::take(&path.join(LOCK)).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => io::Error::new(
                ErrorKind::WouldBlock,
                format!(
                    "another recorder keeps its late wake-ups in {}: give this one another folder",
                    path.display()
                ),
            ),
            _ => told(path, "write into", &error),
        })?;
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    /// The list of an earlier run, and what is wrong with it. Only files of ours that are on no list are removed.
    pub(super) fn read(&self) -> (Vec<LateWakeUp>, Option<String>) {
        let read = self.read_list().map_err(|why| {
            // What it lists may be wanted: nothing is removed.
            let (from, to) = (self.path(LIST), self.path(LIST_ASIDE));
            let aside = match fs::rename(&from, &to) {
                Ok(()) => format!("; it is now {}", to.display()),
                Err(error) => format!(", and cannot be moved: {error}"),
            };
            format!("{} was not understood ({why}){aside}", from.display())
        });
        match read {
            Ok(mut list) => {
                list.iter_mut().for_each(|late| self.check(late));
                self.tidy(Some(&list));
                (list, None)
            }
            Err(remark) => {
                self.tidy(None);
                (Vec::new(), Some(remark))
            }
        }
    }

    fn read_list(&self) -> Result<Vec<LateWakeUp>, String> {
        let file = match File::open(self.path(LIST)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            opened => opened.map_err(|error| error.to_string())?,
        };
        let mut text = String::new();
        let read = file.take(LONGEST_LIST).read_to_string(&mut text);
        read.map_err(|error| error.to_string())?;
        Document::parse(&text).map(|document| document.late_wake_ups)
    }

    /// Whoever writes to the list by hand must not make us give away other files.
    fn check(&self, late: &mut LateWakeUp) {
        let (recording, perfetto) = names(&late.id);
        let is_plain = is_plain(&late.id);
        late.recording
            .take_if(|file| !is_plain || *file != recording);
        late.perfetto.take_if(|file| !is_plain || *file != perfetto);
        let is_gone = |file: &mut String| !self.path(file).is_file();
        if late.recording.take_if(is_gone).is_some() {
            late.note = Some("its recording is gone".to_owned());
        }
        late.perfetto.take_if(is_gone);
        let lengths = late
            .files()
            .filter_map(|file| fs::metadata(self.path(file)).ok());
        late.bytes = lengths.map(|file| file.len()).sum();
    }

    /// Removes what a killed run left: half-written files and, if the list was read, files of wake-ups that are not
    /// on it.
    fn tidy(&self, listed: Option<&[LateWakeUp]>) {
        file::tidy(&self.path);
        let files = listed.iter().flat_map(|list| list.iter());
        let kept: BTreeSet<&OsStr> = files.flat_map(LateWakeUp::files).map(OsStr::new).collect();
        let Ok(entries) = fs::read_dir(&self.path) else {
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

fn told(file: &Path, verb: &str, error: &io::Error) -> io::Error {
    let what = format!("cannot {verb} {}: {error}", file.display());
    io::Error::new(error.kind(), what)
}
