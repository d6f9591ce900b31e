//! Systems whose errors name the limit themselves.

use std::io;

/// Which limit an error is about, and what to do.
pub(crate) fn limit_behind(_: &io::Error) -> Option<&'static str> {
    None
}

/// There is no such limit.
pub(crate) fn make_file_size_limit_an_error() {}
