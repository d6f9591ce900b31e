//! The judge of the waits of threads and tasks.

use super::super::log::{Awaited, What};
use super::super::program::EndedBy;
use super::bell::{Bell, Heard};
use super::schedule::Expected;
use super::{BOUND, ShutDown, Verdict, ensure};
use punctual::Window;
use punctual::{Instant, Wake};
use punctual_sim::faults::Calls;
use std::collections::HashMap;
use std::time::Duration;

#[derive(Default)]
pub struct Waits {
    sleeps: HashMap<usize, Sleep>,
    tickers: HashMap<usize, Ticker>,
    awaits: HashMap<usize, (Window, Option<Instant>, Instant)>,
    cancels: HashMap<usize, Bell>,
    notifies: HashMap<usize, Bell>,
}

struct Sleep {
    actor: usize,
    window: Window,
    ended_by: EndedBy,
    at: Instant,
    /// Of its bell, when it began.
    heard: Heard,
}

struct Ticker {
    schedule: Expected,
    cancel: Option<usize>,
    /// Of its cancel, when the last tick was asked for, or before.
    heard: Heard,
    at: Instant,
}

/// A wait reads the clock when it begins, after each wait of the system, and at the end of its spin.
const READINGS: u64 = 2;

impl Waits {
    pub fn see(&mut self, what: &What, end: &ShutDown) -> Verdict {
        match *what {
            What::RingCancel { ring, cancel } => self.cancels.entry(cancel).or_default().ring(ring),
            What::RungCancel { ring, cancel, at } => {
                self.cancels.entry(cancel).or_default().rung(ring, at);
            }
            What::ResetCancel { cancel } => self.cancels.entry(cancel).or_default().reset_begins(),
            What::WasReset { cancel } => self.cancels.entry(cancel).or_default().was_reset(),
            What::RingNotify { ring, actor } => self.notifies.entry(actor).or_default().ring(ring),
            What::RungNotify { ring, actor, at } => {
                self.notifies.entry(actor).or_default().rung(ring, at);
            }
            What::Sleep {
                wait,
                actor,
                window,
                ended_by,
                at,
            } => {
                let heard = self.bell(ended_by, actor).map(|bell| {
                    if ended_by == EndedBy::Notify {
                        bell.wait_begins();
                    }
                    bell.heard_from()
                });
                let heard = heard.unwrap_or_default();
                let sleep = Sleep {
                    actor,
                    window,
                    ended_by,
                    at,
                    heard,
                };
                self.sleeps.insert(wait, sleep);
            }
            What::Slept {
                wait,
                margin,
                end,
                calls,
                at,
            } => {
                let sleep = self.sleeps.remove(&wait).ok_or("it never began")?;
                few_calls(calls)?;
                return match end {
                    Some(wake) => self.slept(&sleep, wake, margin, at),
                    None => self.rung(&sleep, at),
                };
            }
            What::Ticker {
                wait,
                every,
                start,
                cancel,
                at,
            } => {
                let schedule = Expected::new(every, start);
                let bell = cancel.and_then(|cancel| self.cancels.get(&cancel));
                let heard = bell.map(Bell::heard_from).unwrap_or_default();
                self.tickers.insert(
                    wait,
                    Ticker {
                        schedule,
                        cancel,
                        heard,
                        at,
                    },
                );
            }
            What::TickOf {
                wait,
                tick,
                calls,
                at,
            } => {
                let ticker = self.tickers.get_mut(&wait).ok_or("it never began")?;
                // Without high-resolution timers a ticker looks for the phase of the interrupts first.
                if tick.is_none_or(|tick| tick.index > 0) {
                    few_calls(calls)?;
                }
                let Some(tick) = tick else {
                    let bell = ticker.cancel.and_then(|cancel| self.cancels.get(&cancel));
                    let is_rung = bell.is_some_and(|bell| bell.may_have_ended(ticker.heard));
                    ensure!(
                        is_rung || end.begun.is_some(),
                        "it ended, but nobody ended it"
                    );
                    return Ok(());
                };
                let before = ticker.at;
                let by = ticker.schedule.by(before);
                ensure!(tick.woke <= by, "it came late, by {:?}", tick.woke - by);
                ensure!(at >= tick.woke, "the clock went back");
                ticker.at = at;
                return ticker.schedule.tick(&tick, before);
            }
            What::Await {
                wait,
                window,
                limit,
                at,
            } => {
                self.awaits.insert(wait, (window, limit, at));
            }
            What::Awaited {
                wait,
                end: result,
                at,
            } => return self.awaited(wait, result, at, end),
            _ => {}
        }
        Ok(())
    }

