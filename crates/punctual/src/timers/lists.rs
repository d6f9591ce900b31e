//! Lists of entries in chunks of one pool: appended to in order, read in order, freed whole.

use alloc::vec::Vec;

/// What the queue knows of a timer until it is due.
///
/// Cancelling does not look for it: an entry whose version is no longer its slot's is dead, and is
/// dropped where it is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Entry {
    /// In nanoseconds of the clock.
    pub latest: u64,
    /// The slot and its version: one word, because a structure of two words is given to functions
    /// in registers. Through memory it would be read before the processor has put it together.
    timer: u64,
}

impl Entry {
    #[inline]
    pub fn new(latest: u64, slot: u32, version: u32) -> Self {
        let timer = u64::from(version) << 32 | u64::from(slot);
        Self { latest, timer }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the lower half")]
    pub fn slot(self) -> u32 {
        self.timer as u32
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
    pub fn version(self) -> u32 {
        (self.timer >> 32) as u32
    }
}

/// With its two words of links a chunk is half a kibibyte: long enough that a list is mostly read
/// in sequence, short enough that a list of one costs little.
pub(super) const CHUNK: usize = 31;

/// In this order all that appending touches but the new entry is in one line of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Chunk {
    /// The chunk after this one; after the last, the first. Of a free chunk, the next free one.
    next: u32,
    len: u16,
    role: Role,
    /// Of a list's last chunk: the bits of `latest` that any two differ in of all that were ever
    /// in the list.
    differences: u64,
    entries: [Entry; CHUNK],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Free,
    Inner,
    Last,
}

/// A list, named by its last chunk, where entries are appended. It may have no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List(pub u32);

/// No list, and no chunk.
pub(super) const NONE: u32 = u32::MAX;

/// All lists of one queue.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    chunks: Vec<Chunk>,
    /// Those from here on are not in use yet.
    used: usize,
    free: u32,
    /// The chunk that is swept next.
    broom: usize,
    /// The chunk that was appended to most recently, which may be free or full by now.
    newest: u32,
}

impl Lists {
    pub const fn new() -> Self {
        Self {
            chunks: Vec::new(),
            used: 0,
            free: NONE,
            broom: 0,
            newest: NONE,
        }
    }

    /// Forgets all lists, keeps the memory.
    pub fn clear(&mut self) {
        (self.used, self.free, self.broom) = (0, NONE, 0);
        self.newest = NONE;
    }

    /// A list of one entry.
    pub fn single(&mut self, entry: Entry) -> List {
        let chunk = self.allocate(entry);
        self.chunks[chunk as usize].next = chunk;
        List(chunk)
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, list: List, entry: Entry) -> List {
        self.newest = list.0;
        if self.chunks[list.0 as usize].push(entry) {
            return list;
        }
        self.lengthen(list, entry)
    }

    #[cold]
    fn lengthen(&mut self, list: List, entry: Entry) -> List {
        let single = self.single(entry);
        self.concatenate(list, single)
    }

    /// Takes back an entry if it is the last of the chunk that was appended to most recently, and not
    /// its only one. Returns whether it was.
    #[inline]
    pub fn take_back(&mut self, entry: Entry) -> bool {
        let chunk = self.chunks.get_mut(self.newest as usize);
        chunk.is_some_and(|chunk| chunk.take_back(entry))
    }

    /// One list after the other.
    pub fn concatenate(&mut self, front: List, back: List) -> List {
        let first_of_back = self.chunks[back.0 as usize].next;
        let seam = &mut self.chunks[front.0 as usize];
        let (first, member, differences) = (seam.next, seam.member(), seam.differences);
        (seam.next, seam.role) = (first_of_back, Role::Inner);
        let last = &mut self.chunks[back.0 as usize];
        last.next = first;
        last.differences |= differences | (member ^ last.member());
        back
    }

    /// How many entries it has; no longer counted when there are more than the bound.
    pub fn len_to(&self, list: List, bound: usize) -> usize {
        let last = &self.chunks[list.0 as usize];
        let (mut len, mut at) = (last.len.into(), last.next);
        while at != list.0 && len <= bound {
            let chunk = &self.chunks[at as usize];
            len += usize::from(chunk.len);
            at = chunk.next;
        }
        len
    }

    /// Drops the dead and returns how many there were.
    pub fn retain(&mut self, list: List, is_live: impl Fn(Entry) -> bool) -> usize {
        let (mut at, mut dropped) = (list.0, 0);
        loop {
            let chunk = &mut self.chunks[at as usize];
            dropped += chunk.retain(&is_live);
            at = chunk.next;
            if at == list.0 {
                return dropped;
            }
        }
    }

    /// A `latest` that is or was in a list, and the bits in which any other may differ from it.
    pub fn spread(&self, list: List) -> (u64, u64) {
        let last = &self.chunks[list.0 as usize];
        (last.member(), last.differences)
    }

    /// Gives every entry of a list away, in order, and frees it.
    pub fn drain(&mut self, list: List, mut give: impl FnMut(Entry)) {
        let mut at = self.chunks[list.0 as usize].next;
        loop {
            let chunk = &self.chunks[at as usize];
            let next = chunk.next;
            chunk.entries().iter().for_each(|&entry| give(entry));
            self.release(at);
            if at == list.0 {
                return;
            }
            at = next;
        }
    }

