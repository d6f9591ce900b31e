//! What every function returns, and the sentence behind it.

use punctual::Error;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function returns. Zero is success, positive numbers are outcomes that a program expects,
/// and negative numbers are errors. Later versions may return others, so test for errors with `<
/// 0`.
pub type Status = i32;

/// Done.
pub const PUNCTUAL_OK: Status = 0;
/// The wait was cancelled before its deadline, or the `punctual_cancel` is cancelled.
pub const PUNCTUAL_CANCELLED: Status = 1;
/// The next tick is past the end of 64-bit time.
pub const PUNCTUAL_END_OF_TIME: Status = 2;
/// The driver was stopped and takes no timers.
pub const PUNCTUAL_SHUT_DOWN: Status = 3;
/// The callback is running, and is not called again.
pub const PUNCTUAL_UNDER_WAY: Status = 4;
/// The callback has been called for the last time, was cancelled, or was dropped.
pub const PUNCTUAL_TOO_LATE: Status = 5;
/// The event was recorded, and it is the first after the end of a second.
pub const PUNCTUAL_SECOND_ENDED: Status = 6;
/// There is no answer yet.
pub const PUNCTUAL_NOTHING_YET: Status = 7;
/// A signal ended the wait before its deadline. Only the functions that end in `_or_signal` return it.
pub const PUNCTUAL_INTERRUPTED: Status = 8;
/// A pointer that must not be null is null, or it is not aligned. `punctual_last_error` names the parameter.
pub const PUNCTUAL_ERROR_NULL: Status = -1;
/// A pointer is no handle of this kind. In debug builds this is also said of handles that were
/// freed.
pub const PUNCTUAL_ERROR_HANDLE: Status = -2;
/// Another thread, or the caller of this callback, is using the handle now.
pub const PUNCTUAL_ERROR_BUSY: Status = -3;
/// An argument is invalid. `punctual_last_error` says which, and what would be right.
pub const PUNCTUAL_ERROR_INVALID: Status = -4;
/// A privilege is missing. `punctual_last_error` names it.
pub const PUNCTUAL_ERROR_NOT_PERMITTED: Status = -5;
/// The system, or this version of it, lacks the feature.
pub const PUNCTUAL_ERROR_UNSUPPORTED: Status = -6;
/// The system failed at something that it supports and permits.
pub const PUNCTUAL_ERROR_SYSTEM: Status = -7;
/// The call must come from the thread that made the guard.
pub const PUNCTUAL_ERROR_THREAD: Status = -8;
/// There is a bug in Punctual. The call had no effect, or only a part of it.
pub const PUNCTUAL_ERROR_PANIC: Status = -9;

/// A status below zero, with the sentence that says more.
pub struct Failure {
    status: Status,
    /// Without one, the general sentence of the status is all there is to say.
    text: Option<String>,
}

impl Failure {
    pub fn new(status: Status, text: impl Into<String>) -> Self {
        Self {
            status,
            text: Some(text.into()),
        }
    }

    pub fn invalid(text: impl Into<String>) -> Self {
        Self::new(PUNCTUAL_ERROR_INVALID, text)
    }
}

/// Puts the parameter that was wrong before the sentence, unless it was the system that refused.
pub fn of<E: Into<Failure>>(parameter: &str) -> impl FnOnce(E) -> Failure {
    move |error| match error.into() {
        Failure { status, text } if (PUNCTUAL_ERROR_INVALID..0).contains(&status) => {
            let text = text.unwrap_or_else(|| message(status).to_string_lossy().into_owned());
            Failure::new(status, format!("{parameter}: {text}"))
        }
        other => other,
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self { status, text: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = if error.is_invalid_input() {
            PUNCTUAL_ERROR_INVALID
        } else if error.is_not_permitted() {
            PUNCTUAL_ERROR_NOT_PERMITTED
        } else if error.is_unsupported() {
            PUNCTUAL_ERROR_UNSUPPORTED
        } else {
            PUNCTUAL_ERROR_SYSTEM
        };
        Self::new(status, error.to_string())
    }
}

thread_local! {
    /// The sentence of this thread's last failure.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Runs the body of a function that C calls. Nothing unwinds out of it, and a failure leaves its
/// sentence behind.
///
/// Inlined, so that a wait returns through one function: its code may have left the cache
/// meanwhile, and each line of it that is fetched again makes the caller's work some ten
/// nanoseconds later.
#[inline(always)]
pub fn border(body: impl FnOnce() -> Result<Status, Failure>) -> Status {
    // What a panic leaves half done is memory-safe, and the handle's next use finds it as it is.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => fail(failure),
        Err(panic) => fail_by(panic),
    }
}

#[cold]
#[inline(never)]
fn fail_by(panic: Box<dyn Any + Send>) -> Status {
    // Its message is on standard error.
    drop(panic);
    fail(PUNCTUAL_ERROR_PANIC.into())
}

#[cold]
#[inline(never)]
fn fail(failure: Failure) -> Status {
    let text = match failure.text {
        // No sentence of ours has a zero in it.
        Some(text) => CString::new(text).unwrap_or_default(),
        None => message(failure.status).to_owned(),
    };
    // A thread that ends has no place for it any more.
    let _ = LAST_ERROR.try_with(|last| last.replace(text));
    failure.status
}

fn message(status: Status) -> &'static CStr {
    match status {
        PUNCTUAL_OK => c"done",
        PUNCTUAL_CANCELLED => c"cancelled before the deadline",
        PUNCTUAL_END_OF_TIME => c"the next tick is past the end of 64-bit time",
        PUNCTUAL_SHUT_DOWN => c"the driver was stopped and takes no timers",
        PUNCTUAL_UNDER_WAY => c"the callback is running, and is not called again",
        PUNCTUAL_TOO_LATE => {
            c"the callback has been called for the last time, cancelled or dropped"
        }
        PUNCTUAL_SECOND_ENDED => c"recorded, and a second has ended",
        PUNCTUAL_NOTHING_YET => c"there is no answer yet",
        PUNCTUAL_INTERRUPTED => c"a signal came before the deadline",
        PUNCTUAL_ERROR_NULL => c"the pointer is null, or not aligned",
        PUNCTUAL_ERROR_HANDLE => c"not a handle of this kind, or already freed",
        PUNCTUAL_ERROR_BUSY => c"the handle is in use by another thread or by the caller",
        PUNCTUAL_ERROR_INVALID => c"an argument is invalid",
        PUNCTUAL_ERROR_NOT_PERMITTED => c"a privilege is missing",
        PUNCTUAL_ERROR_UNSUPPORTED => c"the system lacks this feature",
        PUNCTUAL_ERROR_SYSTEM => c"the system failed at something that it supports",
        PUNCTUAL_ERROR_THREAD => c"only the thread that made the guard can free it",
        PUNCTUAL_ERROR_PANIC => c"there is a bug in Punctual, whose message is on standard error",
        _ => c"a status that this version does not know",
    }
}

/// What a status means, in general, as a string that is never freed. Never null, for any number.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_status_message(status: Status) -> *const c_char {
    message(status).as_ptr()
}

/// What the last error of the calling thread was: the parameter that was wrong, if one was, and a sentence
/// that says what to do. Empty if there was none. The string is valid until the thread's next error or its end. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn punctual_last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|last| last.borrow().as_ptr())
        .unwrap_or(c"".as_ptr())
}
