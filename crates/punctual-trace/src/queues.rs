//! In whose queue a ready thread stood, for traces that do not say: one may call it that of the
//! processor which the thread then got.

#[cfg(any(feature = "sim", test))]
use crate::event::Event;
use crate::event::{Kind, Left, ProcessorId};
use crate::per_thread::PerThread;

/// Tells the events that make threads ready whose queue that was. Returns what moves a thread which lost
/// one processor and got another, each with the index of the event behind which it belongs. The events are
/// in the order of time; `of` gives the processor and the kind of one.
pub(crate) fn settle<T>(
    events: &mut [T],
    of: impl Fn(&mut T) -> (ProcessorId, &mut Kind),
) -> Vec<(usize, Kind)> {
    let mut waiting: PerThread<usize> = PerThread::default();
    let mut moves = Vec::new();
    for index in 0..events.len() {
        let (on, kind) = of(&mut events[index]);
        match *kind {
            Kind::Ready { thread, .. } => waiting.insert(thread, index),
            Kind::Switch {
                previous,
                previous_state,
                next,
                ..
            } => {
                if let Some(before) = waiting.remove(next) {
                    match of(&mut events[before]) {
                        (_, Kind::Ready { processor, .. }) => *processor = on,
                        (left, _) if left != on => {
                            let (thread, to) = (next, on);
                            moves.push((before, Kind::Migrated { thread, to }));
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
    moves
}

/// The same events, settled, with those that move threads among them.
#[cfg(any(feature = "sim", test))]
pub(crate) fn settled(mut events: Vec<Event>) -> Vec<Event> {
    let mut moves = settle(&mut events, |event| (event.processor, &mut event.kind));
    moves.sort_unstable_by_key(|&(index, _)| index);
    let mut moves = moves.into_iter().peekable();
    let mut settled = Vec::with_capacity(events.len() + moves.len());
    for (index, event) in events.into_iter().enumerate() {
        settled.push(event);
        while let Some((_, kind)) = moves.next_if(|&(before, _)| before == index) {
            settled.push(Event {
                running: None,
                kind,
                ..event
            });
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::ThreadId;
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
        let settled = settled(vec![
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
