//! The text of a Windows trace, whatever it holds, is explained or refused, and what is explained adds
//! up. `cargo +nightly fuzz run xperf`, with a text that `punctual explain --on windows-7 --save FILE`
//! wrote as a corpus.
#![no_main]

use libfuzzer_sys::fuzz_target;
use punctual_trace::Verdict;
use punctual_trace::xperf::Dump;

fuzz_target!(|text: &[u8]| {
    let Ok(dump) = Dump::read(text) else {
        return;
    };
    for (name, _) in dump.timed_waits() {
        for wake_up in dump.explain(&dump.threads(&name), None).wake_ups {
            let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
            match wake_up.verdict {
                Verdict::Unexplained(_) => assert_eq!(sum, 0),
                Verdict::Exact | Verdict::Merged => assert_eq!(sum, wake_up.wait.lateness_ns()),
            }
        }
    }
});
