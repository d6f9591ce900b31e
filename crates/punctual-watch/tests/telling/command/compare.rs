//! `punctual watch compare`, against a made-up Prometheus.

use super::{fits_80_columns, refuses, run, stderr, text};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

const GROUPS: [&str; 4] = ["--match", "kernel=\"new\"", "--against", "kernel=\"old\""];

/// Twenty machines with each kernel. Those with the new one are later.
fn answer(question: &str) -> Value {
    let machines =
        |kernel: &'static str| (0..20).map(move |at| (kernel, format!("{kernel}{at}:9836")));
    let all = machines("new").chain(machines("old"));
    let found: Vec<_> = if question.contains("time()") {
        vec![json!({"metric": {}, "value": [0, "1790000000"]})]
    } else if question.contains("machine_info") {
        let matching = all.filter(|(kernel, _)| question.contains(kernel));
        matching
            .map(|(_, name)| json!({"metric": {"job": "p", "instance": name}, "value": [0, "1"]}))
            .collect()
    } else {
        let asked = all.filter(|(_, name)| question.contains(&name.replace(':', "%3A")));
        asked
            .flat_map(|(kernel, name)| {
                let late = if kernel == "new" { 300.0 } else { 900.0 } + 10.0 * (name.len() as f64);
                let counts = [
                    ("0.0001", 9e5),
                    ("0.001", 9e5 + late * 100.0),
                    ("0.01", 1e6),
                    ("+Inf", 1e6),
                ];
                counts.map(|(le, count)| json!({
                "metric": {"job": "p", "instance": name, "le": le}, "value": [0, count.to_string()],
            }))
            })
            .collect()
    };
    json!({"status": "success", "data": {"resultType": "vector", "result": found}})
}

/// Answers until the test ends, one connection after another.
fn prometheus() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut request, mut part) = (Vec::new(), [0; 65_536]);
            while let Ok(read @ 1..) = stream.read(&mut part) {
                request.extend(&part[..read]);
                let text = String::from_utf8_lossy(&request).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else {
                    continue;
                };
                let head = head.to_ascii_lowercase();
                let length = head
                    .split("content-length: ")
                    .nth(1)
                    .and_then(|rest| rest.lines().next());
                if body.len() < length.and_then(|length| length.parse().ok()).unwrap_or(0) {
                    continue;
                }
                let body = answer(
                    &body
                        .replace("%28", "(")
                        .replace("%29", ")")
                        .replace("%7B", "{"),
                )
                .to_string();
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
                break;
            }
        }
    });
    format!("http://{address}")
}

fn asked(more: &[&str]) -> String {
    let address = prometheus();
    text(&[&["compare", "--prometheus", &address][..], &GROUPS, more].concat())
}

#[test]
fn the_later_group_is_told_in_80_columns() {
    let text = asked(&[]);
    fits_80_columns(&text);
    assert!(
        text.contains("Lateness per wake-up, the last 1 d"),
        "{text}"
    );
    assert!(
        text.contains("20 machines") && text.contains("{kernel=\"new\"}"),
        "{text}"
    );
    let p99 = text.lines().find(|line| line.starts_with("p99 ")).unwrap();
    assert!(p99.ends_with("  later"), "{text}");
    for format in ["--markdown", "--csv"] {
        assert!(asked(&[format, "--percentile", "p75"]).contains("p75"));
    }
}

#[test]
fn json_has_all_of_it() {
    let document: Value =
        serde_json::from_str(&asked(&["--json", "--window", "6h", "--deadlines"])).unwrap();
    assert_eq!(document["schema"], "punctual.fleet-comparison/1");
    assert_eq!(document["window_s"], 21_600);
    assert_eq!(document["lateness_per"], "deadline");
    assert_eq!(document["match"]["machines"], 20);
    assert_eq!(document["percentiles"].as_array().unwrap().len(), 3);
    assert_eq!(document["percentiles"][1]["percentile"], "p99");
    assert!(document["percentiles"][1]["interval"][0].is_number());
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is() {
    let with = |flag: &'static str, value: &'static str| {
        let mut words = vec![
            "compare",
            "--prometheus",
            "http://127.0.0.1:1",
            "--match",
            "a=\"b\"",
            "--against",
            "a=\"c\"",
        ];
        match words.iter().position(|word| *word == flag) {
            Some(at) => words[at + 1] = value,
            None => words.extend([flag, value]),
        }
        words
    };
    for (flag, value, hint) in [
        ("--prometheus", "localhost:9090", "http://localhost:9090"),
        ("--prometheus", "https://host", "TLS"),
        ("--match", "a", "kernel=\"6.1.0\""),
        ("--against", "a=\"b\"", "the same as --match"),
        ("--window", "1s", "6h"),
        ("--percentile", "100", "p99.9"),
        ("--method", "\u{1b}[3m", "punctual-coarse"),
        ("--seed", "x", "invalid"),
    ] {
        refuses(&with(flag, value), flag, hint);
    }
    refuses(&["compare"], "--prometheus", "required");
}

#[test]
fn nothing_there_is_a_failure_that_says_what_to_do() {
    // Nothing listens on a port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let address = format!("http://{free}");
    let output = run(&[&["compare", "--prometheus", &address][..], &GROUPS].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("see whether it runs there"));
}
