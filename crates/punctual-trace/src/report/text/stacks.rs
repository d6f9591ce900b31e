//! Where in the kernel the threads of a wake-up left their processors.

use crate::report::{StackRow, WakeUpRow};
use punctual_data::quantity::decimal;

/// The functions by which every thread leaves its processor, and by which that is traced: they say
/// nothing.
const USUAL: [&str; 4] = [
    "trace_event_raw_event_sched_switch",
    "__traceiter_sched_switch",
    "__schedule",
    "schedule",
];

/// How many functions are shown of a stack: the outer ones are alike for all system calls.
const MOST_FUNCTIONS: usize = 8;
/// How many stacks are shown of a wake-up. A thread that was preempted again and again has more.
const MOST_STACKS: usize = 6;

/// The stacks of a wake-up, a paragraph each.
pub(super) fn paragraphs(wake_up: &WakeUpRow) -> Vec<String> {
    let shown = wake_up.stacks.iter().take(MOST_STACKS);
    let mut paragraphs: Vec<_> = shown.map(paragraph).collect();
    let more = wake_up.stacks.len().saturating_sub(MOST_STACKS);
    if more > 0 {
        paragraphs.push(format!("and {more} more stacks"));
    }
    paragraphs
}

fn paragraph(stack: &StackRow) -> String {
    let usual = |function: &&String| USUAL.contains(&function.as_str());
    let skipped = stack.functions.iter().take_while(usual).count();
    let functions = &stack.functions[skipped..];
    let shown = functions.iter().take(MOST_FUNCTIONS).map(String::as_str);
    let more = (functions.len() > MOST_FUNCTIONS).then_some("…");
    let functions: Vec<_> = shown.chain(more).collect();
    let (thread, functions) = (&stack.thread, functions.join(" < "));
    let before = decimal(stack.before_ns, 3);
    format!("{thread} left {before} before, in {functions}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(functions: &[&str]) -> StackRow {
        StackRow {
            thread: "make-8".to_owned(),
            before_ns: 1_500,
            functions: functions.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    #[test]
    fn what_every_stack_begins_with_is_left_out() {
        let read = stack(&["__schedule", "schedule", "io_schedule", "read", "schedule"]);
        let expected = "make-8 left 1.500 before, in io_schedule < read < schedule";
        assert_eq!(paragraph(&read), expected);
        let deep = stack(&["f"; 20]);
        assert_eq!(paragraph(&deep).matches('f').count(), MOST_FUNCTIONS + 2);
        assert!(paragraph(&deep).ends_with('…'));
    }
}
