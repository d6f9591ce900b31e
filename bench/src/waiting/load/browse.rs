//! A browser: frames that several threads draw, scripts that come in bursts, and pages that arrive.

use crate::failure::Failure;
use fastrand::Rng;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// 60 frames a second.
const FRAME: Duration = Duration::from_micros(16_667);

/// Threads that draw parts of a frame, as a browser has on a machine of few processors.
const DRAWERS: u64 = 3;

/// What a script computes at a time, and then waits for, in milliseconds: a page that is read.
const BURST_MILLIS: std::ops::RangeInclusive<u64> = 10..=60;
const REST_MILLIS: std::ops::RangeInclusive<u64> = 40..=160;

/// What arrives of a page at a time.
const CHUNK: usize = 64 << 10;
const BETWEEN_CHUNKS: Duration = Duration::from_millis(5);

/// The picture that a thread draws: more than the nearest caches hold.
const PICTURE_BYTES: usize = 4 << 20;

pub fn browse() -> Result<(), Failure> {
    let drawers: Vec<Sender<Duration>> = (0..DRAWERS)
        .map(|_| {
            let (sender, frames) = mpsc::channel();
            thread::spawn(move || draw(&frames));
            sender
        })
        .collect();
    thread::spawn(script);
    load_pages()?;
    let mut random = Rng::with_seed(1);
    let mut next = Instant::now();
    loop {
        for drawer in &drawers {
            drawer.send(Duration::from_micros(random.u64(500..2_500)))?;
        }
        compute(Duration::from_millis(2));
        next += FRAME;
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

/// Draws for as long as each frame says.
fn draw(frames: &Receiver<Duration>) {
    let mut picture = vec![0_u8; PICTURE_BYTES];
    for (frame, time) in (0_u8..=u8::MAX).cycle().zip(frames) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            picture.fill(frame);
            black_box(&picture);
        }
    }
}

fn script() {
    let mut random = Rng::with_seed(2);
    loop {
        compute(Duration::from_millis(random.u64(BURST_MILLIS)));
        thread::sleep(Duration::from_millis(random.u64(REST_MILLIS)));
    }
}

fn compute(time: Duration) {
    let end = Instant::now() + time;
    let mut number = 1_u64;
    while Instant::now() < end {
        for _ in 0..1_000 {
            number = black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(7));
        }
    }
}

/// A server and a client, one thread each, that go on by themselves.
fn load_pages() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut client = TcpStream::connect(listener.local_addr()?)?;
    let (mut server, _) = listener.accept()?;
    thread::spawn(move || {
        let page = vec![0; CHUNK];
        while server.write_all(&page).is_ok() {
            thread::sleep(BETWEEN_CHUNKS);
        }
    });
    thread::spawn(move || {
        let mut page = vec![0; CHUNK];
        while client.read(&mut page).is_ok_and(|bytes| bytes > 0) {}
    });
    Ok(())
}
