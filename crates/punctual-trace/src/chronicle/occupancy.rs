//! What had a processor when.

use super::forgetting::forget;
use super::processor::Processor;
use crate::event::{Event, Kind, Left, Priority, ProcessorId};
use crate::segment::Occupant;
use punctual::Instant;
use std::collections::BTreeMap;
use std::time::Duration;

/// A processor takes less to wake from idle. The deepest states of processors take some hundred
/// microseconds to leave (`/sys/devices/system/cpu/cpu0/cpuidle/state*/latency`).
pub(crate) const LONGEST_IDLE_EXIT: Duration = Duration::from_millis(1);

/// A time in which nothing else had the processor. It lasts until the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// When it began.
    pub from: Instant,
    /// What had it.
    pub occupant: Occupant,
    /// With which priority, if it is a thread and the trace says so.
    pub priority: Option<Priority>,
    /// Whether the processor had been asked to choose another thread.
    pub asked_to_switch: bool,
    /// Whether its beginning was recorded, or is only known to lie between the event before it and
    /// this instant: a switch of threads was lost.
    pub is_recorded: bool,
    /// When the processor chose the thread whose turn it is, if that was recorded.
    pub chosen_at: Option<Instant>,
}

/// What had one processor, in the order of time.
#[derive(Debug, Default, Clone)]
pub struct Occupancy(Vec<Span>);

impl Occupancy {
    /// That of a processor without events.
    pub(super) const EMPTY: Self = Self(Vec::new());

    /// What had it between two instants: spans with their ends, cut to them. Nothing is known to have
    /// had it before the first event.
    pub fn between(&self, from: Instant, to: Instant) -> impl Iterator<Item = (Span, Instant)> {
        let first = self.0.partition_point(|span| span.from <= from);
        let before = first.checked_sub(1).map_or(
            Span {
                from,
                occupant: Occupant::Unknown,
                priority: None,
                asked_to_switch: false,
                is_recorded: true,
                chosen_at: None,
            },
            |index| Span {
                from,
                ..self.0[index]
            },
        );
        let within = self.0[first..].iter().copied();
        let within = within.take_while(move |span| span.from < to);
        let ends = within.clone().map(|span| span.from).chain([to]);
        std::iter::once(before)
            .chain(within)
            .zip(ends)
            .filter(|(span, end)| span.from < *end)
    }
}

/// The occupancies of all processors, while they are made.
#[derive(Debug, Default)]
pub(super) struct Occupancies(BTreeMap<ProcessorId, Occupancy>);

impl Occupancies {
    /// Takes in an event, with what the processor does after it.
    pub(super) fn note(&mut self, event: &Event, processor: &Processor) {
        let Occupancy(spans) = self.0.entry(event.processor).or_default();
        if let Some(last) = spans.last_mut()
            && last.asked_to_switch
            && chose_the_same(event)
        {
            last.asked_to_switch = false;
        }
        let span = Span {
            from: event.at,
            occupant: processor.occupant(),
            priority: processor.priority(),
            asked_to_switch: processor.asked_to_switch(),
            is_recorded: !processor.switch_was_lost(),
            chosen_at: processor.chose_at(),
        };
        let is_news = spans.last().is_none_or(|last| {
            (last.occupant, last.asked_to_switch) != (span.occupant, span.asked_to_switch)
        });
        if is_news {
            spans.push(span);
        }
    }

    pub(super) fn of(&self, processor: ProcessorId) -> &Occupancy {
        const NOBODY: &Occupancy = &Occupancy::EMPTY;
        self.0.get(&processor).unwrap_or(NOBODY)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Occupancy> {
        self.0.values()
    }

    pub(super) fn forget(&mut self, before: Instant) {
        for Occupancy(spans) in self.0.values_mut() {
            forget(spans, before, |span| span.from);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.values().map(|Occupancy(spans)| spans.len()).sum()
    }
}

/// Whether a processor that had been asked to choose another thread must have chosen the same again
/// before this event. It does so at once as a rule, and no event tells of it.
fn chose_the_same(event: &Event) -> bool {
    match event.kind {
        Kind::Switch { previous_state, .. } => previous_state != Left::Ready,
        _ => !event.asked_to_switch,
    }
}
