//! The timer interrupt of one machine: computes from its requests the ticks that end waits.

use super::choices::KernelRequests;
use super::clock::{Clock, tick_interval};
use super::expiry::{Class, WaitKind, class, due_time};
use super::others::{OtherWaits, Rhythm};
use super::parameters::MachineParameters;
use super::requests::{Requester, Requests};
use super::rules::Rules;
use super::standing::Throttling;
use core::time::Duration;
use punctual::Instant;

/// The clock of a machine, the requests that set its interval, and the class of other waits, in step.
///
/// It holds no waits: the caller, an engine or an emulator, keeps them. When a wait begins, the caller
/// asks for its [class](Self::class) and [due time](Self::due_time). It asks for the
/// [tick](Self::next_expiry) that ends the first wait of a class, and reports when a class
/// [has expired](Self::expire). Calls must come in the order of their `now`. After a call that takes
/// `&mut self`, compute ticks again.
///
/// ```
/// use punctual::Instant;
/// use punctual_windows::{MachineParameters, Requester, TimerInterrupt, WaitKind, WINDOWS_10_2004};
/// use std::time::Duration;
///
/// let (ours, theirs) = (1, 2);
/// let at = |micros: u64| Instant::from_nanos(micros * 1_000);
/// let millisecond = Duration::from_millis(1);
/// let machine = MachineParameters::default();
/// let mut timer = TimerInterrupt::new(WINDOWS_10_2004, machine, at(0));
/// timer.begin_request(at(0), Requester::Process(theirs), millisecond);
///
/// let sleep_1 = |process| {
///     let due = timer.due_time(at(20_000), millisecond);
///     timer.next_expiry(timer.class(process, WaitKind::Ordinary), due).duration_since(at(20_000))
/// };
/// assert!(sleep_1(theirs) < 2 * millisecond);
/// assert!(sleep_1(ours) > 10 * millisecond, "another process's request does not help");
/// ```
#[derive(Debug, Clone)]
pub struct TimerInterrupt {
    rules: Rules,
    parameters: MachineParameters,
    requests: Requests,
    clock: Clock,
    others: OtherWaits,
}

impl TimerInterrupt {
    /// A machine without requests, whose first tick is at this instant.
    pub fn new(rules: Rules, parameters: MachineParameters, first_tick: Instant) -> Self {
        let requests = Requests::default();
        let clock = Clock::new(first_tick, tick_interval(&rules, &parameters, None));
        let rhythm = rhythm(&rules, &parameters, &requests);
        Self {
            rules,
            parameters,
            requests,
            clock,
            others: OtherWaits::new(rhythm, &clock, first_tick),
        }
    }

    /// Its rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The machine it is part of.
    pub fn parameters(&self) -> &MachineParameters {
        &self.parameters
    }

    /// When ticks come.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The requests of all processes and drivers.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Adds a process's or driver's request for an interval.
    pub fn begin_request(&mut self, now: Instant, requester: Requester, interval: Duration) {
        self.requests.begin(requester, interval);
        self.arbitrate(now);
    }

    /// Ends one such request; `false` if there is none.
    pub fn end_request(&mut self, now: Instant, requester: Requester, interval: Duration) -> bool {
        let held = self.requests.end(requester, interval);
        self.arbitrate(now);
        held
    }

    /// Removes a process or driver, with all its requests.
    pub fn exit(&mut self, now: Instant, requester: Requester) {
        self.requests.exit(requester);
        self.arbitrate(now);
    }

    /// Sets whether a process is hidden and silent.
    pub fn set_hidden(&mut self, now: Instant, process: u32, hidden: bool) {
        self.requests.set_hidden(process, hidden);
        self.arbitrate(now);
    }

    /// Sets what a process wants Windows to do with its requests.
    pub fn set_throttling(&mut self, now: Instant, process: u32, throttling: Option<Throttling>) {
        self.requests.set_throttling(process, throttling);
        self.arbitrate(now);
    }

    /// When a wait that is begun now and lasts this long is due.
    pub fn due_time(&self, now: Instant, wait: Duration) -> Instant {
        due_time(&self.rules, &self.clock, now, wait)
    }

    /// The class of a wait that a process begins now.
    pub fn class(&self, process: u32, kind: WaitKind) -> Class {
        class(&self.rules, &self.parameters, &self.requests, process, kind)
    }

    /// The tick that ends the wait which is due first of its class, and with it every wait of the
    /// class that is due by then.
    ///
    /// A wait that is due at or before the last tick when it begins is no wait: it ends at once.
    pub fn next_expiry(&self, class: Class, first_due: Instant) -> Instant {
        match class {
            Class::Requesting => self.clock.tick_at_or_after(first_due),
            Class::Other => self.others.next_expiry(&self.clock, first_due),
        }
    }

    /// Waits of this class have ended at this tick.
    pub fn expire(&mut self, class: Class, tick: Instant) {
        if class == Class::Other {
            self.others.expire(&self.clock, tick);
        }
    }

    /// An interrupt comes between two ticks, and is one itself: the next comes an interval after it.
    /// Compute ticks again.
    pub fn restart_ticks(&mut self, now: Instant) {
        let rhythm = rhythm(&self.rules, &self.parameters, &self.requests);
        self.others.set_rhythm(&self.clock, now, rhythm);
        self.clock.restart(now);
    }

    /// Whatever has changed about requests, makes the clock and the classes follow (C1, C6).
    fn arbitrate(&mut self, now: Instant) {
        let rhythm = rhythm(&self.rules, &self.parameters, &self.requests);
        self.others.set_rhythm(&self.clock, now, rhythm);
        let smallest = self.requests.smallest(&self.rules);
        let interval = tick_interval(&self.rules, &self.parameters, smallest);
        self.clock.set_interval(now, interval);
    }
}

fn rhythm(rules: &Rules, parameters: &MachineParameters, requests: &Requests) -> Rhythm {
    let kernel_request = match rules.kernel_requests {
        KernelRequests::IntervalOnly => None,
        KernelRequests::Everyone => requests.smallest_of_drivers(),
    };
    let default = parameters.default_interval;
    Rhythm {
        default_interval: kernel_request.map_or(default, |request| {
            request.clamp(parameters.smallest_interval, default)
        }),
        smallest_interval: parameters.smallest_interval,
        idle_expiry: rules.idle_expiry,
    }
}

#[cfg(test)]
mod tests {
    use super::super::versions::WINDOWS_10_2004;
    use super::*;

    #[test]
    fn a_driver_ends_the_long_wait_of_others_at_the_next_tick() {
        let at = |micros: u64| Instant::from_nanos(micros * 1_000);
        let machine = MachineParameters::default();
        let mut timer = TimerInterrupt::new(WINDOWS_10_2004, machine, at(0));
        timer.begin_request(at(0), Requester::Process(1), Duration::from_millis(1));
        let first_tick = timer.clock().tick_after(at(0));
        let begun = timer.clock().tick_after(first_tick);
        let due = timer.due_time(begun, Duration::from_millis(1));
        let class = timer.class(2, WaitKind::Ordinary);
        let expiry = timer.next_expiry(class, due);
        assert!(expiry > begun + Duration::from_millis(10));

        let now = begun + Duration::from_micros(8_300);
        timer.begin_request(now, Requester::Driver(0), Duration::from_millis(1));
        assert_eq!(timer.next_expiry(class, due), timer.clock().tick_after(now));
    }
}
