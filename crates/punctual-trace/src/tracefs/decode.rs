//! From pages to events.

use super::Raw;
use super::format::{EventFormat, Field};
use super::page::{PageLayout, Record, records};
use super::rules::{Known, Rule};
use super::tables::Tables;
use crate::event::{Event, Kind, ProcessorId, ThreadId};
use crate::names::Names;
use crate::trace::Trace;
use punctual::{Error, Instant};
use std::collections::{BTreeSet, HashMap};

/// Reads all pages.
///
/// # Errors
/// Invalid input, when a format cannot be read or a page contradicts itself.
pub fn decode(raw: &Raw) -> Result<Trace, Error> {
    let mut decoder = Decoder::new(raw)?;
    for (processor, pages) in &raw.pages {
        decoder.read(*processor, pages)?;
    }
    let events = decoder.take_rest();
    Ok(Trace::new(events, decoder.read.known.names))
}

/// Fields that every event has.
#[derive(Debug)]
struct Common {
    kind: Field,
    flags: Field,
    thread: Field,
}

/// `TRACE_FLAG_NEED_RESCHED` and `TRACE_FLAG_NEED_RESCHED_LAZY` of `include/linux/trace_events.h`.
const NEED_RESCHED: i64 = 0x04 | 0x02;

/// Reads pages while they come, and gives their events in the order of time.
///
/// The events of different processors come in different pages. The decoder keeps an event until the
/// caller says that no earlier one can come.
#[derive(Debug)]
pub struct Decoder {
    layout: PageLayout,
    page_bytes: usize,
    read: Reading,
}

/// What was read of the pages.
#[derive(Debug)]
struct Reading {
    /// By the events' numbers.
    rules: Vec<Option<Rule>>,
    common: Common,
    known: Known,
    /// Those that were not given yet.
    events: Vec<Event>,
    given_until: Instant,
}

impl Decoder {
    /// Reads the descriptions of a trace; its pages are given one after the other.
    ///
    /// # Errors
    /// Invalid input, when a description cannot be read.
    pub fn new(raw: &Raw) -> Result<Self, Error> {
        if raw.page_bytes == 0 {
            return Err(Error::invalid_input("the trace's pages have no size"));
        }
        let mut known = Known::new(Tables::of(raw));
        if let Some(marker) = &raw.marker {
            known.expect_marker(marker);
        }
        let mut rules = Vec::new();
        let mut common = None;
        for text in &raw.formats {
            let format = EventFormat::parse(text)?;
            let index = usize::from(format.id);
            if rules.len() <= index {
                rules.resize_with(index + 1, || None);
            }
            rules[index] = Rule::new(&format, &mut known.names)?;
            common = Some(Common::new(&format)?);
        }
        let common =
            common.ok_or_else(|| Error::invalid_input("the trace has no event formats"))?;
        Ok(Self {
            layout: PageLayout::parse(&raw.header_page)?,
            page_bytes: raw.page_bytes,
            read: Reading {
                rules,
                common,
                known,
                events: Vec::new(),
                given_until: Instant::ZERO,
            },
        })
    }

    /// Reads the next pages of a processor, one after the other.
    ///
    /// # Errors
    /// Invalid input, when a page contradicts itself.
    pub fn read(&mut self, processor: ProcessorId, pages: &[u8]) -> Result<(), Error> {
        let mut pages = pages.chunks(self.page_bytes);
        pages.try_for_each(|page| self.read.page(processor, page, &self.layout))
    }

    /// Gives the events before an instant, in the order of time. Events of the same instant are in the
    /// order of their processors. An event from before this instant that comes later is lost, and the
    /// trace says so.
    pub fn take_until(&mut self, until: Instant) -> Vec<Event> {
        let read = &mut self.read;
        read.given_until = read.given_until.max(until);
        read.sort();
        let is_given = |event: &Event| event.at < read.given_until;
        let given = read.events.partition_point(is_given);
        read.events.drain(..given).collect()
    }

