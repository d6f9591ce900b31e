//! A trace of which the kernel keeps only the end: what it counts, and which of its pages matter.

use super::{PageLayout, Portion, Raw};
use punctual::Instant;

/// What a kernel has counted of a trace, of all processors together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RingCounts {
    /// The events that were written, those among them that newer ones have replaced.
    pub events: u64,
    /// The events that could not be written.
    pub lost: u64,
    /// The bytes that the buffers hold now.
    pub bytes: u64,
}

impl RingCounts {
    /// Adds what the file `per_cpu/cpuN/stats` of a processor says. A line that another kernel does not have counts
    /// as nothing.
    pub fn add(&mut self, stats: &str) {
        for line in stats.lines() {
            let Some((name, number)) = line.split_once(':') else {
                continue;
            };
            let number = number.trim().parse().unwrap_or(0);
            match name.trim() {
                "entries" | "overrun" | "read events" => self.events += number,
                "commit overrun" | "dropped events" => self.lost += number,
                "bytes" => self.bytes += number,
                _ => {}
            }
        }
    }
}

impl Portion {
    /// The pages of this portion that have events from `from` until `until`. The last event before them stays on each
    /// processor: it says what the processor did then. `raw` describes the pages.
    pub fn between(&self, raw: &Raw, from: Instant, until: Instant) -> Self {
        let layout = PageLayout::parse(&raw.header_page).ok();
        let page_bytes = raw.page_bytes.max(1);
        let begins_before = |page: &[u8], at: Instant| {
            let begins = layout.as_ref().and_then(|layout| layout.begins(page));
            begins.is_some_and(|begins| begins < at)
        };
        let pages = self.pages.iter().map(|(processor, pages)| {
            let next = pages.chunks(page_bytes).skip(1);
            let before = next.take_while(|page| begins_before(page, from)).count() * page_bytes;
            let left = &pages[before..];
            // Where pages do not say when they begin, all are left.
            let is_within = |page: &&[u8]| begins_before(page, until) || layout.is_none();
            let within = left.chunks(page_bytes).take_while(is_within);
            let bytes = within.map(<[u8]>::len).sum::<usize>();
            (*processor, left[..bytes].to_vec())
        });
        Self {
            pages: pages.collect(),
            complete_until: self.complete_until.map(|complete| complete.min(until)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::ProcessorId;

    const HEADER: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
                          \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
                          \tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

    #[test]
    fn the_counts_of_all_processors_add_up() {
        let stats = "entries: 5\noverrun: 3\ncommit overrun: 2\nbytes: 400\noldest event ts:  12.5\n\
                     now ts: 13.0\ndropped events: 1\nread events: 7\n";
        let mut counts = RingCounts::default();
        counts.add(stats);
        counts.add(stats);
        counts.add("another kernel says otherwise\nbytes: many");
        let expected = RingCounts {
            events: 30,
            lost: 6,
            bytes: 800,
        };
        assert_eq!(counts, expected);
    }

    fn page(at: u64) -> Vec<u8> {
        [at.to_le_bytes(), [0; 8]].concat()
    }

    #[test]
    fn pages_before_and_after_go_and_the_last_event_before_stays() {
        let raw = Raw {
            header_page: HEADER.to_owned(),
            page_bytes: 16,
            ..Raw::default()
        };
        let left = |times: &[u64]| {
            let portion = Portion {
                pages: vec![(
                    ProcessorId(0),
                    times.iter().flat_map(|&at| page(at)).collect(),
                )],
                complete_until: None,
            };
            let (from, until) = (Instant::from_nanos(50), Instant::from_nanos(90));
            let left = portion.between(&raw, from, until);
            let times = left.pages[0].1.chunks(16).map(|page| u64::from(page[0]));
            times.collect::<Vec<_>>()
        };
        assert_eq!(left(&[10, 20, 30]), [30]);
        assert_eq!(left(&[10, 20, 60]), [20, 60]);
        assert_eq!(left(&[10, 50, 60, 89, 90, 95]), [10, 50, 60, 89]);
        assert_eq!(left(&[60, 70]), [60, 70]);
        assert!(left(&[95]).is_empty() && left(&[]).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn of_any_bytes_a_part_is_left(
            pages in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
            page_bytes in 0..40_usize,
            from in proptest::num::u64::ANY,
            until in proptest::num::u64::ANY,
            has_layout in proptest::bool::ANY,
        ) {
            let raw = Raw {
                header_page: HEADER.chars().filter(|_| has_layout).collect(),
                page_bytes,
                ..Raw::default()
            };
            let portion = Portion {
                pages: vec![(ProcessorId(0), pages.clone())],
                complete_until: None,
            };
            let (from, until) = (Instant::from_nanos(from), Instant::from_nanos(until));
            let left = &portion.between(&raw, from, until).pages[0].1;
            assert!(left.is_empty() || pages.windows(left.len()).any(|part| part == left));
            assert!(has_layout || *left == pages);
        }
    }
}
