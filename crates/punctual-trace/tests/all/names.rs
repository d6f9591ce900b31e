//! A thread is called what it was called at that time, in whatever order its processors were read.

use crate::pages::{COMMON, HEADER_PAGE, common, page, switch_format};
use proptest::prelude::*;
use punctual::Instant;
use punctual_trace::tracefs::{Raw, decode};
use punctual_trace::{Names, ProcessorId, ThreadId};
use std::collections::BTreeMap;

const SWITCH: u16 = 1;
const RENAME: u16 = 2;
const THREAD: u32 = 7;

fn formats() -> Vec<String> {
    let rename = format!(
        "name: task_rename\nID: {RENAME}\nformat:\n{COMMON}\
         \tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\
         \tfield:char newcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
    );
    vec![switch_format(SWITCH), rename]
}

fn name(name: &str) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    bytes
}

/// The idle thread is switched to the thread, which is called so.
fn switch(called: &str) -> Vec<u8> {
    let mut bytes = common(SWITCH, 0);
    bytes.extend(name("swapper"));
    bytes.extend([[0; 4]; 4].concat());
    bytes.extend(name(called));
    bytes.extend(THREAD.to_le_bytes());
    bytes.extend([0; 4]);
    bytes
}

fn rename(called: &str) -> Vec<u8> {
    let mut bytes = common(RENAME, THREAD);
    bytes.extend(THREAD.to_le_bytes());
    bytes.extend(name(called));
    bytes
}

/// The events of a processor, each with when it happened.
type Recorded = Vec<(u64, Vec<u8>)>;

/// Reads what processors recorded, in this order.
fn read(processors: Vec<(u16, Recorded)>) -> Names {
    let pages = processors.into_iter().map(|(processor, events)| {
        let mut before = 0;
        let events = events.into_iter().map(|(at, bytes)| {
            let delta = at - std::mem::replace(&mut before, at);
            (delta, bytes)
        });
        let mut page = page(0, &events.collect::<Vec<_>>());
        page.resize(4096, 0);
        (ProcessorId(processor), page)
    });
    let raw = Raw {
        header_page: HEADER_PAGE.to_owned(),
        formats: formats(),
        page_bytes: 4096,
        pages: pages.collect(),
        ..Raw::default()
    };
    decode(&raw).unwrap().names
}

fn called(names: &Names, at: u64) -> String {
    names.thread_name(ThreadId(THREAD), Instant::from_nanos(at))
}

#[test]
fn what_becomes_another_program_has_the_name_it_had() {
    // It begins on processor 1 as `sleep` will end, on processor 0.
    let first = (1, vec![(10, switch("taskset")), (20, rename("sleep"))]);
    let second = (0, vec![(30, switch("sleep"))]);
    for order in [vec![first.clone(), second.clone()], vec![second, first]] {
        let names = read(order);
        assert_eq!(called(&names, 5), "taskset");
        assert_eq!(called(&names, 19), "taskset");
        assert_eq!(called(&names, 20), "sleep");
        assert_eq!(called(&names, 99), "sleep");
        assert_eq!(names.threads_called("taskset"), [ThreadId(THREAD)]);
    }
}

proptest! {
    /// Against the last name that any processor has seen.
    #[test]
    fn the_order_of_the_processors_does_not_matter(
        renames in prop::collection::vec((0..3_u16, 0..3_usize, prop::collection::vec(0..3_u16, 0..3)), 1..12),
    ) {
        const CALLED: [&str; 3] = ["sh", "taskset", "sleep"];
        let mut processors: BTreeMap<u16, Vec<_>> = BTreeMap::new();
        let (mut at, mut truth) = (0, Vec::new());
        // It is renamed on a processor, and then runs on others.
        for (on, called, switches) in renames {
            at += 10;
            processors.entry(on).or_default().push((at, rename(CALLED[called])));
            truth.push((at, CALLED[called]));
            for on in switches {
                at += 10;
                processors.entry(on).or_default().push((at, switch(CALLED[called])));
                truth.push((at, CALLED[called]));
            }
        }
        let forwards: Vec<_> = processors.into_iter().collect();
        let backwards: Vec<_> = forwards.iter().cloned().rev().collect();
        for names in [read(forwards), read(backwards)] {
            for &(at, expected) in &truth {
                prop_assert_eq!(called(&names, at), expected);
                prop_assert_eq!(called(&names, at + 9), expected);
            }
        }
    }
}
