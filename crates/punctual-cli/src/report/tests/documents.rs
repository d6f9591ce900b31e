//! Documents as the commands print them.

use serde_json::{Value, json};

pub(super) const RECORDED: &str = include_str!("../../../tests/recordings/idle.json");

/// A recording of one method with these values and counts.
pub(super) fn recording(counts: &[(u64, u64)]) -> String {
    let mut value: Value = serde_json::from_str(RECORDED).unwrap();
    let series = value["series"].as_array_mut().unwrap();
    series.truncate(1);
    let count: u64 = counts
        .iter()
        .fold(0, |sum, (_, count)| sum.saturating_add(*count));
    series[0]["count"] = json!(count);
    let max = counts.iter().map(|&(value, _)| value).max().unwrap_or(0);
    for of in ["per_wake", "per_deadline"] {
        for (key, value) in series[0][of].as_object_mut().unwrap() {
            if key != "histogram" {
                *value = json!(max);
            }
        }
        series[0][of]["histogram"]["counts_by_ns"] = json!(counts);
    }
    value.to_string()
}

/// A distribution with only these figures.
fn summary(mean_ns: u64, max_ns: u64) -> Value {
    json!({
        "p50_ns": mean_ns, "p90_ns": mean_ns, "p99_ns": max_ns, "p999_ns": max_ns,
        "max_ns": max_ns, "mean_ns": mean_ns,
        "histogram": { "significant_digits": 3, "counts_by_ns": [[max_ns, 1]] },
    })
}

/// Of a condition that is varied: requests on a simulated machine, or slacks of this one.
fn varied(condition: &str, values: [u64; 2], means: [u64; 2], on: &Value) -> String {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    let ground =
        json!({ "rule": "lattice", "basis": "inferred", "level": "inferred", "cases": [] });
    let confidence =
        json!({ "level": "inferred", "case": null, "rests_on": [ground], "unusual": [] });
    let point = |index: usize| {
        let mean = means[index];
        json!({
            "value_ns": values[index], "interval_ns": if on.is_null() { Value::Null } else { json!(values[index]) },
            "series": [{
                "call": "sleep", "length_ns": 1_000_000, "asked_ns": 1_000_000, "durations_ns": [mean, mean],
                "mean_ns": mean, "spread_ns": 0, "min_ns": mean, "max_ns": mean, "early": 0, "clusters": [],
                "failed": null, "confidence": if on.is_null() { Value::Null } else { confidence.clone() },
            }],
        })
    };
    json!({
        "schema": "punctual.recording/5", "punctual_version": "0", "tried_for": "lengths",
        "environment": recorded["environment"], "environment_changes": [], "interrupted": false,
        "unavailable": [],
        "question": {
            "lengths_ns": [1_000_000], "at": "tight", "count": 2, "work_ns": 0, "waiters": ["sleep"], "tuned": false,
            "load": "none", "with": ["sleepers=3"], "priority": "normal", "pin": null, "late_rate": null,
            "budget": null, "request_ns": null, "on": on,
            "vary": { "condition": condition, "values_ns": values },
        },
        "plan": { "count": 2, "warm_up_ns": 1 },
        "series": [], "points": [point(0), point(1)],
    })
    .to_string()
}

pub(super) fn requests(machine: &str, mean: u64) -> String {
    let on = json!({ "machine": machine, "seed": 1 });
    varied("requester", [1_000_000, 2_000_000], [1_000_000, mean], &on)
}

pub(super) fn slack() -> String {
    varied("slack", [1, 50_000], [1_000_000, 1_050_000], &Value::Null)
}

pub(super) fn explanation() -> String {
    let woke = |lateness: u64, segments: Value| {
        json!({
            "thread": "main", "processor": 0, "deadline_ns": 1, "woke_ns": 1 + lateness,
            "woke_utc": null, "lateness_ns": lateness, "is_at_most": false, "verdict": "exact",
            "segments": segments
        })
    };
    json!({
        "schema": "punctual.explanation/6", "punctual_version": "0", "question": null,
        "subject": "a loop", "environment": {}, "environment_changes": [], "was_full": false,
        "system": "linux", "notes": [],
        "exact": 2, "ambiguous": 0, "of": 2, "unexplained": [], "processors": [0],
        "lateness": {
            "count": 2, "p50_ns": 0, "p90_ns": 51_000, "p99_ns": 51_000, "p999_ns": 51_000,
            "max_ns": 51_000, "mean_ns": 25_500,
            "histogram": { "significant_digits": 3, "counts_by_ns": [[0, 1], [51_007, 1]] }
        },
        "lateness_ns": 51_000, "causes": [
            { "cause": "slack", "occupant": "itself", "priority": null, "wakeups": 1, "runs": 1,
              "total_ns": 50_000, "max_ns": 50_000, "longest_ns": 50_000, "share": 1.0 }],
        "batches": [{ "wakeups": 2, "ns_by_cause": { "slack": 50_000, "run-queue-wait": 1_000 } }],
        "left_out": 0,
        "wakeups": [
            woke(51_000, json!([
                { "cause": "slack", "occupant": "itself", "priority": null, "ns": 50_000 },
                { "cause": "run-queue-wait", "occupant": "other", "priority": "real-time 50", "ns": 1_000 }])),
            woke(0, json!([]))],
    })
    .to_string()
}

