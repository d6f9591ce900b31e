//! Traces: the kernel's pages and formats, recordings, and Windows' text.

use punctual_trace::tracefs::{EventFormat, PageLayout, records};
use punctual_trace::windows::WindowsTrace;
use punctual_trace::windows::etl::Log;
use punctual_trace::windows::xperf::kinds;
use punctual_trace::{Recording, Verdict, WakeUp};
use std::sync::LazyLock;

/// As Linux has described its pages since 2008.
static LAYOUT: LazyLock<PageLayout> = LazyLock::new(|| {
    PageLayout::parse(
        "field: u64 timestamp;offset:0;size:8;signed:0;\n\
         field: local_t commit;offset:8;size:8;signed:1;\n\
         field: char data;offset:16;size:4080;signed:0;\n",
    )
    .expect("the text is a constant")
});

/// A page of the kernel's ring buffer. Records don't overlap.
pub fn page(page: &[u8]) -> bool {
    let mut length = 0;
    let read = records(page, &LAYOUT, |record| length += record.data.len());
    assert!(length <= page.len());
    read.is_ok()
}

/// The kernel's description of an event, a line, and then an event with these bytes.
pub fn format(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let _ = PageLayout::parse(&text);
    let Ok(format) = EventFormat::parse(&text) else {
        return false;
    };
    for word in text.split([' ', '\t', ':', ';']) {
        if let Ok(field) = format.field(word) {
            let _ = (field.number(bytes), field.text(bytes));
        }
    }
    true
}

/// A recording, which holds pages, formats and JSON.
pub fn recording(bytes: &[u8]) -> bool {
    let Ok(recording) = Recording::read(bytes) else {
        return false;
    };
    let mut written = Vec::new();
    recording
        .write(&mut written)
        .expect("a vector can be written into");
    let again = Recording::read(&written).expect("what was written can be read");
    assert_eq!(again, recording);
    if let Ok(explained) = recording.explain() {
        explained.wake_ups.iter().for_each(adds_up);
    }
    true
}

/// The text of a Windows trace.
pub fn xperf(text: &[u8]) -> bool {
    kinds(text);
    let trace = WindowsTrace::of_text(text);
    trace.is_ok_and(|trace| all_of_it_adds_up(&trace))
}

/// A log of Windows.
pub fn etl(log: &[u8]) -> bool {
    let Ok(log) = Log::read(log) else {
        return false;
    };
    let trace = WindowsTrace::of_log(&log);
    trace.is_ok_and(|trace| all_of_it_adds_up(&trace))
}

fn all_of_it_adds_up(trace: &WindowsTrace) -> bool {
    for (name, _) in trace.timed_waits() {
        let explained = trace.explain(&trace.threads(&name), None);
        explained.wake_ups.iter().for_each(adds_up);
    }
    true
}

/// The segments of an explained wake-up are all of its lateness.
fn adds_up(wake_up: &WakeUp) {
    let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
    match wake_up.verdict {
        Verdict::Unexplained(_) => assert_eq!(sum, 0),
        Verdict::Exact | Verdict::Ambiguous => assert_eq!(sum, wake_up.wait.lateness_ns()),
    }
}
