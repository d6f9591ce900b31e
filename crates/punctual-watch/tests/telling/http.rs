//! What each path answers, and what is refused.

use super::client::{get, parse, send, served};
use super::samples;
use punctual_watch::error::Error;
use punctual_watch::faults::Fault;
use punctual_watch::sample;
use punctual_watch::serve::Server;
use punctual_watch::settings::Address;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

#[test]
fn metrics_are_told_in_the_format_that_is_asked_for() {
    let served = served();
    let text = get(served.at, "/metrics", "");
    assert_eq!(text.status, 200);
    assert_eq!(
        text.header("content-type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    assert!(!samples::read(text.text()).has_end);
    let accept = "Accept: application/openmetrics-text;version=1.0.0\r\n";
    let new = get(served.at, "/metrics?anything", accept);
    assert_eq!(
        new.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    assert!(samples::read(new.text()).has_end);
}

#[test]
fn health_says_what_is_not_well() {
    let served = served();
    let answer = get(served.at, "/healthz", "");
    assert_eq!((answer.status, answer.text()), (200, "ok\n"));
    for series in &served.board.series {
        series.is_running.store(false, Relaxed);
    }
    let answer = get(served.at, "/healthz", "");
    assert_eq!((answer.status, answer.text()), (503, "no sampler runs\n"));
}

#[test]
fn saved_wake_ups_are_listed_and_downloaded() {
    let served = served();
    let list = get(served.at, "/late", "");
    let list: serde_json::Value = serde_json::from_slice(&list.body).unwrap();
    assert_eq!(list["schema"], "punctual.late-wake-ups/2");
    let id = list["late_wake_ups"][0]["id"].as_str().unwrap().to_owned();
    let recording = get(served.at, &format!("/late/{id}"), "");
    assert_eq!(recording.body, b"a recording");
    let name = format!("attachment; filename=\"{id}.trace\"");
    assert_eq!(recording.header("content-disposition"), Some(name.as_str()));
    let picture = get(served.at, &format!("/late/{id}.perfetto"), "");
    assert_eq!(picture.body, b"a picture");
    std::fs::remove_file(served.folder.path().join(format!("{id}.trace"))).unwrap();
    assert_eq!(get(served.at, &format!("/late/{id}"), "").status, 404);
}

#[test]
fn paths_lead_nowhere_else() {
    let served = served();
    for path in [
        "/late.json",
        "/late/late.json",
        "/late/..%2flate.json",
        "/late/../late.json",
        "/late/lock",
        "/favicon.ico",
        "/metrics/",
        "//metrics",
        "/%00",
    ] {
        assert_eq!(get(served.at, path, "").status, 404, "{path}");
    }
}

#[test]
fn nothing_can_be_written() {
    let served = served();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"] {
        let request =
            format!("{method} /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let answer = parse(&send(served.at, request.as_bytes()));
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("allow"), Some("GET, HEAD"));
    }
    let head = "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let head = parse(&send(served.at, head.as_bytes()));
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_ne!(head.header("content-length"), Some("0"));
    let body = get(served.at, "/metrics", "Content-Length: 5\r\n");
    assert_eq!(body.status, 400);
}

/// A page from elsewhere whose name leads to 127.0.0.1 gets nothing.
#[test]
fn on_the_loopback_address_other_names_are_refused() {
    let served = served();
    let ask = |host: &str, version: &str| {
        let request = format!("GET /late HTTP/{version}\r\n{host}Connection: close\r\n\r\n");
        parse(&send(served.at, request.as_bytes())).status
    };
    assert_eq!(ask("Host: localhost:9836\r\n", "1.1"), 200);
    assert_eq!(ask("Host: [::1]\r\n", "1.1"), 200);
    assert_eq!(ask("Host: evil.example:9836\r\n", "1.1"), 403);
    assert_eq!(ask("Host: localhost.evil.example\r\n", "1.1"), 403);
    assert_eq!(ask("Host: localhost\r\nHost: evil.example\r\n", "1.1"), 400);
    assert_eq!(ask("", "1.1"), 400);
    assert_eq!(ask("", "1.0"), 200);
    let absolute =
        "GET http://evil.example/late HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(parse(&send(served.at, absolute.as_bytes())).status, 403);
    assert_eq!(served.board.faults.count(Fault::Client), 3);
}

#[test]
fn every_answer_forbids_scripts_and_guesses() {
    let served = served();
    for path in ["/", "/metrics", "/healthz", "/late", "/nothing"] {
        let answer = get(served.at, path, "");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'; style-src 'unsafe-inline'"),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[test]
fn requests_of_one_connection_are_answered_in_turn() {
    let served = served();
    let one = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answers = send(served.at, format!("{}{last}", one.repeat(99)).as_bytes());
    let answers = String::from_utf8(answers).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), 99);
    assert_eq!(answers.matches("HTTP/1.1 404 Not Found\r\n").count(), 1);
}

#[test]
fn another_board_is_shown_without_listening_anew() {
    let served = served();
    let other = sample::Machine::new(2).board(std::time::Duration::from_secs(1));
    served.server.show(Arc::new(other));
    let read = samples::read(get(served.at, "/metrics", "").text());
    let count = read
        .samples
        .iter()
        .find(|((name, _), _)| name == "punctual_wakeup_lateness_seconds_count");
    assert_eq!(count.unwrap().1, "100");
}

#[test]
fn an_address_in_use_is_an_error_and_none_is_fine() {
    let served = served();
    let taken = Address::Tcp(served.at);
    let free = Address::Tcp(([127, 0, 0, 1], 0).into());
    let error = Server::bind(&[free, taken.clone()], Arc::clone(&served.board)).unwrap_err();
    let said = error.to_string();
    let Error::Listen { at, error } = error else {
        panic!("{said}");
    };
    assert_eq!((at, error.kind()), (taken.clone(), ErrorKind::AddrInUse));
    let at = served.at;
    served.server.stop();
    // What was bound is free again, at once.
    let again = Server::bind(&[taken], Arc::clone(&served.board)).unwrap();
    assert_eq!(get(at, "/healthz", "").status, 200);
    drop(again);
    let nowhere = Server::bind(&[], served.board).unwrap();
    assert_eq!(nowhere.addresses(), []);
}
