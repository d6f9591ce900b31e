//! The times for which interrupts and DPCs had a processor.

use super::row::{Row, What};
use std::collections::BTreeMap;

/// How far to look for whatever else lies around an instant: interrupts upon a DPC, one after the
/// other.
const MOST_AROUND: usize = 64;

/// A time for which an interrupt or DPC had a processor.
#[derive(Debug, Clone)]
pub(super) struct Served {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) is_dpc: bool,
    is_clock: bool,
    /// The row that says so.
    pub(super) row: usize,
}

/// All of them, processor by processor, in the order in which they were done.
#[derive(Debug)]
pub(super) struct AllServed {
    of_processor: BTreeMap<u16, Vec<Served>>,
    /// Time stamps that belong together may be so far apart.
    rounding: u64,
}

impl AllServed {
    pub(super) fn of(rows: &[Row], rounding: u64) -> Self {
        let mut all = Self {
            of_processor: BTreeMap::new(),
            rounding,
        };
        for (index, row) in rows.iter().enumerate() {
            let What::Served {
                processor,
                from,
                is_dpc,
                ref who,
            } = row.what
            else {
                continue;
            };
            let served = Served {
                from,
                to: row.at,
                is_dpc,
                is_clock: !is_dpc && is_clock(who),
                row: index,
            };
            let of_one = all.of_processor.entry(processor).or_default();
            of_one.push(served);
        }
        for of_one in all.of_processor.values_mut() {
            of_one.sort_by_key(|served| served.to);
        }
        all
    }

    /// The DPC that had a processor at an instant, the innermost if there are several. It was done
    /// later than this row tells of.
    pub(super) fn dpc_at(&self, processor: u16, at: u64, row: usize) -> Option<&Served> {
        let of_one = self.of_processor.get(&processor)?;
        let first = of_one.partition_point(|served| served.to < at);
        let around = of_one[first..].iter().take(MOST_AROUND);
        let mut dpcs = around.filter(|served| served.is_dpc && served.row > row);
        dpcs.find(|served| served.from <= at + self.rounding)
    }

    /// The row of the interrupt with which it began that a DPC came to its turn: the timer interrupt
    /// among those served without a pause until then, or else the first of them; of DPCs, too, if
    /// there was no interrupt.
    pub(super) fn cause_of(&self, processor: u16, dpc: &Served) -> usize {
        let mut first = dpc;
        let Some(of_one) = self.of_processor.get(&processor) else {
            return dpc.row;
        };
        let before = of_one.partition_point(|served| served.to <= dpc.from);
        for earlier in of_one[..before].iter().rev().take(MOST_AROUND) {
            if earlier.to + self.rounding < first.from {
                break;
            }
            if earlier.is_clock {
                return earlier.row;
            }
            if earlier.from < first.from {
                first = earlier;
            }
        }
        first.row
    }
}

/// Names of the interrupt that ticks, as far as symbols were there: `HalpTimerClockInterrupt` and
/// its like.
fn is_clock(who: &str) -> bool {
    let who = who.to_ascii_lowercase();
    who.contains("clock") || who.contains("timer")
}
