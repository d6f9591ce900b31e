//! Ends waits from other threads.

use crate::clock::machine;
use crate::handle::{self, Opaque};
use crate::status::{PUNCTUAL_CANCELLED, PUNCTUAL_OK, Status, border};

/// Ends every wait that uses it, and every later one, until it is reset.
///
/// Threads: any number of threads may use it at once. Free it when no call that was given it is
/// under way. A ticker that it was set in keeps what it needs.
pub struct Cancel {
    _opaque: [u8; 0],
}

impl Opaque for Cancel {
    type Inside = punctual::Cancel;
    const WORD: u32 = u32::from_le_bytes(*b"Canc") & !1;
    const NAME: &'static str = "cancel";
}

/// Makes a `punctual_cancel`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_cancel_new(cancel: *mut *mut Cancel) -> Status {
    border(|| handle::make(cancel, || Ok(punctual::Cancel::on(machine()?.clone()))))
}

/// Frees it. Null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_cancel_free(cancel: *mut Cancel) -> Status {
    border(|| handle::free(cancel))
}

/// Ends the waits. A second time changes nothing. On Linux, a signal handler may call it.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_cancel_set(cancel: *const Cancel) -> Status {
    border(|| {
        handle::shared(cancel)?.cancel();
        Ok(PUNCTUAL_OK)
    })
}

/// Makes it usable again. Call it after the cancelled waits have returned: one that has not may
/// miss the cancel.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_cancel_reset(cancel: *const Cancel) -> Status {
    border(|| {
        handle::shared(cancel)?.reset();
        Ok(PUNCTUAL_OK)
    })
}

/// Whether it is cancelled: `PUNCTUAL_CANCELLED`, or `PUNCTUAL_OK` if not.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn punctual_cancel_check(cancel: *const Cancel) -> Status {
    border(|| {
        let is_cancelled = handle::shared(cancel)?.is_cancelled();
        Ok(if is_cancelled {
            PUNCTUAL_CANCELLED
        } else {
            PUNCTUAL_OK
        })
    })
}
