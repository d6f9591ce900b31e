//! A trace that is explained while it comes is explained like one that is there as a whole.

use proptest::prelude::*;
use punctual::{Instant, Period};
use punctual_trace::recording::{Head, Part, Reader, RecordedWait, Writer};
use punctual_trace::scope::Scope;
use punctual_trace::tracefs::{Decoder, Portion, Raw, decode};
use punctual_trace::{
    Chronicle, Explainer, Kind, Names, ProcessorId, Reason, Recording, ThreadId, Verdict, Wait,
    WakeUp,
};
use std::collections::VecDeque;

const NAMES: [&str; 7] = [
    "idle",
    "busy",
    "waking-before-switch",
    "exits",
    "overrun",
    "wakers",
    "frames",
];

/// What to explain of a program.
fn scope() -> impl Strategy<Value = Scope> {
    let period = prop::option::of(prop::sample::select(&[1_000_u64, 500, 333][..]));
    (period, any::<bool>()).prop_map(|(hertz, wakeups)| Scope {
        period: hertz.map(Period::from_hertz),
        wakeups,
        frames: false,
    })
}

fn recorded(name: &str) -> Recording {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces");
    Recording::read(&std::fs::read(format!("{folder}/{name}.trace")).unwrap()).unwrap()
}

/// A wake-up in words. Symbols of two readings differ, and so may the name of a thread.
fn told(wake_up: &WakeUp, names: &Names) -> String {
    use punctual_trace::Occupant;
    let segment = |segment: &punctual_trace::Segment| {
        let occupant = match segment.occupant {
            Occupant::Interrupt(symbol) | Occupant::Softirq(symbol) => {
                names.text(symbol).to_owned()
            }
            other => format!("{other:?}"),
        };
        format!("{} {} ({occupant})", segment.ns, segment.cause)
    };
    let segments: Vec<_> = wake_up.segments.iter().map(segment).collect();
    format!("{:?} {:?} {segments:?}", wake_up.wait, wake_up.verdict)
}

fn told_in_order(wake_ups: &[WakeUp], names: &Names) -> Vec<String> {
    let mut told: Vec<_> = wake_ups.iter().map(|up| told(up, names)).collect();
    told.sort();
    told
}

/// Only the first difference is shown.
fn same(one: &(Vec<WakeUp>, &Names), other: &(Vec<WakeUp>, &Names)) {
    let (one, other) = (
        told_in_order(&one.0, one.1),
        told_in_order(&other.0, other.1),
    );
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
}

/// The time with which a page begins.
fn time(page: &[u8]) -> Instant {
    Instant::from_nanos(u64::from_le_bytes(*page.first_chunk().unwrap()))
}

/// Deals the pages out as if a kernel were drained again and again: so many pages of each processor at a
/// time.
fn portions(raw: &Raw, steps: &[usize]) -> Vec<Portion> {
    let mut left: Vec<VecDeque<&[u8]>> = raw
        .pages
        .iter()
        .map(|(_, pages)| pages.chunks(raw.page_bytes).collect())
        .collect();
    let mut steps = steps.iter().cycle();
    let mut portions = Vec::new();
    while left.iter().any(|pages| !pages.is_empty()) {
        let mut pages = Vec::new();
        for (own, &(processor, _)) in left.iter_mut().zip(&raw.pages) {
            let count = (*steps.next().unwrap()).min(own.len());
            pages.push((processor, own.drain(..count).collect::<Vec<_>>().concat()));
        }
        // A processor may have several buffers, whose pages are not in the order of time.
        let next = left.iter().flatten();
        let complete_until = next.map(|page| time(page)).min();
        portions.push(Portion {
            pages,
            complete_until,
        });
    }
    portions
}

