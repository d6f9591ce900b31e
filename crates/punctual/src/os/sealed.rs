//! The trait that seals the traits of machines.

/// A machine, or its calls. Other crates cannot name this trait without the feature `machines`, so
/// methods can be added to the traits that require it:
///
/// ```compile_fail,E0277
/// use punctual::margin::ProcessBudget;
/// use punctual::{Error, Instant};
/// use punctual::os::{Os, Slice, Spin, Thread, VirtualOs, Woken};
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// #[derive(Clone)]
/// struct Slow(VirtualOs);
///
/// impl Os for Slow {
///     type Bell = <VirtualOs as Os>::Bell;
///     type Precision = ();
///     type ThreadId = ();
///     type Origin = ();
///     fn now(&self) -> Instant {
///         self.0.advance(Duration::from_micros(1));
///         self.0.now()
///     }
///     fn bell(&self) -> Self::Bell { self.0.bell() }
///     fn ring(&self, bell: &Self::Bell) { self.0.ring(bell) }
///     fn hush(&self, bell: &Self::Bell) { self.0.hush(bell) }
///     fn is_rung(&self, bell: &Self::Bell) -> bool { self.0.is_rung(bell) }
///     fn wait(&self, until: Option<Instant>, tolerance: Duration, bell: &Self::Bell) -> Woken {
///         self.0.wait(until, tolerance, bell)
///     }
///     fn precision(&self, _: Slice) {}
///     fn spin_until(&self, until: Instant, spin: Spin) -> Instant { self.0.spin_until(until, spin) }
///     fn thread_id(&self) {}
///     fn lane(&self) -> usize { 0 }
///     fn origin(&self) {}
///     fn is_forked(&self, (): &()) -> bool { false }
///     fn process_budget(&self) -> Arc<ProcessBudget> { self.0.process_budget() }
///     fn spawn(
///         &self,
///         name: &str,
///         body: Box<dyn FnOnce() + Send>,
///     ) -> Result<Thread<Self::Bell>, Error> {
///         self.0.spawn(name, body)
///     }
/// }
/// ```
pub trait Sealed {}
