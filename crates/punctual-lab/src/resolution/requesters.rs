//! The programs and drivers that have requested a timer interval.

mod energy_report;

pub use energy_report::NotAReport;

#[cfg(feature = "sim")]
use crate::machine::NANOS_PER_UNIT;
#[cfg(feature = "sim")]
use crate::nanos;
use serde::{Deserialize, Serialize};

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
    /// use punctual_lab::resolution::{Requesters, Who};
    ///
    /// let report = "<h3>Platform Timer Resolution:Outstanding Timer Request</h3>
    ///     <table><tr><td>Requested Period</td><td>10000</td></tr>
    ///     <tr><td>Requesting Process ID</td><td>4242</td></tr>
    ///     <tr><td>Requesting Process Path</td><td>\\Device\\player.exe</td></tr></table>";
    /// let requesters = Requesters::of_report(report.as_bytes())?;
    /// assert_eq!(requesters.requests[0].interval_ns, 1_000_000);
    /// # Ok::<(), punctual_lab::resolution::NotAReport>(())
    /// ```
    ///
    /// # Errors
    /// If it says nothing about the timer resolution.
    pub fn of_report(bytes: &[u8]) -> Result<Self, NotAReport> {
        energy_report::parse(bytes)
    }

    /// The requests on the simulated machine that this program runs on, without those of this
    /// program.
    #[cfg(feature = "sim")]
    pub fn of_simulated(win32: &punctual_sim::windows::SimWin32) -> Self {
        use punctual::os::windows::Win32;
        let (view, own) = (win32.powercfg(), win32.number());
        let others = view.processes.iter().filter(|process| *process.0 != own);
        let process = |(&number, &interval): (&u32, &std::time::Duration)| Requested {
            interval_ns: nanos(interval),
            who: Who::Process {
                process_id: Some(number),
                program: win32.process_name(number),
            },
        };
        let kernel = view.kernel_request.map(|interval| Requested {
            interval_ns: nanos(interval),
            who: Who::Kernel,
        });
        let maximum = win32.nt_query_timer_resolution().ok();
        Self {
            platform_interval_ns: Some(nanos(view.platform_interval)),
            maximum_ns: maximum.map(|now| u64::from(now.maximum_time) * NANOS_PER_UNIT),
            requests: kernel.into_iter().chain(others.map(process)).collect(),
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

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulated::SimulatedCompanion as Companion;
    use crate::simulated::SimulatedMachine;
    use std::time::Duration;

    #[test]
    fn a_simulated_machine_lists_processes_and_drivers() {
        let mut machine: SimulatedMachine = "windows-10-2004".parse().unwrap();
        machine.companions = vec![
            Companion::requester(Duration::from_millis(2)),
            Companion::Driver {
                interval: Duration::from_millis(1),
            },
        ];
        let run = machine.run(1, |os| {
            use punctual_windows::os::windows::Win32Lab;
            os.win32().sleep(100);
            Requesters::of_simulated(os.win32())
        });
        let requesters = run.unwrap().value;
        assert_eq!(requesters.platform_interval_ns, Some(1_000_000));
        assert_eq!(requesters.requests[0].who, Who::Kernel);
        let by_process = requesters.requests.iter().find(|request| {
            matches!(&request.who, Who::Process { program: Some(name), .. } if name == "requester")
        });
        assert_eq!(by_process.unwrap().interval_ns, 2_000_000);
    }

    #[test]
    fn requests_read_back() {
        let requesters = Requesters {
            platform_interval_ns: None,
            maximum_ns: Some(15_625_000),
            requests: vec![
                Requested {
                    interval_ns: 1,
                    who: Who::Kernel,
                },
                Requested {
                    interval_ns: 2,
                    who: Who::Process {
                        process_id: Some(7),
                        program: None,
                    },
                },
            ],
        };
        let json = serde_json::to_string(&requesters).unwrap();
        assert!(json.contains(r#""kind":"kernel""#), "{json}");
        assert_eq!(
            serde_json::from_str::<Requesters>(&json).unwrap(),
            requesters
        );
    }
}
