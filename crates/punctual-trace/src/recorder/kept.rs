//! The part of a trace that is held in memory: all of it, or its end.

use crate::event::ProcessorId;
use crate::recording::{Head, RecordedWait, Recording};
use crate::tracefs::{Portion, Raw};
use punctual::Instant;
use std::borrow::Borrow;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Portions of a trace, and the waits of our own loop.
#[derive(Debug)]
pub struct Kept {
    /// How far back it reaches; `None` if it keeps everything.
    reach: Option<Duration>,
    most_bytes: usize,
    bytes: usize,
    taken: VecDeque<Taken>,
    waits: VecDeque<RecordedWait>,
    /// From when on everything is kept. `None` while nothing was dropped.
    complete_from: Option<Instant>,
}

/// What was taken from the kernel at once.
#[derive(Debug)]
struct Taken {
    portion: Portion,
    /// When taking it had ended: nothing that happened later is in it.
    ended: Instant,
}

impl Kept {
    /// Keeps all, until it is full.
    pub fn all(most_bytes: usize) -> Self {
        Self {
            reach: None,
            most_bytes,
            bytes: 0,
            taken: VecDeque::new(),
            waits: VecDeque::new(),
            complete_from: None,
        }
    }

    /// Keeps what happened last. If what is kept besides the last portion has more bytes than these, the oldest is dropped, too.
    pub fn the_last(reach: Duration, most_bytes: usize) -> Self {
        Self {
            reach: Some(reach),
            ..Self::all(most_bytes)
        }
    }

    /// Whether it keeps all and can keep no more.
    pub fn is_full(&self) -> bool {
        self.reach.is_none() && self.bytes > self.most_bytes
    }

    /// Whether it keeps only what happened last.
    pub fn is_a_ring(&self) -> bool {
        self.reach.is_some()
    }

    /// Until when everything is kept that has happened.
    pub fn complete_until(&self) -> Instant {
        let mut portions = self.taken.iter().rev().map(|taken| &taken.portion);
        portions
            .find_map(|portion| portion.complete_until)
            .unwrap_or(Instant::ZERO)
    }

    /// For how long it reaches back, if that is less than was asked for.
    pub fn falls_short_of(&self) -> Option<Duration> {
        let kept = self.complete_until().duration_since(self.complete_from?);
        // The oldest portion is a little older than the limit.
        (kept < self.reach?.mul_f64(0.9)).then_some(kept)
    }

    /// Takes in what was taken from the kernel, which had `ended` then, and the waits of our own loop since the last time.
    pub fn push(&mut self, portion: Portion, waits: &[RecordedWait], ended: Instant) {
        let last = portion.bytes();
        self.bytes += last;
        self.taken.push_back(Taken { portion, ended });
        self.waits.extend(waits);
        while self.is_a_ring() && self.bytes - last > self.most_bytes {
            self.drop_oldest();
        }
        self.forget(self.complete_until());
    }

    /// Drops what is too old at this instant.
    pub fn forget(&mut self, now: Instant) {
        let Some(reach) = self.reach else {
            return;
        };
        while self
            .taken
            .front()
            .is_some_and(|oldest| oldest.ended + reach <= now)
        {
            self.drop_oldest();
        }
        let from = self.complete_from.unwrap_or(Instant::ZERO).as_nanos();
        let old = self.waits.iter().take_while(|wait| wait.woke_ns < from);
        self.waits.drain(..old.count());
    }

