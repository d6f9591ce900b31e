//! `punctual explain --from FILE --info`: what is in a trace of each kind.

#[cfg(feature = "sim")]
use crate::command::folder;
use crate::command::{Punctual, fits_80_columns};
use serde_json::Value;

const INFO: Punctual = Punctual(&["explain", "--info", "--from"]);

const OF_TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../punctual-trace/tests/");

#[track_caller]
fn count(info: &Value, event: &str) -> u64 {
    let events = info["events"].as_array().unwrap();
    let found = events.iter().find(|row| row[0] == event);
    found.unwrap_or_else(|| panic!("{event}: {events:?}"))[1]
        .as_u64()
        .unwrap()
}

#[test]
fn a_log_that_others_recorded_is_counted_to_its_end() {
    let log = format!("{OF_TRACE}logs/lxcore.etl");
    let info = INFO.json(&[&log]);
    let about = ["Windows 10.0 build 19041, 64-bit", "processors: 6"];
    assert!((0..2).all(|line| info["about"][line] == about[line]));
    assert_eq!(info["missing"].as_array().unwrap().len(), 1);
    assert!(
        info["missing"][0]
            .as_str()
            .unwrap()
            .contains("wpr -start CPU")
    );
    assert_eq!(count(&info, "header of the log, version 2"), 1);
    fits_80_columns(&INFO.text(&[&log]));
}

#[test]
fn a_recorded_trace_has_its_events_and_whose_waits_they_are() {
    let info = INFO.json(&[&format!("{OF_TRACE}traces/idle.trace")]);
    assert_eq!(info["timed_waits"][0][0], "measure");
    assert!(count(&info, "switch of threads") > 0);
}

#[cfg(feature = "sim")]
#[test]
fn a_simulated_machine_leaves_the_same_switches_in_either_format() {
    let folder = folder("trace-info");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (text, log) = (file("trace.txt"), file("trace.etl"));
    for file in [&text, &log] {
        let explain = Punctual(&["explain", "--on", "windows-7", "--count", "20"]);
        explain.text(&["--save", file]);
    }
    let (text, log) = (INFO.json(&[&text]), INFO.json(&[&log]));
    let switches = count(&text, "CSwitch");
    assert_eq!(count(&log, "context switch, version 4"), switches);
    assert_eq!(log["timed_waits"], text["timed_waits"]);
}
