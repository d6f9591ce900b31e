//! Which rules a prediction rests on.

use super::asked::{Asked, Begun, Call, Looks, Subject};
use super::footing::{
    ARBITRATION, COSTS, LAST_TICK, MESSAGE_TIMER, PERIODIC_WAITABLE, POOL_TIMER, SCHEDULING,
    SELECT, TICK_COUNT, TIME_SET_EVENT,
};
use crate::choices::{Rearm, RequestReach};
use crate::{Companion, Femtos, Rules, multimedia_request, tick_interval};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

/// What a wake-up and the calls around it take at most, on the simulated machine: if a tick comes
/// within this time after a wait is due, it makes a difference whether the wait counts from the tick
/// or from the call.
const MOST_COST: Duration = Duration::from_micros(50);

/// The rules that the outcome depends on, by name, each once.
pub(super) fn rests_on(subject: &Subject, asked: &Asked) -> Vec<&'static str> {
    let situation = Situation::of(subject, asked);
    let mut rules = by_call(subject, asked);
    let own = asked.request.map(|_| asked.standing);
    let requesters: Vec<_> = subject.standings_of_others().chain(own).collect();
    let all = [
        (
            ARBITRATION,
            situation.is_shortened() && situation.driver.is_none(),
        ),
        ("lattice", situation.is_shortened()),
        ("due-time", situation.depends_on_due_time()),
        (
            "request-reach",
            situation.is_shortened() && situation.is_wait(),
        ),
        ("idle-expiry", situation.depends_on_idle_expiry()),
        (
            "kernel-requests",
            situation.driver.is_some() && situation.is_wait(),
        ),
        ("global-key", subject.parameters.global_requests),
        ("occlusion", requesters.iter().any(|one| one.hidden)),
        (
            "throttling",
            requesters.iter().any(|one| one.throttling.is_some()),
        ),
        ("tolerance", asked.is_tolerant),
        (SCHEDULING, situation.is_busy()),
        (LAST_TICK, asked.looks == Looks::LastTick),
        (TICK_COUNT, asked.looks == Looks::TickCount),
    ];
    rules.extend(
        all.iter()
            .filter(|(_, rests)| *rests)
            .map(|(rule, _)| *rule),
    );
    rules
}

/// The rules about this kind of call alone.
fn by_call(subject: &Subject, asked: &Asked) -> Vec<&'static str> {
    let is_shortened = Situation::of(subject, asked).is_shortened();
    match asked.call {
        Call::Ordinary => Vec::new(),
        Call::Waitable if asked.is_periodic && subject.rules.rearm == Rearm::Schedule => {
            vec!["rearm", PERIODIC_WAITABLE]
        }
        Call::Waitable if asked.is_periodic => vec!["rearm"],
        Call::Waitable => Vec::new(),
        Call::HighResolution => vec!["high-resolution"],
        Call::TimerQueue => {
            let class = is_shortened && subject.rules.request_reach == RequestReach::Process;
            let all = [
                ("rearm", asked.is_periodic),
                ("timer-queue-extra", asked.is_periodic),
                ("timer-queue-class", class),
            ];
            let all = all.into_iter().filter(|(_, rests)| *rests);
            all.map(|(rule, _)| rule).collect()
        }
        Call::Pool => vec![POOL_TIMER],
        Call::Multimedia => vec![TIME_SET_EVENT],
        Call::Message => vec![MESSAGE_TIMER],
        Call::Select => vec![SELECT],
        Call::Interval => Vec::new(),
        Call::Clock => vec![COSTS],
    }
}

/// The requests that are in force, and whose.
struct Situation<'a> {
    subject: &'a Subject,
    asked: &'a Asked,
    own: Option<Duration>,
    others: Option<Duration>,
    driver: Option<Duration>,
}

impl<'a> Situation<'a> {
    fn of(subject: &'a Subject, asked: &'a Asked) -> Self {
        let (others, driver) = subject.requests_of_others();
        let by_the_call =
            (asked.call == Call::Multimedia).then(|| multimedia_request(Duration::ZERO));
        Self {
            subject,
            asked,
            own: asked.request.into_iter().chain(by_the_call).min(),
            others,
            driver,
        }
    }

    fn rules(&self) -> &Rules {
        &self.subject.rules
    }

    fn smallest_request(&self) -> Option<Duration> {
        [self.own, self.others, self.driver]
            .into_iter()
            .flatten()
            .min()
    }

    fn is_shortened(&self) -> bool {
        let default = self.subject.parameters.default_interval;
        self.smallest_request()
            .is_some_and(|request| request < default)
    }

    fn is_wait(&self) -> bool {
        !matches!(self.asked.call, Call::Clock | Call::Interval)
    }

    /// A wait that ticks end, not an interrupt of its own.
    fn is_ended_by_ticks(&self) -> bool {
        self.is_wait() && self.asked.call != Call::HighResolution
    }

    /// Whether it belongs to the class of other waits while ticks come more often than that class
    /// expires.
    fn is_among_others(&self) -> bool {
        let applies = self.rules().request_reach == RequestReach::Process;
        applies && self.own.is_none() && self.driver.is_none() && self.is_shortened()
    }

    /// Whether others sleep or compute at times of their own.
    fn is_busy(&self) -> bool {
        let computes =
            |companion: &Companion| matches!(companion, Companion::Load | Companion::Switch);
        self.subject.companions.iter().any(computes)
    }

    fn has_sleepers(&self) -> bool {
        let sleeps = |companion: &Companion| {
            matches!(
                companion,
                Companion::Sleepers { .. } | Companion::Toggler { .. }
            )
        };
        self.subject.companions.iter().any(sleeps)
    }

    /// In a tight loop a wait begins just after a tick, so that only a wait of nearly a whole number
    /// of ticks ends at another tick if it counts from the call. Other waits of the same class begin
    /// at any time.
    fn depends_on_due_time(&self) -> bool {
        if !self.is_ended_by_ticks() || self.asked.is_periodic {
            return false;
        }
        self.asked.begun == Begun::AnyTime
            || self.is_busy()
            || (self.is_among_others() && self.has_sleepers())
            || self.is_due_near_a_tick()
    }

    fn is_due_near_a_tick(&self) -> bool {
        let parameters = &self.subject.parameters;
        let tick = tick_interval(self.rules(), parameters, self.smallest_request());
        let from_tick = Femtos::from(self.asked.duration).covering(tick);
        let from_call = Femtos::from(self.asked.duration + MOST_COST).covering(tick);
        from_tick != from_call
    }

    /// Whether the class of other waits may meet an instant to expire at which nothing is due.
    fn depends_on_idle_expiry(&self) -> bool {
        let parameters = &self.subject.parameters;
        let rhythm = parameters.default_interval - parameters.smallest_interval;
        let is_idle = self.asked.begun == Begun::AnyTime || self.asked.duration >= rhythm;
        self.is_ended_by_ticks() && self.is_among_others() && is_idle
    }
}
