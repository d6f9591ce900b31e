//! The programs and drivers that have requested a timer interval.

mod energy_report;

pub use energy_report::NotAReport;

use crate::Powercfg;
use punctual_data::quantity::whole_nanos;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What Windows tells about requests, as `powercfg /energy` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Requesters {
    /// The platform's timer resolution. Since Windows 10 version 2004 this is not the time between
    /// interrupts, because requests of processes do not count in it.
    pub platform_interval_ns: Option<u64>,
    /// The longest interval.
    pub maximum_ns: Option<u64>,
    /// Outstanding requests, the shortest interval first.
    pub requests: Vec<Requested>,
}

/// An outstanding request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requested {
    /// The requested interval.
    pub interval_ns: u64,
    /// The requester.
    #[serde(flatten)]
    pub who: Who,
}

/// A requester.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Who {
    /// A driver, or the kernel itself; Windows does not tell which.
    Kernel,
    /// A process.
    Process {
        /// Its id, while it runs.
        process_id: Option<u32>,
        /// The program, if the system tells it: a path in the kernel's form
        /// (`\Device\HarddiskVolume4\…`), or a name.
        program: Option<String>,
    },
}

impl Requesters {
    /// Reads a report that `powercfg /energy` has written, as HTML or, with `/xml`, as XML.
    ///
    /// ```
    /// use punctual_windows::requesters::{Requesters, Who};
    ///
    /// let report = "<h3>Platform Timer Resolution:Outstanding Timer Request</h3>
    ///     <table><tr><td>Requested Period</td><td>10000</td></tr>
    ///     <tr><td>Requesting Process ID</td><td>4242</td></tr>
    ///     <tr><td>Requesting Process Path</td><td>\\Device\\player.exe</td></tr></table>";
    /// let requesters = Requesters::of_report(report.as_bytes())?;
    /// assert_eq!(requesters.requests[0].interval_ns, 1_000_000);
    /// # Ok::<(), punctual_windows::requesters::NotAReport>(())
    /// ```
    ///
    /// # Errors
    /// If it says nothing about the timer resolution.
    pub fn of_report(bytes: &[u8]) -> Result<Self, NotAReport> {
        energy_report::parse(bytes)
    }

    /// What a machine shows to one of its processes: the requests of all others.
    pub fn of_view(
        view: &Powercfg,
        own_process: u32,
        maximum: Option<Duration>,
        name: impl Fn(u32) -> Option<String>,
    ) -> Self {
        let others = view.processes.iter().filter(|it| *it.0 != own_process);
        let processes = others.map(|(&number, &interval)| Requested {
            interval_ns: whole_nanos(interval),
            who: Who::Process {
                process_id: Some(number),
                program: name(number),
            },
        });
        let kernel = view.kernel_request.map(|interval| Requested {
            interval_ns: whole_nanos(interval),
            who: Who::Kernel,
        });
        Self {
            platform_interval_ns: Some(whole_nanos(view.platform_interval)),
            maximum_ns: maximum.map(whole_nanos),
            requests: kernel.into_iter().chain(processes).collect(),
        }
        .sorted()
    }

    /// The shortest interval first; equal ones by requester.
    pub(super) fn sorted(mut self) -> Self {
        self.requests.sort_by(|one, other| {
            (one.interval_ns, &one.who).cmp(&(other.interval_ns, &other.who))
        });
        self
    }
}