    /// Gives all events that are left. No page may come after that.
    pub fn take_rest(&mut self) -> Vec<Event> {
        self.read.sort();
        std::mem::take(&mut self.read.events)
    }

    /// Forgets the names from before an instant, and those of threads that had ended by then, each with
    /// when.
    pub(crate) fn forget(&mut self, before: Instant, ended: &HashMap<ThreadId, Instant>) {
        self.read.known.forget(before, ended);
    }

    /// The names in what was read so far.
    pub fn names(&self) -> &Names {
        &self.read.known.names
    }

    /// The addresses in the stacks that were read so far.
    pub fn addresses(&self) -> &BTreeSet<u64> {
        self.read.known.stacks.addresses()
    }

    /// The names in what was read so far, to add to them.
    pub fn names_mut(&mut self) -> &mut Names {
        &mut self.read.known.names
    }
}

impl Reading {
    fn sort(&mut self) {
        self.events.sort_by_key(|event| (event.at, event.processor));
    }

    fn page(&mut self, on: ProcessorId, page: &[u8], layout: &PageLayout) -> Result<(), Error> {
        let first = self.events.len();
        let (mut start, mut came_too_late) = (None, false);
        let were_lost = records(page, layout, |record| {
            start.get_or_insert(record.at);
            if record.at < self.given_until {
                came_too_late = true;
            } else {
                self.record(on, &record);
            }
        })?;
        if were_lost || came_too_late {
            let at = self.events.get(first).map(|event| event.at).or(start);
            let lost = Event {
                at: at.unwrap_or_default().max(self.given_until),
                processor: on,
                running: None,
                asked_to_switch: false,
                kind: Kind::Lost,
            };
            self.events.insert(first, lost);
        }
        Ok(())
    }

    /// An event that is shorter than its format says, or of no known format, is left out: its
    /// neighbours are sound.
    fn record(&mut self, processor: ProcessorId, record: &Record<'_>) {
        let number = self.common.kind.number(record.data).unwrap_or(-1);
        let rule = usize::try_from(number).ok();
        let Some(rule) = rule.and_then(|rule| self.rules.get(rule)?.as_ref()) else {
            return;
        };
        let Some(read) = rule.read(record.data, (processor, record.at), &mut self.known) else {
            return;
        };
        let kind = match (read.kind, read.timer_clock) {
            (Kind::TimerExpired { timer, .. }, Some(clock)) => Kind::TimerExpired {
                timer,
                clock_ahead_ns: clock_ahead_ns(record.at, clock),
            },
            (kind, _) => kind,
        };
        let running = self.common.thread.number(record.data);
        let running = running.and_then(|id| u32::try_from(id).ok().map(ThreadId));
        let flags = self.common.flags.number(record.data).unwrap_or(0);
        // The stack of a switch names the thread before it, as the switch does.
        let is_event = !matches!(kind, Kind::Stack { .. });
        self.events.push(Event {
            at: record.at,
            processor,
            running: running.filter(|_| is_event),
            asked_to_switch: is_event && flags & NEED_RESCHED != 0,
            kind,
        });
    }
}

/// A timer's clock is read just before the event that says what it read. If the two are far apart, the
/// timer has another clock than the trace.
fn clock_ahead_ns(at: Instant, clock: i64) -> i64 {
    /// More than any interrupt lasts, and less than any two clocks of a machine differ by.
    const FAR_NS: u64 = 500_000_000;
    let ahead = clock.saturating_sub(at.as_nanos().cast_signed());
    if ahead.unsigned_abs() > FAR_NS {
        ahead
    } else {
        0
    }
}

impl Common {
    fn new(format: &EventFormat) -> Result<Self, Error> {
        let field = |name| format.field(name).cloned();
        Ok(Self {
            kind: field("common_type")?,
            flags: field("common_flags")?,
            thread: field("common_pid")?,
        })
    }
}
