//! How long a thread may compute before the system looks whose turn it is.

use crate::Error;
use std::time::Duration;

/// How long a waiting thread may compute at a time, where the system lets a program say that.
///
/// Linux has such a *slice* for each thread of the ordinary class, from version 6.12 on, and needs no
/// privilege for it. A thread with a shorter slice gets its turn sooner when it wakes, and computes for
/// less time until the next turn. Its share of the processor stays the same. So a short slice makes
/// waits less late on a busy machine, and changes little on an idle one.
///
/// ```
/// use punctual::os::Slice;
/// use punctual::Sleeper;
///
/// // This thread computes for long between its waits, and shall not be interrupted more often.
/// let sleeper = Sleeper::new().with_slice(Slice::Unchanged);
/// # drop(sleeper);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Slice {
    /// The shortest there is, [`Slice::SHORTEST`], while a sleeper holds it. A slice that the program
    /// has set itself is left alone. So are threads of a real-time, deadline, batch or idle class.
    #[default]
    Short,
    /// The thread's own. No call of the system is made.
    Unchanged,
}

impl Slice {
    /// The shortest slice of Linux: a tenth of a millisecond.
    pub const SHORTEST: Duration = Duration::from_micros(100);

    /// The longest slice of Linux: a tenth of a second.
    pub const LONGEST: Duration = Duration::from_millis(100);
}

/// For systems that have slices: refuses those that the system would change to another.
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only Linux has slices")
)]
pub(super) fn check_slice(slice: Duration) -> Result<(), Error> {
    if (Slice::SHORTEST..=Slice::LONGEST).contains(&slice) {
        return Ok(());
    }
    Err(Error::invalid_input(format!(
        "a thread has no slice of {slice:?}; it has those from {:?} to {:?}",
        Slice::SHORTEST,
        Slice::LONGEST
    )))
}
