//! From pages to events.

use super::format::{EventFormat, Field};
use super::page::{PageLayout, Record, records};
use super::rules::{Known, Rule};
use crate::event::{Event, Kind, ProcessorId, ThreadId, TimerId};
use crate::trace::Trace;
use punctual::{Error, Instant};
use std::collections::HashMap;

/// What a kernel wrote, and what it takes to read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Raw {
    /// The file `events/header_page`.
    pub header_page: String,
    /// The files `events/*/*/format` of the events that were recorded.
    pub formats: Vec<String>,
    /// How large a page is, in bytes.
    pub page_bytes: usize,
    /// The system calls of the machine: their numbers and names, to name calls by.
    pub calls: Vec<(i64, String)>,
    /// The addresses and names of the kernel's functions that tell what a timer is for.
    pub functions: Vec<(u64, String)>,
    /// Of each processor, its pages one after the other.
    pub pages: Vec<(ProcessorId, Vec<u8>)>,
}

/// Reads all pages.
///
/// # Errors
/// Invalid input, when a format cannot be read or a page contradicts itself.
pub fn decode(raw: &Raw) -> Result<Trace, Error> {
    if raw.page_bytes == 0 {
        return Err(Error::invalid_input("the trace's pages have no size"));
    }
    let layout = PageLayout::parse(&raw.header_page)?;
    let mut decoder = Decoder::new(&raw.formats)?;
    for (processor, pages) in &raw.pages {
        for page in pages.chunks(raw.page_bytes) {
            decoder.page(*processor, page, &layout)?;
        }
    }
    Ok(decoder.finish())
}

/// Fields that every event has.
#[derive(Debug)]
struct Common {
    kind: Field,
    flags: Field,
    thread: Field,
}

/// `TRACE_FLAG_NEED_RESCHED` of `include/linux/trace_events.h`.
const NEED_RESCHED: i64 = 0x04;

struct Decoder {
    /// By the events' numbers.
    rules: Vec<Option<Rule>>,
    common: Common,
    known: Known,
    events: Vec<Event>,
    /// Timers that expired by another clock than the trace's, and how far that is ahead of it.
    other_clocks: HashMap<(Instant, TimerId), i64>,
}

impl Decoder {
    fn new(formats: &[String]) -> Result<Self, Error> {
        let mut known = Known::default();
        let mut rules = Vec::new();
        let mut common = None;
        for text in formats {
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
            rules,
            common,
            known,
            events: Vec::new(),
            other_clocks: HashMap::new(),
        })
    }

    fn page(&mut self, on: ProcessorId, page: &[u8], layout: &PageLayout) -> Result<(), Error> {
        let first = self.events.len();
        let mut start = None;
        let were_lost = records(page, layout, |record| {
            start.get_or_insert(record.at);
            self.record(on, &record);
        })?;
        if were_lost {
            let at = self.events.get(first).map(|event| event.at).or(start);
            self.events.insert(
                first,
                Event {
                    at: at.unwrap_or_default(),
                    processor: on,
                    running: None,
                    asked_to_switch: false,
                    kind: Kind::Lost,
                },
            );
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
        let Some(read) = rule.read(record.data, &mut self.known) else {
            return;
        };
        if let (Some(clock), Kind::TimerExpired { timer }) = (read.timer_clock, read.kind) {
            self.note_clock(record.at, timer, clock);
        }
        let running = self.common.thread.number(record.data);
        let flags = self.common.flags.number(record.data).unwrap_or(0);
        self.events.push(Event {
            at: record.at,
            processor,
            running: running.and_then(|id| u32::try_from(id).ok().map(ThreadId)),
            asked_to_switch: flags & NEED_RESCHED != 0,
            kind: read.kind,
        });
    }

    /// A timer's clock is read just before the event that says what it read. If the two are far
    /// apart, the timer has another clock.
    fn note_clock(&mut self, at: Instant, timer: TimerId, clock: i64) {
        /// More than any interrupt lasts, and less than any two clocks of a machine differ by.
        const FAR_NS: u64 = 500_000_000;
        let ahead = clock.saturating_sub(at.as_nanos().cast_signed());
        if ahead.unsigned_abs() > FAR_NS {
            self.other_clocks.insert((at, timer), ahead);
        }
    }

    fn finish(self) -> Trace {
        let mut trace = Trace::new(self.events, self.known.names);
        if !self.other_clocks.is_empty() {
            trace.translate_clocks(&self.other_clocks);
        }
        trace
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

impl Trace {
    /// Brings the windows of timers with other clocks to the trace's clock, by how far apart the two
    /// were when the timer expired: an instant of a clock that was set meanwhile is meant as the
    /// clock is set now.
    fn translate_clocks(&mut self, ahead: &HashMap<(Instant, TimerId), i64>) {
        let mut armed = HashMap::new();
        for index in 0..self.events().len() {
            let event = self.events()[index];
            match event.kind {
                Kind::TimerArmed { timer, .. } => {
                    armed.insert(timer, index);
                }
                Kind::TimerExpired { timer } => {
                    let found = armed.remove(&timer).zip(ahead.get(&(event.at, timer)));
                    if let Some((index, &ahead)) = found {
                        self.translate(index, ahead);
                    }
                }
                _ => {}
            }
        }
    }

    fn translate(&mut self, index: usize, ahead: i64) {
        let moved = |instant: Instant| {
            Instant::from_nanos(
                instant
                    .as_nanos()
                    .saturating_add_signed(ahead.saturating_neg()),
            )
        };
        let event = &mut self.events_mut()[index];
        if let Kind::TimerArmed {
            timer,
            earliest,
            latest,
        } = event.kind
        {
            event.kind = Kind::TimerArmed {
                timer,
                earliest: moved(earliest),
                latest: moved(latest),
            };
        }
    }
}
