//! Stacks in the kernel's pages: they belong to the switch before them.

use crate::pages::{COMMON, HEADER_PAGE, common, page, switch_format};
use punctual::Instant;
use punctual_trace::tracefs::{Decoder, Raw, decode};
use punctual_trace::{Chronicle, Kind, ProcessorId, ThreadId};
use std::collections::BTreeSet;

const SWITCH: u16 = 1;
const STACK: u16 = 4;
const THREAD: u32 = 7;
const OTHER: u32 = 9;

/// As Linux 6.18 prints them.
fn formats() -> Vec<String> {
    let stack = format!(
        "name: kernel_stack\nID: {STACK}\nformat:\n{COMMON}\
         \tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n\
         \tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
    );
    vec![switch_format(SWITCH), stack]
}

fn switch(previous: u32, next: u32) -> Vec<u8> {
    let mut bytes = common(SWITCH, previous);
    bytes.extend([0; 16]);
    bytes.extend(previous.to_le_bytes());
    bytes.extend(120_u32.to_le_bytes());
    // It waits.
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend([0; 16]);
    bytes.extend(next.to_le_bytes());
    bytes.extend(120_u32.to_le_bytes());
    bytes
}

/// The stack of a thread, which says that it has so many calls.
fn stack(running: u32, count: u32, calls: &[u64]) -> Vec<u8> {
    let mut bytes = common(STACK, running);
    bytes.extend(count.to_le_bytes());
    bytes.extend([0; 4]);
    calls.iter().for_each(|at| bytes.extend(at.to_le_bytes()));
    bytes
}

fn recorded(events: &[(u64, Vec<u8>)]) -> Raw {
    Raw {
        header_page: HEADER_PAGE.to_owned(),
        formats: formats(),
        page_bytes: 4096,
        pages: vec![(ProcessorId(0), page(0, events))],
        ..Raw::default()
    }
}

fn addresses(events: &[(u64, Vec<u8>)]) -> BTreeSet<u64> {
    let raw = recorded(events);
    let mut decoder = Decoder::new(&raw).unwrap();
    decoder.read(ProcessorId(0), &raw.pages[0].1).unwrap();
    decoder.addresses().clone()
}

/// The stacks of the thread in a page of these events, with the threads that had them.
fn stacks(events: &[(u64, Vec<u8>)]) -> Vec<(u32, String)> {
    let trace = decode(&recorded(events)).unwrap();
    let chronicle = Chronicle::new(&trace, &[ThreadId(THREAD)]);
    let stacks = chronicle.stacks(ThreadId(THREAD), Instant::ZERO, Instant::MAX);
    let told =
        |stack: &punctual_trace::Stack| (stack.thread.0, trace.names.text(stack.text).to_owned());
    stacks.iter().map(told).collect()
}

#[test]
fn a_stack_is_of_the_thread_that_left_and_one_of_any_depth() {
    let deep: Vec<u64> = (1..=20).collect();
    let events = [
        (100, switch(THREAD, OTHER)),
        (1, stack(THREAD, 20, &deep)),
        (100, switch(OTHER, THREAD)),
        (1, stack(OTHER, 2, &[0xffff_ffff_8124_e0c0, 0x10])),
    ];
    let lines: Vec<_> = deep.iter().map(|at| format!("{at:#x}")).collect();
    let expected = [
        (THREAD, lines.join("\n")),
        (OTHER, "0xffffffff8124e0c0\n0x10".to_owned()),
    ];
    assert_eq!(stacks(&events), expected);
    let addresses = addresses(&events);
    let expected: BTreeSet<u64> = deep.into_iter().chain([0xffff_ffff_8124_e0c0]).collect();
    assert_eq!(addresses, expected);
}

#[test]
fn the_end_that_older_kernels_mark_is_no_call() {
    let events = [
        (100, switch(THREAD, OTHER)),
        (1, stack(THREAD, 2, &[0x10, u64::MAX])),
    ];
    assert_eq!(stacks(&events), [(THREAD, "0x10".to_owned())]);
}

#[test]
fn a_stack_that_is_cut_short_or_empty_is_left_out() {
    for stack in [
        stack(THREAD, 3, &[0x10, 0x20]),
        stack(THREAD, u32::MAX, &[0x10]),
        stack(THREAD, 0, &[]),
        common(STACK, THREAD),
    ] {
        let events = [(100, switch(THREAD, OTHER)), (1, stack)];
        assert_eq!(stacks(&events), []);
        assert!(addresses(&events).is_empty());
    }
}

#[test]
fn a_stack_without_a_switch_before_it_belongs_to_no_wait() {
    let own = stack(THREAD, 1, &[0x10]);
    assert_eq!(stacks(&[(100, own.clone())]), []);
    let events = [
        (100, switch(OTHER, 11)),
        (1, own.clone()),
        (100, switch(11, OTHER)),
        (1, own),
    ];
    assert_eq!(stacks(&events), []);
}

#[test]
fn a_stack_does_not_say_who_has_the_processor() {
    let events = [
        (100, switch(THREAD, OTHER)),
        (1, stack(THREAD, 1, &[0x10])),
        (100, switch(OTHER, THREAD)),
    ];
    let trace = decode(&recorded(&events)).unwrap();
    let of_stacks = trace.events().iter();
    let of_stacks = of_stacks.filter(|event| matches!(event.kind, Kind::Stack { .. }));
    let running: Vec<_> = of_stacks.map(|event| event.running).collect();
    assert_eq!(running, [None]);
}
