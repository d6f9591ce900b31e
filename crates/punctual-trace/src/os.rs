//! Making the kernel write a trace: the only part that knows on which system it runs.

mod native;

pub use native::{Capture, KernelFunctions, Starter};
