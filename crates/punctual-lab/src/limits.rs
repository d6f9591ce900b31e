//! The limits behind errors of the system: which it was, and what to do.

pub use crate::environment::GroupQuota;

use crate::os;
use std::io;

/// The error, and the limit behind it, if it is one.
///
/// ```
/// use punctual_lab::limits::with_limit;
/// use std::io;
///
/// let missing = io::Error::from(io::ErrorKind::NotFound);
/// assert_eq!(with_limit(&missing), missing.to_string());
/// ```
pub fn with_limit(error: &io::Error) -> String {
    match os::limit_behind(error) {
        Some(limit) => format!("{error}: {limit}"),
        None => error.to_string(),
    }
}

/// From now on, a file that reaches the limit of sizes (`ulimit -f`) is an error. Without this, the system
/// ends the process. Programs that this process starts are not affected.
pub fn make_file_size_limit_an_error() {
    os::make_file_size_limit_an_error();
}

/// The quotas of the groups to which a thread belongs, the outermost first. None if the thread has ended, if
/// nothing limits it, or if the system is another than Linux.
pub fn quotas_of_thread(thread: u32) -> Vec<GroupQuota> {
    crate::os::quotas_of(thread)
}
