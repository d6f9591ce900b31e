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
    pub slot: u32,
    pub version: u32,
}

/// With its three words of links a chunk is half a kibibyte: long enough that a list is mostly read
/// in sequence, short enough that a list of one costs little.
pub(super) const CHUNK: usize = 31;

#[derive(Debug, Clone)]
struct Chunk {
    /// The chunk after this one; after the last, the first. Of a free chunk, the next free one.
    next: u32,
    len: usize,
    role: Role,
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

/// No chunk.
const NONE: u32 = u32::MAX;

/// All lists of one queue.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    chunks: Vec<Chunk>,
    free: u32,
    /// The chunk that is swept next.
    broom: usize,
    /// Memory for [`Self::distribute`].
    moving: Vec<Entry>,
}

impl Lists {
    pub const fn new() -> Self {
        Self {
            chunks: Vec::new(),
            free: NONE,
            broom: 0,
            moving: Vec::new(),
        }
    }

    /// Forgets all lists, keeps the memory.
    pub fn clear(&mut self) {
        self.chunks.clear();
        (self.free, self.broom) = (NONE, 0);
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
        let last = &mut self.chunks[list.0 as usize];
        if let Some(place) = last.entries.get_mut(last.len) {
            *place = entry;
            last.len += 1;
            return list;
        }
        self.lengthen(list, entry)
    }

    #[cold]
    fn lengthen(&mut self, list: List, entry: Entry) -> List {
        let single = self.single(entry);
        self.concatenate(list, single)
    }

    /// One list after the other.
    pub fn concatenate(&mut self, front: List, back: List) -> List {
        let first = self.chunks[front.0 as usize].next;
        let first_of_back = self.chunks[back.0 as usize].next;
        let seam = &mut self.chunks[front.0 as usize];
        (seam.next, seam.role) = (first_of_back, Role::Inner);
        self.chunks[back.0 as usize].next = first;
        back
    }

    /// Whether it has at most so many entries.
    pub fn is_at_most(&self, list: List, bound: usize) -> bool {
        let last = &self.chunks[list.0 as usize];
        let (mut len, mut at) = (last.len, last.next);
        while at != list.0 && len <= bound {
            let chunk = &self.chunks[at as usize];
            len += chunk.len;
            at = chunk.next;
        }
        len <= bound
    }

    /// The least and the greatest `latest`. `None` if there are no entries.
    pub fn bounds(&self, list: List) -> Option<(u64, u64)> {
        let chunks = self.chunks_of(list);
        let all = chunks.flat_map(Chunk::entries);
        let bounds = |(least, greatest): (u64, u64), entry: &Entry| {
            (least.min(entry.latest), greatest.max(entry.latest))
        };
        let (least, greatest) = all.fold((u64::MAX, 0), bounds);
        (least <= greatest).then_some((least, greatest))
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

    /// Gives every entry of a list away, in order, together with the lists to put it on, and frees
    /// it chunk by chunk.
    pub fn distribute(&mut self, list: List, mut give: impl FnMut(&mut Self, Entry)) {
        let mut at = self.chunks[list.0 as usize].next;
        let mut moving = core::mem::take(&mut self.moving);
        loop {
            let chunk = &self.chunks[at as usize];
            let next = chunk.next;
            moving.clear();
            moving.extend_from_slice(chunk.entries());
            self.release(at);
            moving.iter().for_each(|&entry| give(self, entry));
            if at == list.0 {
                break;
            }
            at = next;
        }
        self.moving = moving;
    }

    /// Cuts a list after its first chunk.
    pub fn cut(&mut self, list: List) -> (List, Option<List>) {
        let first = self.chunks[list.0 as usize].next;
        if first == list.0 {
            return (list, None);
        }
        let chunk = &mut self.chunks[first as usize];
        let rest = chunk.next;
        (chunk.next, chunk.role) = (first, Role::Last);
        self.chunks[list.0 as usize].next = rest;
        (List(first), Some(list))
    }

    /// Drops the dead from one chunk, another each time, and returns how many there were. Gives
    /// back memory that this leaves unused.
    pub fn sweep(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        if self.broom >= self.chunks.len() {
            self.broom = 0;
        }
        let index = self.broom;
        self.broom += 1;
        let Some(chunk) = self.chunks.get_mut(index) else {
            return 0;
        };
        if chunk.role == Role::Free {
            return 0;
        }
        let mut kept = 0;
        for place in 0..chunk.len {
            let entry = chunk.entries[place];
            chunk.entries[kept] = entry;
            kept += usize::from(is_live(entry));
        }
        let dropped = chunk.len - kept;
        chunk.len = kept;
        self.close_up(index);
        dropped
    }

    /// Sweeps everything.
    pub fn sweep_all(&mut self, is_live: impl Fn(Entry) -> bool) -> usize {
        self.broom = 0;
        (0..self.chunks.len()).map(|_| self.sweep(&is_live)).sum()
    }

    /// Moves the next chunk's entries into this one if they fit. Never the last chunk's, which
    /// names the list.
    fn close_up(&mut self, index: usize) {
        let next = self.chunks[index].next;
        let follower = &self.chunks[next as usize];
        let (start, len) = (self.chunks[index].len, follower.len);
        let fits = start + len <= CHUNK;
        if self.chunks[index].role != Role::Inner || follower.role != Role::Inner || !fits {
            return;
        }
        let (entries, after) = (follower.entries, follower.next);
        let chunk = &mut self.chunks[index];
        chunk.entries[start..start + len].copy_from_slice(&entries[..len]);
        chunk.len += len;
        chunk.next = after;
        self.release(next);
    }

    fn chunks_of(&self, list: List) -> impl Iterator<Item = &Chunk> {
        let mut at = self.chunks[list.0 as usize].next;
        let mut ended = false;
        core::iter::from_fn(move || {
            if ended {
                return None;
            }
            let chunk = &self.chunks[at as usize];
            ended = at == list.0;
            at = chunk.next;
            Some(chunk)
        })
    }

    /// A chunk that is the last of a list and holds one entry; its link is for the caller to set.
    fn allocate(&mut self, entry: Entry) -> u32 {
        if let Some(chunk) = self.chunks.get_mut(self.free as usize) {
            let index = self.free;
            self.free = chunk.next;
            (chunk.len, chunk.role) = (1, Role::Last);
            chunk.entries[0] = entry;
            return index;
        }
        let mut entries = [Entry::default(); CHUNK];
        entries[0] = entry;
        self.chunks.push(Chunk {
            next: NONE,
            len: 1,
            role: Role::Last,
            entries,
        });
        // There are at most 2^32 timers, and dead entries in proportion.
        u32::try_from(self.chunks.len() - 1).expect("memory for 2^32 chunks")
    }

    fn release(&mut self, index: u32) {
        let chunk = &mut self.chunks[index as usize];
        (chunk.next, chunk.role) = (self.free, Role::Free);
        self.free = index;
    }
}

impl Chunk {
    fn entries(&self) -> &[Entry] {
        &self.entries[..self.len]
    }
}