/// Where the kernel's trace could not be read.
pub(super) fn accounts() -> String {
    let mut recorded: Value = serde_json::from_str(RECORDED).unwrap();
    recorded["question"]["waiters"] = json!(["timerfd"]);
    json!({
        "schema": "punctual.explanation/6", "punctual_version": "0", "subject": "a loop",
        "question": recorded["question"], "refused": "no tracefs",
        "environment": recorded["environment"], "environment_changes": [],
        "involuntary_switches": null, "times_throttled": null, "steal_ns": null, "series": null,
        "wakeups": [
            { "lateness_ns": 7, "timer_ns": 7, "queue_ns": 0 },
            { "lateness_ns": 0, "timer_ns": null, "queue_ns": null }],
    })
    .to_string()
}

pub(super) fn pace() -> String {
    let stretch = |average_ns: f64| {
        json!({
            "beats": 1, "elapsed_ns": 1_000_000_000_u64, "average_ns": average_ns,
            "longest_ns": 17_000_000, "missed": 0
        })
    };
    json!({
        "schema": "punctual.recording/5", "punctual_version": "0", "tried_for": "beats",
        "environment": {},
        "environment_changes": [], "interrupted": false, "unavailable": [],
        "question": {
            "period_ns": [50_000_000, 3], "length": { "each_ns": 2_000_000_000_u64 },
            "work_ns": 90_000, "waiters": [], "tuned": false, "load": "none", "with": [], "priority": "normal",
            "pin": null, "late_rate": null, "budget": null, "request_ns": null, "on": null
        },
        "plan": { "duration_ns": 2_000_000_000_u64, "warm_up_count": 12 },
        "series": [
            { "way": "ticker", "beats": 2, "elapsed_ns": 2_000_000_000_u64,
              "average_ns": 16_666_666.7, "error_ppm": 0.002, "error_s_per_day": 0.0,
              "jitter_ns": 1.5, "intervals": summary(0, 17_000_000), "waits": summary(0, 0),
              "missed": 0, "processor_share": 0.01,
              "stretches": [stretch(16_666_666.7), stretch(17_000_000.0)] },
            { "way": "none", "beats": 0, "elapsed_ns": 0, "average_ns": null, "error_ppm": null,
              "error_s_per_day": null, "jitter_ns": 0.0, "intervals": summary(0, 0),
              "waits": summary(0, 0), "missed": 0, "processor_share": 0.0, "stretches": [] }],
    })
    .to_string()
}

pub(super) fn clocks() -> String {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    json!({
        "schema": "punctual.clocks/3", "punctual_version": "0", "environment": recorded["environment"],
        "question": { "duration_ns": 1_000_000, "on": null },
        "interrupted": false, "unavailable": [{ "name": "none", "reason": "there is none" }],
        "clocks": [
            { "clock": "first", "counts": "time", "unit_ns": 1.0, "least_step_ns": 40.0,
              "median_step_ns": 50.0, "cost_ns": 2.5, "rate_ppm": 0.0, "rate_uncertainty_ppm": 0.3,
              "across": { "processors": 2, "compared": 9, "back": 3, "furthest_back_ns": 7.0,
                "resolution_ns": 81.0 } },
            { "clock": "second", "counts": "thread", "unit_ns": null, "least_step_ns": null,
              "median_step_ns": null, "cost_ns": 250.0, "rate_ppm": null,
              "rate_uncertainty_ppm": null, "across": null }],
    })
    .to_string()
}

pub(super) fn simulated() -> String {
    let mut value: Value = serde_json::from_str(RECORDED).unwrap();
    value["question"]["on"] = json!({ "machine": "windows-10-2004", "seed": 1 });
    value.to_string()
}

/// Two languages on two machines, on one of which one does not run.
pub(super) fn languages() -> String {
    let confidence = |level: &str| {
        let ground = json!({
            "rule": "due-time", "basis": "inferred", "level": level, "cases": ["grc-2004-8"]
        });
        json!({ "level": level, "case": null, "rests_on": [ground], "unusual": [] })
    };
    let cell = |mean: u64, level: &str| {
        json!({
            "count": 9, "mean_ns": mean, "deviation_ns": mean / 2, "min_ns": 0, "max_ns": mean,
            "confidence": confidence(level)
        })
    };
    let row = |label: &str, checked: bool, cells: Value| {
        json!({
            "persona": label, "label": label, "about": ["a <b>", "c & d", "e"],
            "checked": checked, "call": "ordinary wait", "request": "none", "cells": cells
        })
    };
    let machines = ["windows-7", "windows-11,processors=2"];
    json!({
        "schema": "punctual.languages/1", "punctual_version": "0", "interrupted": true,
        "question": {
            "length_ns": 1_000_000, "personas": ["python-3.10"], "machines": machines,
            "with": ["sleepers=3"], "at": "tight", "count": 9, "seed": 1
        },
        "rows": [
            row("one <i>", true, json!([cell(1_000_000, "published"), cell(2_000_000, "inferred")])),
            row("other", false, json!([null, cell(u64::MAX, "contradicted")])),
        ],
    })
    .to_string()
}
