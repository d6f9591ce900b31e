//! What a spin does between two readings of the clock.

/// What a spin does between two readings of the clock.
///
/// ```
/// use punctual::Native;
/// use punctual::os::{Os, Spin};
/// use std::time::Duration;
///
/// let os = Native::new();
/// let until = os.now() + Duration::from_micros(50);
/// assert!(os.spin_until(until, Spin::Yield) >= until);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Spin {
    /// Tells the processor that it spins, which saves a little power and leaves more of the core to a
    /// sibling hyperthread. The thread keeps the processor.
    #[default]
    Pause,
    /// Gives the processor to a ready thread of the same priority, and reads the clock when it has the
    /// processor back. The wait ends late if that thread computes for long. Each reading costs a system
    /// call. Use it on machines with fewer processors than spinning threads.
    Yield,
}
