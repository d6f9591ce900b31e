//! Making the kernel write a trace, and folders private: the only part that knows on which system it runs.

mod folder;
mod native;

pub(crate) use folder::{FolderLock, make_private};
pub use native::{Capture, KernelFunctions, Starter};
