//! On the standard library: a sleep, and a division that says how many packets are due.

use std::net::UdpSocket;
use std::thread;
use std::time::{Duration, Instant};

const PACKETS_PER_SECOND: u128 = 50_000;
const TOLERANCE: Duration = Duration::from_micros(200);
const LONGEST_BURST: u128 = 1_000;

pub fn main() -> std::io::Result<()> {
    let receiver = UdpSocket::bind("127.0.0.1:0")?;
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.connect(receiver.local_addr()?)?;

    let start = Instant::now();
    let (mut next, mut missed, mut wakeups) = (0, 0, 0);
    let mut worst = Duration::ZERO;
    while next < PACKETS_PER_SECOND {
        thread::sleep(TOLERANCE);
        wakeups += 1;
        let passed = start.elapsed();
        let due = (passed.as_nanos() * PACKETS_PER_SECOND / 1_000_000_000).min(PACKETS_PER_SECOND);
        let first = due.saturating_sub(LONGEST_BURST).max(next);
        missed += first - next;
        for packet in first..due {
            socket.send(&packet.to_be_bytes())?;
        }
        let oldest = Duration::from_secs_f64(first as f64 / PACKETS_PER_SECOND as f64);
        worst = worst.max(passed.saturating_sub(oldest));
        next = due;
    }
    let rate = next as f64 / start.elapsed().as_secs_f64();
    println!("{wakeups} wake-ups: {rate:.1} Hz, {worst:?} (worst), {missed} missed");
    Ok(())
}
