//! What is due next: a short run of entries in their order.

use super::lists::Entry;
use super::tree::Tree;
use alloc::vec::Vec;

/// A leaf of at most so many entries is sorted; a longer one is cut up first. (This and the next
/// two are what `bench -- timers` was fastest with.)
const REFILL: usize = 32;

/// Leaves are taken until there are so many entries: to take a leaf costs as much as some entries.
const ENOUGH: usize = 16;

/// So many entries are kept in order by moving those behind a new one. Twice what a refill brings,
/// so that as many insertions pay for making room.
const ROOM: usize = 2 * (ENOUGH + REFILL);

/// The entries before an instant, in the order in which they fire.
#[derive(Debug, Clone)]
pub(super) struct Front {
    /// Those before `first` are gone.
    entries: Vec<Entry>,
    first: usize,
    /// All entries before this instant are here, all others in the tree. Entries at this very
    /// instant may be here if they came before those in the tree.
    end: u64,
}

impl Front {
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
            first: 0,
            end: u64::MAX,
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        (self.first, self.end) = (0, u64::MAX);
    }

    #[inline]
    pub fn end(&self) -> u64 {
        self.end
    }

    #[inline]
    pub fn first(&self) -> Option<Entry> {
        self.entries.get(self.first).copied()
    }

    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.entries[self.first..].iter().copied()
    }

    #[inline]
    pub fn pop(&mut self) {
        self.first += 1;
    }

    /// Puts an entry from before the end behind all that have the same `latest`. Returns whether
    /// there was room.
    pub fn insert(&mut self, entry: Entry) -> bool {
        if self.entries.len() >= ROOM {
            self.entries.drain(..self.first);
            self.first = 0;
            if self.entries.len() >= ROOM {
                return false;
            }
        }
        let behind = |before: &Entry| before.latest <= entry.latest;
        let place = self.entries[self.first..].partition_point(behind);
        self.entries.insert(self.first + place, entry);
        true
    }

    /// Drops the dead and returns how many there were.
    pub fn sweep(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        self.entries.drain(..self.first);
        self.first = 0;
        let before = self.entries.len();
        self.entries.retain(|&entry| is_live(entry));
        before - self.entries.len()
    }

    /// If it is still half full, gives all entries back to the tree.
    pub fn make_room(&mut self, tree: &mut Tree) {
        if self.entries.len() - self.first <= ROOM / 2 {
            return;
        }
        let entries = &self.entries[self.first..];
        let at_end = entries.partition_point(|entry| entry.latest < self.end);
        let (before, at_end) = entries.split_at(at_end);
        if let Some((&first, others)) = at_end.split_first() {
            let mut list = tree.lists.single(first);
            for &entry in others {
                list = tree.lists.push(list, entry);
            }
            tree.prepend(self.end, list);
        }
        before.iter().for_each(|&entry| tree.insert(entry));
        self.entries.clear();
        (self.first, self.end) = (0, 0);
    }

    /// When nothing is left: takes the first entries from the tree, without the dead, and returns
    /// how many of these there were.
    pub fn refill(&mut self, tree: &mut Tree, is_live: impl Fn(Entry) -> bool) -> usize {
        self.entries.clear();
        self.first = 0;
        let mut dead = 0;
        while self.entries.len() < ENOUGH {
            let Some(leaf) = tree.take_first(REFILL) else {
                break;
            };
            let sorted = self.entries.len();
            tree.lists.drain(leaf.list, |entry| {
                if is_live(entry) {
                    self.entries.push(entry);
                } else {
                    dead += 1;
                }
            });
            // Leaf follows upon leaf.
            self.entries[sorted..].sort_by_key(|entry| entry.latest);
            self.end = leaf.end;
            if leaf.is_cut {
                break;
            }
        }
        if tree.is_empty() {
            self.end = u64::MAX;
        }
        dead
    }
}
