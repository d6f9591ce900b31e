//! Which late wake-ups are saved, and which of them go when there is no place.

use super::LateWakeUp;
use std::cmp::Reverse;
use std::time::Duration;

/// The rules of keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// A wake-up that is later is saved.
    pub threshold: Duration,
    /// How many stay.
    pub most: usize,
    /// How many bytes the files of all of them may have.
    pub most_bytes: u64,
    /// Which goes when there are more.
    pub first_to_go: FirstToGo,
}

/// Which goes when there is no place for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstToGo {
    /// The oldest: whoever looks wants to know what happened last night.
    Oldest,
    /// The least late, and of those that are as late the last: whoever looks wants to know the worst.
    LeastLate,
}

impl Rules {
    /// Whether a lateness is worth saving.
    pub fn is_late(&self, lateness_ns: u64) -> bool {
        Duration::from_nanos(lateness_ns) > self.threshold
    }

    /// Whether a wake-up that is this late would stay, as far as their number decides.
    pub(super) fn has_place_for(&self, lateness_ns: u64, list: &[LateWakeUp]) -> bool {
        list.len() < self.most
            || match self.first_to_go {
                FirstToGo::Oldest => self.most > 0,
                FirstToGo::LeastLate => list.iter().any(|late| late.lateness_ns < lateness_ns),
            }
    }

    /// Takes those out of the list that must go.
    pub(super) fn shorten(&self, list: &mut Vec<LateWakeUp>) -> Vec<LateWakeUp> {
        let mut bytes: u64 = list.iter().map(|late| late.bytes).sum();
        let mut gone = Vec::new();
        while list.len() > self.most || bytes > self.most_bytes {
            let Some(first) = self.first_to_go(list) else {
                break;
            };
            let late = list.remove(first);
            bytes -= late.bytes;
            gone.push(late);
        }
        gone
    }

    fn first_to_go(&self, list: &[LateWakeUp]) -> Option<usize> {
        let places = 0..list.len();
        match self.first_to_go {
            FirstToGo::Oldest => places.min(),
            FirstToGo::LeastLate => {
                places.min_by_key(|&place| (list[place].lateness_ns, Reverse(place)))
            }
        }
    }
}
