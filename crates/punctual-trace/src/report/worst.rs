//! The worst wake-ups of many.

use super::rows::WakeUpRow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Keeps the worst of the wake-ups that it is shown.
#[derive(Debug, Clone)]
pub(super) struct Worst {
    most: usize,
    /// By lateness, then by how early they came. One whose lateness is not known is the least late.
    rows: BTreeMap<(Option<u64>, Reverse<usize>), WakeUpRow>,
    seen: usize,
}

impl Worst {
    pub(super) fn at_most(most: usize) -> Self {
        Self {
            most,
            rows: BTreeMap::new(),
            seen: 0,
        }
    }

    /// Takes in a wake-up with this lateness. Its row is made only if it is kept.
    pub(super) fn note(&mut self, lateness_ns: Option<u64>, row: impl FnOnce() -> WakeUpRow) {
        let key = (lateness_ns, Reverse(self.seen));
        self.seen += 1;
        if self.rows.len() >= self.most {
            match self.rows.first_entry() {
                Some(least) if *least.key() < key => drop(least.remove()),
                _ => return,
            }
        }
        self.rows.insert(key, row());
    }

    /// How many were left out.
    pub(super) fn left_out(&self) -> usize {
        self.seen - self.rows.len()
    }

    /// Those kept, in the order of time.
    pub(super) fn rows(&self) -> Vec<WakeUpRow> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|&(&(_, order), row)| (row.woke_ns, order));
        rows.into_iter().map(|(_, row)| row.clone()).collect()
    }
}
