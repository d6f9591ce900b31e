//! `punctual sweep` and `punctual windows rules` as a person or a script uses them. Everything happens
//! in virtual time.

use crate::command::{Punctual, fits_80_columns};

const PUNCTUAL: Punctual = Punctual(&[]);

/// The cells of the sweep's table, by row: the request, then the cell of each column.
fn table(text: &str) -> Vec<Vec<&str>> {
    let above_the_notes = text.lines().take_while(|line| !line.starts_with("note"));
    let rows = above_the_notes.filter(|line| line.contains(" ms "));
    let rows = rows.filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    rows.map(|row| row.split_whitespace().collect()).collect()
}

#[test]
fn the_published_means_stand_in_the_table_without_a_mark() {
    let text = PUNCTUAL.text(&[
        "sweep",
        "--on",
        "windows-10-1909",
        "--on",
        "windows-10-2004",
    ]);
    let rows = table(&text);
    assert_eq!(rows.len(), 15, "{text}");
    for (row, asked) in rows.iter().zip(1..) {
        let on_1909 = if asked == 1 { 2 } else { asked };
        assert_eq!(
            row[..3],
            [&asked.to_string(), "ms", &format!("{on_1909}.0")]
        );
        match asked {
            2 => assert!(["15.9?", "16.0?"].contains(&row[3]), "{row:?}"),
            6 | 7 => assert_eq!(row[3], format!("{}.0", 2 * asked)),
            9..=15 => assert_eq!(row[3], format!("{asked}.0?")),
            _ => assert!(row[3].ends_with('?'), "{row:?}"),
        }
    }
    assert!(text.contains("?: a rule that it rests on"), "{text}");
    assert!(
        text.contains("grc-2004-8") && text.contains("--with"),
        "{text}"
    );
}

#[test]
fn a_machine_with_another_rule_stands_beside_its_version_and_nothing_is_published_of_it() {
    let asked = [
        "sweep",
        "--by",
        "self",
        "--interval",
        "4ms",
        "--on",
        "windows-11",
    ];
    let changed = "windows-11,occlusion=ignored";
    let recording = PUNCTUAL.json(&[&asked[..], &["--hidden", "--on", changed]].concat());
    let machines = &recording["machines"];
    assert_eq!(machines[1]["machine"], changed);
    let mean = |index: usize| {
        machines[index]["rows"][0]["sleep_1"]["mean_ns"]
            .as_f64()
            .unwrap()
    };
    assert!(mean(0) > 15e6 && mean(1) < 4.1e6, "{machines}");
    let published = |recording: &serde_json::Value, index: usize| {
        !recording["machines"][index]["rows"][0]["published"].is_null()
    };
    assert!(!published(&recording, 0) && !published(&recording, 1));
    // Requests of the process itself were published on 2004.
    let asked_of_2004 = [&asked[..6], &["windows-10-2004"]].concat();
    let changed_2004 = "windows-10-2004,occlusion=withdraws";
    let seen = PUNCTUAL.json(&[&asked_of_2004[..], &["--on", changed_2004]].concat());
    assert!(published(&seen, 0) && !published(&seen, 1));
    let text = PUNCTUAL.text(&[&asked[..], &["--hidden", "--on", changed]].concat());
    assert!(
        text.contains("occlusion=ignored") && text.contains("hidden"),
        "{text}"
    );
    fits_80_columns(&text);
}

#[test]
fn what_is_no_rule_is_refused_with_those_there_are() {
    for (machine, hint) in [
        ("windows-7,due=coarse", "rules are lattice, due-time"),
        ("windows-7,due-time=early", "coarse or precise"),
        ("windows-7,cores=2", "settings are default-interval"),
    ] {
        PUNCTUAL.refuses(&["measure", "--on", machine], "'--on <MACHINE>'", hint);
    }
}

#[test]
fn at_8_other_programs_make_the_published_difference() {
    let sweep = |seed| {
        let machine = "windows-10-2004,quantum=5.333334us";
        let on = ["sweep", "--on", machine, "--interval", "8ms"];
        PUNCTUAL.json(&[&on[..], &["--with", "sleepers=7", "--seed", seed]].concat())
    };
    let recording = sweep("1");
    let row = &recording["machines"][0]["rows"][0];
    assert_eq!(row["published"]["case"], "grc-2004-8");
    assert_eq!(row["published"]["agrees"], true, "{row}");
    assert_eq!(recording["question"]["with"][0], "sleepers=7");
    assert_ne!(
        recording["machines"],
        sweep("2")["machines"],
        "chance plays a part"
    );
}

#[test]
fn the_same_seed_gives_the_same_output() {
    let sweep = [
        "sweep",
        "--with",
        "sleepers=5",
        "--interval",
        "1ms,8ms",
        "--json",
    ];
    for seed in ["1", "18446744073709551615"] {
        let arguments = [&sweep[..], &["--seed", seed]].concat();
        assert_eq!(PUNCTUAL.text(&arguments), PUNCTUAL.text(&arguments));
    }
}

