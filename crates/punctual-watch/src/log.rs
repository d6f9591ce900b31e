//! What a watch says, in the form in which whoever started it keeps such lines.

use crate::os::starter;
use punctual_data::escape::escaped;
use std::fmt::{self, Debug, Display};
use std::io::{self, Write as _};
use std::sync::Arc;

/// How much a line matters, with the number that the journal has for it.
///
/// <https://man7.org/linux/man-pages/man3/sd-daemon.3.html>
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The watch cannot do what it was asked to.
    Error = 3,
    /// Something is wrong, and the watch goes on.
    Warning = 4,
    /// Something changed that people should know.
    Notice = 5,
    /// What the watch does.
    Info = 6,
}

/// Where lines go. A clone writes to the same place.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Place>>);

type Place = dyn Fn(Severity, &str) + Send + Sync;

impl Log {
    /// To standard error: for people as it is, for systemd's journal with the priority before it.
    pub fn stderr() -> Self {
        let is_journal = starter::is_journal();
        Self::to(move |severity, text| {
            let line = match is_journal {
                true => format!("<{}>{text}\n", severity as u8),
                false => format!("punctual watch: {text}\n"),
            };
            // Nothing can be told that standard error is gone.
            let _ = io::stderr().write_all(line.as_bytes());
        })
    }

    /// To a function, which gets each line without an end.
    pub fn to(place: impl Fn(Severity, &str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(place)))
    }

    /// Nowhere.
    pub fn silent() -> Self {
        Self(None)
    }

    /// Writes a line. Paths and names of the system may hold anything, line ends too: they are [escaped].
    pub fn say(&self, severity: Severity, text: impl Display) {
        if let Some(place) = &self.0 {
            place(severity, &escaped(&text.to_string()));
        }
    }
}

impl Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_line_is_one_line_whatever_is_in_it() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let log = Log::to(move |severity, text| {
            kept.lock().unwrap().push((severity, text.to_owned()));
        });
        log.say(
            Severity::Warning,
            "/tmp/a\n<0>forged \u{1b}[35m\u{202e}\u{3164}: grün",
        );
        Log::silent().say(Severity::Error, "nothing");
        let said = r"/tmp/a\n<0>forged \u{1b}[35m\u{202e}\u{3164}: grün";
        assert_eq!(
            *lines.lock().unwrap(),
            [(Severity::Warning, said.to_owned())]
        );
    }
}
