//! What `powercfg /energy` shows of timer resolution (C13).

use super::choices::PlatformInterval;
use super::parameters::MachineParameters;
use super::requests::{Requester, Requests};
use super::rules::Rules;
use alloc::collections::{BTreeMap, BTreeSet};
use core::time::Duration;

/// What a process that has a high-resolution timer is listed with, although the interval does not
/// follow (sil-powercfg).
const HIGH_RESOLUTION_LISTED_AS: Duration = Duration::from_millis(1);

/// What `powercfg` shows, in units of 100 ns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Powercfg {
    /// The platform timer resolution: not the interval at which the machine ticks.
    pub platform_interval: Duration,
    /// The smallest outstanding request of a driver.
    pub kernel_request: Option<Duration>,
    /// The processes listed, each with the period it has asked for.
    pub processes: BTreeMap<u32, Duration>,
}

impl Powercfg {
    /// The view of a machine on which these processes hold high-resolution timers.
    pub fn view(
        rules: &Rules,
        parameters: &MachineParameters,
        requests: &Requests,
        high_resolution: &BTreeSet<u32>,
    ) -> Self {
        let kernel_request = requests.smallest_of_drivers();
        let counted = match rules.platform_interval {
            PlatformInterval::AllRequests => requests.smallest(rules),
            PlatformInterval::KernelRequests => kernel_request,
        };
        let default = parameters.default_interval;
        let mut processes: BTreeMap<u32, Duration> = requests
            .in_force(rules)
            .filter_map(|(requester, interval)| match requester {
                Requester::Process(process) => Some((process, interval)),
                Requester::Driver(_) => None,
            })
            .collect();
        for process in high_resolution {
            let listed = processes
                .entry(*process)
                .or_insert(HIGH_RESOLUTION_LISTED_AS);
            *listed = (*listed).min(HIGH_RESOLUTION_LISTED_AS);
        }
        Self {
            platform_interval: counted.map_or(default, |counted| counted.min(default)),
            kernel_request,
            processes,
        }
    }
}
