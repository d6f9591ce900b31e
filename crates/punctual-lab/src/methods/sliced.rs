//! Any method, with a slice of the thread's own.

use super::tuned::tuned_by;
use crate::machine::{Method, Tuning};
use punctual::Error;
use punctual::guard::SliceGuard;
use punctual::os::Scheduling;
use std::time::Duration;

impl<O: Scheduling> Tuning for SliceGuard<O> {}

/// The method, with this slice of the calling thread in each of its turns.
///
/// # Errors
/// If the thread cannot have such a slice, which is tried once.
pub fn sliced<O: Scheduling>(
    os: &O,
    slice: Duration,
    method: Box<dyn Method>,
) -> Result<Box<dyn Method>, Error> {
    let os = os.clone();
    let tune = move || Ok(Box::new(SliceGuard::set(&os, slice)?) as Box<dyn Tuning>);
    tuned_by(tune, method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Native;
    use punctual::Instant;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Writes down the slice with which it waits.
    struct Looks(Native, Rc<RefCell<Vec<Duration>>>);

    impl Method for Looks {
        fn wait_until(&mut self, deadline: Instant) -> Instant {
            self.1.borrow_mut().push(self.0.slice().unwrap());
            deadline
        }
    }

    #[test]
    fn the_slice_is_set_in_its_turns_only() {
        const SLICE: Duration = Duration::from_micros(300);
        let os = Native::detect().unwrap();
        let Ok(before) = os.slice() else {
            println!("skipped: this system has no slices");
            return;
        };
        let seen = Rc::<RefCell<Vec<_>>>::default();
        let looks = Box::new(Looks(os.clone(), Rc::clone(&seen)));
        let mut method = match sliced(&os, SLICE, looks) {
            Ok(method) => method,
            Err(error) => {
                println!("skipped: {error}");
                return;
            }
        };
        assert_eq!(os.slice().unwrap(), before, "tried, and undone");
        method.begin_turn();
        method.wait_until(Instant::ZERO);
        method.end_turn();
        assert_eq!(os.slice().unwrap(), before);
        method.begin_turn();
        drop(method);
        assert_eq!(os.slice().unwrap(), before, "however it ends");
        assert_eq!(seen.take(), [SLICE]);
    }

    #[test]
    fn a_machine_without_slices_has_no_such_method() {
        let os = punctual::os::VirtualOs::new();
        struct Never;
        impl Method for Never {
            fn wait_until(&mut self, deadline: Instant) -> Instant {
                deadline
            }
        }
        let refused = sliced(&os, Duration::from_millis(1), Box::new(Never));
        assert!(refused.is_err_and(|error| error.is_unsupported()));
    }
}
