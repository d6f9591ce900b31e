//! A watch as a service: it answers, reads its settings again, tells systemd, and ends when it is asked to.

#![cfg(target_os = "linux")]

use crate::command::{folder, started_by};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A watch that runs, and what it has said.
struct Watching {
    child: Child,
    said: Arc<Mutex<Vec<String>>>,
}

impl Watching {
    fn start(arguments: &[&str], environment: &[(&str, &Path)]) -> Self {
        // A shell starts what runs in its background with some signals ignored, and children inherit that.
        let mut command = started_by(Command::new("env"));
        command.arg("--default-signal=HUP,INT,TERM");
        command
            .arg(env!("CARGO_BIN_EXE_punctual-watch"))
            .args(arguments);
        command.args(["--method", "std-sleep"]);
        command.envs(environment.iter().copied());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let said = Arc::new(Mutex::new(Vec::new()));
        let keeps = Arc::clone(&said);
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                keeps.lock().unwrap().push(line);
            }
        });
        Self { child, said }
    }

    /// Waits until it says a line with this in it, and returns the line.
    #[track_caller]
    fn says(&self, part: &str) -> String {
        let mut found = None;
        let began = Instant::now();
        while found.is_none() {
            // A minute is enough on any working machine.
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "it does not say '{part}'"
            );
            thread::sleep(Duration::from_millis(20));
            let said = self.said.lock().unwrap();
            found = said.iter().rev().find(|line| line.contains(part)).cloned();
        }
        found.unwrap()
    }

    /// The port at which it answers now.
    #[track_caller]
    fn port(&self) -> String {
        let line = self.says("answers at http://127.0.0.1:");
        let (_, rest) = line.split_once("127.0.0.1:").unwrap();
        rest.split('/').next().unwrap().to_owned()
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn status(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

fn answer(mut stream: impl Read + Write, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn get(port: &str, path: &str) -> String {
    answer(
        TcpStream::connect(format!("127.0.0.1:{port}")).unwrap(),
        path,
    )
}

#[test]
fn it_answers_until_a_signal_ends_it_cleanly() {
    for signal in [Signal::TERM, Signal::INT] {
        let socket = folder(&format!("watch-{}", signal.as_raw())).join("s");
        let listen = format!("unix:{}", socket.display());
        let arguments = ["--listen", "127.0.0.1:0", "--listen", &listen];
        let watching = Watching::start(&arguments, &[]);
        let metrics = get(&watching.port(), "/metrics");
        assert!(metrics.contains("punctual_build_info"), "{metrics}");
        watching.says("answers at unix:");
        let metrics = answer(UnixStream::connect(&socket).unwrap(), "/metrics");
        assert!(metrics.contains("punctual_build_info"), "{metrics}");
        watching.send(signal);
        watching.says("ended");
        assert_eq!(watching.status(), Some(0));
        assert!(!socket.exists());
    }
}

#[test]
fn it_reads_its_settings_again_and_keeps_the_old_ones_if_they_are_wrong() {
    let folder = folder("watch-reload");
    let file = folder.join("watch.conf");
    fs::write(&file, "listen = 127.0.0.1:0\nrate = 20\n").unwrap();
    let arguments = ["--config", file.to_str().unwrap()];
    let watching = Watching::start(&arguments, &[]);
    watching.says("20 times a second");
    fs::write(&file, "listen = 127.0.0.1:0\nrate = 9999\n").unwrap();
    watching.send(Signal::HUP);
    watching.says("watch.conf, line 2: invalid value '9999'");
    let metrics = get(&watching.port(), "/metrics");
    assert!(metrics.contains("fault=\"reload\"} 1"), "{metrics}");
    fs::write(&file, "listen = 127.0.0.1:0\nrate = 40\n").unwrap();
    // Two of a kind within 50 ms are one.
    thread::sleep(Duration::from_millis(100));
    watching.send(Signal::HUP);
    watching.says("the settings were read again");
    watching.says("40 times a second");
    watching.send(Signal::TERM);
    assert_eq!(watching.status(), Some(0));
}

#[test]
fn it_tells_systemd_what_it_does_and_that_it_lives() {
    let folder = folder("watch-notify");
    let path = folder.join("notify");
    let systemd = UnixDatagram::bind(&path).unwrap();
    systemd
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let every = Path::new("200000");
    let environment = [("NOTIFY_SOCKET", path.as_path()), ("WATCHDOG_USEC", every)];
    let watching = Watching::start(&["--listen", "127.0.0.1:0"], &environment);
    let told = || {
        let mut buffer = [0; 512];
        let length = systemd.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    };
    assert!(told().starts_with("READY=1\nSTATUS="));
    let until = |what: &str| {
        let came = (0..1_000).any(|_| told().starts_with(what));
        assert!(came, "{what}");
    };
    until("WATCHDOG=1\nSTATUS=");
    watching.send(Signal::HUP);
    until("RELOADING=1\nMONOTONIC_USEC=");
    until("READY=1");
    watching.send(Signal::TERM);
    until("STOPPING=1");
    assert_eq!(watching.status(), Some(0));
}

#[test]
fn nothing_changes_where_systemd_does_not_listen() {
    let path = folder("watch-deaf").join("notify");
    let every = Path::new("20000");
    let environment = [("NOTIFY_SOCKET", path.as_path()), ("WATCHDOG_USEC", every)];
    let watching = Watching::start(&["--listen", "127.0.0.1:0"], &environment);
    let port = watching.port();
    // Long enough for some signs of life.
    thread::sleep(Duration::from_millis(100));
    assert!(get(&port, "/metrics").contains("punctual_build_info"));
    watching.send(Signal::TERM);
    assert_eq!(watching.status(), Some(0));
}

#[test]
fn a_port_that_is_taken_is_a_failure_that_says_what_to_do() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let watching = Watching::start(&["--listen", &address], &[]);
    watching.says("or listen on another port");
    assert_eq!(watching.status(), Some(1));
}
