//! Any waiter, while the machine or its thread is tuned in its turns.

use super::Wait;
use crate::machine::{Machine, Tuning};
use punctual::guard::SliceGuard;
use punctual::os::Scheduling;
use punctual::{Error, Instant};
use std::time::Duration;

impl<O: Scheduling> Tuning for SliceGuard<O> {}

/// The waiter, with this slice of the calling thread in each of its turns.
///
/// # Errors
/// If the thread cannot have such a slice, which is tried once.
pub fn sliced<O: Scheduling>(
    os: &O,
    slice: Duration,
    wait: Box<dyn Wait>,
) -> Result<Box<dyn Wait>, Error> {
    let os = os.clone();
    let tune = move || Ok(Box::new(SliceGuard::set(&os, slice)?) as Box<dyn Tuning>);
    tuned_by(tune, wait)
}

/// The waiter, with the machine tuned in each of its turns.
///
/// # Errors
/// If the machine cannot be tuned, which is tried once.
pub fn tuned<M: Machine>(machine: &M, wait: Box<dyn Wait>) -> Result<Box<dyn Wait>, Error> {
    let machine = machine.clone();
    tuned_by(move || machine.tune().map_err(Error::from), wait)
}

/// The waiter, with the request of this process for this timer interval in each of its turns.
///
/// # Errors
/// If the system refuses the request, which is tried once.
pub fn requested<M: Machine>(
    machine: &M,
    interval: Duration,
    wait: Box<dyn Wait>,
) -> Result<Box<dyn Wait>, Error> {
    let machine = machine.clone();
    tuned_by(move || machine.request(interval), wait)
}

/// A waiter with something held during its turns only: the others are measured without it.
struct Tuned<T> {
    tune: T,
    held: Option<Box<dyn Tuning>>,
    wait: Box<dyn Wait>,
}

/// The waiter, with what this returns held in each of its turns.
///
/// # Errors
/// If this fails, which is tried once.
pub(super) fn tuned_by(
    tune: impl Fn() -> Result<Box<dyn Tuning>, Error> + 'static,
    wait: Box<dyn Wait>,
) -> Result<Box<dyn Wait>, Error> {
    drop(tune()?);
    Ok(Box::new(Tuned {
        tune,
        held: None,
        wait,
    }))
}

impl<T: Fn() -> Result<Box<dyn Tuning>, Error>> Wait for Tuned<T> {
    fn begin_turn(&mut self) {
        // This was permitted when it was made, so it is permitted now.
        self.held = (self.tune)().ok();
        self.wait.begin_turn();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.wait.wait_until(deadline)
    }

    fn end_turn(&mut self) {
        self.wait.end_turn();
        self.held = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Native;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Writes down the slice with which it waits.
    struct Looks(Native, Rc<RefCell<Vec<Duration>>>);

    impl Wait for Looks {
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
        let mut wait = match sliced(&os, SLICE, looks) {
            Ok(wait) => wait,
            Err(error) => {
                println!("skipped: {error}");
                return;
            }
        };
        assert_eq!(os.slice().unwrap(), before, "tried, and undone");
        wait.begin_turn();
        wait.wait_until(Instant::ZERO);
        wait.end_turn();
        assert_eq!(os.slice().unwrap(), before);
        wait.begin_turn();
        drop(wait);
        assert_eq!(os.slice().unwrap(), before, "however it ends");
        assert_eq!(seen.take(), [SLICE]);
    }

    #[test]
    fn a_machine_without_slices_has_no_such_waiter() {
        let os = punctual::os::VirtualOs::new();
        struct Never;
        impl Wait for Never {
            fn wait_until(&mut self, deadline: Instant) -> Instant {
                deadline
            }
        }
        let refused = sliced(&os, Duration::from_millis(1), Box::new(Never));
        assert!(refused.is_err_and(|error| error.is_unsupported()));
    }

    type Diary = Rc<RefCell<Vec<&'static str>>>;

    struct Held(Diary);

    impl Tuning for Held {}

    impl Drop for Held {
        fn drop(&mut self) {
            self.0.borrow_mut().push("released");
        }
    }

    struct Waits(Diary);

    impl Wait for Waits {
        fn wait_until(&mut self, deadline: Instant) -> Instant {
            self.0.borrow_mut().push("waited");
            deadline
        }
    }

    #[test]
    fn the_machine_is_tuned_in_its_turns_only() {
        let diary = Diary::default();
        let held = Rc::clone(&diary);
        let tune = move || -> Result<Box<dyn Tuning>, Error> {
            held.borrow_mut().push("tuned");
            Ok(Box::new(Held(Rc::clone(&held))))
        };
        let mut wait = tuned_by(tune, Box::new(Waits(Rc::clone(&diary)))).unwrap();
        assert_eq!(diary.take(), ["tuned", "released"], "tried once");
        wait.begin_turn();
        wait.wait_until(Instant::ZERO);
        wait.end_turn();
        assert_eq!(diary.take(), ["tuned", "waited", "released"]);
        wait.begin_turn();
        drop(wait);
        assert_eq!(diary.take(), ["tuned", "released"], "however it ends");
    }

    #[test]
    fn what_is_not_permitted_is_no_wait() {
        let refuse = || Err(Error::not_permitted("no"));
        let refused = tuned_by(refuse, Box::new(Waits(Diary::default())));
        assert!(refused.is_err_and(|error| error.is_not_permitted()));
    }
}