/// Explains portions, and each wait once its end has come.
fn streamed(recording: &Recording, portions: &[Portion]) -> (Vec<WakeUp>, Explainer) {
    let mut explainer = Explainer::new(&recording.raw, &recording.head).unwrap();
    let mut waits: VecDeque<_> = recording.head.waits.iter().flatten().collect();
    let mut wake_ups = Vec::new();
    for portion in portions {
        let until = portion.complete_until.unwrap_or(Instant::MAX);
        let has_ended = |wait: &&RecordedWait| wait.woke_ns < until.as_nanos();
        let ended = waits.iter().copied().take_while(has_ended).count();
        for wait in waits.drain(..ended) {
            explainer.wait(Wait::from(*wait));
        }
        wake_ups.extend(explainer.portion(portion).unwrap());
    }
    assert!(waits.is_empty());
    wake_ups.extend(explainer.finish());
    (wake_ups, explainer)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_trace_in_portions_is_explained_like_the_whole(
        name in prop::sample::select(&NAMES[..]),
        steps in prop::collection::vec(0_usize..4, 3..20),
        scope in prop::option::of(scope()),
    ) {
        prop_assume!(steps.iter().any(|&step| step > 0));
        let mut recording = recorded(name);
        if let Some(scope) = scope {
            // As if our own loop were a program.
            recording.head.waits = None;
            recording.head.scope = scope;
        }
        let whole = recording.explain().unwrap();
        let (trace, of_whole) = (whole.trace, whole.wake_ups);
        // An even number of steps would never give the second of two processors a page.
        let steps = if steps.len() % 2 == 0 { &steps[1..] } else { &steps[..] };
        prop_assume!(steps.iter().any(|&step| step > 0));
        let (in_portions, explainer) = streamed(&recording, &portions(&recording.raw, steps));
        same(&(in_portions, explainer.names()), &(of_whole, &trace.names));
        prop_assert_eq!(explainer.left_out(), whole.left_out);
        let counted: u64 = explainer.kinds().values().sum();
        prop_assert_eq!(counted, trace.events().len() as u64);
    }

    #[test]
    fn events_in_portions_are_in_the_order_of_the_whole(
        name in prop::sample::select(&NAMES[..]),
        steps in prop::collection::vec(1_usize..4, 3),
    ) {
        let raw = recorded(name).raw;
        let mut decoder = Decoder::new(&raw).unwrap();
        let mut kinds = Vec::new();
        for portion in portions(&raw, &steps) {
            for (processor, pages) in &portion.pages {
                decoder.read(*processor, pages).unwrap();
            }
            if let Some(until) = portion.complete_until {
                kinds.extend(decoder.take_until(until));
            }
        }
        kinds.extend(decoder.take_rest());
        let tell = |event: &punctual_trace::Event| (event.at, event.processor, event.kind.name());
        let kinds: Vec<_> = kinds.iter().map(tell).collect();
        let of_whole: Vec<_> = decode(&raw).unwrap().events().iter().map(tell).collect();
        prop_assert_eq!(kinds, of_whole);
    }

    #[test]
    fn a_recording_in_parts_is_the_recording(
        name in prop::sample::select(&NAMES[..]),
        steps in prop::collection::vec(1_usize..9, 3),
        some in 1_usize..9,
    ) {
        let recording = recorded(name);
        let mut writer = Writer::begin(Vec::new(), &Head::default(), &recording.raw).unwrap();
        let waits = recording.head.waits.as_deref().unwrap_or_default();
        let mut waits = waits.chunks(some);
        for portion in portions(&recording.raw, &steps) {
            writer.portion(&portion).unwrap();
            writer.waits(waits.next().unwrap_or_default()).unwrap();
        }
        waits.for_each(|waits| writer.waits(waits).unwrap());
        let bytes = writer.end(&recording.head).unwrap();
        prop_assert_eq!(Recording::read(&bytes).unwrap(), recording);
        for end in [bytes.len() / 2, bytes.len() - 1] {
            prop_assert!(Recording::read(&bytes[..end]).is_err());
        }
    }
}

/// The same trace again and again, each time later.
fn repeated(
    recording: &Recording,
    copies: u64,
    every_ns: u64,
) -> (Vec<Portion>, Vec<RecordedWait>) {
    let (mut all, mut waits) = (Vec::new(), Vec::new());
    for copy in 0..copies {
        let later = copy * every_ns;
        let mut raw = recording.raw.clone();
        for (_, pages) in &mut raw.pages {
            for page in pages.chunks_mut(recording.raw.page_bytes) {
                let moved = time(page).as_nanos() + later;
                page[..8].copy_from_slice(&moved.to_le_bytes());
            }
        }
        let last = all.len();
        all.extend(portions(&raw, &[3]));
        if last > 0 {
            let next: &Portion = &all[last];
            let begins = next.pages.iter().filter(|(_, pages)| !pages.is_empty());
            let begin = begins.map(|(_, pages)| time(pages)).min();
            all[last - 1].complete_until = begin;
        }
        let moved = |wait: &RecordedWait| RecordedWait {
            began_ns: wait.began_ns + later,
            deadline_ns: wait.deadline_ns + later,
            woke_ns: wait.woke_ns + later,
            ..*wait
        };
        waits.extend(recording.head.waits.iter().flatten().map(moved));
    }
    (all, waits)
}

