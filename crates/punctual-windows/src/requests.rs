//! The requests of processes and drivers for an interval (C1, C6, C7, C12), and what
//! `powercfg /energy` shows of them (C13).

use super::choices::{self, Occlusion};
use super::rules::Rules;
use super::standing::{Standing, Throttling};
use crate::choices::PlatformInterval;
use crate::parameters::MachineParameters;
use alloc::collections::{BTreeMap, BTreeSet};
use core::time::Duration;

/// A process or driver that requests an interval. The caller chooses the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requester {
    /// A process, by `timeBeginPeriod`, `NtSetTimerResolution` or `timeSetEvent`.
    Process(u32),
    /// A driver, by `ExSetTimerResolution`.
    Driver(u32),
}

/// The request that `timeSetEvent` holds while its timer is active (C12): its resolution argument,
/// of which zero means the finest there is, in whole milliseconds.
pub fn multimedia_request(resolution: Duration) -> Duration {
    resolution.max(Duration::from_millis(1))
}

/// All outstanding requests of a machine.
///
/// ```
/// use punctual_windows::{Requester, Requests, WINDOWS_7};
/// use std::time::Duration;
///
/// let (two, four) = (Duration::from_millis(2), Duration::from_millis(4));
/// let mut requests = Requests::default();
/// requests.begin(Requester::Process(1), two);
/// requests.begin(Requester::Process(2), four);
/// assert_eq!(requests.smallest(&WINDOWS_7), Some(two));
/// assert!(!requests.end(Requester::Process(1), four), "that one is another's");
/// requests.exit(Requester::Process(1));
/// assert_eq!(requests.smallest(&WINDOWS_7), Some(four));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Requests {
    /// Each requester's multiset: how often it has asked for each interval. Neither an empty
    /// multiset nor a zero is kept.
    held: BTreeMap<Requester, BTreeMap<Duration, u32>>,
    /// Processes that nobody sees or hears, or that have said something about it.
    standing: BTreeMap<u32, Standing>,
}

impl Requests {
    /// Adds a request.
    pub fn begin(&mut self, requester: Requester, interval: Duration) {
        let held = self.held.entry(requester).or_default();
        *held.entry(interval).or_default() += 1;
    }

    /// Removes one request for exactly this interval; `false` if the requester holds none.
    pub fn end(&mut self, requester: Requester, interval: Duration) -> bool {
        let Some(held) = self.held.get_mut(&requester) else {
            return false;
        };
        let Some(count) = held.get_mut(&interval) else {
            return false;
        };
        *count -= 1;
        if *count == 0 {
            held.remove(&interval);
        }
        if held.is_empty() {
            self.held.remove(&requester);
        }
        true
    }

    /// Removes all that a process or driver holds, because it is gone.
    pub fn exit(&mut self, requester: Requester) {
        self.held.remove(&requester);
        if let Requester::Process(process) = requester {
            self.standing.remove(&process);
        }
    }

    /// Sets whether a process is visible or audible.
    pub fn set_hidden(&mut self, process: u32, hidden: bool) {
        self.standing.entry(process).or_default().hidden = hidden;
    }

    /// Sets what a process wants Windows to do with its requests.
    pub fn set_throttling(&mut self, process: u32, throttling: Option<Throttling>) {
        self.standing.entry(process).or_default().throttling = throttling;
    }

    /// Every requester whose requests count, with the smallest of them.
    pub fn in_force(&self, rules: &Rules) -> impl Iterator<Item = (Requester, Duration)> {
        let counting = self.held.iter().filter(|held| self.counts(rules, *held.0));
        counting.filter_map(|(requester, held)| Some((*requester, *held.keys().next()?)))
    }

    /// The smallest request in force.
    pub fn smallest(&self, rules: &Rules) -> Option<Duration> {
        self.in_force(rules).map(|(_, interval)| interval).min()
    }

    /// The smallest request of a driver.
    pub fn smallest_of_drivers(&self) -> Option<Duration> {
        let drivers = self.held.range(Requester::Driver(0)..);
        drivers
            .filter_map(|(_, held)| held.keys().next().copied())
            .min()
    }

