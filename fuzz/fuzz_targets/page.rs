//! A page of the kernel's ring buffer, whatever it holds, is read or refused.
//! `cargo +nightly fuzz run page`
#![no_main]

use libfuzzer_sys::fuzz_target;
use punctual_trace::tracefs::{PageLayout, records};
use std::sync::LazyLock;

static LAYOUT: LazyLock<PageLayout> = LazyLock::new(|| {
    PageLayout::parse(
        "field: u64 timestamp;offset:0;size:8;signed:0;\n\
         field: local_t commit;offset:8;size:8;signed:1;\n\
         field: char data;offset:16;size:4080;signed:0;\n",
    )
    .expect("the text is a constant")
});

fuzz_target!(|page: &[u8]| {
    let mut length = 0;
    let _ = records(page, &LAYOUT, |record| length += record.data.len());
    assert!(length <= page.len());
});