    /// No wait may still last.
    pub fn over(&self) -> Verdict {
        ensure!(
            self.sleeps.is_empty() && self.awaits.is_empty(),
            "a wait has not ended"
        );
        Ok(())
    }

    fn bell(&mut self, ended_by: EndedBy, actor: usize) -> Option<&mut Bell> {
        match ended_by {
            EndedBy::Nothing => None,
            EndedBy::Cancel(cancel) => Some(self.cancels.entry(cancel).or_default()),
            EndedBy::Notify => Some(self.notifies.entry(actor).or_default()),
        }
    }

    fn slept(&mut self, sleep: &Sleep, wake: Wake, margin: Duration, at: Instant) -> Verdict {
        let (earliest, latest) = (sleep.window.earliest(), sleep.window.latest());
        ensure!(wake.deadline == earliest, "another deadline was reported");
        ensure!(
            wake.woke >= earliest,
            "early, by {:?}",
            earliest - wake.woke
        );
        ensure!(at >= wake.woke, "the clock went back");
        let by = latest.max(sleep.at) + BOUND;
        ensure!(at <= by, "it came late, by {:?}", at - by);
        let was_over = wake.slept.is_zero() && wake.spun.is_zero();
        let rested = wake.woke - wake.spun;
        let bell = self.bell(sleep.ended_by, sleep.actor);
        let was_rung = bell.is_some_and(|bell| bell.was_rung(sleep.heard));
        let alarm = (latest - margin).min(earliest);
        ensure!(rested >= alarm, "it spun for longer than {margin:?}");
        // A bell that wakes late may do so after the deadline.
        let is_later = was_over || rested >= earliest;
        ensure!(
            !was_rung || is_later,
            "its bell was rung before, and it waited"
        );
        if let Some(bell) = self.bell(sleep.ended_by, sleep.actor)
            && let Some(since) = bell.rung_since.filter(|_| !was_over)
        {
            ensure!(
                rested <= since.max(sleep.at) + BOUND,
                "a ring did not end it, {:?} ago",
                rested - since
            );
        }
        Ok(())
    }

    /// A bell ended it.
    fn rung(&mut self, sleep: &Sleep, at: Instant) -> Verdict {
        let is_notify = sleep.ended_by == EndedBy::Notify;
        let began = sleep.at;
        let bell = self
            .bell(sleep.ended_by, sleep.actor)
            .ok_or("it has no bell")?;
        ensure!(bell.may_have_ended(sleep.heard), "nothing rang");
        if let Some(since) = bell.rung_since {
            let by = since.max(began) + BOUND;
            ensure!(at <= by, "a ring ended it {:?} late", at - by);
        }
        if is_notify {
            bell.hushed();
        }
        Ok(())
    }

    fn awaited(&mut self, wait: usize, result: Awaited, at: Instant, end: &ShutDown) -> Verdict {
        let (window, limit, began) = self.awaits.remove(&wait).ok_or("it never began")?;
        let latest = match (result, limit) {
            (Awaited::ShutDown, _) => {
                ensure!(end.begun.is_some(), "nothing shut the driver down");
                return Ok(());
            }
            (Awaited::Ready(woke), _) => {
                let early = window.earliest() - woke;
                ensure!(
                    woke >= window.earliest() && at >= woke,
                    "early, by {early:?}"
                );
                limit.map_or(window.latest(), |limit| limit.min(window.latest()))
            }
            (Awaited::TimedOut, Some(limit)) => {
                ensure!(at >= limit, "it timed out early, by {:?}", limit - at);
                limit
            }
            (Awaited::TimedOut, None) => return Err("it had no limit".to_owned()),
        };
        let by = latest.max(began) + BOUND;
        ensure!(at <= by, "it came late, by {:?}", at - by);
        Ok(())
    }
}

/// A wait of the system is begun again only if it has ended early.
fn few_calls(calls: Calls) -> Verdict {
    let Calls {
        readings,
        waits,
        early_ends,
        ..
    } = calls;
    ensure!(
        waits <= 1 + early_ends,
        "{waits} waits, of which {early_ends} ended early"
    );
    ensure!(
        readings <= READINGS + waits + 1,
        "{readings} readings for {waits} waits"
    );
    Ok(())
}
