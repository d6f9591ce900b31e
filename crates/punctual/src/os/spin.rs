//! What a spin does between two looks at the clock.

/// What a spin does between two looks at the clock.
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
    /// Tells the processor that it spins, which spares power and a sibling hyperthread. The thread
    /// keeps the processor.
    #[default]
    Pause,
    /// Gives the processor to a thread of the same priority that is ready, and looks again when it
    /// has it back: late, if that thread computes for long. A system call for each look. For
    /// machines with fewer processors than threads that spin.
    Yield,
}
