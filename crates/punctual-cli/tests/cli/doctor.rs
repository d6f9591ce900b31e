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
