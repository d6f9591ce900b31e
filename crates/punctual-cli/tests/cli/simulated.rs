//! Varied conditions and `punctual windows rules` as a person or a script uses them. Everything happens
//! in virtual time.

use crate::command::{Punctual, fits_80_columns};

const PUNCTUAL: Punctual = Punctual(&[]);

/// Waits of a millisecond while a process requests intervals.
fn varied(condition: &str, machine: &str, more: &[&str]) -> serde_json::Value {
    let asked = [
        "measure", "--for", "1ms", "--vary", condition, "--on", machine,
    ];
    PUNCTUAL.json(&[&asked[..], more].concat())
}

/// The mean under each value, in tenths of a millisecond.
fn means(recording: &serde_json::Value) -> Vec<u64> {
    let points = recording["points"].as_array().unwrap().iter();
    points
        .map(|point| (point["series"][0]["mean_ns"].as_u64().unwrap() + 50_000) / 100_000)
        .collect()
}

#[test]
fn the_published_means_come_out_and_are_said_to() {
    let requester = "requester=1ms..15ms";
    let on_1909 = means(&varied(requester, "windows-10-1909", &[]));
    assert!(
        on_1909
            .iter()
            .eq(&[[20].as_slice(), &Vec::from_iter((2..=15).map(|ms| ms * 10))].concat())
    );
    let recording = varied(requester, "windows-10-2004", &[]);
    let on_2004 = means(&recording);
    assert!((156..=160).contains(&on_2004[1]), "{on_2004:?}");
    assert_eq!(on_2004[5..7], [120, 140]);
    assert!(
        on_2004[8..]
            .iter()
            .eq(&Vec::from_iter((9..=15).map(|ms| ms * 10)))
    );
    let of = |ms: usize| &recording["points"][ms - 1];
    assert_eq!(of(6)["series"][0]["confidence"]["level"], "published");
    assert_eq!(of(5)["series"][0]["confidence"]["level"], "inferred");
    assert_eq!(of(4)["interval_ns"], 4_000_000);
    let text = PUNCTUAL.text(&[
        "measure",
        "--for",
        "1ms",
        "--vary",
        requester,
        "--on",
        "windows-10-2004",
    ]);
    assert!(
        text.starts_with("sleep takes 9.00 ms in the mean under another process's request of 9 ms")
    );
    assert!(
        text.contains("11.9987 ms ") && text.contains("16.0000 ms?"),
        "{text}"
    );
    assert!(text.lines().count() <= 25, "{text}");
    fits_80_columns(&text);
}

/// Who asks matters since 2004, and not before.
#[test]
fn who_asks_gets_what_it_asked_for_on_every_version() {
    for machine in ["windows-10-1909", "windows-10-2004", "windows-11"] {
        assert_eq!(
            means(&varied("request=4ms", machine, &[])),
            [40],
            "{machine}"
        );
    }
    assert_eq!(
        means(&varied("requester=4ms", "windows-10-1909", &[])),
        [40]
    );
    assert!(means(&varied("requester=4ms", "windows-10-2004", &[]))[0] > 100);
}

#[test]
fn a_hidden_process_has_its_request_if_the_machine_has_another_rule() {
    let hidden = |machine| varied("request=4ms", machine, &["--hidden"]);
    assert_eq!(means(&hidden("windows-11,occlusion=ignored")), [40]);
    let seen = hidden("windows-11");
    assert!(means(&seen)[0] > 150, "{seen}");
    let case = |machine| {
        varied("request=4ms", machine, &[])["points"][0]["series"][0]["confidence"]["case"]
            .is_null()
    };
    // Requests of the process itself were published on 2004.
    assert!(!case("windows-10-2004") && case("windows-10-2004,occlusion=withdraws"));
}

#[test]
fn at_8_other_programs_make_the_published_difference() {
    let varied = |seed| {
        let machine = "windows-10-2004,quantum=5.333334us";
        let others = ["--with", "sleepers=7", "--count", "600", "--seed", seed];
        varied("requester=8ms", machine, &others)
    };
    let recording = varied("1");
    let series = &recording["points"][0]["series"][0];
    assert_eq!(series["confidence"]["case"], "grc-2004-8", "{series}");
    // A fifth of the waits ends an interval early.
    let early = series["durations_ns"].as_array().unwrap().iter();
    let early = early
        .filter(|took| took.as_u64() < Some(12_000_000))
        .count();
    assert!((90..150).contains(&early), "{early}");
    assert_eq!(recording["question"]["with"][0], "sleepers=7");
    assert_ne!(
        recording["points"],
        varied("2")["points"],
        "chance plays a part"
    );
}

#[test]
fn the_same_seed_gives_the_same_output() {
    for seed in ["1", "18446744073709551615"] {
        let asked = || {
            varied(
                "requester=1ms,8ms",
                "windows-11",
                &["--with", "sleepers=5", "--seed", seed],
            )
        };
        assert_eq!(asked(), asked());
    }
}

#[test]
fn a_condition_is_varied_for_every_schedule() {
    for (schedule, first) in [
        (&["--period", "20ms", "--count", "20"][..], "wakes"),
        (
            &["--beat", "20ms", "--duration", "200ms"],
            "has a jitter of",
        ),
        (
            &["--for", "1ms,2ms", "--at", "random", "--count", "20"],
            "takes",
        ),
    ] {
        let asked = [
            "measure",
            "--on",
            "windows-7",
            "--vary",
            "requester=1ms..3.5ms/0.1ms",
        ];
        let text = PUNCTUAL.text(&[&asked[..], schedule].concat());
        fits_80_columns(&text);
        assert!(text.contains(first) && text.contains("more rows"), "{text}");
        assert!(text.lines().count() <= 30, "{text}");
        let long = PUNCTUAL.text(&[&asked[..], schedule, &["--long"]].concat());
        assert!(
            long.contains("3.4 ms") && long.contains("can be trusted"),
            "{long}"
        );
    }
}

#[test]
fn everything_fits_80_columns_and_has_no_colour_in_a_pipe() {
    let twins = ["--on", "windows-11,processors=2,quantum=5.33us"];
    for arguments in [
        &[
            "measure",
            "--vary",
            "request=58ms..60ms",
            "--on",
            "windows-xp",
        ][..],
        &[
            "measure",
            twins[0],
            twins[1],
            "--with",
            "driver=10ms",
            "--vary",
            "requester=9ms",
        ],
        &["windows", "rules"],
        &["windows", "rules", "--long"],
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
        "2004",
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
    assert_eq!(list["machines"].as_array().map(Vec::len), Some(7));
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
