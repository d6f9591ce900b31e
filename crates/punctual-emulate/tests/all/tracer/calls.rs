//! Every timed call, in every form, ends as without a tracer: by its time, an event, a signal, a stop.

use super::run::{alone, program, skipped, under};
use std::path::Path;
use std::process::Command;
use std::thread;

#[test]
fn every_call_says_the_same_as_without_a_tracer() {
    if skipped() {
        return;
    }
    let calls = program("calls.c");
    let rules: [&[&str]; 6] = [
        &["as-asked"],
        &["--two-stops", "as-asked"],
        &["ticks=15625000"],
        &["heard=15625000"],
        // Ends waits too early, and the calls are repeated.
        &["again=3000000"],
        &["later=2000000"],
    ];
    thread::scope(|scope| {
        let native = scope.spawn(|| alone(&calls, &[]));
        let steered: Vec<_> = rules
            .map(|rule| (rule, scope.spawn(|| under(rule, &calls, &[]))))
            .into();
        let native = native.join().expect("the program runs");
        assert_eq!(native.code, Some(0));
        for (rule, said) in steered {
            let said = said.join().expect("it runs");
            assert_eq!(said.code, Some(0), "{rule:?}");
            let pairs = native.output.lines().zip(said.output.lines());
            let others: Vec<_> = pairs
                .filter(|(native, steered)| native != steered)
                .collect();
            assert!(others.is_empty(), "{rule:?}: {others:#?}");
            assert_eq!(native.output.lines().count(), said.output.lines().count());
        }
    });
}

#[test]
fn calls_that_do_not_wait_say_the_same() {
    if skipped() {
        return;
    }
    let wrong = program("wrong.c");
    let native = alone(&wrong, &[]);
    for rule in [
        &["as-asked"][..],
        &["--two-stops", "ticks=5000000"],
        &["heard=1000000"],
    ] {
        assert_eq!(under(rule, &wrong, &[]).output, native.output, "{rule:?}");
    }
}

#[test]
fn what_is_left_is_told_and_flags_stay() {
    if skipped() {
        return;
    }
    let told = program("told.c");
    let native = alone(&told, &[]);
    assert!(!native.output.contains("changed") && !native.output.contains("not fit"));
    let taken = alone(&told, &["taken"]);
    for rule in [
        &["as-asked"][..],
        &["--two-stops", "ticks=15625000"],
        &["ticks=15625000"],
        &["heard=15625000"],
    ] {
        assert_eq!(under(rule, &told, &[]).output, native.output, "{rule:?}");
        assert_eq!(
            under(rule, &told, &["taken"]).output,
            taken.output,
            "{rule:?}"
        );
        assert_eq!(
            under(rule, &told, &["storm"]).output,
            "storm: 0 not returned, 0 changed, 0 do not fit\n",
            "{rule:?}"
        );
    }
}

#[test]
fn a_program_that_may_not_share_memory_is_steered_as_well() {
    if skipped() {
        return;
    }
    // The numbers of shared memory mean nothing in a namespace of its own.
    let unshare = Path::new("/usr/bin/unshare");
    let how = ["--ipc", "--user"].into_iter().find(|how| {
        let made = Command::new(unshare).args([*how, "--ipc", "true"]).status();
        made.is_ok_and(|status| status.success())
    });
    let Some(how) = how else {
        eprintln!("skipped: no namespaces here");
        return;
    };
    let told = program("told.c");
    let native = alone(&told, &[]);
    let words = [how, "--ipc", told.to_str().expect("a plain path")];
    let said = under(&["ticks=5000000"], unshare, &words);
    assert_eq!(said.output, native.output);
}

#[test]
fn waits_whose_end_changes_end_then() {
    if skipped() {
        return;
    }
    let faults = program("faults.c");
    for rule in [
        &["shorter=5000000"][..],
        &["--two-stops", "shorter=5000000"],
    ] {
        let said = under(rule, &faults, &["threads", "30"]);
        assert_eq!(
            said.output, "threads: made 30 came 30 lost 0 early 0\n",
            "{rule:?}"
        );
        assert!(!said.heard.contains("revised: 0"), "{}", said.heard);
    }
}

#[test]
fn frequent_waits_stop_the_program_once() {
    if skipped() {
        return;
    }
    let said = under(&["as-asked"], program("calls.c"), &["null"]);
    assert!(count(&said.heard, "one_stop") > 0, "{}", said.heard);
    // All but those that may not write what is left, one of seven.
    let said = under(&["ticks=15625000"], program("told.c"), &[]);
    let (all, once) = (
        count(&said.heard, "steered"),
        count(&said.heard, "one_stop"),
    );
    assert!(once * 7 >= all * 6, "{once} of {all}");
    let said = under(&["--two-stops", "as-asked"], program("told.c"), &[]);
    assert_eq!(count(&said.heard, "one_stop"), 0);
}

/// One of the numbers that the example prints behind all that its policy heard.
fn count(heard: &str, name: &str) -> u64 {
    let counts = heard.lines().rev().nth(1).expect("the example counts");
    let (_, behind) = counts
        .split_once(&format!("{name}: "))
        .expect("it is counted");
    let digits = behind.split(|c: char| !c.is_ascii_digit()).next();
    digits.unwrap_or_default().parse().expect("a number")
}
