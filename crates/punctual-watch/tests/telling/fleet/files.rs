//! The files of the directory `fleet` of the repository: they name only what exists, and say all that they should.

mod dashboard;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a watch tells, without the endings of histograms. `docs/watch-numbers.md` says what each means.
const TOLD: [&str; 26] = [
    "punctual_build_info",
    "punctual_clock_source_changes_total",
    "punctual_deadline_lateness_seconds",
    "punctual_faults_total",
    "punctual_late_seconds_total",
    "punctual_late_wakeups_total",
    "punctual_machine_info",
    "punctual_missed_total",
    "punctual_pressure_stalled_seconds_total",
    "punctual_pressure_waiting_seconds_total",
    "punctual_rate_asked_hertz",
    "punctual_rate_hertz",
    "punctual_recorder_bytes",
    "punctual_recorder_events_total",
    "punctual_recorder_lost_events_total",
    "punctual_running",
    "punctual_start_time_seconds",
    "punctual_steal_seconds_total",
    "punctual_throttled_periods_total",
    "punctual_throttled_seconds_total",
    "punctual_timer_interval_seconds",
    "punctual_timer_slack_seconds",
    "punctual_wakeup_lateness_seconds",
    "punctual_watch_other_processor_seconds_total",
    "punctual_watch_processor_seconds_total",
    "punctual_wakeup_lateness_seconds_bucket",
];

/// The repository, or nothing in a package of this crate alone.
fn repository() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if root.join("fleet/rules").is_dir() {
        return Some(root);
    }
    println!("skipped: the directory `fleet` is in the repository, and not in the package");
    None
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The texts of the YAML files in a folder of `fleet`.
fn texts(root: &Path, folder: &str) -> Vec<String> {
    let files = fs::read_dir(root.join("fleet").join(folder)).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|end| end == "yml"));
    files.map(|file| read(&file)).collect()
}

/// What stands after a key such as `alert:`.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = String> + 'a {
    let lines = text
        .lines()
        .map(|line| line.trim_start().trim_start_matches("- "));
    let values = lines.filter_map(move |line| line.strip_prefix(key));
    values.map(|value| value.trim().to_owned())
}

fn recorded(root: &Path, folder: &str) -> BTreeSet<String> {
    let texts = texts(root, folder);
    let recorded = texts.iter().flat_map(|text| values(text, "record:"));
    recorded.collect()
}

/// The names of series in PromQL: every word with `punctual_` in it.
fn names(text: &str) -> BTreeSet<String> {
    let is_of_name =
        |character: char| character.is_ascii_alphanumeric() || "_:".contains(character);
    let words = text.split(|character| !is_of_name(character));
    let words = words.map(|word| word.trim_matches(':'));
    words
        .filter(|word| word.contains("punctual_"))
        .map(str::to_owned)
        .collect()
}

fn is_told(name: &str) -> bool {
    let ends = ["", "_bucket", "_count", "_sum"];
    ends.iter().any(|end| {
        name.strip_suffix(end)
            .is_some_and(|name| TOLD.contains(&name))
    })
}

#[test]
fn the_rules_ask_only_for_what_a_watch_tells_or_a_rule_records() {
    let Some(root) = repository() else { return };
    for lateness in ["rules", "rules-native"] {
        let recorded = &recorded(&root, "rules") | &recorded(&root, lateness);
        for text in texts(&root, lateness).iter().chain(&texts(&root, "rules")) {
            for name in names(text) {
                assert!(
                    is_told(&name) || recorded.contains(&name),
                    "{name} is neither told nor recorded"
                );
            }
        }
    }
}

/// All that the other rules ask for is there with either kind of histogram.
#[test]
fn the_rules_for_native_histograms_record_the_same_names() {
    let Some(root) = repository() else { return };
    let classic = read(&root.join("fleet/rules/lateness.yml"));
    let native = read(&root.join("fleet/rules-native/lateness.yml"));
    let [classic, native] =
        [classic, native].map(|text| values(&text, "record:").collect::<BTreeSet<_>>());
    let only_classic: Vec<_> = classic.difference(&native).collect();
    let only_native: Vec<_> = native.difference(&classic).collect();
    assert_eq!(
        only_classic,
        ["instance_le:punctual_wakeup_lateness_seconds_bucket:rate5m"]
    );
    assert_eq!(
        only_native,
        ["instance:punctual_wakeup_lateness_seconds:rate5m"]
    );
    let others = ["machines", "fleet", "alerts"]
        .map(|name| read(&root.join(format!("fleet/rules/{name}.yml"))));
    for name in others.iter().flat_map(|text| names(text)) {
        assert!(
            !name.contains("_bucket") && !name.ends_with("lateness_seconds"),
            "{name} is of one kind"
        );
    }
}

#[test]
fn each_alert_has_a_runbook_a_test_and_a_severity_and_each_runbook_an_alert() {
    let Some(root) = repository() else { return };
    let rules = read(&root.join("fleet/rules/alerts.yml"));
    let alerts: BTreeSet<_> = values(&rules, "alert:").collect();
    assert!(alerts.len() > 10);
    let runbooks = read(&root.join("docs/runbooks.md"));
    let sections = runbooks
        .lines()
        .filter_map(|line| line.strip_prefix("## Punctual"));
    let sections: BTreeSet<_> = sections.map(|name| format!("Punctual{name}")).collect();
    assert_eq!(sections, alerts);
    let named: BTreeSet<_> = values(&rules, "runbook:").collect();
    let of_alerts = alerts
        .iter()
        .map(|alert| format!("docs/runbooks.md#{}", alert.to_lowercase()));
    assert_eq!(named, of_alerts.collect());
    let severities: Vec<_> = values(&rules, "labels:").collect();
    assert_eq!(severities.len(), alerts.len());
    let known = ["{severity: page}", "{severity: ticket}", "{severity: info}"];
    assert!(
        severities
            .iter()
            .all(|severity| known.contains(&severity.as_str()))
    );
    let mut tests = texts(&root, "tests");
    tests.push(read(&root.join("fleet/tests/thousand")));
    for alert in &alerts {
        let fires = |text: &String| {
            let mut parts = text.split("- alertname: ").skip(1);
            parts.any(|part| part.lines().next() == Some(alert) && part.contains("exp_labels"))
        };
        assert!(tests.iter().any(fires), "no test lets {alert} fire");
    }
}
