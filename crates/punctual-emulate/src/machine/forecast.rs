//! What will happen on a machine if nothing changes anything: the same steps as when it happens.

use super::one_shots::OneShot;
use super::{CLASSES, Queue};
use punctual::Instant;
use punctual_windows::{Class, TimerInterrupt};
use std::collections::BTreeMap;

/// How far a forecast goes, in events. What comes after is told when it comes nearer.
const MOST_STEPS: usize = 10_000;

/// The most high-resolution timers that are looked at together: each that goes off may move the ticks
/// for all others. Of more, each is told as if it were alone, since the work would grow with the square.
const MOST_TOGETHER: usize = 32;

/// When the alarms of a machine go off.
#[derive(Debug, Clone, Default)]
pub(super) struct Forecast {
    /// By class: the ticks at which alarms go off.
    expiries: [Vec<Instant>; CLASSES.len()],
    one_shots: BTreeMap<u64, Instant>,
}

/// What happens next.
enum Step {
    Tick(Class, Instant),
    OneShot(u64, Instant),
}

/// The next of a machine whose alarms are gone up to these ticks.
fn next(
    timer: &TimerInterrupt,
    queues: &[Queue; CLASSES.len()],
    passed: [Option<Instant>; CLASSES.len()],
    one_shots: &BTreeMap<u64, OneShot>,
) -> Option<Step> {
    let ticks = CLASSES.into_iter().filter_map(|class| {
        let due = queues[class as usize].first_after(passed[class as usize])?;
        Some((timer.next_expiry(class, due), class))
    });
    let tick = ticks.min();
    let one_shots = one_shots
        .iter()
        .map(|(id, one_shot)| (one_shot.next(), *id));
    match (tick, one_shots.min()) {
        (None, None) => None,
        (Some((at, class)), once) if once.is_none_or(|(other, _)| at <= other) => {
            Some(Step::Tick(class, at))
        }
        (_, Some((at, id))) => Some(Step::OneShot(id, at)),
        (Some((at, class)), None) => Some(Step::Tick(class, at)),
    }
}

/// Everything up to `now` happens.
pub(super) fn happen(
    timer: &mut TimerInterrupt,
    queues: &mut [Queue; CLASSES.len()],
    one_shots: &mut BTreeMap<u64, OneShot>,
    now: Instant,
    mut ended: impl FnMut(u64, Instant),
) {
    const NOTHING: [Option<Instant>; CLASSES.len()] = [None; CLASSES.len()];
    while let Some(step) = next(timer, queues, NOTHING, one_shots) {
        match step {
            Step::Tick(class, at) if at <= now => {
                timer.expire(class, at);
                queues[class as usize].take_due(at, |id| ended(id, at));
            }
            Step::OneShot(id, at) if at <= now => {
                let over = one_shots.get_mut(&id).is_some_and(|it| it.step(timer));
                if over {
                    one_shots.remove(&id);
                    ended(id, at);
                }
            }
            _ => return,
        }
    }
}

impl Forecast {
    pub(super) fn of(
        timer: &TimerInterrupt,
        queues: &[Queue; CLASSES.len()],
        one_shots: &BTreeMap<u64, OneShot>,
    ) -> Self {
        let mut forecast = Self::default();
        let [requesting, other] = queues;
        if one_shots.is_empty() && other.is_empty() && !requesting.has_tolerant() {
            return forecast;
        }
        let mut timer = timer.clone();
        let mut one_shots = match one_shots.len() {
            0..=MOST_TOGETHER => one_shots.clone(),
            _ => BTreeMap::new(),
        };
        let mut passed = [None; CLASSES.len()];
        for _ in 0..MOST_STEPS {
            match next(&timer, queues, passed, &one_shots) {
                None => break,
                Some(Step::Tick(class, at)) => {
                    timer.expire(class, at);
                    passed[class as usize] = Some(at);
                    forecast.expiries[class as usize].push(at);
                }
                Some(Step::OneShot(id, at)) => {
                    let over = one_shots.get_mut(&id).is_some_and(|it| it.step(&mut timer));
                    if over {
                        one_shots.remove(&id);
                        forecast.one_shots.insert(id, at);
                    }
                }
            }
        }
        forecast
    }

    /// Whether this tells the same ends as one that is newer, of what both know.
    pub(super) fn agrees_with(&self, newer: &Self, now: Instant) -> bool {
        let ahead = |ticks: &[Instant]| {
            let past = ticks.partition_point(|tick| *tick <= now);
            ticks[past..].to_vec()
        };
        let same_ticks = self
            .expiries
            .iter()
            .zip(&newer.expiries)
            .all(|(before, after)| ahead(before) == ahead(after));
        let mut known = self.one_shots.iter().filter(|(_, end)| **end > now);
        same_ticks && known.all(|(id, end)| newer.one_shots.get(id).is_none_or(|new| new == end))
    }

    pub(super) fn end_of(
        &self,
        id: u64,
        queues: &[Queue; CLASSES.len()],
        one_shots: &BTreeMap<u64, OneShot>,
        timer: &TimerInterrupt,
    ) -> Option<Instant> {
        if let Some(one_shot) = one_shots.get(&id) {
            let together = self.one_shots.get(&id).copied();
            return Some(together.unwrap_or(one_shot.end_alone()));
        }
        CLASSES.into_iter().find_map(|class| {
            let (earliest, latest) = queues[class as usize].within(id)?;
            let ticks = &self.expiries[class as usize];
            let first = ticks.partition_point(|tick| *tick < earliest);
            let known = ticks.get(first).copied();
            Some(known.unwrap_or_else(|| timer.next_expiry(class, latest)))
        })
    }
}
