//! An event loop of one's own, with timers in it: it waits for a channel and for time at once.
//!
//! Shows: a driver that has no thread. `next_wakeup` says how long the loop may wait for its own
//! events, `run_due` calls what is due, and `on_sooner` ends the wait when another thread inserts a
//! timer that comes earlier. With sockets instead of a channel, `on_sooner` writes to a pipe or sends
//! a datagram to the loop's own socket.

use punctual::{Driver, Period};
use std::error::Error;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

enum Event {
    Message(&'static str),
    Sooner,
    Quit,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (sender, events) = channel();
    let mut driver = Driver::new();
    let timers = driver.handle();
    let interrupt = sender.clone();
    driver.on_sooner(move || drop(interrupt.send(Event::Sooner)));

    timers.every(Period::from_hertz(4), |tick| {
        println!("tick {}, {:?} late", tick.index, tick.lateness());
    })?;
    let quit = sender.clone();
    timers.after(Duration::from_secs(1), move |_| {
        drop(quit.send(Event::Quit));
    })?;

    // Another part of the program: it sends events, and inserts timers without asking the loop.
    let elsewhere = timers.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(330));
        drop(sender.send(Event::Message("a message from another thread")));
        elsewhere.after(Duration::from_millis(30), |firing| {
            println!("its timer, {:?} late", firing.lateness());
        })
    });

    loop {
        let wakeup = driver.next_wakeup();
        let timeout = wakeup.map_or(Duration::MAX, |window| window.latest() - timers.now());
        match events.recv_timeout(timeout) {
            Ok(Event::Message(text)) => println!("{text}"),
            Ok(Event::Quit) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Ok(Event::Sooner) | Err(RecvTimeoutError::Timeout) => {}
        }
        driver.run_due();
    }
}
