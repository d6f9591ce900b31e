//! The command line of `punctual watch`. Every setting may also stand in the file of `--config`.

use crate::flags::listed;
use punctual_data::quantity::{parse_duration, parse_share};
use punctual_lab::environment::ProcessorSet;
use punctual_lab::{Machine, Native};
use punctual_watch::settings::Address;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Watch how late this machine wakes, for months, and tell Prometheus.
///
/// On each processor a thread waits a hundred times a second and counts how late it woke. Beside
/// that it tells what the system knows: stolen time, pressure, quotas, timer slack, the clock
/// source and more. Whoever opens http://127.0.0.1:9836/ sees a page; Prometheus reads /metrics.
///
/// It runs until Ctrl-C or SIGTERM, and uses at most half a percent of each processor. It needs no
/// root. SIGHUP makes it read the file of --config again.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct WatchArgs {
    #[command(flatten)]
    pub settings: SettingArgs,

    /// A file with settings, one in a line: 'rate = 100'; what is on the command line wins
    ///
    /// The names are those of the flags, without --. Flags that may be given several times may
    /// stand in several lines. A line that begins with # is a comment.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Check the settings, print them as they would stand in a file, and end
    #[arg(long)]
    pub check: bool,
}

const EXAMPLES: &str = "\
Examples:
  punctual watch
  punctual watch --processors 0-3 --rate 50
  punctual watch --listen 0.0.0.0:9836 --listen unix:/run/punctual.sock
  punctual watch --listen none --textfile /var/lib/prometheus/node-exporter
  sudo punctual watch --explain-late 5ms --folder /var/lib/punctual-watch
  punctual watch --config /etc/punctual-watch.conf --check

Exit status: 0 it ended because it was asked to, 1 it could not start, 2 a setting is wrong.";

/// What a file of settings can say, too. A setting that is not given is not in it.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub struct SettingArgs {
    /// The processors to watch, such as 0-3,8 [default: all that this program may use]
    #[arg(long, value_name = "LIST", conflicts_with = "pin", value_parser = parse_processors)]
    pub processors: Option<ProcessorSet>,

    /// Watch this processor only
    #[arg(long, value_name = "PROCESSOR")]
    pub pin: Option<u32>,

    /// A way of waiting; may be given several times [default: punctual-coarse]
    #[arg(long, value_name = "METHOD", long_help = methods())]
    pub method: Vec<String>,

    /// How often each thread waits in a second, 10 to 1000 [default: 100]
    #[arg(long, value_name = "HERTZ", value_parser = parse_rate)]
    pub rate: Option<u32>,

    /// The most of each watched processor that the watch may use [default: 0.5%]
    ///
    /// It waits less often rather than use more.
    #[arg(long, value_name = "SHARE", value_parser = parse_budget)]
    pub budget: Option<f64>,

    /// Where to answer: an address with a port, unix:PATH, or none; may be given several times
    /// [default: 127.0.0.1:9836]
    ///
    /// Nothing is secret that it tells, but for the names of processes in the recordings of
    /// --explain-late. On any other address than 127.0.0.1, whoever reaches it can read all of it.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_listen)]
    pub listen: Vec<Listen>,

    /// Also write punctual.prom into this folder, for node_exporter's textfile collector
    #[arg(long, value_name = "FOLDER")]
    pub textfile: Option<PathBuf>,

    /// Save and explain each wake-up that is later than this (Linux, root)
    ///
    /// A ring of the kernel's events is kept for this, which costs processor time under load.
    #[arg(long, value_name = "TIME", value_parser = parse_threshold)]
    pub explain_late: Option<Duration>,

    /// How many late wake-ups to keep [default: 100]
    #[arg(long, value_name = "N", value_parser = parse_keep)]
    pub keep: Option<usize>,

    /// How many bytes all of them may take, such as 512M [default: 256M]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub keep_bytes: Option<u64>,

    /// Where to keep them [default: what systemd gives, or punctual-watch in this user's folder
    /// for such files]
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

/// A place to answer, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    At(Address),
    Nowhere,
}

fn methods() -> String {
    let offers = Native::methods();
    let offers = offers.iter().map(|offer| (offer.name, offer.summary));
    format!(
        "A way of waiting; may be given several times [default: punctual-coarse]\n\n\
         What spins is refused, because a watch may not keep a processor busy.\n\n{}",
        listed(offers)
    )
}

fn parse_processors(text: &str) -> Result<ProcessorSet, String> {
    match text.parse::<ProcessorSet>() {
        Ok(set) if set.count() > 0 => Ok(set),
        _ => Err(format!(
            "'{text}' is not a list of processors; write one such as 0-3,8"
        )),
    }
}

