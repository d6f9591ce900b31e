//! What is watched, how often, for which budget, and who is told.

use punctual_lab::environment::ProcessorSet;
use punctual_trace::recorder::{FirstToGo, Rules};
use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a watch. They have been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The processors that are watched, as the system numbers them; empty for all that are online.
    pub processors: ProcessorSet,
    /// The names of the ways of waiting.
    pub methods: Vec<&'static str>,
    /// How often each waits, 10 to 1000.
    pub rate_hertz: u32,
    /// The greatest share of each watched processor that the watch uses: 0.005 is half a percent.
    pub budget: f64,
    /// Where it answers.
    pub listen: Vec<Address>,
    /// The folder of node_exporter's textfile collector.
    pub textfile: Option<PathBuf>,
    /// The flight recorder.
    pub late: Option<LateSettings>,
}

/// Where a watch answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// An address and a port.
    Tcp(SocketAddr),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

/// The settings of the flight recorder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateSettings {
    /// A wake-up that is later than this is saved.
    pub threshold: Duration,
    /// How many are kept.
    pub keep: usize,
    /// Where.
    pub folder: PathBuf,
    /// How many bytes all of them may take.
    pub keep_bytes: u64,
}

impl LateSettings {
    /// The rules by which late wake-ups are kept: the oldest make room.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            threshold: self.threshold,
            most: self.keep,
            most_bytes: self.keep_bytes,
            first_to_go: FirstToGo::Oldest,
        }
    }
}

/// As `--listen` has it: `127.0.0.1:9836`, `unix:/run/punctual.sock`.
impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "{address}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            processors: ProcessorSet::default(),
            methods: vec!["punctual-coarse"],
            rate_hertz: 100,
            budget: 0.005,
            listen: vec![Address::Tcp(SocketAddr::from(([127, 0, 0, 1], 9836)))],
            textfile: None,
            late: None,
        }
    }
}