    /// Drops everything. The trace begins anew.
    pub fn clear(&mut self) {
        self.taken.clear();
        self.waits.clear();
        (self.bytes, self.complete_from) = (0, None);
    }

    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.taken.pop_front() {
            self.bytes -= oldest.portion.bytes();
            self.complete_from = Some(oldest.ended);
        }
    }

    /// A recording of all that is kept. `head` describes the trace, and `raw` its pages.
    pub fn whole(&self, head: &Head, raw: &Raw) -> Recording {
        let portions = self.taken.iter().map(|taken| &taken.portion);
        self.recording(portions, self.complete_from, Instant::MAX, head, raw)
    }

    /// A recording of what is kept of the time between two instants.
    pub fn between(&self, from: Instant, until: Instant, head: &Head, raw: &Raw) -> Recording {
        let before = self.taken.iter().take_while(|taken| taken.ended <= from);
        let dropped = before.last().map(|taken| taken.ended);
        let complete_from = dropped
            .or(self.complete_from)
            .map_or(from, |it| it.max(from));
        let taken = self.taken.iter().filter(|taken| taken.ended > from);
        let portions = taken.map(|taken| taken.portion.between(raw, from, until));
        self.recording(portions, Some(complete_from), until, head, raw)
    }

    fn recording(
        &self,
        portions: impl Iterator<Item = impl Borrow<Portion>>,
        complete_from: Option<Instant>,
        until: Instant,
        head: &Head,
        raw: &Raw,
    ) -> Recording {
        let mut pages: BTreeMap<ProcessorId, Vec<u8>> = BTreeMap::new();
        for portion in portions {
            for (processor, next) in &portion.borrow().pages {
                pages.entry(*processor).or_default().extend(next);
            }
        }
        let complete_from_ns = complete_from.map(Instant::as_nanos);
        let (from, until) = (complete_from_ns.unwrap_or(0), until.as_nanos());
        let is_within = |wait: &&RecordedWait| {
            wait.began_ns.min(wait.deadline_ns) >= from && wait.woke_ns <= until
        };
        let waits = self.waits.iter().filter(is_within).copied();
        Recording {
            head: Head {
                waits: head.waits.as_ref().map(|_| waits.collect()),
                complete_from_ns,
                ..head.clone()
            },
            raw: Raw {
                pages: pages.into_iter().collect(),
                ..raw.clone()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Drained every 100 ms: a page that holds when, and what is complete until 100 ms before.
    fn kept(mut kept: Kept, seconds: u64) -> Kept {
        for drain in 1..=seconds * 10 {
            let at_ms = drain * 100;
            let wait = RecordedWait {
                thread: 7,
                began_ns: (at_ms - 90) * MS,
                deadline_ns: (at_ms - 80) * MS,
                woke_ns: (at_ms - 70) * MS,
            };
            let portion = Portion {
                pages: vec![(ProcessorId(0), at_ms.to_le_bytes().to_vec())],
                complete_until: Some(Instant::from_nanos((at_ms - 100) * MS)),
            };
            kept.push(portion, &[wait], Instant::from_nanos(at_ms * MS));
        }
        kept
    }

    fn drains(recording: &Recording) -> Vec<u64> {
        let (_, pages) = &recording.raw.pages[0];
        let drains = pages.chunks(8).map(|page| page.try_into().unwrap());
        drains.map(u64::from_le_bytes).collect()
    }

    fn head() -> Head {
        Head {
            waits: Some(Vec::new()),
            ..Head::default()
        }
    }

    #[test]
    fn the_last_seconds_are_kept_and_it_is_known_from_when_on() {
        let ring = kept(Kept::the_last(Duration::from_secs(2), usize::MAX), 60);
        let recording = ring.whole(&head(), &Raw::default());
        let drains = drains(&recording);
        // The last drain knows what happened until 59.9 s.
        let from = recording.head.complete_from_ns.unwrap();
        assert_eq!((from, ring.falls_short_of()), (57_900 * MS, None));
        // What was drained before the first that is kept happened before that.
        assert!(drains[0] - 100 <= from / MS, "{drains:?}");
        assert_eq!(drains.last(), Some(&60_000));
        let waits = recording.head.waits.unwrap();
        assert!(waits.iter().all(|wait| wait.began_ns >= from));
        assert_eq!(waits.len(), 21);
    }

    #[test]
    fn too_many_bytes_make_it_shorter_and_it_says_so() {
        let ring = kept(Kept::the_last(Duration::from_secs(30), 80), 60);
        let recording = ring.whole(&head(), &Raw::default());
        // Besides the last.
        assert_eq!(drains(&recording).len(), 11);
        assert_eq!(ring.falls_short_of(), Some(Duration::from_secs(1)));
    }

    #[test]
    fn all_of_it_is_kept_until_it_is_full() {
        let all = kept(Kept::all(800), 10);
        let recording = all.whole(&head(), &Raw::default());
        assert_eq!(drains(&recording).len(), 100);
        assert_eq!(recording.head.complete_from_ns, None);
        assert!(!all.is_full());
        assert!(kept(Kept::all(799), 10).is_full());
    }

    #[test]
    fn a_part_begins_before_what_it_is_about() {
        let ring = kept(Kept::the_last(Duration::from_secs(10), usize::MAX), 60);
        let at = |ms: u64| Instant::from_nanos(ms * MS);
        let part = ring.between(at(58_000), at(59_000), &head(), &Raw::default());
        assert_eq!(part.head.complete_from_ns, Some(58_000 * MS));
        // The drain that ended then has nothing that happened later.
        assert_eq!(drains(&part)[0], 58_100);
        let waits = part.head.waits.unwrap();
        assert!(
            waits
                .iter()
                .all(|wait| (58_000 * MS..=59_000 * MS).contains(&wait.woke_ns))
        );
        assert_eq!(waits.len(), 10);
        let all = ring.between(Instant::ZERO, Instant::MAX, &head(), &Raw::default());
        assert_eq!(all, ring.whole(&head(), &Raw::default()));
    }

    #[test]
    fn what_is_too_old_is_forgotten_although_nothing_comes() {
        let mut ring = kept(Kept::the_last(Duration::from_secs(2), usize::MAX), 60);
        ring.forget(Instant::from_nanos(61_000 * MS));
        let left = ring.whole(&head(), &Raw::default());
        assert_eq!(drains(&left).len(), 10);
        assert_eq!(left.head.complete_from_ns, Some(59_000 * MS));
        ring.forget(Instant::from_nanos(70_000 * MS));
        assert_eq!(ring.bytes, 0);
        ring.clear();
        assert_eq!(
            ring.whole(&head(), &Raw::default()).head.complete_from_ns,
            None
        );
    }
}
