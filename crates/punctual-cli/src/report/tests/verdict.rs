//! The first sentences of a page.

use super::checked;
use super::documents::{explanation, recording};
use serde_json::{Value, json};

/// The page of a recording with these methods and this p99 for each, at 1 ms.
fn verdict(methods: &[(&str, u64)], change: impl Fn(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(&recording(&[(1, 1)])).unwrap();
    let one = value["series"][0].clone();
    let series = methods.iter().map(|&(method, p99_ns)| {
        let mut series = one.clone();
        series["method"] = json!(method);
        series["processor_share"] = json!(0.01);
        (series["timer"], series["queue"]) = (Value::Null, Value::Null);
        series["per_deadline"]["p99_ns"] = json!(p99_ns);
        series
    });
    value["series"] = series.collect();
    value["question"]["period_ns"] = json!([1_000_000, 1]);
    value["environment"]["load_average_1_minute"] = json!(0.0);
    change(&mut value);
    let page = checked(&[value.to_string()]);
    let first = page.split("<p>").nth(1).unwrap();
    first.split("</p>").next().unwrap().to_owned()
}

#[test]
fn a_page_says_first_whether_the_machine_is_fit_and_what_to_change() {
    let nothing = |_: &mut Value| {};
    let fit = verdict(&[("std-sleep", 90_000), ("punctual", 1_000)], nothing);
    assert!(fit.contains(" is fit for a period of 1.00 ms"), "{fit}");
    assert!(fit.contains("Nothing needs to change"), "{fit}");
    let other_way = verdict(&[("sleep", 15_000_000), ("punctual", 1_000)], nothing);
    assert!(other_way.contains(" is fit for"), "{other_way}");
    assert!(
        other_way.contains("with punctual rather than sleep"),
        "{other_way}"
    );
    // Others had the processor: even what never waits was late. 32 µs were luck.
    let polls = |value: &mut Value| value["series"][1]["processor_share"] = json!(1.0);
    let disturbed = verdict(&[("punctual", 32_000), ("spin", 1_216_000)], polls);
    assert!(disturbed.starts_with("Can't tell whether"), "{disturbed}");
    assert!(disturbed.contains("late by 1.22 ms or more"), "{disturbed}");
    let quiet = verdict(&[("punctual", 32_000), ("spin", 90_000)], polls);
    assert!(quiet.contains(" is fit for"), "{quiet}");
    let early = |value: &mut Value| value["series"][1]["early"] = json!(1);
    let early = verdict(&[("sleep", 90_000), ("time-set-event", 0)], early);
    assert!(early.contains("with sleep, 99 of 100"), "{early}");
    let barely = verdict(&[("punctual", 400_000)], nothing);
    assert!(barely.contains("only just fit"), "{barely}");
    assert!(barely.contains("period of 4.00 ms or more"), "{barely}");
    let busy = |value: &mut Value| value["environment"]["load_average_1_minute"] = json!(4.0);
    let unfit = verdict(&[("punctual", 2_000_000)], busy);
    assert!(unfit.contains("is not fit"), "{unfit}");
    assert!(unfit.contains("Stop the other programs"), "{unfit}");
    let queued = |value: &mut Value| {
        let of_late = |ns: u64| {
            let mut late = value["series"][0]["per_deadline"].clone();
            late["p99_ns"] = json!(ns);
            late
        };
        let (timer, queue) = (of_late(10), of_late(1_900_000));
        value["series"][0]["timer"] = timer;
        value["series"][0]["queue"] = queue;
    };
    let queued = verdict(&[("punctual", 2_000_000)], queued);
    assert!(queued.contains("priority"), "{queued}");
}

#[test]
fn most_is_more_than_half() {
    let said = |share: f64| {
        let mut value: Value = serde_json::from_str(&explanation()).unwrap();
        value["causes"][0]["share"] = json!(share);
        checked(&[value.to_string()])
    };
    assert!(said(0.62).contains("Most of the lateness of a loop was slack"));
    assert!(said(0.43).contains("The largest part of the lateness of a loop was slack"));
    assert!(!said(0.5).contains("Most of"));
}
