//! Whatever bytes the readers of files are given, they answer or refuse; they never panic.

use crate::pages::{HEADER_PAGE, page};
use proptest::prelude::*;
use punctual::Instant;
use punctual_trace::chronicle::Ending;
use punctual_trace::tracefs::{EventFormat, PageLayout, Record, decode, records};
use punctual_trace::{ProcessorId, Recording, ThreadId};

fn layout() -> PageLayout {
    PageLayout::parse(HEADER_PAGE).unwrap()
}

fn idle() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces/idle.trace");
    std::fs::read(path).unwrap()
}

proptest! {
    #[test]
    fn pages_come_back_as_they_were_written(
        start in 0_u64..1 << 58,
        events in prop::collection::vec((0_u64..1 << 40, prop::collection::vec(any::<u8>(), 0..40)), 0..40),
    ) {
        let (mut now, mut expected) = (start, Vec::new());
        for (delta, bytes) in &events {
            now += delta;
            let at = Instant::from_nanos(now);
            expected.push(Record { at, data: bytes });
        }
        let bytes = page(start, &events);
        let mut read = Vec::new();
        let were_lost = records(&bytes, &layout(), |record| read.push(record)).unwrap();
        prop_assert!(!were_lost);
        let read: Vec<_> = read.iter().map(|record| (record.at, record.data.to_vec())).collect();
        let expected: Vec<_> = expected.iter().map(|record| (record.at, record.data.to_vec())).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn any_bytes_are_a_page_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = records(&bytes, &layout(), |_| {});
    }

    #[test]
    fn any_events_in_a_sound_page_are_read_or_refused(
        words in prop::collection::vec(any::<u32>(), 0..60),
    ) {
        let mut bytes = 0_u64.to_le_bytes().to_vec();
        bytes.extend(u64::try_from(words.len() * 4).unwrap().to_le_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        let _ = records(&bytes, &layout(), |_| {});
    }

    #[test]
    fn any_text_is_a_format_or_is_refused(text in "(name|ID|\tfield|format)?:?.{0,60}\n?.{0,60}") {
        let _ = EventFormat::parse(&text);
        let _ = PageLayout::parse(&text);
    }

    #[test]
    fn a_recording_with_a_changed_byte_is_read_or_refused(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = idle();
        let index = at.index(bytes.len());
        bytes[index] = byte;
        if let Ok(recording) = Recording::read(&bytes) {
            let _ = recording.explain();
        }
    }

    #[test]
    fn a_recording_that_is_cut_short_is_refused(at in any::<prop::sample::Index>()) {
        let bytes = idle();
        prop_assert!(Recording::read(&bytes[..at.index(bytes.len())]).is_err());
    }
}

#[test]
fn a_recording_comes_back_as_it_was_written() {
    let recording = Recording::read(&idle()).unwrap();
    let mut written = Vec::new();
    recording.write(&mut written).unwrap();
    assert_eq!(Recording::read(&written).unwrap(), recording);
}

#[test]
fn lost_pages_are_noticed() {
    let mut recording = Recording::read(&idle()).unwrap();
    let trace = recording.explain().unwrap().trace;
    let before = trace.events().len();
    // Synthesised: the kernel sets this flag on the page after those it has overwritten.
    const MISSED_EVENTS: u8 = 1 << 7;
    const FLAGS_AT: usize = 11;
    let (processor, pages) = &mut recording.raw.pages[1];
    assert_eq!(*processor, ProcessorId(1));
    let size = recording.raw.page_bytes;
    pages.drain(size * 4..size * 6);
    pages[size * 4 + FLAGS_AT] |= MISSED_EVENTS;
    let trace = decode(&recording.raw).unwrap();
    assert!(trace.events().len() < before);
    let lost = |up: &&punctual_trace::WakeUp| {
        use punctual_trace::{Reason, Verdict};
        up.verdict == Verdict::Unexplained(Reason::EventsLost)
    };
    let explained = recording.explain().unwrap();
    assert!(explained.wake_ups.iter().filter(lost).count() >= 1);
}

/// An event as bytes: every field that is named has its number, the others are zero.
fn event(format: &EventFormat, fields: &[(&str, i64)]) -> Vec<u8> {
    let end = |field: &punctual_trace::tracefs::Field| field.offset + field.size;
    let mut bytes = vec![0; format.fields.iter().map(end).max().unwrap()];
    let kind = ("common_type", i64::from(format.id));
    for &(name, value) in [kind].iter().chain(fields) {
        let field = format.field(name).unwrap();
        bytes[field.offset..end(field)].copy_from_slice(&value.to_le_bytes()[..field.size]);
    }
    bytes
}

/// Synthesised: setting a clock would set it for every program on the machine. A timer of another
/// clock, which was set by an hour while the timer was armed, is meant as that clock is set now.
#[test]
fn a_timer_of_another_clock_is_brought_to_the_traces_clock() {
    const YEARS: i64 = 1_700_000_000_000_000_000;
    const HOUR: i64 = 3_600_000_000_000;
    let mut raw = Recording::read(&idle()).unwrap().raw;
    let formats = raw
        .formats
        .iter()
        .map(|text| EventFormat::parse(text).unwrap());
    let formats: Vec<_> = formats.collect();
    let called = |name: &str| formats.iter().find(|format| format.name == name).unwrap();
    // Asked for 40 ns after the event at 1000, in what the other clock said then, and an hour later.
    let expires = YEARS + 1_000 + 40;
    let armed = event(
        called("hrtimer_start"),
        &[
            ("hrtimer", 7),
            ("softexpires", expires + HOUR),
            ("expires", expires + HOUR + 50),
        ],
    );
    let expired = event(
        called("hrtimer_expire_entry"),
        &[("hrtimer", 7), ("now", YEARS + HOUR + 1_095)],
    );
    let mut pages = page(1_000, &[(0, armed), (100, expired)]);
    pages.resize(raw.page_bytes, 0);
    raw.pages = vec![(ProcessorId(0), pages)];
    let trace = decode(&raw).unwrap();
    let [armed, expired] = trace.events() else {
        panic!("{trace:?}");
    };
    // The clock was read 5 ns before the event at 1100 that says what it was.
    let timer = punctual_trace::event::TimerId(7);
    assert_eq!(
        expired.kind,
        punctual_trace::Kind::TimerExpired {
            timer,
            clock_ahead_ns: YEARS + HOUR - 5
        }
    );
    let mut chronicle = punctual_trace::Chronicle::of(&[ThreadId(9)]);
    assert_eq!(chronicle.note(armed), None);
    assert_eq!(chronicle.note(expired), None);
    let thread = ThreadId(9);
    let woken = punctual_trace::Event {
        kind: punctual_trace::Kind::Waking { thread },
        ..*expired
    };
    let Some((_, Ending::Timer(fired))) = chronicle.note(&woken) else {
        panic!("a timer woke it")
    };
    let armed = fired.armed.unwrap();
    assert_eq!(armed.earliest, Instant::from_nanos(1_045));
    assert_eq!(armed.latest, Instant::from_nanos(1_095));
}
