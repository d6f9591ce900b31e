//! The program that started this one and looks after it: on Linux often systemd.

#[cfg(target_os = "linux")]
#[path = "linux/systemd.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "other/nobody.rs"]
mod sys;

pub use sys::{Starter, is_journal};