    /// Distributes a list's entries, in order, to one list for each digit, and frees it chunk by
    /// chunk. Digits without entries have [`NONE`].
    pub fn distribute<const DIGITS: usize>(
        &mut self,
        list: List,
        digit: impl Fn(u64) -> u32,
    ) -> [u32; DIGITS] {
        let mut lists = [NONE; DIGITS];
        let mut at = self.chunks[list.0 as usize].next;
        loop {
            let Chunk { next, len, .. } = self.chunks[at as usize];
            for place in 0..usize::from(len) {
                let entry = self.chunks[at as usize].entries[place];
                let list = &mut lists[digit(entry.latest) as usize];
                match self.chunks.get_mut(*list as usize) {
                    Some(last) => {
                        if !last.push(entry) {
                            *list = self.lengthen(List(*list), entry).0;
                        }
                    }
                    None => *list = self.single(entry).0,
                }
            }
            self.release(at);
            if at == list.0 {
                return lists;
            }
            at = next;
        }
    }

    /// Drops the dead from one chunk, another each time, and returns how many there were. Gives
    /// back memory that this leaves unused.
    pub fn sweep(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        if self.broom >= self.used {
            self.broom = 0;
        }
        let index = self.broom;
        self.broom += 1;
        let Some(chunk) = self.chunks[..self.used].get_mut(index) else {
            return 0;
        };
        if chunk.role == Role::Free {
            return 0;
        }
        let dropped = chunk.retain(is_live);
        self.close_up(index);
        dropped
    }

    /// Sweeps everything.
    pub fn sweep_all(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        self.broom = 0;
        (0..self.used).map(|_| self.sweep(&is_live)).sum()
    }

    /// Moves the next chunk's entries into this one if they fit. Never the last chunk's, which
    /// names the list.
    fn close_up(&mut self, index: usize) {
        let next = self.chunks[index].next;
        let follower = &self.chunks[next as usize];
        let (start, len) = (
            usize::from(self.chunks[index].len),
            usize::from(follower.len),
        );
        let fits = start + len <= CHUNK;
        if self.chunks[index].role != Role::Inner || follower.role != Role::Inner || !fits {
            return;
        }
        let (entries, after) = (follower.entries, follower.next);
        let chunk = &mut self.chunks[index];
        chunk.entries[start..start + len].copy_from_slice(&entries[..len]);
        chunk.len = to_len(start + len);
        chunk.next = after;
        self.release(next);
    }

    /// A chunk that is the last of a list and holds one entry; its link is for the caller to set.
    fn allocate(&mut self, entry: Entry) -> u32 {
        if let Some(chunk) = self.chunks.get_mut(self.free as usize) {
            let index = self.free;
            self.free = chunk.next;
            chunk.begin(entry);
            return index;
        }
        let index = self.used;
        self.used += 1;
        if let Some(chunk) = self.chunks.get_mut(index) {
            chunk.begin(entry);
        } else {
            let mut chunk = Chunk {
                next: NONE,
                len: 0,
                role: Role::Last,
                differences: 0,
                entries: [Entry::default(); CHUNK],
            };
            chunk.begin(entry);
            self.chunks.push(chunk);
        }
        // There are at most 2^32 timers, and dead entries in proportion.
        u32::try_from(index).expect("memory for 2^32 chunks")
    }

    fn release(&mut self, index: u32) {
        let chunk = &mut self.chunks[index as usize];
        (chunk.next, chunk.role) = (self.free, Role::Free);
        self.free = index;
    }
}

impl Chunk {
    /// Makes it the last of a list, with one entry.
    fn begin(&mut self, entry: Entry) {
        (self.len, self.role, self.differences) = (1, Role::Last, 0);
        self.entries[0] = entry;
    }

    /// Appends an entry to the list that this is the last chunk of, if there is room.
    #[inline]
    fn push(&mut self, entry: Entry) -> bool {
        // Read before the entry may take its place: a sweep may have left no other.
        let difference = entry.latest ^ self.member();
        let Some(place) = self.entries.get_mut(usize::from(self.len)) else {
            return false;
        };
        *place = entry;
        self.len += 1;
        self.differences |= difference;
        true
    }

    #[inline]
    fn take_back(&mut self, entry: Entry) -> bool {
        let last = usize::from(self.len).wrapping_sub(1);
        let is_last = last > 0
            && self
                .entries
                .get(last)
                .is_some_and(|other| other.timer == entry.timer);
        if !is_last || self.role == Role::Free {
            return false;
        }
        self.len -= 1;
        true
    }

    /// One of those that are or were in it. Its place is overwritten only by others of the list.
    #[inline]
    fn member(&self) -> u64 {
        self.entries[0].latest
    }

    /// Drops the dead and returns how many there were.
    #[inline]
    fn retain(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        let mut kept = 0;
        let before = usize::from(self.len);
        for place in 0..before {
            let entry = self.entries[place];
            self.entries[kept] = entry;
            kept += usize::from(is_live(entry));
        }
        self.len = to_len(kept);
        before - kept
    }

    #[inline]
    fn entries(&self) -> &[Entry] {
        &self.entries[..self.len.into()]
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "at most what fits in a chunk"
)]
fn to_len(len: usize) -> u16 {
    len as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_knows_what_differs_even_if_its_last_chunk_was_swept_empty() {
        let mut lists = Lists::new();
        let entry = |slot| Entry::new(0, slot, 0);
        let mut list = lists.single(entry(0));
        for slot in 1..=to_len(CHUNK) {
            list = lists.push(list, entry(slot.into()));
        }
        assert_eq!(lists.retain(list, |entry| entry.slot() == 0), CHUNK);
        list = lists.push(list, Entry::new(1 << 40, 1, 1));
        let (_, differences) = lists.spread(list);
        assert_eq!(differences, 1 << 40);
    }
}