/// A minute in which the same happens every two seconds is explained as if nothing were ever forgotten.
#[test]
fn what_is_long_past_is_forgotten_and_nothing_else_changes() {
    const EVERY_NS: u64 = 2_000_000_000;
    const COPIES: u64 = 30;
    for name in ["busy", "idle"] {
        let mut recording = recorded(name);
        let (portions, waits) = repeated(&recording, COPIES, EVERY_NS);
        recording.head.waits = Some(waits);
        let (forgetting, explainer) = streamed(&recording, &portions);
        for (processor, pages) in &mut recording.raw.pages {
            pages.clear();
            for portion in &portions {
                let own = portion.pages.iter().find(|(other, _)| other == processor);
                pages.extend(&own.unwrap().1);
            }
        }
        let whole = recording.explain().unwrap();
        let (trace, of_whole) = (whole.trace, whole.wake_ups);
        same(&(forgetting, explainer.names()), &(of_whole, &trace.names));
        let whole = explainer.kinds().values().sum::<u64>();
        assert!((explainer.remembers() as u64) < whole / 2, "{name}");
    }
}

/// The end of a recording has no more which process started which, but its head can have it.
#[test]
fn what_a_program_has_started_is_known_by_its_number() {
    let recording = recorded("exits");
    let (first, _) = recording.head.threads[0];
    let mut chronicle = Chronicle::of_family(&[ThreadId(first)]);
    let mut most = 0;
    for event in recording.trace().unwrap().events() {
        chronicle.note(event);
        most = most.max(chronicle.threads().count());
    }
    // Three processes of its own, one after the other, have ended, and their numbers are others' now.
    assert_eq!((most, chronicle.threads().count()), (2, 0));
}

/// The kernel had not finished writing an event when its page was taken, or its clock jumped.
#[test]
fn what_comes_too_late_is_lost_and_nothing_near_it_is_explained() {
    let recording = recorded("idle");
    let mut portions = portions(&recording.raw, &[2]);
    let middle = portions.len() / 2;
    let until = portions[middle].complete_until.unwrap();
    portions[middle].complete_until = Some(until + std::time::Duration::from_millis(3));
    let (wake_ups, _) = streamed(&recording, &portions);
    let lost = Verdict::Unexplained(Reason::EventsLost);
    let unexplained = wake_ups.iter().filter(|up| up.verdict == lost).count();
    assert!((1..wake_ups.len()).contains(&unexplained), "{unexplained}");
    let mut decoder = Decoder::new(&recording.raw).unwrap();
    let (on, pages) = &recording.raw.pages[0];
    let first = time(pages);
    decoder.take_until(first + std::time::Duration::from_nanos(1));
    decoder
        .read(*on, &pages[..recording.raw.page_bytes])
        .unwrap();
    assert_eq!(decoder.take_rest()[0].kind, Kind::Lost);
}

#[test]
fn parts_are_read_as_they_were_written() {
    let head = Head {
        threads: vec![(7, "main".to_owned())],
        ..Head::default()
    };
    let portion = Portion {
        pages: vec![
            (ProcessorId(3), vec![1, 2, 3]),
            (ProcessorId(4), Vec::new()),
        ],
        complete_until: Some(Instant::from_nanos(9)),
    };
    let mut writer = Writer::begin(Vec::new(), &head, &Raw::default()).unwrap();
    writer.portion(&portion).unwrap();
    writer.waits(&[RecordedWait::default(); 2]).unwrap();
    let bytes = writer.end(&head).unwrap();
    let mut reader = Reader::begin(&bytes[..]).unwrap();
    assert_eq!(reader.head(), &head);
    assert_eq!(reader.part().unwrap(), Part::Portion(portion));
    let waits = Part::Waits(vec![RecordedWait::default(); 2]);
    assert_eq!(reader.part().unwrap(), waits);
    assert_eq!(reader.part().unwrap(), Part::End(Box::new(head)));
    assert!(reader.part().is_err());
}
