//! Whether the measuring thread stays on the processor that it is pinned to. If that processor goes
//! offline, the system moves the thread to another without a word, and leaves it there.

use punctual_lab::{Machine, Native};

/// The processor, until the thread has left it.
pub(super) struct Pin {
    machine: Native,
    processor: Option<usize>,
}

impl Pin {
    pub(super) fn new(machine: &Native, processor: Option<usize>) -> Self {
        Self {
            machine: machine.clone(),
            processor,
        }
    }

    /// Looks where the calling thread is, between two waits: this costs a few nanoseconds. Says once
    /// that it has left.
    pub(super) fn look(&mut self) -> Option<String> {
        let pinned = self.processor?;
        let found = self.machine.processor();
        self.lost(found.is_some_and(|found| found != pinned))
    }

    /// Looks where it may be, between two turns. It may be free and by chance where it was.
    pub(super) fn look_closely(&mut self) -> Option<String> {
        let kept = self.machine.is_kept_to(self.processor?);
        self.lost(kept == Some(false))
    }

    fn lost(&mut self, lost: bool) -> Option<String> {
        let processor = self.processor.take_if(|_| lost)?;
        Some(format!(
            "the thread pinned to processor {processor} was moved from it during the run: the processor \
             went offline, or another program changed where the thread may run"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::guard::PinGuard;

    #[test]
    fn a_thread_that_stays_is_not_reported() {
        let machine = Native::detect().unwrap();
        // The first one that it may use.
        let Some((processor, _pinned)) =
            (0..1024).find_map(|number| Some((number, PinGuard::pin(&machine, number).ok()?)))
        else {
            println!("skipped: this system pins no threads");
            return;
        };
        let mut pin = Pin::new(&machine, Some(processor));
        assert_eq!((pin.look(), pin.look_closely()), (None, None));
        let mut nowhere = Pin::new(&machine, None);
        assert_eq!((nowhere.look(), nowhere.look_closely()), (None, None));
    }

    #[test]
    fn a_thread_that_left_is_reported_once() {
        let mut pin = Pin::new(&Native::detect().unwrap(), Some(3));
        assert_eq!(pin.lost(false), None);
        let said = pin.lost(true).unwrap();
        assert!(said.contains("pinned to processor 3 was moved"), "{said}");
        assert_eq!(
            (pin.lost(true), pin.look(), pin.look_closely()),
            (None, None, None)
        );
    }
}
