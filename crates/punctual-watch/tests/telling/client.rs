//! A client that sends exactly what it is given.

use punctual_watch::board::Board;
use punctual_watch::sample;
use punctual_watch::serve::Server;
use punctual_watch::settings::Address;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use tempfile::TempDir;

/// A server on a free port, what it shows, and the folder of its late wake-up.
pub struct Served {
    pub server: Server,
    pub board: Arc<Board>,
    pub folder: TempDir,
    pub at: SocketAddr,
}

pub fn served() -> Served {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::new(sample::board_with_late_wake_up(folder.path()).unwrap());
    let any = Address::Tcp(SocketAddr::from(([127, 0, 0, 1], 0)));
    let server = Server::bind(&[any], Arc::clone(&board)).unwrap();
    let Address::Tcp(at) = server.addresses()[0] else {
        panic!("it listens elsewhere than asked");
    };
    Served {
        server,
        board,
        folder,
        at,
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (this, value) = line.split_once(':')?;
            this.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// What comes back for these bytes until the server closes the connection.
pub fn send(at: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(at).unwrap();
    // The server may close before all is sent.
    let _ = stream.write_all(bytes);
    read(&mut stream)
}

/// All that is read until the other side closes, or resets because it had not read all.
pub fn read(stream: &mut impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    let mut part = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut part) {
        all.extend_from_slice(&part[..length]);
    }
    all
}

/// The answer in these bytes.
pub fn parse(bytes: &[u8]) -> Answer {
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = bytes[end + 4..].to_vec();
    Answer { status, head, body }
}

/// What a path gives, with more headers if need be, each ended by `\r\n`.
pub fn get(at: SocketAddr, path: &str, headers: &str) -> Answer {
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n{headers}\r\n");
    parse(&send(at, request.as_bytes()))
}
