//! What a reader must know about the explained part of a program.

use crate::blocking_calls::{BlockingCalls, WaitedIn};
use crate::recording::{Explained, Head};
use crate::scope::{LeftOut, Scope};
use crate::windows::{self, WindowsTrace};
use crate::{Explainer, Names, ThreadId};
use punctual::{Instant, Period};
use punctual_data::quantity;
use std::collections::BTreeSet;

/// The number of threads or calls in a sentence.
const MOST: usize = 6;

/// The waits that are found without `--wakeups`.
const KNOWN: &str = "explained are waits that a timer ended: those of nanosleep, poll, select, epoll, \
                     futex and timerfd";

/// Calls whose timeouts are timers of the wheel.
const OF_SOCKETS: [&str; 8] = [
    "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "connect", "accept", "accept4",
];

/// The notes about a trace that was explained while it came, a sentence each.
pub fn streamed(head: &Head, explained: usize, explainer: &Explainer) -> Vec<String> {
    let waited_in = explainer.waited_in();
    let (left_out, names) = (explainer.left_out(), explainer.names());
    notes(head, explained, &left_out, waited_in.as_deref(), names)
}

/// The notes about a trace that was explained as a whole.
pub fn whole(head: &Head, explained: &Explained) -> Vec<String> {
    let (trace, count) = (&explained.trace, explained.wake_ups.len());
    let waited_in = BlockingCalls::of(trace.events()).waited_in(&trace.names);
    let left_out = &explained.left_out;
    notes(head, count, left_out, waited_in.as_deref(), &trace.names)
}

fn notes(
    head: &Head,
    explained: usize,
    left_out: &LeftOut,
    waited_in: Option<&[WaitedIn]>,
    names: &Names,
) -> Vec<String> {
    // A loop of our own tells of its waits.
    if head.waits.is_some() {
        return Vec::new();
    }
    let mut notes = Vec::new();
    let scope = head.scope;
    if explained == 0 && left_out == &LeftOut::default() {
        notes.push(nothing(scope, waited_in));
    }
    if let Some(period) = scope.period.filter(|_| explained > 0) {
        let period = quantity::show(period.to_duration());
        let what = what(scope);
        let of_each = if scope.frames { "" } else { " of each thread" };
        notes.push(format!(
            "lateness is counted from deadlines {period} apart, on the grid of the most punctual \
             {what}{of_each}"
        ));
    }
    if scope.frames && explained > 0 {
        notes.push(
            "after-switch is also the program's own work until it began its frame".to_owned(),
        );
    }
    if scope.wakeups && explained > 0 && scope.period.is_none() {
        notes.push(
            "where no timer ended a wait, lateness is counted from the instant at which something did"
                .to_owned(),
        );
    }
    notes.extend(of_left_out(scope, left_out, names));
    notes
}

fn what(scope: Scope) -> &'static str {
    if scope.frames { "frames" } else { "waits" }
}

fn nothing(scope: Scope, waited_in: Option<&[WaitedIn]>) -> String {
    if scope.frames {
        return "no frame began: the function was not called, or the mark not written".to_owned();
    }
    let found = match scope.wakeups {
        true => "the program was never seen to be woken".to_owned(),
        false => format!("{KNOWN}. The program had none"),
    };
    let instead = match waited_in {
        None => {
            "its system calls were not recorded, so it is not known what it did instead".to_owned()
        }
        Some([]) => "it waited in no system call".to_owned(),
        Some(calls) => format!("it waited in {}", counted(calls)),
    };
    let is_socket = |call: &WaitedIn| OF_SOCKETS.contains(&call.call.as_str());
    let sockets = match waited_in.is_some_and(|calls| calls.iter().any(is_socket)) {
        true => ". Timeouts of sockets are timers of the kernel's wheel, which are not recorded",
        false => "",
    };
    let hint = match scope.wakeups {
        true => "",
        false => ". --wakeups explains every wake-up, whatever caused it",
    };
    format!("{found}; {instead}{sockets}{hint}")
}

fn counted(calls: &[WaitedIn]) -> String {
    let some = calls.iter().take(MOST);
    let some: Vec<_> = some
        .map(|call| match call.times {
            1 => format!("{} once", call.call),
            times => format!("{} {times} times", call.call),
        })
        .collect();
    let more = match calls.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(", and in {more} others"),
    };
    some.join(", ") + &more
}

