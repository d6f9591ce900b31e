//! `punctual measure --on`: the same experiment on simulated machines. Time is virtual, so the
//! tests can check everything.

use crate::command::{Punctual, fits_80_columns};
use punctual_windows::mechanisms::MECHANISMS;
use serde_json::Value;

const MEASURE: Punctual = Punctual(&["measure", "--count", "100"]);

const VERSIONS: [&str; 6] = [
    "windows-xp",
    "windows-7",
    "windows-8",
    "windows-10-1909",
    "windows-10-2004",
    "windows-11",
];

fn series<'a>(recording: &'a Value, method: &str) -> Option<&'a Value> {
    let all = recording["series"].as_array().unwrap();
    all.iter().find(|series| series["method"] == method)
}

/// The mean duration of a method's waits, in milliseconds, at a period of 1 ms.
fn mean_wait_ms(recording: &Value, method: &str) -> f64 {
    let series = series(recording, method).unwrap();
    let (count, missed) = (
        series["count"].as_f64().unwrap(),
        series["missed"].as_f64().unwrap(),
    );
    (count + missed) / count
}

#[test]
fn the_same_seed_gives_the_same_recording_to_the_last_digit() {
    let arguments = [
        "--on",
        "windows-10-2004",
        "--with",
        "sleepers=5",
        "--seed",
        "7",
        "--json",
    ];
    assert_eq!(
        MEASURE.run(&arguments).stdout,
        MEASURE.run(&arguments).stdout
    );
}

#[test]
fn punctual_is_never_early_on_any_version() {
    let methods = ["punctual-coarse", "punctual", "punctual-exact", "spin"];
    let asked = methods.map(|method| ["--method", method]);
    for version in VERSIONS {
        let recording = MEASURE.json(&[&["--on", version], asked.as_flattened()].concat());
        assert_eq!(recording["question"]["on"]["machine"], version);
        for method in methods {
            let series = series(&recording, method).unwrap();
            assert_eq!(
                (&series["count"], &series["early"]),
                (&100.into(), &0.into()),
                "{version}"
            );
        }
    }
}

#[test]
fn a_version_lacks_what_it_lacked() {
    let place = |name: &str| VERSIONS.iter().position(|version| *version == name);
    for version in VERSIONS {
        let recording = MEASURE.json(&["--on", version]);
        let unavailable = recording["unavailable"].as_array().unwrap();
        let names: Vec<_> = unavailable.iter().map(|missing| &missing["name"]).collect();
        let newer = MECHANISMS.iter();
        let newer = newer.filter(|one| place(one.since) > place(version));
        let newer: Vec<_> = newer.map(|one| one.name).collect();
        assert_eq!(names, newer, "{version}");
    }
}

#[test]
fn a_request_of_another_process_helps_up_to_1909_and_not_after() {
    let with_requester = |version| {
        let recording = MEASURE.json(&[
            "--on",
            version,
            "--method",
            "sleep",
            "--with",
            "requester=1ms",
        ]);
        assert_eq!(recording["question"]["with"][0], "requester=1ms");
        mean_wait_ms(&recording, "sleep")
    };
    assert!(with_requester("windows-10-1909") < 3.0);
    assert!(with_requester("windows-10-2004") > 14.0);
}

#[test]
fn a_request_of_ones_own_helps_on_every_version_and_ends_with_the_turn() {
    for version in VERSIONS {
        let recording = MEASURE.json(&["--on", version, "--method", "sleep", "--request", "1ms"]);
        assert_eq!(recording["question"]["request_ns"], 1_000_000);
        assert!(mean_wait_ms(&recording, "+sleep") < 3.5, "{version}");
        assert!(mean_wait_ms(&recording, "sleep") > 12.0, "{version}");
    }
}

#[test]
fn hardware_can_be_overridden() {
    let machine = "windows-7,default-interval=15.6ms,processors=2";
    let recording = MEASURE.json(&["--on", machine, "--method", "sleep"]);
    assert_eq!(
        recording["question"]["on"]["machine"], machine,
        "and nothing else"
    );
    assert_eq!(recording["environment"]["timer_interval_ns"], 15_600_000);
    assert_eq!(recording["environment"]["processors_online"], "0-1");
}

