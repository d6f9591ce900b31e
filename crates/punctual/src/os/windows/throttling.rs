//! Opts out of a rule of Windows 11, which ignores the requests of a process without a visible window.
//!
//! The setting belongs to the process, so the first holder of a request changes it and the last one
//! restores it. A lock held across these calls could hang a simulated machine. Instead, every thread that
//! changes the number of holders writes the setting for that number, reads the number again, and repeats
//! if it has changed. The last writer has checked after writing, so the setting always fits the number.

use super::{PowerThrottling, Win32};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(super) struct Throttling {
    /// The setting to put back: what it was when the machine was taken hold of.
    found: PowerThrottling,
    holders: AtomicUsize,
    /// Not to be written: requests are honoured already, or the system has refused once, as all
    /// before Windows 11 do.
    left_alone: AtomicBool,
}

impl Throttling {
    pub(super) fn new<W: Win32>(win32: &W) -> Self {
        // A system that cannot say what the setting is, is one where nothing is known to have set
        // it.
        let found = win32.get_process_information().unwrap_or_default();
        Self {
            found,
            holders: AtomicUsize::new(0),
            left_alone: AtomicBool::new(found == found.honouring_requests()),
        }
    }

    /// Opts out. The second and later holders write it too: the first may not have come to it yet.
    pub(super) fn hold<W: Win32>(&self, win32: &W) {
        self.holders.fetch_add(1, Ordering::SeqCst);
        self.settle(win32);
    }

    /// Leaves the decision to the system again if nothing else holds a request.
    pub(super) fn release<W: Win32>(&self, win32: &W) {
        if self.holders.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.settle(win32);
        }
    }

    fn settle<W: Win32>(&self, win32: &W) {
        while !self.left_alone.load(Ordering::SeqCst) {
            let held = self.is_held();
            let setting = if held {
                self.found.honouring_requests()
            } else {
                self.found
            };
            if win32.set_process_information(setting).is_err() {
                self.left_alone.store(true, Ordering::SeqCst);
            }
            if self.is_held() == held {
                break;
            }
        }
    }

    fn is_held(&self) -> bool {
        self.holders.load(Ordering::SeqCst) > 0
    }
}
