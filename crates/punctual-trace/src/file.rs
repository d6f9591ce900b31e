//! The kinds of files that traces come in.

use crate::recording::FIRST_LINE;
use crate::windows::{etl, xperf};
use punctual::Error;

/// What kind of file has a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A [`Recording`](crate::Recording).
    Recording,
    /// A log of Windows.
    Log,
    /// The text that xperf's dumper writes of such a log.
    Text,
}

impl Kind {
    /// How many bytes of a file tell its kind.
    pub const BEGINNING: usize = xperf::LONGEST_HEADER;

    /// The kind of a file that begins so. It may still contain errors.
    ///
    /// # Errors
    /// Invalid input, which names the kinds, when it is none of them.
    ///
    /// # Example
    ///
    /// ```
    /// use punctual_trace::file::Kind;
    ///
    /// assert_eq!(Kind::of(b"punctual trace 2\n")?, Kind::Recording);
    /// assert!(Kind::of(b"\0\0\0\0").is_err());
    /// # Ok::<(), punctual::Error>(())
    /// ```
    pub fn of(beginning: &[u8]) -> Result<Self, Error> {
        if beginning.starts_with(FIRST_LINE.as_bytes()) {
            Ok(Self::Recording)
        } else if etl::is_log(beginning) {
            Ok(Self::Log)
        } else if xperf::is_text(beginning) {
            Ok(Self::Text)
        } else {
            Err(no_trace())
        }
    }
}

pub(crate) fn no_trace() -> Error {
    Error::invalid_input(format!(
        "it is no trace: neither of 'punctual explain --save', whose first line is '{FIRST_LINE}' in this version, \
         nor a log of Windows (.etl), nor the text of one by 'xperf -a dumper'"
    ))
}
