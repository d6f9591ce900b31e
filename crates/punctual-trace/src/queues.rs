//! In whose queue a ready thread stood, for traces that do not say: one may call it that of the
//! processor which the thread then got.

use crate::event::{Event, Kind, Left, ProcessorId, ThreadId};
use std::collections::HashMap;

/// Tells the events that make threads ready whose queue that was, and adds those that move a thread
/// which lost one processor and got another. The events are in the order of time.
pub(crate) fn settle(mut events: Vec<Event>) -> Vec<Event> {
    let mut waiting: HashMap<ThreadId, usize> = HashMap::new();
    let mut moved: HashMap<usize, (ThreadId, ProcessorId)> = HashMap::new();
    for index in 0..events.len() {
        let (kind, on) = (events[index].kind, events[index].processor);
        match kind {
            Kind::Ready { thread, .. } => {
                waiting.insert(thread, index);
            }
            Kind::Switch {
                previous,
                previous_state,
                next,
                ..
            } => {
                if let Some(before) = waiting.remove(&next) {
                    let before_on = events[before].processor;
                    match &mut events[before].kind {
                        Kind::Ready { processor, .. } => *processor = on,
                        _ if before_on != on => {
                            moved.insert(before, (next, on));
                        }
                        _ => {}
                    }
                }
                if previous_state == Left::Ready && !previous.is_idle() {
                    waiting.insert(previous, index);
                }
            }
            _ => {}
        }
    }
    let mut settled = Vec::with_capacity(events.len() + moved.len());
    for (index, event) in events.into_iter().enumerate() {
        settled.push(event);
        if let Some((thread, to)) = moved.remove(&index) {
            settled.push(Event {
                running: None,
                kind: Kind::Migrated { thread, to },
                ..event
            });
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;
    use punctual::Instant;

    fn event(at: u64, processor: u16, kind: Kind) -> Event {
        Event {
            at: Instant::from_nanos(at),
            processor: ProcessorId(processor),
            running: None,
            asked_to_switch: false,
            kind,
        }
    }

    fn switch(previous: ThreadId, previous_state: Left, next: ThreadId) -> Kind {
        Kind::Switch {
            previous,
            previous_state,
            previous_priority: None,
            next,
            next_priority: None,
        }
    }

    #[test]
    fn a_thread_stood_in_the_queue_of_the_processor_that_it_got() {
        let (thread, other, idle) = (ThreadId(8), ThreadId(12), ThreadId::IDLE);
        let unknown = ProcessorId(9);
        let ready = |processor| Kind::Ready { thread, processor };
        let settled = settle(vec![
            event(1, 0, ready(unknown)),
            event(2, 1, switch(idle, Left::Waiting, thread)),
            event(3, 1, switch(thread, Left::Ready, other)),
            event(4, 2, switch(idle, Left::Waiting, thread)),
        ]);
        let kinds: Vec<_> = settled.iter().map(|event| event.kind).collect();
        assert_eq!(kinds[0], ready(ProcessorId(1)));
        let to = ProcessorId(2);
        assert_eq!(kinds[3], Kind::Migrated { thread, to });
        assert_eq!((settled[3].at, settled.len()), (Instant::from_nanos(3), 5));
    }
}
