//! What a path asks for, and whom a request is meant for.
//!
//! A page from elsewhere can make a browser ask a name of its own that leads to 127.0.0.1 (DNS rebinding), and could
//! then read the answer. Such a request says the name in its header `Host`.

use std::net::{IpAddr, Ipv6Addr};

/// What there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route<'a> {
    /// The page for people.
    Page,
    /// The exposition.
    Metrics,
    /// Whether the watch is well.
    Health,
    /// The saved wake-ups.
    Lates,
    /// The recording of the saved wake-up with this id.
    Recording(&'a str),
    /// The same for Perfetto.
    Perfetto(&'a str),
}

impl<'a> Route<'a> {
    /// What this path asks for, if that may exist. An id is such as a recorder gives, so it is never a path.
    pub fn of(path: &'a str) -> Option<Self> {
        match path {
            "/" => Some(Self::Page),
            "/metrics" => Some(Self::Metrics),
            "/healthz" => Some(Self::Health),
            "/late" => Some(Self::Lates),
            _ => {
                let file = path.strip_prefix("/late/")?;
                let (id, route): (_, fn(&'a str) -> Self) = match file.split_once('.') {
                    None => (file, Self::Recording),
                    Some((id, "trace")) => (id, Self::Recording),
                    Some((id, "perfetto" | "perfetto-trace")) => (id, Self::Perfetto),
                    Some(_) => return None,
                };
                is_id(id).then(|| route(id))
            }
        }
    }
}

/// Whether a text is an id: letters, digits and hyphens.
fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Whether a request that came over the loopback address may be answered: it names this machine as only a program
/// on it does, by an address or as `localhost`.
pub fn is_here(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        return address
            .split_once(']')
            .is_some_and(|(address, port)| address.parse::<Ipv6Addr>().is_ok() && is_port(port));
    }
    let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_localhost =
        name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost");
    is_port(port) && (is_localhost || name.parse::<IpAddr>().is_ok())
}

/// Nothing, or a colon and a number.
fn is_port(text: &str) -> bool {
    text.strip_prefix(':')
        .map_or(text.is_empty(), |port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_ids_reaches_a_file() {
        assert_eq!(
            Route::of("/late/20251123-1"),
            Some(Route::Recording("20251123-1"))
        );
        assert_eq!(Route::of("/late/a.perfetto"), Some(Route::Perfetto("a")));
        for path in [
            "/late/",
            "/late/..",
            "/late/a/b",
            "/late/%2e%2e",
            "/late/a.b",
            "/late/..trace",
            "//",
            "",
        ] {
            assert_eq!(Route::of(path), None, "{path}");
        }
    }

    #[test]
    fn only_this_machine_is_here() {
        for host in [
            "localhost",
            "LOCALHOST:9836",
            "watch.localhost:80",
            "127.0.0.1:9836",
            "192.168.1.2",
            "[::1]:9836",
            "[::1]",
        ] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "",
            "evil.example:9836",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "notlocalhost",
            "localhost:evil",
            "[::1].evil.example",
            "[::1",
            ":9836",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }
}
