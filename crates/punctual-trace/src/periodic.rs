//! Counts the lateness of a periodic program from a grid, which its waits or frames reveal.

use crate::chronicle::Chronicle;
use crate::event::ThreadId;
use crate::explain::explain;
use crate::grid::Grid;
use crate::scope::{LeftOut, Scope};
use crate::segment::{Cause, Segment, Verdict, Wait, WakeUp};
use punctual::{Instant, Period};
use punctual_data::quantity::whole_nanos;
use std::collections::{BTreeMap, VecDeque};

/// How many waits the first grid is made from. They are held back until there are as many.
const FIRST: usize = 256;

/// How many waits a grid is made from. A program that was stopped goes on with another grid.
const RECENT: usize = 1024;

/// After so many more waits a new grid is made.
const RENEWED_AFTER: usize = 256;

/// How many are held back at most, of all threads: about 10 MB.
const MOST_HELD: usize = 1 << 15;

/// The loops of a program, while it is explained.
#[derive(Debug)]
pub(crate) struct Periodic {
    period: Period,
    is_of_frames: bool,
    /// By their threads; frames are one loop, whichever threads begin them.
    loops: BTreeMap<ThreadId, Loop>,
    held: usize,
    left_out: LeftOut,
}

#[derive(Debug, Default)]
struct Loop {
    recent: VecDeque<Instant>,
    since_renewed: usize,
    /// `None` until there is a first; then that there is none.
    grid: Option<Option<Grid>>,
    /// The deadline that was met last.
    last: Option<Instant>,
    held: Vec<Candidate>,
}

/// A wake-up, explained from before any deadline that it may get.
#[derive(Debug)]
pub(crate) struct Candidate {
    wake_up: WakeUp,
    /// If that is not possible: explained from the instant that it asked for.
    near: Option<WakeUp>,
    /// The instant that the wait asked for, or at which the frame began.
    asked: Instant,
}

impl Periodic {
    /// `None` if the program is not known to be periodic.
    pub(crate) fn of(scope: Scope) -> Option<Self> {
        Some(Self {
            period: scope.period?,
            is_of_frames: scope.frames,
            loops: BTreeMap::new(),
            held: 0,
            left_out: LeftOut::default(),
        })
    }

    /// Takes in a wake-up, in the order of each thread, and returns those whose deadlines are known now.
    pub(crate) fn note(&mut self, candidate: Candidate) -> Vec<WakeUp> {
        let key = match self.is_of_frames {
            true => ThreadId::IDLE,
            false => candidate.wake_up.wait.thread,
        };
        let period = self.period;
        let one = self.loops.entry(key).or_default();
        one.add(candidate.asked, period);
        one.held.push(candidate);
        self.held += 1;
        if one.grid.is_some() || one.held.len() == FIRST {
            return self.judge(key);
        }
        if self.held < MOST_HELD {
            return Vec::new();
        }
        let judged = self.finish();
        self.loops.clear();
        judged
    }

    /// Returns the wake-ups that are left.
    pub(crate) fn finish(&mut self) -> Vec<WakeUp> {
        let keys: Vec<_> = self.loops.keys().copied().collect();
        let mut rest: Vec<_> = keys.into_iter().flat_map(|key| self.judge(key)).collect();
        rest.sort_by_key(|wake_up| wake_up.wait.woke);
        rest
    }

    pub(crate) fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    fn judge(&mut self, key: ThreadId) -> Vec<WakeUp> {
        let Some(one) = self.loops.get_mut(&key) else {
            return Vec::new();
        };
        let held = std::mem::take(&mut one.held);
        self.held -= held.len();
        let grid = one.grid(self.period);
        let (is_of_frames, left_out) = (self.is_of_frames, &mut self.left_out);
        let judged = held.into_iter().filter_map(|candidate| {
            let Some(grid) = grid else {
                left_out.off_grid.insert(candidate.wake_up.wait.thread);
                return (!is_of_frames).then(|| candidate.from(candidate.asked));
            };
            let met = grid.met(candidate.asked);
            let Some(met) = met.filter(|&met| one.last < Some(met)) else {
                left_out.others += 1;
                return None;
            };
            let last = one.last.replace(met);
            let due = last.and_then(|last| grid.first_after(last));
            match due.filter(|_| is_of_frames) {
                Some(due) => {
                    left_out.missed += grid.periods(due, met);
                    Some(candidate.from(due))
                }
                None => Some(candidate.from(met)),
            }
        });
        judged.collect()
    }
}

impl Loop {
    fn add(&mut self, asked: Instant, period: Period) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(asked);
        self.since_renewed += 1;
        if self.grid.is_some() && self.since_renewed >= RENEWED_AFTER {
            self.renew(period);
        }
    }

    fn grid(&mut self, period: Period) -> Option<Grid> {
        if self.grid.is_none() {
            self.renew(period);
        }
        self.grid.flatten()
    }

    fn renew(&mut self, period: Period) {
        self.grid = Some(Grid::through(self.recent.iter().copied(), period));
        self.since_renewed = 0;
    }
}

impl Candidate {
    /// Explains a wait, which has the earliest deadline that it may get.
    pub(crate) fn explain(chronicle: &Chronicle, wait: &Wait, asked: Instant) -> Self {
        let wake_up = explain(chronicle, wait);
        let near = Wait {
            deadline: asked,
            ..*wait
        };
        let near = (!wake_up.is_explained()).then(|| explain(chronicle, &near));
        Self {
            wake_up,
            near,
            asked,
        }
    }

    /// The wake-up, with its lateness counted from this deadline.
    fn from(&self, deadline: Instant) -> WakeUp {
        let near = self.near.as_ref().filter(|_| self.asked <= deadline);
        let mut wake_up = near.unwrap_or(&self.wake_up).clone();
        let deadline = deadline.max(wake_up.wait.deadline);
        let mut end = wake_up.wait.deadline;
        wake_up.segments.retain_mut(|segment| {
            let begins = end;
            end += std::time::Duration::from_nanos(segment.ns);
            let kept = end.duration_since(deadline.max(begins));
            segment.ns = whole_nanos(kept);
            segment.ns > 0
        });
        wake_up.wait.deadline = deadline;
        let is_ambiguous = |segment: &Segment| segment.cause == Cause::Ambiguous;
        if wake_up.verdict == Verdict::Ambiguous && !wake_up.segments.iter().any(is_ambiguous) {
            wake_up.verdict = Verdict::Exact;
        }
        wake_up
    }
}
