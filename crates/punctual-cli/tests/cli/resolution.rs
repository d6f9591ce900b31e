//! `punctual resolution` as a person or a script uses it: on simulated machines, and with reports that
//! we wrote.

use crate::command::{ENERGY_REPORT, Punctual, fits_80_columns};

const RESOLUTION: Punctual = Punctual(&["resolution"]);

#[track_caller]
fn text(arguments: &[&str]) -> String {
    let text = RESOLUTION.text(arguments);
    // Paths are not broken between lines.
    let is_path = |line: &&str| line.contains(['\\', '/']);
    text.lines()
        .filter(|line| !is_path(line))
        .for_each(fits_80_columns);
    text
}

#[test]
fn a_simulated_machine_tells_its_interval_and_who_asked() {
    let on = ["--on", "windows-10-2004", "--with", "requester=1ms"];
    let now = RESOLUTION.json(&on);
    assert_eq!(now["schema"], "punctual.resolution/4");
    assert_eq!(now["interval"]["maximum_ns"], 15_625_000);
    assert_eq!(now["interval"]["minimum_ns"], 500_000);
    assert_eq!(now["interval"]["current_ns"], 999_600);
    assert_eq!(now["interval"]["shares"][0]["share"], 1.0);
    let requests = now["requesters"]["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert_eq!(requests[0]["program"], "requester");
    assert_eq!(now["requesters"]["platform_interval_ns"], 15_625_000);
    let text = text(&on);
    assert!(text.contains("current  0.9996 ms"), "{text}");
    assert!(text.contains("requester (process 1)"), "{text}");
}

#[test]
fn a_fresh_machine_has_no_requests() {
    let text = text(&["--on", "windows-7"]);
    assert!(text.contains("15.625 ms  100.0 %"), "{text}");
    assert!(text.contains("\n  none\n"), "{text}");
}

#[test]
fn reports_are_read_in_both_forms() {
    for form in ["html", "xml"] {
        let file = format!("{ENERGY_REPORT}.{form}");
        let asked = RESOLUTION.json(&["who", "--from", &file]);
        assert_eq!(asked["schema"], "punctual.resolution/4");
        assert_eq!(asked["requests"][0]["kind"], "kernel");
        assert_eq!(asked["requests"][1]["process_id"], 4_242);
        let text = text(&["who", "--from", &file]);
        assert!(text.contains("player.exe (process 4242)"), "{text}");
    }
}

#[test]
fn who_asks_on_a_simulated_machine() {
    let text = text(&["who", "--on", "windows-7", "--with", "requester=2ms"]);
    assert!(text.contains("2.000 ms  requester"), "{text}");
}
