//! The methods that need only an [`Os`]: Punctual's own, and a pure spin for comparison.

pub mod standard;
pub mod windows;

use crate::machine::{Machine, Method, Offer, Tuning, Wishes};
use punctual::guard::SliceGuard;
use punctual::os::{self, Scheduling, Slice};
use punctual::{Error, Instant, Margin, Os, Sleeper};
use std::time::Duration;

/// Punctual's own ways of waiting, and a pure spin. Every machine offers them.
pub fn portable<O: Os>() -> [Offer<O>; 4] {
    [
        Offer {
            name: "punctual-coarse",
            summary: "Sleeper without spinning; no timer slack",
            slack_applies: false,
            make: |os, wishes| Ok(sleeper(os, Margin::coarse(), wishes.slice)),
        },
        Offer {
            name: PUNCTUAL,
            summary: "Sleeper: wakes a learned margin early, then spins",
            slack_applies: false,
            make: |os, wishes: Wishes| {
                let margin = Margin::new(wishes.late_rate, wishes.budget);
                Ok(sleeper(os, margin, wishes.slice))
            },
        },
        Offer {
            name: "punctual-exact",
            summary: "Sleeper without a limit on the time spent spinning",
            slack_applies: false,
            make: |os, wishes| Ok(sleeper(os, Margin::exact(), wishes.slice)),
        },
        Offer {
            name: "spin",
            summary: "reads the clock in a loop; uses a whole processor",
            slack_applies: false,
            make: |os, _| Ok(Box::new(Spin(os.clone()))),
        },
    ]
}

/// The method that late rate and budget apply to.
pub const PUNCTUAL: &str = "punctual";

struct Sleeping<O: Os>(Sleeper<O>);

fn sleeper<O: Os>(os: &O, margin: Margin, slice: Slice) -> Box<dyn Method> {
    let sleeper = Sleeper::on(os.clone()).with_margin(margin);
    Box::new(Sleeping(sleeper.with_slice(slice)))
}

impl<O: Os> Method for Sleeping<O> {
    fn begin_turn(&mut self) {
        self.0.resume();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.0.sleep_until(deadline).woke
    }

    /// Its request would help the other methods of this process, too.
    fn end_turn(&mut self) {
        self.0.pause();
    }
}

struct Spin<O>(O);

impl<O: Os> Method for Spin<O> {
    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.0.spin_until(deadline, os::Spin::Pause)
    }
}

// Any method, with a slice of the thread's own.

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

// Any method, while the machine or its thread is tuned.

/// A method with the machine tuned during its turns only. The other methods are measured on the
/// untuned machine.
struct Tuned<T> {
    tune: T,
    held: Option<Box<dyn Tuning>>,
    method: Box<dyn Method>,
}

/// The method, with the machine tuned in each of its turns.
///
/// # Errors
/// If the machine cannot be tuned, which is tried once.
pub fn tuned<M: Machine>(machine: &M, method: Box<dyn Method>) -> Result<Box<dyn Method>, Error> {
    let machine = machine.clone();
    tuned_by(move || machine.tune().map_err(Error::from), method)
}

fn tuned_by(
    tune: impl Fn() -> Result<Box<dyn Tuning>, Error> + 'static,
    method: Box<dyn Method>,
) -> Result<Box<dyn Method>, Error> {
    drop(tune()?);
    Ok(Box::new(Tuned {
        tune,
        held: None,
        method,
    }))
}

impl<T: Fn() -> Result<Box<dyn Tuning>, Error>> Method for Tuned<T> {
    fn begin_turn(&mut self) {
        // This was permitted when the method was made, so it is permitted now.
        self.held = (self.tune)().ok();
        self.method.begin_turn();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.method.wait_until(deadline)
    }

    fn end_turn(&mut self) {
        self.method.end_turn();
        self.held = None;
    }
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

    type Diary = Rc<RefCell<Vec<&'static str>>>;

    struct Held(Diary);

    impl Tuning for Held {}

    impl Drop for Held {
        fn drop(&mut self) {
            self.0.borrow_mut().push("released");
        }
    }

    struct Waits(Diary);

    impl Method for Waits {
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
        let mut method = tuned_by(tune, Box::new(Waits(Rc::clone(&diary)))).unwrap();
        assert_eq!(diary.take(), ["tuned", "released"], "tried once");
        method.begin_turn();
        method.wait_until(Instant::ZERO);
        method.end_turn();
        assert_eq!(diary.take(), ["tuned", "waited", "released"]);
        method.begin_turn();
        drop(method);
        assert_eq!(diary.take(), ["tuned", "released"], "however it ends");
    }

    #[test]
    fn what_is_not_permitted_is_no_method() {
        let refuse = || Err(Error::not_permitted("no"));
        let refused = tuned_by(refuse, Box::new(Waits(Diary::default())));
        assert!(refused.is_err_and(|error| error.is_not_permitted()));
    }
}
