//! systemd: it is told over a socket that it names in the environment.
//!
//! <https://man7.org/linux/man-pages/man3/sd_notify.3.html>

use super::News;
use sd_notify::NotifyState;
use std::env;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// Tells it, if it wants to be told. The watch goes on if nothing listens any more.
pub fn tell(news: News<'_>) {
    let state = match news {
        News::Ready(status) => vec![NotifyState::Ready, NotifyState::Status(status)],
        News::Alive(status) => vec![NotifyState::Watchdog, NotifyState::Status(status)],
        News::Status(status) => vec![NotifyState::Status(status)],
        News::Stopping => vec![NotifyState::Stopping],
        News::Reloading => {
            let now = NotifyState::monotonic_usec_now().ok();
            [NotifyState::Reloading].into_iter().chain(now).collect()
        }
    };
    let _ = sd_notify::notify(&state);
}

/// How often it wants a sign of life, if it does: as its manual advises, twice in the time after which it gives a
/// service up.
pub fn wants_life_every() -> Option<Duration> {
    env::var_os("NOTIFY_SOCKET")?;
    let within = sd_notify::watchdog_enabled()?;
    (!within.is_zero()).then(|| within / 2)
}

/// Whether standard error is the journal, which reads a priority before each line.
///
/// systemd tells the device and the inode of the stream: a program further down may write to a file.
/// <https://man7.org/linux/man-pages/man5/systemd.exec.5.html>, `JOURNAL_STREAM`
pub fn is_journal() -> bool {
    let stream = env::var("JOURNAL_STREAM");
    let of_this = std::fs::metadata("/proc/self/fd/2").map(|of| (of.dev(), of.ino()));
    match (stream, of_this) {
        (Ok(stream), Ok((device, inode))) => stream == format!("{device}:{inode}"),
        _ => false,
    }
}
