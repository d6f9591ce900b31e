//! A recording, whatever it holds, is explained or refused, and what is explained adds up.
//! `cargo +nightly fuzz run recording -- -max_len=100000`, with the recordings of
//! `crates/punctual-trace/tests/traces` as a corpus.
#![no_main]

use libfuzzer_sys::fuzz_target;
use punctual_trace::{Recording, Verdict};

fuzz_target!(|bytes: &[u8]| {
    let Ok(recording) = Recording::read(bytes) else {
        return;
    };
    let Ok((_, wake_ups)) = recording.explain() else {
        return;
    };
    for wake_up in wake_ups {
        let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
        match wake_up.verdict {
            Verdict::Unexplained(_) => assert_eq!(sum, 0),
            Verdict::Exact | Verdict::Merged => assert_eq!(sum, wake_up.wait.lateness_ns()),
        }
    }
});
