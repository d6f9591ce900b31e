//! The client against peers that answer as Prometheus does, and against others.

use punctual_watch::fleet::Error;
use punctual_watch::fleet::client::{Ask, Prometheus};
use punctual_watch::fleet::reply::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Answers one request, and gives what was asked.
fn peer(answer: Vec<u8>) -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (heard, asked) = channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut part = [0; 4_096];
        while !is_whole(&request) {
            match stream.read(&mut part) {
                Ok(read @ 1..) => request.extend(&part[..read]),
                _ => break,
            }
        }
        let _ = stream.write_all(&answer);
        let _ = heard.send(String::from_utf8_lossy(&request).into_owned());
    });
    (address, asked)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    match length.and_then(|length| length.parse::<usize>().ok()) {
        Some(length) => body.len() >= length,
        None => body.ends_with("0\r\n\r\n"),
    }
}

fn page(status: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn asked(
    address: SocketAddr,
    prefix: &str,
) -> Result<Vec<punctual_watch::fleet::reply::Sample>, Error> {
    let address = format!("http://{address}{prefix}").parse().unwrap();
    Prometheus::at(address).ask("up == 1", Some(12.5))
}

#[test]
fn a_question_is_posted_and_its_answer_is_read() {
    let body = r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"2"]}]}}"#;
    let (address, heard) = peer(page("200 OK", body));
    let found = asked(address, "/prefix/").unwrap();
    assert_eq!(found[0].value, Value::Number(2.0));
    let request = heard.recv().unwrap();
    assert!(
        request.starts_with("POST /prefix/api/v1/query HTTP/1.1"),
        "{request}"
    );
    assert!(
        request.contains("query=up") && request.contains("time=12.500"),
        "{request}"
    );
}

#[test]
fn an_error_of_prometheus_says_what_to_do() {
    let body = r#"{"status":"error","errorType":"timeout","error":"query timed out"}"#;
    let (address, _heard) = peer(page("503 Service Unavailable", body));
    let refused = asked(address, "").unwrap_err().to_string();
    assert!(
        refused.contains("query timed out") && refused.contains("shorter window"),
        "{refused}"
    );
}

#[test]
fn what_is_not_prometheus_is_said_to_be_none() {
    for answer in [
        page("200 OK", "<html>\u{1b}[31mhello"),
        page("404 Not Found", "nothing here"),
        page("302 Found\r\nlocation: /login", ""),
        page("200 OK", ""),
    ] {
        let (address, _heard) = peer(answer);
        let error = asked(address, "").unwrap_err();
        assert!(!matches!(error, Error::Refused { .. }), "{error}");
        assert!(error.to_string().contains(&address.to_string()), "{error}");
    }
}

#[test]
fn who_does_not_answer_or_says_nothing_in_http_is_unreachable() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let garbage = peer(vec![0xff; 10_000]).0;
    let endless = peer([b"HTTP/1.1 200 OK\r\n".to_vec(), b"a: b\r\n".repeat(100_000)].concat()).0;
    let short = peer(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec()).0;
    for address in [closed, garbage, endless, short] {
        let error = asked(address, "").unwrap_err();
        assert!(matches!(error, Error::Unreachable { .. }), "{error}");
        assert!(error.to_string().contains("see whether it runs"), "{error}");
    }
}
