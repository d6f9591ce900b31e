//! The program that started this one and looks after it: on Linux often systemd.

#[cfg(target_os = "linux")]
#[path = "linux/systemd.rs"]
mod sys;

#[cfg(not(target_os = "linux"))]
#[path = "other/no_starter.rs"]
mod sys;

pub use sys::{is_journal, tell, wants_life_every};

/// What it is told.
#[allow(dead_code, reason = "some systems tell nothing")]
#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// The watch has started, or has taken over new settings; what it does.
    Ready(&'a str),
    /// It takes over new settings. [`Self::Ready`] ends it.
    Reloading,
    /// It makes progress; what it does.
    Alive(&'a str),
    /// It makes none; what it does.
    Status(&'a str),
    /// It ends.
    Stopping,
}
