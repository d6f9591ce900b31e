//! Catches panics of callbacks, wakers and destructors, so that the driver goes on.

use std::mem;
use std::panic::{self, AssertUnwindSafe};

/// Runs other code, and returns whether it ended without a panic.
///
/// A panic may leave that code's own state half-changed, so it is not called again.
pub(super) fn survives(code: impl FnOnce()) -> bool {
    let Err(payload) = panic::catch_unwind(AssertUnwindSafe(code)) else {
        return true;
    };
    // What it panicked with can panic in its destructor.
    if let Err(another) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(another);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::survives;
    use std::panic::panic_any;

    struct Grenade;

    impl Drop for Grenade {
        fn drop(&mut self) {
            panic!("while it is dropped");
        }
    }

    #[test]
    fn a_panic_ends_nothing_but_itself() {
        assert!(survives(|| ()));
        assert!(!survives(|| panic!("at once")));
        assert!(!survives(|| drop(Grenade)));
        assert!(!survives(|| panic_any(Grenade)));
    }
}
