//! A packet pacer: 50,000 packets a second, for one second.
//!
//! Shows: a rate that no system wakes a thread at. A `Schedule` says when each packet is due, to the
//! nanosecond and for ever; the thread wakes some thousand times a second, and sends what has come
//! due since. After a long stall at most `LONGEST_BURST` packets go out at once, and the rest count
//! as missed: the receiver's buffer has room for no more.

use punctual::{LatenessStats, MissedTicks, Period, Schedule, Sleeper, Window};
use std::net::UdpSocket;
use std::time::Duration;

const PACKETS_PER_SECOND: u64 = 50_000;

/// How late a packet may leave, so that it shares a wake-up with those that follow it.
const TOLERANCE: Duration = Duration::from_micros(200);

/// 20 ms of packets.
const LONGEST_BURST: u32 = 1_000;

fn main() -> std::io::Result<()> {
    let receiver = UdpSocket::bind("127.0.0.1:0")?;
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.connect(receiver.local_addr()?)?;

    // It never spins: what may be late need not hold a processor to be exact.
    let mut sleeper = Sleeper::new().coarse();
    let start = sleeper.now();
    let mut packets = Schedule::new(start, Period::from_hertz(PACKETS_PER_SECOND))
        .with_missed_ticks(MissedTicks::BurstOf(LONGEST_BURST));

    let (mut stats, mut wakeups) = (LatenessStats::new(), 0);
    let end = start + Duration::from_secs(1);
    while let Some(deadline) = packets.next_deadline().filter(|&deadline| deadline < end) {
        let now = sleeper
            .sleep_within(Window::tolerating(deadline, TOLERANCE))
            .woke;
        wakeups += 1;
        while let Some(packet) = packets.overdue_tick(now) {
            socket.send(&packet.index.to_be_bytes())?;
            stats.record(packet);
        }
    }
    println!("{wakeups} wake-ups: {}", stats.summary());
    Ok(())
}
