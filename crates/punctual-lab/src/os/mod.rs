//! The native machine, system by system. Only this module makes system calls.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[path = "linux/mod.rs"]
mod sys;

#[cfg(target_os = "macos")]
#[path = "macos/mod.rs"]
mod sys;

#[cfg(windows)]
#[path = "windows/mod.rs"]
mod sys;

#[cfg(not(any(
    windows,
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
)))]
#[path = "unsupported.rs"]
mod sys;

#[cfg(any(
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
))]
#[path = "posix/mod.rs"]
mod posix;

#[cfg(any(
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
))]
#[path = "posix/limits.rs"]
mod limits;

#[cfg(not(any(
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
)))]
#[path = "no_limits.rs"]
mod limits;

#[cfg(any(
    windows,
    all(target_os = "linux", target_pointer_width = "64"),
    target_os = "macos"
))]
#[path = "everywhere.rs"]
mod everywhere;

#[cfg(windows)]
#[path = "windows/on_windows.rs"]
mod on_windows;

#[cfg(not(windows))]
#[path = "no_windows.rs"]
mod on_windows;

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(crate) use sys::quotas_of;

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
#[path = "no_quotas.rs"]
mod quotas;

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(crate) use quotas::quotas_of;

#[cfg(not(windows))]
pub use punctual::Native;

/// The machine that this program runs on. On Windows its calls can be made one by one, as on a
/// simulated Windows.
#[cfg(windows)]
pub type Native = punctual::os::windows::WindowsOs<punctual::os::windows::Real>;

pub(crate) use limits::{limit_behind, make_file_size_limit_an_error};
pub use on_windows::on_windows;
pub(crate) use sys::{process, std_sleeps};
