//! The programs and drivers that have requested a timer interval on a simulated machine.

use crate::machine::NANOS_PER_UNIT;
use punctual::os::windows::Win32;
use punctual_sim::windows::SimWin32;
use punctual_windows::requesters::Requesters;
use std::time::Duration;

/// The requests on the machine that this program runs on, without those of this program.
pub fn of_simulated(win32: &SimWin32) -> Requesters {
    let now = win32.nt_query_timer_resolution().ok();
    let maximum = now.map(|now| Duration::from_nanos(u64::from(now.maximum_time) * NANOS_PER_UNIT));
    let name = |number| win32.process_name(number);
    Requesters::of_view(&win32.powercfg(), win32.number(), maximum, name)
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulated::SimulatedCompanion as Companion;
    use crate::simulated::SimulatedMachine;
    use punctual_windows::requesters::{Requested, Who};
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
            of_simulated(os.win32())
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
