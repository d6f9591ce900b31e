//! On `BTreeMap`, with a number for each timer so that it can be cancelled.

use std::collections::BTreeMap;
use std::time::Duration;

const DEBOUNCE: Duration = Duration::from_millis(20);
const BLINKS_PER_SECOND: u32 = 3;

enum Job {
    Blink,
    Pressed(char),
}

pub enum Action {
    Light(bool),
    Report(char),
}

pub struct Keypad {
    timers: BTreeMap<(Duration, u64), Job>,
    inserted: u64,
    start: Duration,
    blinks: u32,
    bouncing: Option<(Duration, u64)>,
}

impl Keypad {
    pub fn new(now: Duration) -> Self {
        let mut keypad = Self {
            timers: BTreeMap::new(),
            inserted: 0,
            start: now,
            blinks: 0,
            bouncing: None,
        };
        keypad.insert(now, Job::Blink);
        keypad
    }

    fn insert(&mut self, deadline: Duration, job: Job) -> (Duration, u64) {
        let key = (deadline, self.inserted);
        self.inserted += 1;
        self.timers.insert(key, job);
        key
    }

    pub fn on_key(&mut self, now: Duration, down: Option<char>) {
        if let Some(bouncing) = self.bouncing.take() {
            self.timers.remove(&bouncing);
        }
        self.bouncing = down.map(|key| self.insert(now + DEBOUNCE, Job::Pressed(key)));
    }

    pub fn alarm(&self) -> Option<Duration> {
        self.timers.keys().next().map(|key| key.0)
    }

    pub fn next_action(&mut self, now: Duration) -> Option<Action> {
        let first = self.timers.first_entry()?;
        if first.key().0 > now {
            return None;
        }
        match first.remove() {
            Job::Pressed(key) => Some(Action::Report(key)),
            Job::Blink => {
                self.blinks += 1;
                let next = self.start + Duration::from_secs(1) * self.blinks / BLINKS_PER_SECOND;
                self.insert(next, Job::Blink);
                Some(Action::Light(self.blinks % 2 == 1))
            }
        }
    }
}

pub fn main() {
    let at = Duration::from_millis;
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
