//! Functions of C that a driver calls.

use crate::sized::Sized;
use crate::status::{Failure, PUNCTUAL_ERROR_NULL, of};
use crate::ticker::Tick;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;

/// A callback that is called once, on the driver's thread, with the context it was given. The
/// struct is valid during the call. It must not unwind: no C++ exception may leave it.
pub type OnceFn = Option<extern "C" fn(context: *mut c_void, firing: *const Firing)>;

/// A callback that is called for every tick, on the driver's thread, until it returns something
/// other than zero or is cancelled. The struct is valid during the call. It must not unwind: no C++
/// exception may leave it.
pub type TickFn = Option<extern "C" fn(context: *mut c_void, tick: *const Tick) -> c_int>;

/// Frees the context of a callback: called exactly once, when the callback will not be called
/// again, or with a function that returns an error. It is called on the driver's thread or on the
/// one that cancels. May be null. It must not unwind.
pub type DropFn = Option<extern "C" fn(context: *mut c_void)>;

/// When a callback was called.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Firing {
    /// `sizeof(punctual_firing)`, set by Punctual.
    pub size: usize,
    /// The beginning of its window.
    pub earliest_ns: u64,
    /// The end of its window.
    pub latest_ns: u64,
    /// The reading of the clock at which it came. It is never before the beginning.
    pub woke_ns: u64,
}

// SAFETY: fields of 8 bytes after the size, all numbers.
unsafe impl Sized for Firing {
    const NAME: &'static str = "firing";
}

impl From<punctual::Firing> for Firing {
    fn from(firing: punctual::Firing) -> Self {
        Self {
            size: size_of::<Self>(),
            earliest_ns: firing.window.earliest().as_nanos(),
            latest_ns: firing.window.latest().as_nanos(),
            woke_ns: firing.woke.as_nanos(),
        }
    }
}

thread_local! {
    /// Whether this thread is in a function of the program that a driver called.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Whether the caller is a callback, or frees the context of one.
pub fn is_in_callback() -> bool {
    IN_CALLBACK.get()
}

/// Calls a function of the program.
fn call<R>(function: impl FnOnce() -> R) -> R {
    let before = IN_CALLBACK.replace(true);
    let result = function();
    IN_CALLBACK.set(before);
    result
}

/// What a callback is called with, and how that is freed.
pub struct Context {
    pointer: *mut c_void,
    free: DropFn,
}

// SAFETY: the header says on which threads callbacks are called and contexts freed, and one at a time.
unsafe impl Send for Context {}

impl Context {
    pub fn new(pointer: *mut c_void, free: DropFn) -> Self {
        Self { pointer, free }
    }

    /// What a driver calls once.
    pub fn once(
        self,
        callback: OnceFn,
    ) -> Result<impl FnOnce(punctual::Firing) + Send + 'static, Failure> {
        let callback = callback.ok_or_else(|| of("callback")(PUNCTUAL_ERROR_NULL))?;
        Ok(move |firing: punctual::Firing| call(|| callback(self.pointer(), &firing.into())))
    }

    /// What a driver calls for every tick.
    pub fn every(
        self,
        callback: TickFn,
    ) -> Result<impl FnMut(punctual::Tick) -> ControlFlow<()> + Send + 'static, Failure> {
        let callback = callback.ok_or_else(|| of("callback")(PUNCTUAL_ERROR_NULL))?;
        Ok(
            move |tick: punctual::Tick| match call(|| callback(self.pointer(), &tick.into())) {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            },
        )
    }

    /// A method, so that closures capture the context and not only the pointer in it.
    fn pointer(&self) -> *mut c_void {
        self.pointer
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            call(|| free(self.pointer));
        }
    }
}
