//! What perf saw, sorted by what it is about.

use super::script::{Line, What};
use std::collections::{BTreeMap, BTreeSet};

/// Something that happened to one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It set a timer that wakes threads.
    Armed {
        timer: String,
        expires: u64,
        soft_expires: u64,
    },
    /// A timer expired on this processor that the thread has set.
    Expired {
        timer: String,
        processor: u16,
    },
    /// It is being woken.
    Waking {
        processor: u16,
    },
    /// It is ready: it is in the queue of this processor.
    Woken {
        processor: u16,
    },
    Moved {
        processor: u16,
    },
    /// It got a processor.
    In {
        processor: u16,
    },
    /// It lost its processor, in this state.
    Out {
        state: String,
    },
    CallBegan {
        number: u32,
    },
    CallEnded,
}

/// Everything about some threads and all processors, in the order of time.
#[derive(Debug, Default)]
pub struct Timeline {
    pub steps: BTreeMap<u32, Vec<(u64, Step)>>,
    /// Which thread has each processor from when on; 0 is idle.
    occupants: BTreeMap<u16, Vec<(u64, u32)>>,
    /// Times in which a processor's thread is not known, because a switch was not recorded.
    doubts: BTreeMap<u16, Vec<(u64, u64)>>,
    /// How many interrupts have each processor from when on.
    interrupts: BTreeMap<u16, Vec<(u64, u32)>>,
    /// When groups of threads got new processor time.
    pub refills: Vec<u64>,
}

/// The functions of timers that wake the thread that waits.
const WAKING: [&str; 2] = ["hrtimer_wakeup", "timerfd_tmrproc"];
/// The function of the timer that gives a group its processor time.
const REFILLING: &str = "sched_cfs_period_timer";

impl Timeline {
    pub fn new(lines: &[Line], threads: &BTreeSet<u32>) -> Self {
        let mut timeline = Self::default();
        let mut setters: BTreeMap<&str, u32> = BTreeMap::new();
        for line in lines {
            let mut note = |thread: u32, step: Step| {
                if threads.contains(&thread) {
                    let steps = timeline.steps.entry(thread).or_default();
                    steps.push((line.at, step));
                }
            };
            let processor = line.processor;
            match &line.what {
                What::TimerStarted {
                    timer,
                    function,
                    expires,
                    soft_expires,
                } if WAKING.contains(&function.as_str()) => {
                    setters.insert(timer, line.thread);
                    let (timer, expires, soft_expires) = (timer.clone(), *expires, *soft_expires);
                    note(
                        line.thread,
                        Step::Armed {
                            timer,
                            expires,
                            soft_expires,
                        },
                    );
                }
                What::TimerExpired { timer, function } if WAKING.contains(&function.as_str()) => {
                    if let Some(&thread) = setters.get(timer.as_str()) {
                        let timer = timer.clone();
                        note(thread, Step::Expired { timer, processor });
                    }
                }
                What::TimerExpired { function, .. } if function == REFILLING => {
                    timeline.refills.push(line.at);
                }
                What::TimerStarted { .. } | What::TimerExpired { .. } => {}
                What::Switched {
                    from, state, to, ..
                } => {
                    let state = state.clone();
                    note(*from, Step::Out { state });
                    note(*to, Step::In { processor });
                    timeline.switch(processor, line.at, *from, *to);
                }
                &What::Waking { thread, processor } => note(thread, Step::Waking { processor }),
                &What::Woken { thread, processor } => note(thread, Step::Woken { processor }),
                &What::Migrated { thread, to } => note(thread, Step::Moved { processor: to }),
                What::InterruptBegan => timeline.interrupt(processor, line.at, true),
                What::InterruptEnded => timeline.interrupt(processor, line.at, false),
                &What::CallBegan { number } => note(line.thread, Step::CallBegan { number }),
                What::CallEnded { .. } => note(line.thread, Step::CallEnded),
            }
        }
        timeline
    }

    fn switch(&mut self, processor: u16, at: u64, from: u32, to: u32) {
        let occupants = self.occupants.entry(processor).or_default();
        if let Some((since, _)) = occupants.last().filter(|(_, last)| *last != from) {
            let doubts = self.doubts.entry(processor).or_default();
            doubts.push((*since, at));
        }
        occupants.push((at, to));
    }

    fn interrupt(&mut self, processor: u16, at: u64, began: bool) {
        let depths = self.interrupts.entry(processor).or_default();
        let depth = depths.last().map_or(0, |(_, depth)| *depth);
        let depth = if began {
            depth + 1
        } else {
            depth.saturating_sub(1)
        };
        depths.push((at, depth));
    }

    /// When the interrupt began that has the processor: the last of those within each other.
    pub fn interrupt_began(&self, processor: u16, at: u64) -> Option<u64> {
        let depths = self.interrupts.get(&processor)?;
        let known = &depths[..depths.partition_point(|(since, _)| *since <= at)];
        let depth = known
            .last()
            .map(|(_, depth)| *depth)
            .filter(|depth| *depth > 0)?;
        let before = known.iter().rposition(|(_, other)| *other < depth);
        let began = before.map_or(0, |before| before + 1);
        known.get(began).map(|(since, _)| *since)
    }

    /// Whether it is not known which thread had a processor in a time.
    pub fn is_doubtful(&self, processor: u16, from: u64, to: u64) -> bool {
        let mut doubts = self.doubts.get(&processor).into_iter().flatten();
        doubts.any(|(start, end)| *start < to && from < *end)
    }

    /// What had a processor in a time: pieces that add up to it. `None` is an interrupt.
    pub fn had(&self, processor: u16, from: u64, to: u64) -> Vec<(u64, Option<u32>)> {
        let none = Vec::new();
        let occupants = self.occupants.get(&processor).unwrap_or(&none);
        let depths = self.interrupts.get(&processor).unwrap_or(&none);
        let within = |&(at, _): &(u64, u32)| (from < at && at < to).then_some(at);
        let mut cuts: Vec<u64> = occupants.iter().chain(depths).filter_map(within).collect();
        cuts.extend([from, to]);
        cuts.sort_unstable();
        let piece = |pair: &[u64]| {
            let (start, end) = (pair[0], pair[1]);
            let is_interrupt = latest(depths, start).is_some_and(|depth| depth > 0);
            let thread = latest(occupants, start).unwrap_or_default();
            (end - start, (!is_interrupt).then_some(thread))
        };
        cuts.windows(2).map(piece).collect()
    }
}

fn latest(changes: &[(u64, u32)], at: u64) -> Option<u32> {
    let known = changes.partition_point(|(since, _)| *since <= at);
    Some(changes.get(known.checked_sub(1)?)?.1)
}
