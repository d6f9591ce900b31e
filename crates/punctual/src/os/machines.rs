//! The parts to implement other machines (feature `machines`), for the crates of this project.
//!
//! This module is exempt from semantic versioning. So are the methods that [`Os`],
//! [`Scheduling`](super::Scheduling) and the traits of [`windows`](super::windows) require.
//!
//! ```
//! use punctual::margin::ProcessBudget;
//! use punctual::os::machines::Sealed;
//! use punctual::{Error, Instant, Sleeper};
//! use punctual::os::{Os, Slice, Spin, Thread, VirtualOs, Woken};
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! /// A virtual machine whose clock takes a microsecond to read.
//! #[derive(Clone)]
//! struct Slow(VirtualOs);
//!
//! impl Sealed for Slow {}
//!
//! impl Os for Slow {
//!     type Bell = <VirtualOs as Os>::Bell;
//!     type Precision = ();
//!     type ThreadId = ();
//!     type Origin = ();
//!     fn now(&self) -> Instant {
//!         self.0.advance(Duration::from_micros(1));
//!         self.0.now()
//!     }
//!     fn bell(&self) -> Self::Bell { self.0.bell() }
//!     fn ring(&self, bell: &Self::Bell) { self.0.ring(bell) }
//!     fn hush(&self, bell: &Self::Bell) { self.0.hush(bell) }
//!     fn is_rung(&self, bell: &Self::Bell) -> bool { self.0.is_rung(bell) }
//!     fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Self::Bell) -> Woken {
//!         self.0.wait(until, tolerance, bell)
//!     }
//!     fn precision(&self, _: Slice) {}
//!     fn spin_until(&self, until: Instant, spin: Spin) -> Instant { self.0.spin_until(until, spin) }
//!     fn thread_id(&self) {}
//!     fn lane(&self) -> usize { 0 }
//!     fn origin(&self) {}
//!     fn is_forked(&self, (): &()) -> bool { false }
//!     fn process_budget(&self) -> Arc<ProcessBudget> { self.0.process_budget() }
//!     fn spawn(
//!         &self,
//!         name: &str,
//!         body: Box<dyn FnOnce() + Send>,
//!     ) -> Result<Thread<Self::Bell>, Error> {
//!         self.0.spawn(name, body)
//!     }
//! }
//!
//! let mut sleeper = Sleeper::on(Slow(VirtualOs::new())).coarse();
//! assert!(sleeper.sleep(Duration::from_millis(1)).lateness() >= Duration::from_micros(1));
//! ```

use super::{Os, Thread};

pub use super::sealed::Sealed;

/// Pairs a thread's handle with the body that the system runs. When the body returns or panics, the
/// handle's bell is rung.
pub fn thread<O: Os>(
    os: &O,
    body: Box<dyn FnOnce() + Send>,
) -> (Thread<O::Bell>, impl FnOnce() + Send + 'static) {
    Thread::new(os, body)
}
