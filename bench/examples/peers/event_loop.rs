//! On `calloop`, whose loop it is then: other threads send it messages that ask for timers.

use calloop::channel::{Event as Received, channel};
use calloop::timer::{TimeoutAction, Timer};
use calloop::{EventLoop, LoopHandle};
use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

enum Event {
    Message(&'static str),
    Remind(Instant),
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut events = EventLoop::<u64>::try_new()?;
    let timers = events.handle();
    let (sender, receiver) = channel();

    timers.insert_source(Timer::immediate(), |deadline, _, tick| {
        println!("tick {tick}, {:?} late", deadline.elapsed());
        *tick += 1;
        TimeoutAction::ToInstant(deadline + Duration::from_millis(250))
    })?;
    let signal = events.get_signal();
    let second = Timer::from_duration(Duration::from_secs(1));
    timers.insert_source(second, move |_, _, _| {
        signal.stop();
        TimeoutAction::Drop
    })?;
    let here = timers.clone();
    timers.insert_source(receiver, move |event, _, _| match event {
        Received::Msg(Event::Message(text)) => println!("{text}"),
        Received::Msg(Event::Remind(deadline)) => remind(&here, deadline),
        Received::Closed => {}
    })?;

    thread::spawn(move || {
        thread::sleep(Duration::from_millis(330));
        drop(sender.send(Event::Message("a message from another thread")));
        let soon = Instant::now() + Duration::from_millis(30);
        drop(sender.send(Event::Remind(soon)));
    });

    events.run(None, &mut 0, |_| {})?;
    Ok(())
}

fn remind(timers: &LoopHandle<'static, u64>, deadline: Instant) {
    let inserted = timers.insert_source(Timer::from_deadline(deadline), |deadline, _, _| {
        println!("its timer, {:?} late", deadline.elapsed());
        TimeoutAction::Drop
    });
    if let Err(error) = inserted {
        eprintln!("{error}");
    }
}
