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
    /// Lets the processor rest while at least 8 µs of the spin remain, and then does as
    /// [`Pause`](Spin::Pause) does. The thread keeps the processor, which uses less power and leaves its
    /// core to a sibling hyperthread.
    ///
    /// The instruction is TPAUSE on Intel's processors (since Alder Lake, Sapphire Rapids and Tremont),
    /// MWAITX on AMD's (since Excavator), and WFET on ARM's with `FEAT_WFxT`, on Linux. On other ARM
    /// processors, on Linux, it is WFE while at least 540 µs remain. A processor without any of them
    /// pauses, and so does one whose instruction a virtual machine hides, or one that was tried when the
    /// program began and woke more than 2 µs late. Each rest lasts half of what remains.
    #[default]
    LowPower,
    /// Tells the processor that it spins, which saves a little power and leaves more of the core to a
    /// sibling hyperthread. The thread keeps the processor.
    Pause,
    /// Gives the processor to a ready thread of the same priority, and reads the clock when it has the
    /// processor back. The wait ends late if that thread computes for long. Each reading costs a system
    /// call. Use it on machines with fewer processors than spinning threads.
    Yield,
}
