//! `punctual measure --for` as a person or a script uses it.

use crate::command::{Punctual, folder};
use serde_json::Value;
use std::fs;

const SLEEP: Punctual = Punctual(&["measure", "--for"]);

/// Both are calls of every system.
const EVERYWHERE: [&str; 2] = ["--method", "std-sleep,condvar"];

#[test]
fn native_each_call_is_in_the_recording_with_each_length() {
    let file = folder("sleep-native").join("sleep.json");
    let arguments = ["1ms,2", "--count", "3", "--save", file.to_str().unwrap()];
    let recording = SLEEP.json(&[&arguments[..], &EVERYWHERE].concat());
    assert_eq!(recording["schema"], "punctual.recording/5");
    assert_eq!(
        recording["question"]["lengths_ns"],
        serde_json::json!([1_000_000, 2_000_000])
    );
    assert_eq!(recording["interrupted"], false);
    let series = recording["series"].as_array().unwrap();
    let named = |series: &Value| (series["call"].to_string(), series["length_ns"].as_u64());
    assert_eq!(series.len(), 4);
    assert_eq!(
        named(&series[1]),
        ("\"std-sleep\"".to_owned(), Some(2_000_000))
    );
    assert_eq!(
        named(&series[2]),
        ("\"condvar\"".to_owned(), Some(1_000_000))
    );
    for series in series {
        let durations = series["durations_ns"].as_array().unwrap();
        let durations: Vec<_> = durations.iter().map(|ns| ns.as_f64().unwrap()).collect();
        let mean = durations.iter().sum::<f64>() / durations.len() as f64;
        assert_eq!(durations.len(), 3, "{series}");
        assert!(
            (series["mean_ns"].as_f64().unwrap() - mean).abs() <= 0.5,
            "{series}"
        );
    }
    let saved: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(saved, recording);
}

#[cfg(feature = "sim")]
mod simulated {
    use super::*;
    use crate::command::fits_80_columns;

    /// The mean of the first series in milliseconds.
    fn mean(arguments: &str) -> f64 {
        let arguments: Vec<_> = arguments.split(' ').collect();
        let recording = SLEEP.json(&arguments);
        recording["series"][0]["mean_ns"].as_f64().unwrap() / 1e6
    }

    #[test]
    fn the_moment_at_which_a_call_begins_decides_what_it_takes() {
        let sleep = |at| mean(&format!("1 --method sleep --at {at} --on windows-7"));
        assert!((sleep("tight") - 15.625).abs() < 0.01);
        assert!((sleep("aligned") - 15.625).abs() < 0.01);
        // Due times count from the last tick, so it ends at the next one, however near that is.
        assert!((sleep("random") - 7.8).abs() < 0.5, "{}", sleep("random"));
    }

    #[test]
    fn a_request_of_its_own_and_one_of_another_process_are_told_apart() {
        let sleep = |flags| mean(&format!("1 --method sleep --on windows-10-2004 {flags}"));
        assert!(sleep("--request 1ms") < 2.1);
        assert!(sleep("--with requester=1ms") > 15.0);
    }

    #[test]
    fn the_length_a_call_cannot_be_asked_for_is_rounded_up_and_said() {
        let on = [
            "0.5ms",
            "--long",
            "--on",
            "windows-11",
            "--count",
            "20",
            "--method",
        ];
        let text = SLEEP.text(&[&on[..], &["sleep,wait-object,nt-delay"]].concat());
        let note = "note: asked for 1.00 ms instead of 500 µs, because they count in longer units:";
        assert!(text.contains(note), "{text}");
        assert!(text.contains("sleep, wait-object\n"), "{text}");
        fits_80_columns(&text);
    }

    #[test]
    fn every_call_of_every_windows_is_shown_in_80_columns() {
        for machine in ["windows-xp", "windows-7", "windows-11"] {
            let on = ["--long", "--on", machine, "--count", "20"];
            let text = SLEEP.text(&[&["1ms,20ms", "--at", "random"][..], &on].concat());
            fits_80_columns(&text);
            assert!(text.contains("Values near which they cluster"));
            let lacks = text.contains("note: no high-res");
            assert_eq!(lacks, machine != "windows-11", "{text}");
        }
    }

    #[test]
    fn the_command_on_a_page_asks_the_same_again() {
        let asked = "500us,1ms --on windows-11 --seed 7 --method nt-delay --at random --count 30 \
                     --work 20us --request 1ms";
        let asked: Vec<_> = asked.split(' ').collect();
        let page = SLEEP.text(&[&asked[..], &["--markdown"]].concat());
        let lines = page.lines();
        let mut again = lines.filter_map(|line| line.strip_prefix("Made by `punctual "));
        let again = again.next().unwrap().trim_end_matches('`');
        let again: Vec<_> = again.split(' ').collect();
        assert_eq!(Punctual(&[]).json(&again), SLEEP.json(&asked));
    }
}
