//! Timers where there is no operating system: a keypad that debounces its keys and blinks a light.
//!
//! Shows: `Timers`, `Schedule` and `Period` without the standard library and without a clock. Whoever
//! has one, such as a hardware timer, says what time it is, and is told when to say so again. All but
//! `main` is compiled for a microcontroller, too, with `default-features = false`.

#![no_std]

use punctual::timers::Key;
use punctual::{Instant, Period, Schedule, Timers};

/// A key that is still down this much later is pressed; contacts bounce for a few milliseconds.
const DEBOUNCE: core::time::Duration = core::time::Duration::from_millis(20);

const BLINK: Period = Period::from_hertz(3);

enum Job {
    Blink,
    Pressed(char),
}

/// What the firmware does.
pub enum Action {
    /// Switch the light on or off.
    Light(bool),
    /// Tell whoever listens that a key was pressed.
    Report(char),
}

/// The firmware, but for the hardware.
pub struct Keypad {
    timers: Timers<Job>,
    blink: Schedule,
    bouncing: Option<Key>,
}

impl Keypad {
    /// With its light on.
    pub fn new(now: Instant) -> Self {
        let mut timers = Timers::new();
        timers.insert(now, Job::Blink);
        Self {
            timers,
            blink: Schedule::new(now, BLINK),
            bouncing: None,
        }
    }

    /// For the interrupt of a key: down, or up again.
    pub fn on_key(&mut self, now: Instant, down: Option<char>) {
        if let Some(bouncing) = self.bouncing.take() {
            self.timers.cancel(bouncing);
        }
        self.bouncing = down.map(|key| self.timers.insert(now + DEBOUNCE, Job::Pressed(key)));
    }

    /// When the hardware's alarm is to go off.
    pub fn alarm(&self) -> Option<Instant> {
        self.timers.next_wakeup()
    }

    /// For the interrupt of the alarm: what is to be done, one after the other.
    pub fn next_action(&mut self, now: Instant) -> Option<Action> {
        match self.timers.pop_due(now)?.value {
            Job::Pressed(key) => Some(Action::Report(key)),
            Job::Blink => {
                let tick = self.blink.tick(now)?;
                self.timers.insert(self.blink.next_deadline()?, Job::Blink);
                Some(Action::Light(tick.index % 2 == 0))
            }
        }
    }
}

/// Stands for the hardware: a second of it, and somebody who presses a key.
#[cfg(feature = "std")]
fn main() {
    extern crate std;
    use std::println;

    let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
    let mut keypad = Keypad::new(at(0));
    let mut bounces = [(400, Some('7')), (403, None), (404, Some('7'))]
        .into_iter()
        .peekable();
    while let Some(alarm) = keypad.alarm().filter(|&alarm| alarm <= at(1_000)) {
        if let Some((millis, key)) = bounces.next_if(|&(millis, _)| at(millis) < alarm) {
            keypad.on_key(at(millis), key);
            continue;
        }
        while let Some(action) = keypad.next_action(alarm) {
            match action {
                Action::Light(on) => println!("{alarm:?}: light {}", if on { "on" } else { "off" }),
                Action::Report(key) => println!("{alarm:?}: key {key} pressed"),
            }
        }
    }
}