    /// Whether a process has a request in force.
    pub fn is_requesting(&self, rules: &Rules, process: u32) -> bool {
        let requester = Requester::Process(process);
        self.held.contains_key(&requester) && self.counts(rules, requester)
    }

    fn counts(&self, rules: &Rules, requester: Requester) -> bool {
        let Requester::Process(process) = requester else {
            return true;
        };
        let standing = self.standing.get(&process).copied().unwrap_or_default();
        let is_known = rules.throttling == choices::Throttling::Known;
        match standing.throttling.filter(|_| is_known) {
            Some(throttling) => throttling == Throttling::Honour,
            None => !(standing.hidden && rules.occlusion == Occlusion::Withdraws),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::super::versions::{WINDOWS_10_2004, WINDOWS_11};
    use super::*;
    use proptest::prelude::*;

    const PROCESS: Requester = Requester::Process(1);
    const MILLISECOND: Duration = Duration::from_millis(1);
    const FLAG: u32 = Throttling::IGNORE_TIMER_RESOLUTION;

    fn requests_of_a_hidden_process(throttling: Option<Throttling>) -> Requests {
        let mut requests = Requests::default();
        requests.begin(PROCESS, MILLISECOND);
        requests.set_hidden(1, true);
        requests.set_throttling(1, throttling);
        requests
    }

    #[test]
    fn the_flag_in_the_control_mask_alone_honours_a_hidden_process() {
        for (control, state, honoured) in [
            (0, 0, false),
            (0, FLAG, false),
            (FLAG, 0, true),
            (FLAG, FLAG, false),
        ] {
            let said = Throttling::from_masks(control, state);
            let requests = requests_of_a_hidden_process(said);
            let smallest = requests.smallest(&WINDOWS_11);
            assert_eq!(smallest.is_some(), honoured, "{control} {state}");
            assert_eq!(requests.is_requesting(&WINDOWS_11, 1), honoured);
            assert!(requests.is_requesting(&WINDOWS_10_2004, 1));
        }
    }

    #[test]
    fn a_process_that_is_seen_again_requests_again() {
        let mut requests = requests_of_a_hidden_process(None);
        requests.set_hidden(1, false);
        assert!(requests.is_requesting(&WINDOWS_11, 1));
    }

    #[test]
    fn a_new_process_of_the_same_number_is_not_hidden() {
        let mut requests = requests_of_a_hidden_process(Some(Throttling::Ignore));
        requests.exit(PROCESS);
        requests.begin(PROCESS, MILLISECOND);
        assert!(requests.is_requesting(&WINDOWS_11, 1));
    }

    #[test]
    fn drivers_count_and_are_counted_apart() {
        let mut requests = Requests::default();
        requests.begin(PROCESS, MILLISECOND);
        assert_eq!(requests.smallest_of_drivers(), None);
        requests.begin(Requester::Driver(0), MILLISECOND * 2);
        requests.begin(Requester::Driver(7), MILLISECOND * 3);
        assert_eq!(requests.smallest_of_drivers(), Some(MILLISECOND * 2));
    }

    proptest! {
        /// Against a plain list of all requests.
        #[test]
        fn is_a_multiset_per_requester(
            calls in prop::collection::vec((0u32..3, 1u64..5, 0u8..8), 0..60),
        ) {
            let mut requests = Requests::default();
            let mut model: Vec<(Requester, Duration)> = Vec::new();
            for (process, millis, call) in calls {
                let entry = (Requester::Process(process), Duration::from_millis(millis));
                match call {
                    0 => {
                        requests.exit(entry.0);
                        model.retain(|held| held.0 != entry.0);
                    }
                    1..4 => {
                        let held = model.iter().position(|held| *held == entry);
                        held.map(|index| model.swap_remove(index));
                        prop_assert_eq!(requests.end(entry.0, entry.1), held.is_some());
                    }
                    _ => {
                        requests.begin(entry.0, entry.1);
                        model.push(entry);
                    }
                }
                let smallest = model.iter().map(|held| held.1).min();
                prop_assert_eq!(requests.smallest(&WINDOWS_11), smallest);
            }
        }
    }
}
