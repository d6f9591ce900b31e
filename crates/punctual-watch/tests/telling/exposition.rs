//! Both formats say the same, whatever is on the board.

use super::samples::{self, Read};
use proptest::prelude::*;
use punctual_data::escape::escaped;
use punctual_watch::board::{Board, Reading, Readings, Series};
use punctual_watch::exposition::{Format, openmetrics, prometheus_text};
use punctual_watch::faults::{Fault, Faults};
use punctual_watch::histogram::BOUNDED;
use punctual_watch::sample;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// What the families of one format are called in the other, and their types.
fn older_types(read: &Read) -> Vec<(String, String)> {
    let types = read.types.iter().map(|(name, kind)| match kind.as_str() {
        "counter" => (format!("{name}_total"), kind.clone()),
        "info" => (format!("{name}_info"), "gauge".to_owned()),
        _ => (name.clone(), kind.clone()),
    });
    types.collect()
}

fn check_both(board: &Arc<Board>) -> (Read, Read) {
    let new = samples::read(&openmetrics(board));
    let old = samples::read(&prometheus_text(board));
    assert_eq!(new.samples, old.samples);
    assert!(new.has_end && !old.has_end);
    assert!(old.units == 0 && old.exemplars.is_empty());
    assert_eq!(
        older_types(&new),
        old.types.clone().into_iter().collect::<Vec<_>>()
    );
    for (name, _) in old.samples.keys() {
        let family = ["_bucket", "_sum", "_count"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .filter(|family| {
                old.types
                    .get(*family)
                    .is_some_and(|kind| kind == "histogram")
            })
            .unwrap_or(name);
        assert!(old.types.contains_key(family), "{name} has no type");
    }
    (new, old)
}

#[test]
fn the_made_up_board_is_the_same_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board_with_late_wake_up(folder.path()).unwrap());
    let (new, _) = check_both(&board);
    let [(bucket, (id, lateness, _))] = &new.exemplars.iter().collect::<Vec<_>>()[..] else {
        panic!("one saved wake-up, one exemplar: {:?}", new.exemplars);
    };
    assert_eq!(id, "20250615-150640-1");
    let le: f64 = bucket.1[0].1.parse().unwrap();
    assert!(
        le / 2.0 < *lateness && *lateness <= le,
        "{lateness} in {le}"
    );
}

#[test]
fn buckets_add_up() {
    let board = Arc::new(sample::board());
    let read = samples::read(&prometheus_text(&board));
    let series = &board.series[1];
    let of_series = |name: &str| {
        let mut buckets: Vec<(f64, u64)> = Vec::new();
        for ((sample, labels), value) in &read.samples {
            let is_of_series = labels
                .iter()
                .any(|label| label.0 == "cpu" && label.1 == "1");
            if sample == name && is_of_series {
                let le = labels.iter().find(|label| label.0 == "le");
                let le = le.map_or(0.0, |le| le.1.parse().unwrap());
                buckets.push((le, value.parse().unwrap()));
            }
        }
        buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
        buckets
    };
    let buckets = of_series("punctual_wakeup_lateness_seconds_bucket");
    assert_eq!(buckets.len(), BOUNDED + 1);
    assert!(buckets.is_sorted_by(|one, next| one.1 <= next.1));
    assert_eq!(
        buckets[BOUNDED],
        (f64::INFINITY, series.wakes.read().total())
    );
    let count = of_series("punctual_wakeup_lateness_seconds_count");
    assert_eq!(count[0].1, series.wakes.read().total());
}

#[test]
fn a_board_without_anything_can_be_read() {
    let mut board = sample::board();
    board.series.clear();
    *board.readings.lock().unwrap() = Readings::default();
    board.faults = Arc::default();
    let board = Arc::new(board);
    let (_, old) = check_both(&board);
    assert!(!old.types.contains_key("punctual_wakeup_lateness_seconds"));
}

