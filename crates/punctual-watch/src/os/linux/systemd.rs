//! systemd: it is told over a socket that it names in the environment.
//!
//! <https://man7.org/linux/man-pages/man3/sd_notify.3.html>

use rustix::time::{ClockId, clock_gettime};
use std::env;
use std::ffi::OsStr;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// The socket of whoever started this process and wants to be told.
#[derive(Debug, Default)]
pub struct Starter {
    to: Option<(UnixDatagram, SocketAddr)>,
    life_every: Option<Duration>,
}

impl Starter {
    /// Reads it from the environment. Without a word of it there, nobody is told.
    pub fn of_this_process() -> Self {
        let is_mine = env::var("WATCHDOG_PID").map_or(true, |id| id == own_id());
        let every = env::var("WATCHDOG_USEC").ok().filter(|_| is_mine);
        Self::at(env::var_os("NOTIFY_SOCKET").as_deref(), every.as_deref())
    }

    fn at(socket: Option<&OsStr>, watchdog_micros: Option<&str>) -> Self {
        let to = socket.and_then(|socket| {
            let address = address(socket)?;
            let from = UnixDatagram::unbound().ok()?;
            // A systemd that does not read must not hold the watch.
            from.set_nonblocking(true).ok()?;
            Some((from, address))
        });
        // As often as its manual advises: twice in the time after which it gives a service up.
        let micros: Option<u64> = watchdog_micros.and_then(|text| text.parse().ok());
        let life_every = micros.filter(|&micros| micros > 0 && to.is_some());
        Self {
            to,
            life_every: life_every.map(|micros| Duration::from_micros(micros) / 2),
        }
    }

    /// How often it wants a sign of life, if it does.
    pub fn wants_life_every(&self) -> Option<Duration> {
        self.life_every
    }

    /// The watch has started, or has taken over new settings.
    pub fn ready(&self, status: &str) {
        self.tell(&format!("READY=1\nSTATUS={}", one_line(status)));
    }

    /// The watch takes over new settings. [`Self::ready`] ends it.
    pub fn reloading(&self) {
        let now = clock_gettime(ClockId::Monotonic);
        let micros = i128::from(now.tv_sec) * 1_000_000 + i128::from(now.tv_nsec) / 1_000;
        self.tell(&format!("RELOADING=1\nMONOTONIC_USEC={micros}"));
    }

    /// The watch ends.
    pub fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// The watch makes progress.
    pub fn alive(&self) {
        self.tell("WATCHDOG=1");
    }

    /// What the watch does, for `systemctl status`.
    pub fn status(&self, status: &str) {
        self.tell(&format!("STATUS={}", one_line(status)));
    }

    fn tell(&self, what: &str) {
        if let Some((from, to)) = &self.to {
            // The watch goes on if nobody listens any more.
            let _ = from.send_to_addr(what.as_bytes(), to);
        }
    }
}

/// A path, or an abstract name behind `@`.
fn address(socket: &OsStr) -> Option<SocketAddr> {
    match socket.as_bytes() {
        [b'/', ..] => SocketAddr::from_pathname(socket).ok(),
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name).ok(),
        _ => None,
    }
}

/// A second line would be another message.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn own_id() -> String {
    std::process::id().to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn received(by: &UnixDatagram) -> String {
        let mut buffer = [0; 256];
        let length = by.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    }

    #[test]
    fn systemd_is_told_in_its_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let systemd = UnixDatagram::bind(&path).unwrap();
        let starter = Starter::at(Some(path.as_os_str()), Some("3000000"));
        assert_eq!(
            starter.wants_life_every(),
            Some(Duration::from_millis(1_500))
        );
        starter.ready("4 samplers\nFORGED=1");
        assert_eq!(received(&systemd), "READY=1\nSTATUS=4 samplers FORGED=1");
        starter.reloading();
        let said = received(&systemd);
        let micros = said.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").unwrap();
        assert!(micros.parse::<u64>().unwrap() > 0);
        starter.alive();
        assert_eq!(received(&systemd), "WATCHDOG=1");
        starter.status("3 samplers");
        assert_eq!(received(&systemd), "STATUS=3 samplers");
        starter.stopping();
        assert_eq!(received(&systemd), "STOPPING=1");
        // Its end disturbs nobody.
        drop(systemd);
        starter.alive();
    }

    #[test]
    fn an_abstract_socket_is_reached_too() {
        let name = format!("punctual-watch-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let systemd = UnixDatagram::bind_addr(&address).unwrap();
        let named = format!("@{name}");
        Starter::at(Some(OsStr::new(&named)), None).alive();
        assert_eq!(received(&systemd), "WATCHDOG=1");
    }

    #[test]
    fn who_does_not_ask_is_not_told() {
        for (socket, watchdog) in [
            (None, Some("1000000")),
            (Some("relative"), Some("1000000")),
            (Some(""), None),
            (Some("/nowhere"), Some("many")),
            (Some("/nowhere"), Some("0")),
        ] {
            let starter = Starter::at(socket.map(OsStr::new), watchdog);
            assert_eq!(starter.wants_life_every(), None);
            starter.ready("nobody reads this");
        }
    }
}
