//! A whole watch: it starts, answers, takes over settings and ends. Nothing here looks at how late anything is.

use super::*;
use crate::sample;
use crate::settings::LateSettings;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, mpsc};
use std::thread;

/// What a test's watch says.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    fn log(&self) -> Log {
        let said = self.clone();
        Log::to(move |_, line| said.0.lock().unwrap().push(line.to_owned()))
    }

    fn has(&self, part: &str) -> bool {
        self.0
            .lock()
            .unwrap()
            .iter()
            .any(|line| line.contains(part))
    }
}

fn anywhere() -> Address {
    Address::Tcp("127.0.0.1:0".parse().unwrap())
}

fn settings() -> Settings {
    Settings {
        methods: vec!["std-sleep"],
        listen: vec![anywhere()],
        ..Settings::default()
    }
}

/// A watch, unless this machine has no processor to watch.
fn started(settings: Settings, said: &Said) -> Option<Watch> {
    match Watch::start(settings, said.log()) {
        Ok(watch) => Some(watch),
        Err(Error::Start(error)) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// What a server says to `GET` of this path.
fn get(address: &Address, path: &str) -> String {
    let Address::Tcp(address) = address else {
        panic!("{address} is no port");
    };
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if holds() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("not within half a minute: {what}");
}

fn wakes(watch: &Watch) -> u64 {
    let series = watch.board().series.iter();
    series.map(|series| series.wakes.read().total()).sum()
}

#[test]
fn it_counts_and_answers_until_it_is_stopped() {
    let said = Said::default();
    let Some(watch) = started(settings(), &said) else {
        return;
    };
    eventually("it wakes", || wakes(&watch) > 3);
    let address = watch.addresses()[0].clone();
    let answer = get(&address, "/metrics");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("punctual_wakeup_lateness_seconds_count"));
    assert!(said.has("watches processor") && said.has("answers at http://127.0.0.1:"));
    assert!(said.has("saves no late wake-ups"));
    watch.stop();
    assert!(said.has("ended"));
    let Address::Tcp(address) = address else {
        unreachable!("it was asked for a port")
    };
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn new_settings_are_taken_over_and_what_was_counted_stays() {
    let folder = tempfile::tempdir().unwrap();
    let said = Said::default();
    let Some(mut watch) = started(settings(), &said) else {
        return;
    };
    eventually("it wakes", || wakes(&watch) > 3);
    let (before, address) = (wakes(&watch), watch.addresses()[0].clone());
    let new = Settings {
        rate_hertz: 50,
        textfile: Some(folder.path().to_owned()),
        ..settings()
    };
    watch.reload(new.clone()).unwrap();
    assert!(wakes(&watch) >= before);
    assert_eq!(watch.addresses()[0], address, "the same port");
    assert_eq!(watch.board().series[0].asked_hertz.load(Relaxed), 50);
    let written = folder.path().join("punctual.prom");
    eventually("the file", || written.exists());
    assert!(get(&address, "/metrics").contains("rate_asked_hertz"));
    // Nothing new changes nothing.
    let board = Arc::clone(watch.board());
    watch.reload(new).unwrap();
    assert!(Arc::ptr_eq(&board, watch.board()));
    watch.stop();
}

#[test]
fn what_cannot_be_taken_over_leaves_the_old_settings() {
    let said = Said::default();
    let Some(mut watch) = started(settings(), &said) else {
        return;
    };
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = Address::Tcp(other.local_addr().unwrap());
    let method = Settings {
        methods: vec!["nap"],
        ..settings()
    };
    let listen = Settings {
        listen: vec![anywhere(), taken],
        ..settings()
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let late = Settings {
        late: Some(late_in(file.path())),
        ..settings()
    };
    for wrong in [method, listen, late] {
        let error = watch.reload(wrong).unwrap_err().to_string();
        assert!(!error.is_empty());
        assert_eq!(watch.board().series[0].method, "std-sleep");
        let before = wakes(&watch);
        eventually("it goes on", || wakes(&watch) > before);
        assert!(get(&watch.addresses()[0], "/healthz").starts_with("HTTP/1.1 "));
    }
    watch.stop();
}

fn late_in(folder: &Path) -> LateSettings {
    LateSettings {
        threshold: Duration::from_secs(3_600),
        keep: 5,
        folder: folder.to_owned(),
        keep_bytes: 1 << 20,
    }
}

#[test]
fn a_recorder_comes_and_goes_with_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let said = Said::default();
    let mut with = Settings {
        late: Some(late_in(folder.path())),
        ..settings()
    };
    let Some(mut watch) = started(with.clone(), &said) else {
        return;
    };
    assert!(watch.board().lates.is_some());
    assert!(said.has("saves wake-ups later than 3600s in"));
    // The same folder, which only one recorder may have at a time.
    with.late = with.late.map(|late| LateSettings { keep: 7, ..late });
    watch.reload(with).unwrap();
    assert!(watch.board().lates.is_some());
    watch.reload(settings()).unwrap();
    assert!(watch.board().lates.is_none());
    watch.stop();
}

#[test]
fn requests_are_heard_at_once_and_nothing_is_a_request_to_stop() {
    let said = Said::default();
    let Some(mut watch) = started(settings(), &said) else {
        return;
    };
    let (asks, asked) = mpsc::channel();
    asks.send(Request::Reload).unwrap();
    asks.send(Request::Stop).unwrap();
    assert_eq!(watch.wait(&asked), Request::Reload);
    assert_eq!(watch.wait(&asked), Request::Stop);
    drop(asks);
    assert_eq!(watch.wait(&asked), Request::Stop);
}

#[test]
fn a_port_that_is_taken_is_an_error_that_says_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = vec![Address::Tcp(taken.local_addr().unwrap())];
    let wanted = Settings {
        listen,
        ..settings()
    };
    match Watch::start(wanted, Log::silent()) {
        Err(error @ Error::Listen { .. }) => {
            assert!(
                error.to_string().contains("listen on another port"),
                "{error}"
            );
        }
        Err(error) => println!("skipped: {error}"),
        Ok(_) => panic!("two programs at one port"),
    }
}

#[test]
fn a_watch_lives_while_a_sampler_wakes() {
    let board = sample::board();
    let mut progress = Progress::of(&board);
    board.series[0].is_running.store(true, Relaxed);
    assert!(!progress.goes_on(&board));
    board.series[0].wakes.count(1);
    assert!(progress.goes_on(&board));
    assert!(!progress.goes_on(&board));
}

#[test]
fn without_a_processor_it_lives_while_it_reads() {
    let board = sample::board();
    for series in &board.series {
        series.is_running.store(false, Relaxed);
    }
    let mut progress = Progress::of(&board);
    assert!(!progress.goes_on(&board));
    board.readings.lock().unwrap().renewed = Some(Instant::now());
    assert!(progress.goes_on(&board));
}
