//! Reads small text files under a root, and keeps the reasons for what could not be read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// How much of a file is read. Two files are longer, but the important part is near their
/// beginning: the first processor of `/proc/cpuinfo`, and the preemption settings of the kernel's
/// configuration.
const MOST_BYTES: u64 = 65_536;

/// The files of a system, under `/` or, for tests, under a folder that imitates it.
pub(super) struct Source {
    root: PathBuf,
    not_known: Vec<String>,
}

impl Source {
    pub(super) fn under(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            not_known: Vec::new(),
        }
    }

    /// A file's text without spaces, line ends and zero bytes around it. Device trees have zero
    /// bytes.
    pub(super) fn text(&self, path: &str) -> io::Result<String> {
        let mut bytes = Vec::new();
        let file = File::open(self.path(path))?;
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let around = |c: char| c.is_whitespace() || c == '\0';
        Ok(text.trim_matches(around).to_owned())
    }

    /// A file's text, unless it is empty or cannot be read.
    pub(super) fn some_text(&self, path: &str) -> Option<String> {
        self.text(path).ok().filter(|text| !text.is_empty())
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// The target of a symbolic link.
    pub(super) fn link(&self, path: &str) -> io::Result<String> {
        let target = fs::read_link(self.path(path))?;
        Ok(target.to_string_lossy().into_owned())
    }

    /// The names in a folder, in no order; none if there is no such folder.
    pub(super) fn names(&self, path: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(path)) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect()
    }

    /// What `parse` finds in a file. If it finds nothing, the reason is kept.
    pub(super) fn fact<T>(
        &mut self,
        what: &str,
        path: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let (fact, reason) = match self.text(path) {
            Ok(text) => (parse(&text), format!("{path} does not tell")),
            Err(error) => (None, cause(&error, path)),
        };
        if fact.is_none() {
            self.not_known(what, &reason);
        }
        fact
    }

    /// Keeps the reason why a fact is not known.
    pub(super) fn not_known(&mut self, what: &str, reason: &str) {
        self.not_known.push(format!("{what}: {reason}"));
    }

    pub(super) fn into_not_known(self) -> Vec<String> {
        self.not_known
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }
}

/// The cause comes before the path: if a line is cut, the end of the path is the least important
/// part.
fn cause(error: &io::Error, path: &str) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("no file {path}"),
        io::ErrorKind::PermissionDenied => format!("no permission for {path}"),
        _ => format!("{error} on {path}"),
    }
}