#[test]
fn promtool_finds_nothing_to_say() {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board_with_late_wake_up(folder.path()).unwrap());
    let mut promtool = match Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    {
        Ok(promtool) => promtool,
        Err(error) => return println!("skipped: promtool cannot be run: {error}"),
    };
    let text = prometheus_text(&board);
    let mut stdin = promtool.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    let output = promtool.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert_eq!(String::from_utf8(said).unwrap(), "");
    assert!(output.status.success());
}

/// The header of Prometheus 2.42 and of 3, shortened, of a browser, and of others.
#[test]
fn a_client_gets_the_format_that_it_prefers() {
    for accept in [
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;q=0.8,*/*;q=0.1",
        "APPLICATION/OpenMetrics-Text ; Version=\"1.0.0\"",
        "text/plain;q=0.25, application/openmetrics-text;q=0.5",
    ] {
        assert_eq!(Format::accepted(accept), Format::OpenMetrics, "{accept}");
    }
    for accept in [
        "",
        "*/*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/plain;version=0.0.4",
        "application/openmetrics-text;version=2.0.0",
        "application/openmetrics-text;q=0, text/plain",
        "application/openmetrics-text;q=0.2, text/plain;q=0.201",
        "application/openmetrics-text;q=-1",
        "application/openmetrics-text;q=NaN",
        "application/json",
        ";;;,,=q=,",
    ] {
        assert_eq!(Format::accepted(accept), Format::PrometheusText, "{accept}");
    }
}

/// Texts with all that means something in the formats.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[\"\\\\\n# {}=,]{0,12}",
        ".{0,12}",
        Just("# EOF\n# TYPE".to_owned())
    ]
}

fn any_reading() -> impl Strategy<Value = Reading> {
    let name = prop::sample::select(vec!["steal", "pressure_waiting", "throttled_periods"]);
    (name, any_text(), any::<f64>()).prop_map(|(name, label, value)| Reading {
        name,
        help: "what it is",
        unit: (name != "throttled_periods").then_some("seconds"),
        rises: true,
        labels: vec![("group", label)],
        value,
    })
}

proptest! {
    #[test]
    fn any_board_is_the_same_in_both_formats(
        facts in prop::collection::vec(any_text(), 3),
        mut numbers in prop::collection::vec(any_reading(), 0..6),
        counts in prop::collection::vec((0..=BOUNDED, any::<u32>()), 0..20),
        accept in ".{0,40}",
    ) {
        let series = Series::new(7, "punctual-coarse", 100);
        for (bucket, count) in counts {
            series.wakes.add(bucket, count.into(), count.into());
            series.missed.fetch_add(count.into(), Relaxed);
        }
        // The system tells no number twice.
        let told = |reading: &Reading| (reading.name, escaped(&reading.labels[0].1).into_owned());
        numbers.sort_by_key(told);
        numbers.dedup_by_key(|reading| told(reading));
        let faults = Faults::default();
        faults.happened(Fault::Client, "anything");
        let mut board = sample::board();
        board.series = vec![Arc::new(series)];
        board.faults = Arc::new(faults);
        *board.readings.lock().unwrap() = Readings {
            renewed: None,
            facts: ["clock_source", "governor", "kernel"].into_iter().zip(facts.clone()).collect(),
            numbers: numbers.clone(),
        };
        let board = Arc::new(board);
        let (_, old) = check_both(&board);
        let ((_, labels), _) = old.samples.iter().find(|((name, _), _)| name == "punctual_machine_info").unwrap();
        prop_assert!(labels.iter().map(|label| label.1.as_str()).eq(facts.iter().map(|fact| escaped(fact))));
        for reading in numbers.iter().filter(|reading| reading.value.is_finite()) {
            let (told_name, value) = told(reading);
            let is_told = old.samples.keys().any(|(name, labels)| name.contains(told_name) && labels[0].1 == value);
            prop_assert!(is_told);
        }
        Format::accepted(&accept);
    }
}
