//! The loops in C and in C++.

use crate::failure::Failure;
use std::ffi::c_int;
use std::marker::PhantomData;
use std::mem;
use std::ptr::NonNull;

// Its functions are called by the loops, and linked from here.
use punctual_c as _;

/// Reads the clock, for the loops of all languages alike.
// SAFETY: nothing else has this name.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn border_now() -> u64 {
    // SAFETY: a structure of plain numbers, for which zero is a value.
    let mut reading: libc::timespec = unsafe { mem::zeroed() };
    // SAFETY: `reading` is valid for writing. Every Linux has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut reading) };
    // This clock began at zero.
    reading.tv_sec.unsigned_abs() * 1_000_000_000 + reading.tv_nsec.unsigned_abs()
}

/// What a loop keeps between blocks, which only its own language looks into.
pub enum Opaque {}

/// A language that has the three functions of `border.h`.
pub trait Foreign {
    const NAME: &'static str;
    const NEW: unsafe extern "C" fn(way: c_int, margin_ns: u64) -> *mut Opaque;
    const FREE: unsafe extern "C" fn(*mut Opaque);
    const WAIT: unsafe extern "C" fn(*mut Opaque, u64, u32, *mut u64) -> u32;
}

pub struct C;
pub struct Cpp;

impl Foreign for C {
    const NAME: &'static str = "C";
    const NEW: unsafe extern "C" fn(c_int, u64) -> *mut Opaque = border_c_new;
    const FREE: unsafe extern "C" fn(*mut Opaque) = border_c_free;
    const WAIT: unsafe extern "C" fn(*mut Opaque, u64, u32, *mut u64) -> u32 = border_c_wait;
}

impl Foreign for Cpp {
    const NAME: &'static str = "C++";
    const NEW: unsafe extern "C" fn(c_int, u64) -> *mut Opaque = border_cpp_new;
    const FREE: unsafe extern "C" fn(*mut Opaque) = border_cpp_free;
    const WAIT: unsafe extern "C" fn(*mut Opaque, u64, u32, *mut u64) -> u32 = border_cpp_wait;
}

unsafe extern "C" {
    fn border_c_new(way: c_int, margin_ns: u64) -> *mut Opaque;
    fn border_c_free(this: *mut Opaque);
    fn border_c_wait(this: *mut Opaque, period_ns: u64, waits: u32, lateness_ns: *mut u64) -> u32;
    fn border_cpp_new(way: c_int, margin_ns: u64) -> *mut Opaque;
    fn border_cpp_free(this: *mut Opaque);
    fn border_cpp_wait(this: *mut Opaque, period_ns: u64, waits: u32, lateness_ns: *mut u64)
    -> u32;
}

/// One loop of a language.
pub struct Loop<L: Foreign> {
    it: NonNull<Opaque>,
    language: PhantomData<L>,
}

impl<L: Foreign> Loop<L> {
    pub fn new(way: c_int, margin_ns: u64) -> Result<Self, Failure> {
        // SAFETY: numbers; any are permitted.
        let made = unsafe { L::NEW(way, margin_ns) };
        let it = NonNull::new(made).ok_or_else(|| format!("{}: no loop", L::NAME))?;
        Ok(Self {
            it,
            language: PhantomData,
        })
    }

    /// Waits for a block of deadlines. Returns how late it was after each that had not passed.
    pub fn run(&mut self, period_ns: u64, waits: u32) -> Vec<u64> {
        let mut latenesses = vec![0; waits as usize];
        let place = latenesses.as_mut_ptr();
        // SAFETY: `it` was made by this language, and there is room for as many numbers as waits.
        let done = unsafe { L::WAIT(self.it.as_ptr(), period_ns, waits, place) };
        latenesses.truncate(done as usize);
        latenesses
    }
}

impl<L: Foreign> Drop for Loop<L> {
    fn drop(&mut self) {
        // SAFETY: made by this language, and not used again.
        unsafe { L::FREE(self.it.as_ptr()) };
    }
}
