//! Whom a request is meant for.
//!
//! A page from elsewhere can make a browser ask a name of its own that leads to 127.0.0.1 (DNS rebinding), and could
//! then read the answer. Such a request says the name in its header `Host`.

use std::net::{IpAddr, Ipv6Addr};

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
