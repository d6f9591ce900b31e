//! `punctual windows personas`, and personas as calls, methods and ways.

use crate::command::{Punctual, fits_80_columns};

const PUNCTUAL: Punctual = Punctual(&[]);

const ON_2004: [&str; 2] = ["--on", "windows-10-2004"];

#[test]
fn personas_are_listed_and_shown_with_what_is_known() {
    let list = PUNCTUAL.text(&["windows", "personas"]);
    fits_80_columns(&list);
    assert!(
        list.contains("✓ python-3.10 ") && list.contains("~ go-1.23 "),
        "{list}"
    );
    let two = PUNCTUAL.text(&["windows", "personas", "python-3.11", "java-thread-sleep"]);
    fits_80_columns(&two);
    let fallback = "high-resolution timer, rounded up; where there is none, waitable timer";
    assert!(two.contains(fallback), "{two}");
    assert!(
        two.contains("1 ms during waits except of 10, 20, 30… ms"),
        "{two}"
    );
    let json = PUNCTUAL.json(&["windows", "personas", "rust-1.74"]);
    let rust = &json["personas"][0];
    assert_eq!(rust["name"], "rust-1.74");
    assert_eq!(
        (&rust["checked"], &rust["rounding"]),
        (&true.into(), &"up".into())
    );
}

#[test]
fn a_persona_waits_for_lengths_for_deadlines_and_keeps_a_beat() {
    let sleep = [
        "measure",
        "--for",
        "1ms",
        "--method",
        "python-3.10",
        "--count",
        "20",
    ];
    let sleep = PUNCTUAL.json(&[&sleep[..], &ON_2004].concat());
    let durations = sleep["series"][0]["durations_ns"].as_array().cloned();
    assert_eq!(sleep["series"][0]["call"], "python-3.10");
    let mean = durations
        .into_iter()
        .flatten()
        .filter_map(|nanos| nanos.as_u64());
    assert_eq!(mean.sum::<u64>() / 20 / 1_000_000, 15);

    let method = ["measure", "--method", "java-thread-sleep", "--count", "20"];
    let measured = PUNCTUAL.json(&[&method[..], &ON_2004].concat());
    assert_eq!(measured["series"][0]["method"], "java-thread-sleep");
    let way = [
        "measure",
        "--beat",
        "5ms",
        "--method",
        "go-ticker",
        "--duration",
        "1s",
    ];
    let paced = PUNCTUAL.json(&[&way[..], &ON_2004].concat());
    assert_eq!(paced["series"][0]["way"], "go-ticker");
}