#[test]
fn a_sweep_is_a_versioned_recording() {
    let recording = PUNCTUAL.json(&["sweep", "--on", "windows-xp", "--interval", "0.5ms..2.5ms"]);
    assert_eq!(recording["schema"], "punctual.sweep/3");
    assert_eq!(recording["question"]["machines"]["simulated"]["seed"], 1);
    let machine = &recording["machines"][0];
    assert_eq!(
        (&machine["machine"], &machine["version"]),
        (&"windows-xp".into(), &"windows-xp".into())
    );
    let rows = machine["rows"].as_array().unwrap();
    let asked: Vec<_> = rows
        .iter()
        .map(|row| row["requested_ns"].as_u64())
        .collect();
    assert_eq!(asked, [Some(500_000), Some(1_500_000), Some(2_500_000)]);
    for row in rows {
        assert!(
            row["interval_ns"].is_u64() && row["article_mean_ms"].is_f64(),
            "{row}"
        );
        assert!(
            row["sleep_1"]["mean_ns"].is_u64() && row["published"].is_null(),
            "{row}"
        );
        assert_eq!(
            row["time_get_time_steps_ms"].as_array().map(Vec::len),
            Some(2),
            "{row}"
        );
        assert!(
            row["ended_after_intervals"][0][1].as_u64() > Some(0),
            "{row}"
        );
    }
}

#[test]
fn one_machine_is_shown_in_full_and_other_hardware_is_a_prediction() {
    let text = PUNCTUAL.text(&[
        "sweep",
        "--on",
        "windows-7,default-interval=15.6ms",
        "--interval",
        "1ms",
    ]);
    for expected in [
        "in force",
        "step",
        "article",
        "p90",
        "default-interval=15.6ms",
        "1.00?",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn everything_fits_80_columns_and_has_no_colour_in_a_pipe() {
    let twins = [
        "--on",
        "windows-11,processors=2,overshoot=50ns,quantum=5.33us,smallest-interval=0.4ms",
    ];
    for arguments in [
        &["sweep"][..],
        &["sweep", "--on", "windows-11", twins[0], twins[1]],
        &[
            "sweep",
            twins[0],
            twins[1],
            "--with",
            "sleepers=999",
            "--with",
            "driver=10ms",
            "--interval",
            "9ms",
        ],
        &["sweep", "--interval", "58ms..60ms"],
        &["windows", "rules"],
        &["windows", "rules", "--long"],
        &["sweep", "--help"],
        &["windows", "rules", "--help"],
    ] {
        fits_80_columns(&PUNCTUAL.text(arguments));
    }
}

#[test]
fn machines_lists_versions_rules_and_parameters() {
    let short = PUNCTUAL.text(&["windows", "rules"]);
    for expected in [
        "windows-xp",
        "10-2004",
        "request-reach",
        "idle-expiry",
        "15.625ms",
        "--on",
    ] {
        assert!(short.contains(expected), "{expected} is not in\n{short}");
    }
    assert!(!short.contains("grc-1909-self"));
    assert!(
        PUNCTUAL
            .text(&["windows", "rules", "--long"])
            .contains("grc-1909-self")
    );

    let list = PUNCTUAL.json(&["windows", "rules"]);
    assert_eq!(list["schema"], "punctual.windows/1");
    assert_eq!(list["machines"].as_array().map(Vec::len), Some(6));
    assert_eq!(list["machines"][4]["rules"]["request-reach"], "process");
    for rule in list["rules"].as_array().unwrap() {
        assert!(
            rule["values"]
                .as_array()
                .is_some_and(|values| values.len() > 1),
            "{rule}"
        );
        assert!(
            rule["about"]
                .as_str()
                .is_some_and(|about| !about.is_empty()),
            "{rule}"
        );
    }
    assert_eq!(list["parameters"][6]["name"], "processors");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let xp = "windows-xp";
    PUNCTUAL.refuses(&["sweep", "--on", "windows-95"], "--on", "windows-10-2004");
    PUNCTUAL.refuses(
        &["sweep", "--on", "windows-xp,cores=4"],
        "--on",
        "processors",
    );
    PUNCTUAL.refuses(
        &["sweep", "--on", "windows-xp,processors=0"],
        "--on",
        "1 to 64",
    );
    PUNCTUAL.refuses(&["sweep", "--on", xp, "--on", xp], "--on", "twice");
    PUNCTUAL.refuses(&["sweep", "--interval", "0ms"], "--interval", "such as 1ms");
    PUNCTUAL.refuses(&["sweep", "--interval", "5"], "--interval", "a unit");
    PUNCTUAL.refuses(
        &["sweep", "--interval", "9ms..1ms"],
        "--interval",
        "downwards",
    );
    PUNCTUAL.refuses(
        &["sweep", "--interval", "1ms..60ms,100ms"],
        "--interval",
        "at most 60",
    );
    PUNCTUAL.refuses(&["sweep", "--with", "sleepers=0"], "--with", "1 to 1000");
    PUNCTUAL.refuses(&["sweep", "--seed=-1"], "--seed", "invalid");
    PUNCTUAL.refuses(
        &["windows", "rules", "--long", "--json"],
        "--json",
        "cannot be used with",
    );
    let eight: Vec<_> = (1..=8)
        .map(|n| format!("--on=windows-7,processors={n}"))
        .collect();
    let eight: Vec<_> = eight.iter().map(String::as_str).collect();
    PUNCTUAL.refuses(&[&["sweep"], &eight[..]].concat(), "--on", "at most 7");
}