fn parse_rate(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix("Hz").unwrap_or(text).trim_end();
    match number.parse() {
        Ok(rate @ 10..=1_000) => Ok(rate),
        _ => Err(format!(
            "'{text}' is not a rate to watch at; write 10 to 1000"
        )),
    }
}

fn parse_budget(text: &str) -> Result<f64, String> {
    /// What uses more than this is a load, and no watch.
    const MOST: f64 = 0.1;
    /// A wait costs some ten microseconds, and the slowest rate makes ten of them a second.
    const LEAST: f64 = 0.0001;
    let share = parse_share(text)?;
    if !(LEAST..=MOST).contains(&share) {
        return Err(format!(
            "'{text}' is no budget of a watch; write 0.01% to 10%"
        ));
    }
    Ok(share)
}

fn parse_listen(text: &str) -> Result<Listen, String> {
    if text == "none" {
        return Ok(Listen::Nowhere);
    }
    if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
        return Ok(Listen::At(Address::Unix(path.into())));
    }
    let text = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    let address: Result<SocketAddr, _> = text.parse();
    address
        .map(|address| Listen::At(Address::Tcp(address)))
        .map_err(|_| {
            format!(
                "'{text}' is nowhere to listen; write 127.0.0.1:9836, [::1]:9836, unix:PATH or none"
            )
        })
}

fn parse_threshold(text: &str) -> Result<Duration, String> {
    /// Nearly every wake-up of an ordinary thread is later than its timer slack of 50 µs.
    const LEAST: Duration = Duration::from_micros(100);
    match parse_duration(text)? {
        threshold if threshold < LEAST => Err(format!(
            "'{text}' would save nearly every wake-up; the least is 100us"
        )),
        threshold => Ok(threshold),
    }
}

fn parse_keep(text: &str) -> Result<usize, String> {
    /// The page and `late.json` list all of them.
    const MOST: usize = 10_000;
    match text.parse() {
        Ok(keep) if (1..=MOST).contains(&keep) => Ok(keep),
        _ => Err(format!(
            "'{text}' is not a number to keep; write 1 to 10000"
        )),
    }
}

/// Bytes, with K, M or G behind the number for 1024 of the unit before.
fn parse_bytes(text: &str) -> Result<u64, String> {
    /// A recording of a quiet machine has a few hundred kilobytes.
    const LEAST: u64 = 1 << 20;
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'K')) => (&text[..at], 1 << 10),
        Some((at, 'M')) => (&text[..at], 1 << 20),
        Some((at, 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let bytes = number
        .parse()
        .ok()
        .and_then(|number: u64| number.checked_mul(unit));
    bytes.filter(|&bytes| bytes >= LEAST).ok_or_else(|| {
        format!("'{text}' is not enough bytes; write 1M or more, with K, M or G for the unit")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_to_answer_is_an_address_a_path_or_none() {
        let tcp = |text: &str| Ok(Listen::At(Address::Tcp(text.parse().unwrap())));
        assert_eq!(parse_listen("[::1]:9836"), tcp("[::1]:9836"));
        assert_eq!(parse_listen("localhost:80"), tcp("127.0.0.1:80"));
        assert_eq!(parse_listen("none"), Ok(Listen::Nowhere));
        let path = PathBuf::from("/run/p.sock");
        assert_eq!(
            parse_listen("unix:/run/p.sock"),
            Ok(Listen::At(Address::Unix(path)))
        );
        for wrong in ["", "unix:", "9836", ":9836", "example.org:80", "1.2.3.4"] {
            assert!(parse_listen(wrong).unwrap_err().contains("127.0.0.1:9836"));
        }
    }

    #[test]
    fn quantities_have_limits() {
        assert_eq!(parse_rate("50Hz"), Ok(50));
        assert_eq!(parse_budget("1%"), Ok(0.01));
        assert_eq!(parse_bytes("2M"), Ok(2 << 20));
        assert_eq!(parse_bytes("1048576"), Ok(1 << 20));
        for wrong in ["9", "1001", "-1", "", "1e2"] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
        for wrong in ["0", "0%", "11%", "1", "nan"] {
            assert!(parse_budget(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "M", "1", "1T", "99999999999G", "µ"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        assert!(parse_threshold("50us").is_err());
        assert!(parse_keep("0").is_err() && parse_keep("10001").is_err());
        assert!(parse_processors("").is_err() && parse_processors("3-1").is_err());
    }
}
