//! What is due next: a short run of entries in their order.

use super::lists::Entry;
use super::slots::Slots;
use super::sort::sort;
use super::tree::Tree;
use alloc::vec::Vec;

/// So many more entries than a refill brings are put in their places; then half go back to the
/// tree. (What `bench -- timers` was fastest with.)
const SPARE: usize = 32;

/// The entries before an instant.
#[derive(Debug, Clone)]
pub(super) struct Front {
    /// What fires first is last, where it is taken from cheaply.
    entries: Vec<Entry>,
    /// All entries before this instant are here, all others in the tree. Entries at this very
    /// instant may be here if they came before those in the tree.
    end: u64,
    /// How many entries may be here.
    room: usize,
    /// Memory for [`Self::refill`].
    unsorted: Vec<Entry>,
}

impl Front {
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
            end: u64::MAX,
            room: SPARE,
            unsorted: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        (self.end, self.room) = (u64::MAX, SPARE);
    }

    #[inline]
    pub fn end(&self) -> u64 {
        self.end
    }

    #[inline]
    pub fn first(&self) -> Option<Entry> {
        self.entries.last().copied()
    }

    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.entries.iter().rev().copied()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub fn pop(&mut self) {
        self.entries.pop();
    }

    /// Puts an entry from before the end behind all that have the same `latest`. Returns whether
    /// there was room.
    pub fn insert(&mut self, entry: Entry) -> bool {
        if self.entries.len() >= self.room {
            return false;
        }
        let behind = |other: &Entry| other.latest > entry.latest;
        let place = self.entries.partition_point(behind);
        self.entries.insert(place, entry);
        true
    }

    /// Drops the dead and returns how many there were.
    pub fn sweep(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        let before = self.entries.len();
        self.entries.retain(|&entry| is_live(entry));
        before - self.entries.len()
    }

    /// Gives the later half back to the tree.
    pub fn make_room(&mut self, tree: &mut Tree) {
        let half = self.entries.len() / 2;
        let (back, kept) = self.entries.split_at(half);
        let at_end = back.partition_point(|entry| entry.latest >= self.end);
        let (at_end, before) = back.split_at(at_end);
        if let Some((&first, others)) = at_end.split_last() {
            let mut list = tree.lists.single(first);
            for &entry in others.iter().rev() {
                list = tree.lists.push(list, entry);
            }
            tree.prepend(self.end, list);
        }
        before.iter().rev().for_each(|&entry| tree.insert(entry));
        if let Some(first_back) = back.last() {
            self.end = first_back.latest;
        }
        self.room = kept.len() + SPARE;
        self.entries.drain(..half);
    }

    /// When nothing is left: takes the first entries from the tree, without the dead. If asked to,
    /// drops the dead also from whatever must be cut up for that. Returns how many it dropped.
    pub fn refill<T>(&mut self, tree: &mut Tree, slots: &Slots<T>, drops_dead: bool) -> usize {
        let is_live = |entry| slots.is_live(entry);
        let Some(leaf) = tree.take_first(drops_dead, is_live) else {
            return 0;
        };
        let mut dead = leaf.dropped;
        self.unsorted.clear();
        tree.lists.drain(leaf.list, |entry| {
            if slots.is_live_and_near(entry) {
                self.unsorted.push(entry);
            } else {
                dead += 1;
            }
        });
        sort(&self.unsorted, &mut self.entries);
        // A few timers are all kept here.
        let is_all = tree.is_empty() && self.entries.len() <= SPARE;
        self.end = if is_all { u64::MAX } else { leaf.end };
        self.room = self.entries.len() + SPARE;
        dead
    }
}
