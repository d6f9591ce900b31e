#![doc = include_str!("../../docs/suspend.md")]

use crate::Instant;
use std::time::Duration;

/// What a suspension of the machine does to its clock and its waits. An argument of
/// [`VirtualOs::suspend_at`](super::VirtualOs::suspend_at).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suspension {
    /// The clock stands still, and so do all waits. As on Linux and macOS.
    Uncounted,
    /// The clock goes on. A wait whose deadline passes meanwhile ends when the machine resumes. As on
    /// Windows up to 7.
    Counted,
    /// The clock goes on, but the rest of a running wait passes only after the machine resumes. As on
    /// Windows since 8.
    CountedByClockOnly,
}

/// The suspensions of a virtual machine that are yet to come, and the length of those that have.
#[derive(Debug, Default)]
pub(super) struct Suspensions {
    /// In the order in which they come.
    planned: Vec<Planned>,
    total: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Planned {
    at: Instant,
    duration: Duration,
    suspension: Suspension,
}

/// How the one thread there is spends its time until an instant comes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Activity {
    /// It uses the processor for as long as it is until then.
    Working,
    /// It looks at the clock.
    Looking,
    /// The system ends its wait then, which was asked for until `asked`; or the bell does, then.
    Waiting {
        asked: Instant,
        bell: Option<Instant>,
    },
}

impl Suspensions {
    pub(super) fn plan(&mut self, at: Instant, duration: Duration, suspension: Suspension) {
        let place = self.planned.partition_point(|other| other.at <= at);
        let planned = Planned {
            at,
            duration,
            suspension,
        };
        self.planned.insert(place, planned);
    }

    pub(super) fn total(&self) -> Duration {
        self.total
    }

    /// What the clock reads when that instant has come, or as soon after it as the suspensions
    /// meanwhile permit.
    pub(super) fn pass(&mut self, now: Instant, until: Instant, activity: Activity) -> Instant {
        let (mut now, mut until) = (now, until);
        loop {
            let next = self.planned.first().copied();
            let Some(next) = next.filter(|next| next.at < until) else {
                break;
            };
            self.planned.remove(0);
            self.total += next.duration;
            if next.suspension != Suspension::Uncounted {
                now = now.max(next.at) + next.duration;
                until = next.postponed(until, now, activity);
            }
        }
        now.max(until)
    }
}

impl Planned {
    /// When what was to come at `until` comes, on a machine that resumes at `resumed`.
    fn postponed(&self, until: Instant, resumed: Instant, activity: Activity) -> Instant {
        let by_time = match activity {
            Activity::Working => until + self.duration,
            Activity::Looking => until.max(resumed),
            Activity::Waiting { .. } if self.suspension == Suspension::CountedByClockOnly => {
                until + self.duration
            }
            // It ends as late as the system ends any wait.
            Activity::Waiting { asked, .. } => until.max(resumed + until.duration_since(asked)),
        };
        match activity {
            Activity::Waiting {
                bell: Some(bell), ..
            } => by_time.min(bell.max(resumed)),
            _ => by_time,
        }
    }
}
