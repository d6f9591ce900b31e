//! Unix sockets: who may connect, what is replaced, and what is left alone.

use super::super::client::{parse, read};
use punctual_watch::error::Error;
use punctual_watch::sample;
use punctual_watch::serve::Server;
use punctual_watch::settings::Address;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;

/// The permissions of a file.
pub fn mode(file: &Path) -> Option<u32> {
    Some(fs::symlink_metadata(file).unwrap().permissions().mode() & 0o7777)
}

fn bind(path: &Path) -> Result<Server, Error> {
    Server::bind(&[Address::Unix(path.to_owned())], Arc::new(sample::board()))
}

fn status(path: &Path) -> u16 {
    let mut stream = UnixStream::connect(path).unwrap();
    let request = b"GET /metrics HTTP/1.1\r\nHost: anything.example\r\nConnection: close\r\n\r\n";
    stream.write_all(request).unwrap();
    parse(&read(&mut stream)).status
}

fn kind(refused: Result<Server, Error>) -> ErrorKind {
    match refused {
        Err(Error::Listen { error, .. }) => error.kind(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_socket_is_for_its_owner_and_group_and_goes_with_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.sock");
    let server = bind(&path).unwrap();
    assert_eq!(mode(&path), Some(0o660));
    assert_eq!(status(&path), 200);
    assert_eq!(kind(bind(&path)), ErrorKind::AddrInUse);
    assert_eq!(status(&path), 200, "the first one goes on");
    server.stop();
    assert!(!path.exists());
}

#[test]
fn a_socket_that_nothing_listens_at_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.sock");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "as a killed watch leaves it");
    let server = bind(&path).unwrap();
    assert_eq!(status(&path), 200);
    drop(server);
}

#[test]
fn no_other_file_is_replaced_or_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.sock");
    fs::write(&path, "someone's").unwrap();
    assert_eq!(kind(bind(&path)), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "someone's");
    // Nor one behind a link.
    let link = folder.path().join("link.sock");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(kind(bind(&link)), ErrorKind::AlreadyExists);
    fs::remove_file(&path).unwrap();
    let server = bind(&path).unwrap();
    // Another takes its place while the server runs.
    fs::remove_file(&path).unwrap();
    fs::write(&path, "another's").unwrap();
    server.stop();
    assert_eq!(fs::read_to_string(&path).unwrap(), "another's");
}

#[test]
fn a_socket_in_no_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none/watch.sock");
    assert_eq!(kind(bind(&path)), ErrorKind::NotFound);
    let long = folder.path().join("a".repeat(200));
    assert_eq!(kind(bind(&long)), ErrorKind::InvalidInput);
}

#[test]
fn a_program_that_accepts_nothing_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("watch.sock");
    let _deaf = UnixListener::bind(&path).unwrap();
    let waiting: Vec<_> = (0..5000)
        .map_while(|_| {
            let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).ok()?;
            rustix::io::ioctl_fionbio(&socket, true).ok()?;
            let address = SocketAddrUnix::new(&path).ok()?;
            rustix::net::connect(&socket, &address).ok()?;
            Some(socket)
        })
        .collect();
    assert!(!waiting.is_empty());
    assert_eq!(kind(bind(&path)), ErrorKind::AddrInUse);
}
