//! `punctual measure --with`: other programs next to the measuring one, on this machine and on a
//! simulated one.

use crate::command::Punctual;

const MEASURE: Punctual = Punctual(&["measure", "--count", "50", "--method", "punctual"]);

/// The same measurement in each world: `on` is empty or names a machine.
fn everybody_is_in_the_recording_and_the_measurement_is_whole(on: &[&str]) {
    let with = ["--with", "sleepers=3", "--with", "sleepers=2"];
    let recording = MEASURE.json(&[on, &with].concat());
    let asked = serde_json::json!(["sleepers=3", "sleepers=2"]);
    assert_eq!(recording["question"]["with"], asked);
    assert_eq!(recording["series"][0]["count"], 50);
    assert_eq!(recording["series"][0]["early"], 0);
    let changes = recording["environment_changes"].to_string();
    assert!(!changes.contains("ended during the run"), "{changes}");
}

#[test]
fn native_everybody_is_in_the_recording_and_the_measurement_is_whole() {
    everybody_is_in_the_recording_and_the_measurement_is_whole(&[]);
}

#[cfg(feature = "sim")]
#[test]
fn simulated_everybody_is_in_the_recording_and_the_measurement_is_whole() {
    everybody_is_in_the_recording_and_the_measurement_is_whole(&["--on", "windows-11"]);
}

/// On Windows 11 nothing honours what a hidden process requests, unless it has opted out.
#[cfg(feature = "sim")]
#[test]
fn hidden_programs_wait_longer_on_11() {
    let measure = Punctual(&["measure", "--on", "windows-11", "--count", "100"]);
    let mean_ms = |arguments: &[&str]| {
        let own = ["--method", "sleep", "--request", "1ms"];
        let recording = measure.json(&[&own, arguments].concat());
        let series = recording["series"].as_array().unwrap();
        let requested = series.iter().find(|one| one["method"] == "+sleep").unwrap();
        let [count, missed] = ["count", "missed"].map(|key| requested[key].as_f64().unwrap());
        (count + missed) / count
    };
    assert!(mean_ms(&[]) < 3.0);
    assert!(mean_ms(&["--hidden"]) > 10.0);
    assert!(mean_ms(&["--minimised", "--throttling", "honour"]) < 3.0);
    assert!(mean_ms(&["--throttling", "ignore"]) > 10.0);
    let text = measure.text(&["--method", "sleep", "--hidden", "--throttling", "opted-out"]);
    assert!(text.contains("hidden, telling Windows to honour"), "{text}");
}
