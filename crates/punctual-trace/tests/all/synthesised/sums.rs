//! Whatever a trace says, segments add up or there are none.

use super::scene::at;
use proptest::prelude::*;
use punctual_trace::event::{Left, TimerId};
use punctual_trace::{
    Chronicle, Event, Kind, Names, ProcessorId, ThreadId, Trace, Verdict, Wait, explain, waits,
};

/// Everything happens within this many nanoseconds, among this many threads, on two processors.
const LENGTH: u64 = 300;
const THREADS: u32 = 4;

fn thread() -> impl Strategy<Value = ThreadId> {
    (0..THREADS).prop_map(ThreadId)
}

fn timer() -> impl Strategy<Value = TimerId> {
    (0_u64..2).prop_map(TimerId)
}

fn left() -> impl Strategy<Value = Left> {
    prop::sample::select(vec![
        Left::Ready,
        Left::Waiting,
        Left::Blocked,
        Left::Stopped,
        Left::Ended,
    ])
}

fn kind() -> impl Strategy<Value = Kind> {
    let mut names = Names::default();
    let (irq, softirq) = (names.symbol("irq"), names.symbol("softirq"));
    let call = names.symbol("futex");
    let processor = || (0_u16..2).prop_map(ProcessorId);
    prop_oneof![
        2 => (timer(), 0..LENGTH, 0_u64..50).prop_map(|(timer, earliest, more)| Kind::TimerArmed {
            timer,
            earliest: at(earliest),
            latest: at(earliest + more),
        }),
        2 => timer().prop_map(|timer| Kind::TimerExpired { timer, clock_ahead_ns: 0 }),
        1 => timer().prop_map(|timer| Kind::TimerHandled { timer }),
        1 => timer().prop_map(|timer| Kind::TimerCancelled { timer }),
        1 => Just(Kind::InterruptEntry { name: irq }),
        1 => Just(Kind::InterruptExit),
        1 => Just(Kind::SoftirqEntry { name: softirq }),
        1 => Just(Kind::SoftirqExit),
        3 => thread().prop_map(|thread| Kind::Waking { thread }),
        3 => (thread(), processor()).prop_map(|(thread, processor)| Kind::Ready { thread, processor }),
        5 => (thread(), left(), thread()).prop_map(|(previous, previous_state, next)| Kind::Switch {
            previous,
            previous_state,
            previous_priority: None,
            next,
            next_priority: None,
        }),
        1 => (thread(), processor()).prop_map(|(thread, to)| Kind::Migrated { thread, to }),
        1 => thread().prop_map(|thread| Kind::Started { thread }),
        1 => thread().prop_map(|thread| Kind::Exited { thread }),
        2 => any::<bool>().prop_map(move |is_lock| Kind::CallEntered { call, is_lock }),
        2 => Just(Kind::CallReturned),
        1 => timer().prop_map(|timer| Kind::QuotaRefilled { timer }),
        1 => Just(Kind::Framed),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let running = prop::option::weighted(0.9, thread());
    (0..LENGTH, 0_u16..2, running, any::<bool>(), kind()).prop_map(
        |(ns, processor, running, asked_to_switch, kind)| Event {
            at: at(ns),
            processor: ProcessorId(processor),
            running,
            asked_to_switch,
            kind,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::effort(64, 256)))]

    #[test]
    fn segments_add_up_or_there_are_none(
        events in prop::collection::vec(event(), 0..60),
        instants in prop::collection::vec((0..LENGTH, 0..LENGTH, 0..LENGTH), 1..10),
    ) {
        let threads: Vec<_> = (0..THREADS).map(ThreadId).collect();
        let chronicle = Chronicle::new(&Trace::new(events, Names::default()), &threads);
        let mut all = Vec::new();
        for &thread in &threads {
            all.extend(waits(&chronicle, thread).into_iter().flatten());
            all.extend(instants.iter().map(|&(began, deadline, woke)| Wait {
                thread,
                began: at(began),
                deadline: at(deadline),
                woke: at(woke.max(began)),
            }));
        }
        for wait in all {
            let wake_up = explain(&chronicle, &wait);
            let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
            match wake_up.verdict {
                Verdict::Unexplained(_) => prop_assert!(wake_up.segments.is_empty()),
                _ => prop_assert_eq!(sum, wait.lateness_ns()),
            }
            prop_assert!(wake_up.segments.iter().all(|segment| segment.ns > 0));
        }
    }
}