#[test]
fn tables_fit_80_columns() {
    let company = [
        "--with",
        "requester=2ms",
        "--with",
        "sleepers=3",
        "--request",
        "1ms",
    ];
    let text = MEASURE.text(&[&["--on", "windows-8", "--load", "cpu"][..], &company].concat());
    assert!(text.contains("on windows-8"));
    fits_80_columns(&text);
}

#[test]
fn a_loaded_machine_says_how_long_the_thread_was_ready_and_did_not_run() {
    let queued = |load| {
        let arguments = ["--on", "windows-11", "--method", "high-res", "--load", load];
        let recording = MEASURE.json(&arguments);
        let series = series(&recording, "high-res").unwrap();
        series["queue"]["max_ns"].as_u64().unwrap()
    };
    assert_eq!(queued("none"), 0);
    assert!(queued("cpu:8") > 1_000_000);
}

#[test]
fn the_answer_compares_with_what_programs_use_and_a_long_table_keeps_its_best() {
    let answer = |arguments: &[&str]| {
        let text = MEASURE.text(&[&["--on", "windows-11"], arguments].concat());
        let (answer, rest) = text.split_once("\n\n").unwrap();
        (answer.replace('\n', " "), rest.to_owned())
    };
    let (said, _) = answer(&["--method", "sleep,punctual"]);
    assert!(
        said.starts_with("punctual wakes ") && said.contains(" at p99; sleep "),
        "{said}"
    );
    let (_, table) = answer(&["--request", "1ms"]);
    assert!(
        table.contains("\n+punctual ") && table.contains("more rows"),
        "{table}"
    );
    assert!(table.lines().count() <= 27, "{table}");
    let (said, _) = answer(&["--method", "spin"]);
    assert!(said.ends_with(" at p99."), "{said}");
}

/// A bound may name a series by its name in the table.
#[test]
fn a_bound_may_be_about_a_method_under_a_request() {
    let asked = ["--on", "windows-7", "--method", "sleep"];
    let with = |rest: &[&str]| MEASURE.run(&[&asked, rest].concat());
    let bound = ["--fail-if", "+sleep.p99>0.5ms"];
    let request = ["--request", "1ms"];
    assert_eq!(with(&[request, bound].concat()).status.code(), Some(3));
    let kept = ["--fail-if", "+sleep.p99>20ms"];
    assert_eq!(with(&[request, kept].concat()).status.code(), Some(0));
}

#[test]
fn missed_deadlines_of_set_timer_are_not_blamed_on_the_machine() {
    let says = |arguments: &[&str]| {
        let asked = [
            "--long",
            "--on",
            "windows-10-1909",
            "--with",
            "requester=0.5ms",
        ];
        let text = MEASURE.text(&[&asked, arguments].concat());
        text.replace("\n      ", " ")
    };
    let text = says(&["--method", "set-timer", "--method", "high-res"]);
    assert!(
        text.contains("SetTimer waits for 10.0 ms at least"),
        "{text}"
    );
    assert!(!text.contains("stalls"), "{text}");
    // Waits that end with interrupts miss deadlines that are almost as close together as the
    // interrupts.
    let text = says(&["--method", "sleep", "--period", "0.9ms"]);
    assert!(!text.contains("stalls"), "{text}");
    assert!(text.contains("end with timer interrupts"), "{text}");
}

#[test]
fn quickly_is_ten_seconds_in_all() {
    let recording = Punctual(&["measure"]).json(&["--quick", "--on", "windows-7"]);
    let plan = &recording["plan"];
    let methods = ["series", "unavailable"].map(|key| recording[key].as_array().unwrap().len());
    let waits = plan["count"].as_u64().unwrap() + plan["warm_up_count"].as_u64().unwrap();
    let all = waits * methods.iter().sum::<usize>() as u64;
    assert!((9_900..=10_000).contains(&all), "{plan}");
}

/// The interval in the header is the one in force during the waits.
#[test]
fn what_the_company_asks_for_is_among_the_facts() {
    let interval = |arguments: &[&str]| {
        let recording = MEASURE.json(&[&["--method", "sleep", "--on"], arguments].concat());
        recording["environment"]["timer_interval_ns"].as_u64()
    };
    let millisecond = ["--with", "requester=1ms", "--request", "0.5ms"];
    assert_eq!(interval(&["windows-8"]), Some(15_625_000));
    let with_company = interval(&[&["windows-8"], &millisecond[..]].concat());
    assert_eq!(with_company, Some(1_000_000));
}
