//! The flags of a watch. Every setting may also stand in the file of `--config`.

use clap::builder::RangedU64ValueParser;
use punctual_command::flags::listed;
use punctual_data::quantity::{parse_duration, parse_share};
use punctual_lab::environment::ProcessorSet;
use punctual_lab::waiters::Kind;
use punctual_lab::{Machine, Native};
use punctual_watch::settings::Address;
use punctual_watch::watched;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What the command line of a watch says.
#[derive(Debug, clap::Args)]
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

/// What a file of settings can say, too.
#[derive(Debug, clap::Args)]
pub struct SettingArgs {
    /// The processors to watch, such as 0-3,8 [default: all that this program may use]
    #[arg(long, visible_alias = "pin", value_name = "LIST", value_parser = parse_processors)]
    pub processors: Option<ProcessorSet>,

    /// A way of waiting; may be given several times
    #[arg(long, value_name = "METHOD", long_help = methods(), default_value = "punctual-coarse")]
    #[arg(value_parser = watched::method)]
    pub method: Vec<&'static str>,

    /// How often each thread waits in a second, 10 to 1000
    #[arg(long, value_name = "HERTZ", value_parser = parse_rate, default_value = "100")]
    pub rate: u32,

    /// The most of each watched processor that the watch may use
    ///
    /// It waits less often rather than use more.
    #[arg(long, value_name = "SHARE", value_parser = parse_budget, default_value = "0.5%")]
    pub budget: f64,

    /// Where to answer: an address with a port, unix:PATH, or none; may be given several times
    ///
    /// Nothing is secret that it tells, but for the names of processes in the recordings of
    /// --explain-late. On any other address than 127.0.0.1, whoever reaches it can read all of it.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_listen, default_value = "127.0.0.1:9836")]
    pub listen: Vec<Listen>,

    /// Also write punctual.prom into this folder, for node_exporter's textfile collector
    #[arg(long, value_name = "FOLDER")]
    pub textfile: Option<PathBuf>,

    /// Save and explain each wake-up that is later than this (Linux, root)
    ///
    /// A ring of the kernel's events is kept for this, which costs processor time under load.
    #[arg(long, value_name = "TIME", value_parser = parse_threshold)]
    pub explain_late: Option<Duration>,

    /// How many late wake-ups to keep
    #[arg(
        long,
        value_name = "N",
        requires = "explain_late",
        default_value = "100"
    )]
    // The page and `late.json` list all of them.
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    pub keep: usize,

    /// How many bytes all of them may take, such as 512M
    // A hundred recordings of a busy machine have 2 MB each.
    #[arg(
        long,
        value_name = "BYTES",
        requires = "explain_late",
        default_value = "256M"
    )]
    #[arg(value_parser = parse_bytes)]
    pub keep_bytes: u64,

    /// Where to keep them [default: what systemd gives, or punctual-watch in this user's folder
    /// for such files]
    #[arg(long, value_name = "FOLDER", requires = "explain_late")]
    pub folder: Option<PathBuf>,
}

/// A place to answer, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    At(Address),
    Nowhere,
}

fn methods() -> String {
    let offers = Native::waiters_for(Kind::Deadlines);
    let offers = offers.iter().map(|offer| (offer.name, offer.summary));
    format!(
        "A way of waiting; may be given several times\n\n\
         What spins is refused, because a watch may not keep a processor busy.\n\n{}",
        listed(offers)
    )
}

fn parse_processors(text: &str) -> Result<ProcessorSet, String> {
    let set: Option<ProcessorSet> = text.parse().ok();
    let set = set.filter(|set| set.count() > 0);
    let set = set.ok_or("it is not a list of processors; write one such as 0-3,8")?;
    watched::processors(&set).map_err(|error| error.to_string())?;
    Ok(set)
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
        assert!(parse_processors("").is_err() && parse_processors("3-1").is_err());
    }
}
