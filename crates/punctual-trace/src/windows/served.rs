//! The times for which interrupts and DPCs had a processor.

use super::per_processor::PerProcessor;
use super::place::Place;
use super::row::{Row, What};
use crate::event::Symbol;
use crate::names::Names;
use std::collections::HashMap;

/// How far to look for whatever else lies around an instant: interrupts upon a DPC, one after the
/// other.
const MOST_AROUND: usize = 64;

/// A time for which an interrupt or DPC had a processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Served {
    /// Where it began.
    pub(super) began: Place,
    to: u64,
    is_dpc: bool,
    is_clock: bool,
    /// The row that says so.
    row: u32,
}

/// Those of one processor, in the order in which they were done.
#[derive(Debug, Default)]
struct OfOne {
    served: Vec<Served>,
    /// How many of them were done before the instant that was asked for last.
    before: usize,
}

/// All of them. They are asked for in the order of time.
#[derive(Debug)]
pub(super) struct AllServed {
    of_processor: PerProcessor<OfOne>,
    /// Where each of them began, in the order of their rows.
    pub(super) began: Vec<Place>,
    /// Time stamps that belong together may be so far apart.
    rounding: u64,
}

impl AllServed {
    /// Those of rows in the order of time.
    pub(super) fn of(rows: &[Row], names: &Names, rounding: u64) -> Self {
        let mut all = Self {
            of_processor: PerProcessor::default(),
            began: Vec::new(),
            rounding,
        };
        let mut clocks = HashMap::new();
        let mut boundaries: PerProcessor<Vec<(u64, u32)>> = PerProcessor::default();
        for (index, row) in (0..).zip(rows) {
            match row.what {
                What::Switch(of) => {
                    boundaries.of(of.processor).push((row.at, row.order));
                }
                What::Served {
                    processor,
                    from,
                    is_dpc,
                    routine,
                } => {
                    let boundaries = boundaries.of(processor);
                    let began = Place::beginning(row, from, last_at(boundaries, from));
                    if from < row.at {
                        boundaries.push((row.at, row.order));
                    }
                    all.began.push(began);
                    all.of_processor.of(processor).served.push(Served {
                        began,
                        to: row.at,
                        is_dpc,
                        is_clock: !is_dpc && is_clock(routine, names, &mut clocks),
                        row: index,
                    });
                }
                What::Ready { .. } | What::Ended(_) | What::Lost { .. } => {}
            }
        }
        all
    }

    /// The DPC that had a processor at an instant, the innermost if there are several. It was done
    /// later than this row tells of.
    pub(super) fn dpc_at(&mut self, processor: u16, at: u64, row: u32) -> Option<Served> {
        let of_one = self.of_processor.of(processor);
        let since = of_one.served[of_one.before..].iter();
        of_one.before += since.take_while(|served| served.to < at).count();
        let around = of_one.served[of_one.before..].iter().take(MOST_AROUND);
        let mut dpcs = around.filter(|served| served.is_dpc && served.row > row);
        let dpc = dpcs.find(|served| served.began.at <= at + self.rounding);
        dpc.copied()
    }

    /// Where the interrupt began with which it began that a DPC came to its turn: the timer interrupt
    /// among those served without a pause until then, or else the first of them; of DPCs, too, if
    /// there was no interrupt.
    pub(super) fn cause_of(&self, processor: u16, dpc: &Served) -> Place {
        let mut first = dpc;
        let Some(OfOne { served: of_one, .. }) = self.of_processor.get(processor) else {
            return dpc.began;
        };
        let before = of_one.partition_point(|served| served.to <= dpc.began.at);
        for earlier in of_one[..before].iter().rev().take(MOST_AROUND) {
            if earlier.to + self.rounding < first.began.at {
                break;
            }
            if earlier.is_clock {
                return earlier.began;
            }
            if earlier.began.at < first.began.at {
                first = earlier;
            }
        }
        first.began
    }
}

/// The last switch, or end of an interrupt or DPC, at a time: what begins then begins after it.
fn last_at(boundaries: &[(u64, u32)], at: u64) -> Option<u32> {
    let mut earlier = boundaries.iter().rev();
    let &(found, order) = earlier.find(|&&(time, _)| time <= at)?;
    (found == at).then_some(order)
}

/// Names of the interrupt that ticks, as far as symbols were there: `HalpTimerClockInterrupt` and
/// its like.
fn is_clock(routine: Symbol, names: &Names, known: &mut HashMap<Symbol, bool>) -> bool {
    *known.entry(routine).or_insert_with(|| {
        let routine = names.text(routine).to_ascii_lowercase();
        routine.contains("clock") || routine.contains("timer")
    })
}
