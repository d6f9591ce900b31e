//! Any method, while the machine or its thread is tuned.

use crate::machine::Method;
use crate::machine::{Machine, Tuning};
use punctual::{Error, Instant};

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

pub(super) fn tuned_by(
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
    use std::cell::RefCell;
    use std::rc::Rc;

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
