//! A thousand machines that are not there: one process that answers as all of their watches would.
//!
//! ```text
//! cargo run --release --example thousand --no-default-features --features sample -- 127.0.0.1:9900 1000
//! ```
//!
//! Prometheus finds them at `/targets` (`http_sd_configs`). `fleet/scale` starts both and measures what it takes. Each
//! seventh machine has a kernel with which it is a fifth later, and machine 617 waits in a queue.

use punctual_watch::board::{Board, Series};
use punctual_watch::exposition::{openmetrics, prometheus_text};
use punctual_watch::sample::{Machine, splitmix};
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often each processor of a made-up machine waits.
const HERTZ: f64 = 100.0;
/// The period of its deadlines.
const PERIOD_NS: u64 = 10_000_000;
/// The one with a load beside it.
const SLOW: u64 = 617;
/// As many answer at once as there are requests under way at a scrape interval of 15 s, and some.
const THREADS: usize = 8;

/// A machine, and until when its wake-ups are counted.
struct Made {
    number: u64,
    board: Arc<Board>,
    until: Instant,
    /// Wake-ups so far, for draws that are never the same.
    drawn: u64,
}

fn main() -> io::Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let [address, count] = &words[..] else {
        return Err(io::Error::other(
            "give an address and a number: 127.0.0.1:9900 1000",
        ));
    };
    let count: u64 = count.parse().map_err(io::Error::other)?;
    let listener = Arc::new(TcpListener::bind(address)?);
    let now = Instant::now();
    let made = |number| {
        Mutex::new(Made {
            number,
            board: Arc::new(Machine::new(number).board(Duration::ZERO)),
            until: now,
            drawn: 0,
        })
    };
    let machines: Arc<Vec<_>> = Arc::new((0..count).map(made).collect());
    let answering = (0..THREADS).map(|_| {
        let (listener, machines, address) = (listener.clone(), machines.clone(), address.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Who has gone needs no answer.
                let _ = answer(stream, &machines, &address);
            }
        })
    });
    let answering: Vec<_> = answering.collect();
    for thread in answering {
        thread
            .join()
            .map_err(|_| io::Error::other("a thread has panicked"))?;
    }
    Ok(())
}

fn answer(stream: TcpStream, machines: &[Mutex<Made>], address: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut lines = BufReader::new(&stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut is_new = false;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        is_new |= line.starts_with("accept:") && line.contains("openmetrics");
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let (kind, body) = if path == "/targets" {
        ("application/json", targets(machines.len(), address))
    } else {
        let number = path.trim_start_matches('/').split('/').next();
        let number = number.and_then(|number| number.parse::<usize>().ok());
        match number.and_then(|number| machines.get(number)) {
            None => {
                return (&stream).write_all(
                    b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
                );
            }
            Some(machine) => {
                let mut machine = machine.lock().unwrap_or_else(PoisonError::into_inner);
                machine.go_on();
                match is_new {
                    true => (
                        "application/openmetrics-text; version=1.0.0; charset=utf-8",
                        openmetrics(&machine.board),
                    ),
                    false => (
                        "text/plain; version=0.0.4; charset=utf-8",
                        prometheus_text(&machine.board),
                    ),
                }
            }
        }
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    (&stream).write_all(&[head.as_bytes(), body.as_bytes()].concat())
}

/// <https://prometheus.io/docs/prometheus/latest/http_sd/>
fn targets(count: usize, address: &str) -> String {
    let mut list = String::from("[");
    for number in 0..count {
        let comma = if number == 0 { "" } else { "," };
        let rack = number / 40;
        let _ = write!(
            list,
            r#"{comma}{{"targets":["{address}"],"labels":{{"__metrics_path__":"/{number}/metrics","instance":"m{number}:9836","rack":"r{rack}"}}}}"#
        );
    }
    list + "]"
}

impl Made {
    /// Counts what the machine has waited since the last time.
    fn go_on(&mut self) {
        let passed = self.until.elapsed();
        self.until += passed;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of waits"
        )]
        let waits = (passed.as_secs_f64() * HERTZ) as u64;
        for series in &self.board.series {
            (0..waits).for_each(|wait| self.wait(series, self.drawn + wait));
        }
        self.drawn += waits;
        let mut readings = self
            .board
            .readings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for reading in readings.numbers.iter_mut().filter(|reading| reading.rises) {
            reading.value += passed.as_secs_f64() / 100.0;
        }
    }

    fn wait(&self, series: &Series, number: u64) {
        let draw = splitmix((self.number << 40) ^ (number << 8) ^ series.processor as u64);
        // A wake-up of an idle Linux is late by 50 µs to 130 µs; those of one machine are alike.
        let usual = 50_000 + splitmix(self.number) % 30_000;
        let timer = usual + draw % 50_000;
        let timer = if self.number % 7 == 3 {
            timer * 6 / 5
        } else {
            timer
        };
        let queue = match draw % 1_000 {
            0..200 if self.number == SLOW => 3_000_000 + draw % 17_000_000,
            0..10 => 100_000 + draw % 900_000,
            _ => 0,
        };
        let lateness = timer + queue;
        series.wakes.count(lateness);
        series.timer_ns.fetch_add(timer, Relaxed);
        series.queue_ns.fetch_add(queue, Relaxed);
        series.processor_ns.fetch_add(20_000, Relaxed);
        // The deadlines that passed meanwhile are missed.
        let missed = lateness / PERIOD_NS;
        (0..=missed).for_each(|back| series.deadlines.count(lateness - back * PERIOD_NS));
        series.missed.fetch_add(missed, Relaxed);
    }
}
