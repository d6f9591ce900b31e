//! The part of a trace that is kept in memory: all of it, or its end.

use punctual::Instant;
use punctual_trace::Recording;
use punctual_trace::recording::{Head, RecordedWait};
use punctual_trace::tracefs::{Portion, Raw};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Portions of a trace, and the waits of our own loop.
pub(super) struct Kept {
    /// How far back it reaches; `None` if it keeps everything.
    reach: Option<Duration>,
    most_bytes: usize,
    bytes: usize,
    portions: VecDeque<Portion>,
    waits: VecDeque<RecordedWait>,
    /// From when on everything is kept. `None` while nothing was dropped.
    complete_from: Option<Instant>,
}

impl Kept {
    /// Keeps all, until it is full.
    pub(super) fn all(most_bytes: usize) -> Self {
        Self {
            reach: None,
            most_bytes,
            bytes: 0,
            portions: VecDeque::new(),
            waits: VecDeque::new(),
            complete_from: None,
        }
    }

    /// Keeps what happened last. Of more bytes than these, the oldest are dropped, too.
    pub(super) fn the_last(reach: Duration, most_bytes: usize) -> Self {
        Self {
            reach: Some(reach),
            ..Self::all(most_bytes)
        }
    }

    /// Whether it keeps all and can keep no more.
    pub(super) fn is_full(&self) -> bool {
        self.reach.is_none() && self.bytes > self.most_bytes
    }

    /// Whether it keeps only what happened last.
    pub(super) fn is_a_ring(&self) -> bool {
        self.reach.is_some()
    }

    /// For how long it reaches back, if that is less than was asked for.
    pub(super) fn falls_short_of(&self) -> Option<Duration> {
        let reach = self.reach?;
        let last = self
            .portions
            .iter()
            .rev()
            .find_map(|last| last.complete_until)?;
        let kept = last.duration_since(self.complete_from?);
        // The oldest portion is a little older than the limit.
        (kept < reach.mul_f64(0.9)).then_some(kept)
    }

    pub(super) fn push(&mut self, portion: Portion, waits: &[RecordedWait]) {
        self.bytes += portion.bytes();
        self.portions.push_back(portion);
        self.waits.extend(waits);
        let Some(reach) = self.reach else {
            return;
        };
        let last = self.portions.back().and_then(|last| last.complete_until);
        let since = last.map_or(Instant::ZERO, |last| last - reach);
        while self.bytes > self.most_bytes || self.begins_before(since) {
            if !self.drop_oldest() {
                break;
            }
        }
        let dropped = |wait: &RecordedWait| {
            let from = self.complete_from.unwrap_or(Instant::ZERO);
            wait.woke_ns < from.as_nanos()
        };
        let old = self.waits.iter().take_while(|wait| dropped(wait)).count();
        self.waits.drain(..old);
    }

    /// Whether all that happened since an instant is kept without the oldest portion.
    fn begins_before(&self, since: Instant) -> bool {
        let third = self.portions.get(2);
        let complete_from = third.and_then(|portion| portion.complete_until);
        complete_from.is_some_and(|complete_from| complete_from <= since)
    }

    /// Returns whether there was one to drop: the last two stay.
    fn drop_oldest(&mut self) -> bool {
        let Some(complete_from) = self.complete_without(1) else {
            return false;
        };
        if let Some(dropped) = self.portions.pop_front() {
            self.bytes -= dropped.bytes();
        }
        self.complete_from = Some(complete_from);
        true
    }

    /// From when on everything is there without the oldest so many portions. What was drained with them is
    /// from before the next drain began, and the portion of the drain after that says when that was.
    fn complete_without(&self, oldest: usize) -> Option<Instant> {
        self.portions.get(oldest + 1)?.complete_until
    }

    /// A recording of what is kept since an instant, or of all that is kept if that is less.
    pub(super) fn since(&self, since: Instant, head: &Head, raw: &Raw) -> Recording {
        let left_out = (1..self.portions.len())
            .take_while(|&oldest| {
                self.complete_without(oldest)
                    .is_some_and(|from| from <= since)
            })
            .last();
        let complete_from = left_out.and_then(|oldest| self.complete_without(oldest));
        self.recording(
            left_out.unwrap_or(0),
            complete_from.or(self.complete_from),
            head,
            raw,
        )
    }

    /// A recording of all that is kept.
    pub(super) fn whole(&self, head: &Head, raw: &Raw) -> Recording {
        self.recording(0, self.complete_from, head, raw)
    }

    fn recording(
        &self,
        left_out: usize,
        complete_from: Option<Instant>,
        head: &Head,
        raw: &Raw,
    ) -> Recording {
        let mut pages: BTreeMap<_, Vec<u8>> = BTreeMap::new();
        for portion in self.portions.iter().skip(left_out) {
            for (processor, next) in &portion.pages {
                pages.entry(*processor).or_default().extend(next);
            }
        }
        let complete_from_ns = complete_from.map(Instant::as_nanos);
        let from = complete_from_ns.unwrap_or(0);
        let within = |wait: &&RecordedWait| wait.began_ns.min(wait.deadline_ns) >= from;
        let waits = self.waits.iter().filter(within).copied();
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
    use punctual_trace::ProcessorId;

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
            kept.push(portion, &[wait]);
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
        assert_eq!(drains(&recording).len(), 10);
        assert!(ring.falls_short_of().unwrap() < Duration::from_secs(1));
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
        let since = Instant::from_nanos(58_000 * MS);
        let part = ring.since(since, &head(), &Raw::default());
        assert_eq!(part.head.complete_from_ns, Some(58_000 * MS));
        assert_eq!(drains(&part)[0], 58_000);
        let all = ring.since(Instant::ZERO, &head(), &Raw::default());
        assert_eq!(all, ring.whole(&head(), &Raw::default()));
    }
}
