//! Hostile clients: each is closed, and meanwhile everyone else is answered.

use super::client::{Served, get, parse, read, send, served};
use proptest::prelude::*;
use punctual_watch::faults::Fault;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

fn is_well(served: &Served) {
    let answer = get(served.at, "/metrics", "");
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("\npunctual_start_time_seconds "));
}

#[test]
fn a_thousand_connections_keep_nothing_out() {
    let served = served();
    // Of more at once this process might not be allowed as many files.
    let mut open = VecDeque::new();
    for number in 0..1000 {
        let mut stream = TcpStream::connect(served.at).unwrap();
        // The first ones send nothing at all.
        if number > 500 {
            let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
        }
        open.push_back(stream);
        if open.len() > 300 {
            open.pop_front();
        }
        if number % 100 == 99 {
            is_well(&served);
        }
    }
    assert!(served.board.faults.count(Fault::Client) > 0);
    // The oldest of those that are still held here were closed there.
    assert_eq!(read(&mut open[0]), b"");
    is_well(&served);
}

/// It sends on and on, and is refused after a few kilobytes.
#[test]
fn a_hundred_megabytes_of_headers_are_not_read() {
    let served = served();
    let mut stream = TcpStream::connect(served.at).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        .unwrap();
    let header = format!("X-{}: {}\r\n", "a".repeat(50), "b".repeat(900));
    let mut sent = 0;
    let mut was_refused = false;
    while sent < 100 << 20 {
        if stream.write_all(header.as_bytes()).is_err() {
            was_refused = true;
            break;
        }
        sent += header.len();
    }
    assert!(was_refused, "it took all of it");
    is_well(&served);
    // One header without an end, and too many small ones.
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "a".repeat(20 << 10)
    );
    let status = parse(&send(served.at, long.as_bytes())).status;
    assert!([414, 431].contains(&status), "{status}");
    let many = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "A: b\r\n".repeat(80)
    );
    assert_eq!(parse(&send(served.at, many.as_bytes())).status, 431);
    is_well(&served);
}

#[test]
fn who_reads_nothing_holds_nothing_up() {
    let served = served();
    let many = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
    let connect = |_| TcpStream::connect(served.at).unwrap();
    let mut slow: Vec<_> = (0..20).map(connect).collect();
    for stream in &mut slow {
        stream.set_nonblocking(true).unwrap();
        // Until no buffer takes more of it: the server has stopped reading, because nothing reads what it writes.
        while stream.write(&many).is_ok_and(|sent| sent > 0) {}
    }
    is_well(&served);
    // It is closed when it has read nothing for ten seconds, or it still is answered.
    let mut one = slow.remove(0);
    one.set_nonblocking(false).unwrap();
    one.shutdown(Shutdown::Write).unwrap_or_default();
    let mut part = [0; 12];
    let _ = one.read(&mut part);
    drop(slow);
    is_well(&served);
}

/// This takes as long as a header may take: ten seconds.
#[test]
fn a_header_that_never_ends_is_closed() {
    let served = served();
    let mut half = TcpStream::connect(served.at).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    let mut silent = TcpStream::connect(served.at).unwrap();
    is_well(&served);
    let said = read(&mut half);
    assert!(said.is_empty() || parse(&said).status == 408);
    assert_eq!(read(&mut silent), b"");
    is_well(&served);
}

#[test]
fn who_leaves_at_once_leaves_nothing_behind() {
    let served = served();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(served.at).unwrap();
        let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let _ = stream.shutdown(Shutdown::Both);
    }
    is_well(&served);
}

#[test]
fn known_tricks_are_refused() {
    let served = served();
    for request in [
        // Two lengths, and a length beside chunks.
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
        "GET / HTTP/1.1\nHost: localhost\n X: folded\n\n",
        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01",
        "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\nConnection: close\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(served.at).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let said = read(&mut stream);
        let status = if said.is_empty() {
            0
        } else {
            parse(&said).status
        };
        assert!(
            [0, 400, 405, 505].contains(&status),
            "{status} for {request:?}"
        );
    }
    is_well(&served);
}

#[test]
fn garbage_is_closed() {
    let served = served();
    proptest!(ProptestConfig::with_cases(200), |(bytes in prop::collection::vec(any::<u8>(), 0..2000))| {
        let mut stream = TcpStream::connect(served.at).unwrap();
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let said = read(&mut stream);
        let is_closed = said.is_empty() || parse(&said).status == 400;
        prop_assert!(is_closed, "{:?}", String::from_utf8_lossy(&said));
    });
    is_well(&served);
}
