//! The dashboard is what Grafana's schema says a dashboard is, as far as it is used here, and asks only for what exists.
//!
//! <https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/>

use super::{is_told, names, read, recorded, repository};
use serde_json::Value;
use std::collections::BTreeSet;

/// The kinds of panels that Grafana brings along, and that are used here.
const KINDS: [&str; 5] = ["row", "stat", "timeseries", "heatmap", "table"];
/// Panels are placed on a grid of this many columns.
const COLUMNS: u64 = 24;

fn dashboard() -> Option<Value> {
    let text = read(&repository()?.join("fleet/grafana/punctual.json"));
    Some(serde_json::from_str(&text).unwrap())
}

fn panels(dashboard: &Value) -> &[Value] {
    dashboard["panels"].as_array().unwrap()
}

/// Every question in PromQL.
fn questions(dashboard: &Value) -> Vec<&str> {
    let targets = panels(dashboard)
        .iter()
        .filter_map(|panel| panel["targets"].as_array());
    let targets = targets
        .flatten()
        .chain(dashboard["annotations"]["list"].as_array().unwrap());
    targets
        .map(|target| target["expr"].as_str().unwrap())
        .collect()
}

#[test]
fn it_has_what_the_schema_asks_for() {
    let Some(dashboard) = dashboard() else { return };
    for key in ["title", "uid", "description"] {
        assert!(
            dashboard[key].as_str().is_some_and(|text| !text.is_empty()),
            "{key}"
        );
    }
    assert!(dashboard["uid"].as_str().unwrap().len() <= 40);
    assert_eq!(dashboard["schemaVersion"], 39);
    assert!(dashboard["time"]["from"].is_string() && dashboard["time"]["to"].is_string());
    // An id of its own would collide with what a Grafana has.
    assert!(dashboard.get("id").is_none());
    let mut ids = BTreeSet::new();
    for panel in panels(&dashboard) {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        let kind = panel["type"].as_str().unwrap();
        assert!(KINDS.contains(&kind), "{kind}");
        assert!(
            panel["title"]
                .as_str()
                .is_some_and(|title| !title.is_empty())
        );
        if kind == "row" {
            assert!(panel["panels"].as_array().unwrap().is_empty() && panel["collapsed"] == false);
            continue;
        }
        assert!(
            panel["fieldConfig"]["defaults"].is_object()
                && panel["fieldConfig"]["overrides"].is_array()
        );
        assert!(panel["options"].is_object());
        let mut references = BTreeSet::new();
        for target in panel["targets"].as_array().unwrap() {
            assert!(references.insert(target["refId"].as_str().unwrap()));
            assert_eq!(target["datasource"]["uid"], "${source}");
            assert!(target["range"] == true || target["instant"] == true);
        }
        assert!(!references.is_empty());
    }
}

#[test]
fn its_panels_do_not_lie_over_each_other() {
    let Some(dashboard) = dashboard() else { return };
    let mut taken = BTreeSet::new();
    for panel in panels(&dashboard) {
        let [x, y, w, h] = ["x", "y", "w", "h"].map(|key| panel["gridPos"][key].as_u64().unwrap());
        assert!(w > 0 && h > 0 && x + w <= COLUMNS, "{}", panel["title"]);
        for place in (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))) {
            assert!(taken.insert(place), "{} lies over another", panel["title"]);
        }
    }
}

#[test]
fn it_asks_only_for_what_a_watch_tells_or_a_rule_records() {
    let (Some(root), Some(dashboard)) = (repository(), dashboard()) else {
        return;
    };
    let recorded = recorded(&root, "rules");
    for name in questions(&dashboard)
        .iter()
        .flat_map(|question| names(question))
    {
        assert!(
            is_told(&name) || recorded.contains(&name),
            "{name} is neither told nor recorded"
        );
    }
}

#[test]
fn every_variable_is_defined_and_used() {
    let Some(dashboard) = dashboard() else { return };
    let list = dashboard["templating"]["list"].as_array().unwrap();
    let defined: BTreeSet<_> = list
        .iter()
        .map(|variable| variable["name"].as_str().unwrap())
        .collect();
    let text = dashboard.to_string();
    let used = text.split('$').skip(1).map(|after| {
        let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let name = after.trim_start_matches('{');
        &name[..name
            .find(|character| !is_of_name(character))
            .unwrap_or(name.len())]
    });
    // Grafana's own begin with two underscores.
    let used: BTreeSet<_> = used.filter(|name| !name.starts_with("__")).collect();
    assert_eq!(used, defined);
}
