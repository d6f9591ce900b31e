//! `punctual doctor`, on a machine with any permissions.

use crate::command::{Punctual, fits_80_columns};

const DOCTOR: Punctual = Punctual(&["doctor"]);

#[test]
fn every_finding_says_what_it_means_and_fits_80_columns() {
    let text = DOCTOR.text(&[]);
    assert!(text.contains("kernel trace"), "{text}");
    fits_80_columns(&text);
}

#[test]
fn programs_get_the_same_as_json() {
    let examination = DOCTOR.json(&[]);
    assert_eq!(examination["schema"], "punctual.doctor/1");
    for finding in examination["findings"].as_array().unwrap() {
        assert!(finding["what"].is_string() && finding["effect"].is_string());
        let state = finding["state"].as_str().unwrap();
        assert!(["good", "limited", "missing", "unknown"].contains(&state));
        if state == "good" {
            assert!(finding["remedy"].is_null(), "{finding}");
        }
    }
}

/// Trying what is permitted changes nothing.
#[test]
fn nothing_is_left_behind() {
    let find = || {
        let names = std::fs::read_dir("/sys/kernel/tracing/instances").ok()?;
        let mut names: Vec<_> = names.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        Some(names)
    };
    let before = find();
    DOCTOR.json(&[]);
    // Other captures may come and go meanwhile. None that remains belongs to an ended process.
    let ours = find().unwrap_or_default().into_iter().filter(|name| {
        let name = name.to_string_lossy().into_owned();
        let process = name
            .strip_prefix("punctual-")
            .and_then(|name| name.split('-').next());
        process.is_some_and(|id| !std::path::Path::new("/proc").join(id).exists())
    });
    let before = before.unwrap_or_default();
    assert_eq!(ours.filter(|name| !before.contains(name)).count(), 0);
}