fn of_left_out(scope: Scope, left_out: &LeftOut, names: &Names) -> Vec<String> {
    let mut notes = Vec::new();
    let what = what(scope);
    if !left_out.off_grid.is_empty() {
        let threads = threads(&left_out.off_grid, names);
        let instead = match scope.frames {
            true => "they are left out",
            false => "they are counted from their own deadlines",
        };
        notes.push(format!(
            "{what} on no grid of this period, because they lie evenly over it: those of {threads}; {instead}"
        ));
    }
    if left_out.others > 0 {
        notes.push(format!(
            "left out, because another one belongs to the same deadline: {} {what}",
            left_out.others
        ));
    }
    if left_out.missed > 0 {
        notes.push(format!(
            "deadlines without a frame: {}; the frame after them is late by them, too",
            left_out.missed
        ));
    }
    notes
}

fn threads(threads: &BTreeSet<ThreadId>, names: &Names) -> String {
    let some = threads.iter().take(MOST);
    let some: Vec<_> = some
        .map(|&thread| names.thread(thread, Instant::MAX))
        .collect();
    let more = match threads.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} others"),
    };
    some.join(", ") + &more
}

/// The notes about threads of a trace of Windows, which keep this period if there is one.
pub fn of_windows(
    period: Option<Period>,
    trace: &WindowsTrace,
    explained: &windows::Explained,
) -> Vec<String> {
    let counted = match period {
        Some(period) => format!(
            "a Windows trace has no deadlines: they were assumed {} \
             apart, on the grid of the most punctual wake-ups",
            quantity::show(period.to_duration())
        ),
        None => "a Windows trace has no deadlines: lateness is counted from \
             the interrupt that ended the wait (if the thread is periodic, give --period)"
            .to_owned(),
    };
    let mut notes = vec![counted];
    notes.extend(off_grid(explained));
    if explained.ended_by_threads > 0 {
        notes.push(format!(
            "waits that ended through another thread and not a timer are left out: {}",
            explained.ended_by_threads
        ));
    }
    notes.extend(unread(trace.unread()));
    notes
}

/// Which threads do not keep the period.
fn off_grid(explained: &windows::Explained) -> Option<String> {
    let names = &explained.trace.names;
    let threads = explained.off_grid.iter();
    let threads: Vec<_> = threads
        .map(|&thread| names.thread(thread, Instant::MAX))
        .collect();
    (!threads.is_empty()).then(|| {
        format!(
            "not on such a grid, so that lateness is counted from the interrupt: {}",
            threads.join(", ")
        )
    })
}

/// What of a trace could not be read.
fn unread(unread: &windows::Unread) -> Option<String> {
    let first = unread
        .first
        .as_ref()
        .map(|first| format!("; the first: {first}"));
    (unread.count > 0).then(|| {
        format!(
            "left out because they could not be read: {} of its events{}; wake-ups around them are not \
             explained",
            unread.count,
            first.unwrap_or_default()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waited(calls: &[(&str, u64)]) -> Vec<WaitedIn> {
        let calls = calls.iter().map(|&(call, times)| WaitedIn {
            times,
            call: call.to_owned(),
        });
        calls.collect()
    }

    fn said(scope: Scope, waited_in: Option<&[WaitedIn]>) -> String {
        let head = Head {
            scope,
            ..Head::default()
        };
        let notes = notes(&head, 0, &LeftOut::default(), waited_in, &Names::default());
        notes.join("\n")
    }

    #[test]
    fn nothing_says_what_is_known_and_what_the_program_does_instead() {
        let calls = waited(&[("recvfrom", 120), ("read", 1)]);
        let text = said(Scope::default(), Some(&calls));
        for part in [
            "nanosleep",
            "it waited in recvfrom 120 times, read once",
            "wheel",
            "--wakeups",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let text = said(Scope::default(), Some(&waited(&[("read", 2)])));
        assert!(!text.contains("wheel"), "{text}");
        assert!(said(Scope::default(), None).contains("not recorded"));
        let many: Vec<_> = (0..9).map(|_| ("read", 2)).collect();
        let text = said(Scope::default(), Some(&waited(&many)));
        assert!(text.contains("and in 3 others"), "{text}");
    }

    #[test]
    fn what_is_left_out_is_said() {
        let left_out = LeftOut {
            off_grid: [ThreadId(7)].into(),
            others: 2,
            missed: 3,
        };
        let scope = Scope {
            frames: true,
            ..Scope::default()
        };
        let notes = of_left_out(scope, &left_out, &Names::default()).join("\n");
        for part in ["thread 7", "2 frames", "without a frame: 3"] {
            assert!(notes.contains(part), "{notes}");
        }
    }
}
