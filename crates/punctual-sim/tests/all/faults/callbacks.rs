//! The steps of a running program that concern the driver's callbacks.

use super::log::What;
use super::program::{Every, Step};
use super::world::World;
use punctual::Window;
use punctual::driver::{Cancellation, Firing, Timer};
use punctual::{Instant, Os, Tick};
use punctual_sim::faults::Faulty;
use std::ops::ControlFlow;
use std::time::Duration;

/// Belongs to a callback, and notes that it is dropped.
struct Life<O: Os> {
    world: World<O>,
    timer: usize,
    last_words: Option<Box<Step>>,
}

impl<O: Os> Drop for Life<O> {
    fn drop(&mut self) {
        self.world.log.note(What::Dropped { timer: self.timer });
        // While one simulated thread unwinds, another must not: they share the host's.
        if let Some(step) = self.last_words.take()
            && !std::thread::panicking()
        {
            self.world.step(&step);
        }
    }
}

impl<O: Os> World<O> {
    pub fn timer_step(&self, step: &Step) {
        match step {
            Step::Once {
                after,
                width,
                body,
                last_words,
            } => {
                let (window, at) = self.window(*after, *width);
                self.once(window, at, (body, last_words.clone()), false);
            }
            Step::Soon { body } => {
                let at = self.os.now();
                self.once(at.into(), at, (body, None), true);
            }
            Step::Repeat {
                every,
                after,
                tolerance,
                count,
                body,
            } => {
                let (window, at) = self.window(*after, *tolerance);
                self.repeat(window, at, *every, *count, body);
            }
            Step::CancelTimer(number) => self.with_timer(*number, |timer, handle| {
                self.log.note(What::Cancel { timer });
                let result = handle.cancel();
                if result != Cancellation::TooLate {
                    self.waiting.lock().unwrap().remove(&timer);
                }
                self.log.note(What::Cancelled { timer, result });
            }),
            Step::MoveTimer {
                timer,
                after,
                width,
            } => self.with_timer(*timer, |timer, handle| {
                let (window, at) = self.window(*after, *width);
                self.log.note(What::Move { timer, window, at });
                let is_moved = handle.reschedule(window);
                if is_moved {
                    self.waits(timer, window.latest());
                }
                let at = self.os.now();
                self.log.note(What::Moved {
                    timer,
                    is_moved,
                    at,
                });
            }),
            Step::Retune { timer, every } => self.with_timer(*timer, |timer, handle| {
                self.log.note(What::Retune {
                    timer,
                    every: *every,
                });
                let is_tuned = handle.set_period(every.period());
                let at = self.os.now();
                self.log.note(What::Retuned {
                    timer,
                    is_tuned,
                    at,
                });
            }),
            _ => {}
        }
    }

    fn waits(&self, timer: usize, latest: Instant) {
        self.waiting.lock().unwrap().insert(timer, latest);
    }

    fn with_timer(&self, number: usize, then: impl FnOnce(usize, &Timer<Faulty<O>>)) {
        let handles = self.handles.lock().unwrap();
        let timer = number.checked_rem(handles.len()).unwrap_or_default();
        let handle = handles.get(timer).cloned().flatten();
        drop(handles);
        if let Some(handle) = handle {
            then(timer, &handle);
        }
    }

    /// The number of a new timer, and what belongs to its callback.
    fn new_timer(
        &self,
        window: Window,
        soon: bool,
        repeats: Option<Every>,
        at: Instant,
    ) -> (usize, Life<O>) {
        let mut handles = self.handles.lock().unwrap();
        let timer = handles.len();
        handles.push(None);
        drop(handles);
        self.waits(timer, window.latest());
        self.log.note(What::Insert {
            timer,
            window,
            soon,
            repeats,
            at,
        });
        (
            timer,
            Life {
                world: self.clone(),
                timer,
                last_words: None,
            },
        )
    }

    fn inserted<E>(&self, timer: usize, result: Result<Timer<Faulty<O>>, E>) {
        let is_taken = result.is_ok();
        self.handles.lock().unwrap()[timer] = result.ok();
        self.log.note(What::Inserted { timer, is_taken });
    }

    fn once(
        &self,
        window: Window,
        at: Instant,
        (body, last_words): (&[Step], Option<Box<Step>>),
        soon: bool,
    ) {
        let (timer, mut life) = self.new_timer(window, soon, None, at);
        life.last_words = last_words;
        let (world, body) = (self.clone(), body.to_vec());
        let callback = move |firing: Firing| {
            let (window, woke) = (firing.window, firing.woke);
            world.log.note(What::Called {
                timer,
                window,
                woke,
            });
            world.waiting.lock().unwrap().remove(&timer);
            body.iter().for_each(|step| world.step(step));
            let at = world.os.now();
            world.log.note(What::Ended {
                timer,
                goes_on: false,
                at,
            });
            drop(life);
        };
        let result = match soon {
            true => self.timers.soon(callback),
            false => self.timers.once(window, callback),
        };
        self.inserted(timer, result);
    }

    fn repeat(&self, window: Window, at: Instant, every: Every, count: u64, body: &[Step]) {
        let (timer, life) = self.new_timer(window, false, Some(every), at);
        let (world, body) = (self.clone(), body.to_vec());
        let mut left = count;
        let callback = move |tick: Tick| {
            // All of it belongs to the callback.
            let life = &life;
            let timer = life.timer;
            world.log.note(What::Ticked { timer, tick });
            left -= 1;
            if left == 0 {
                world.waiting.lock().unwrap().remove(&timer);
            }
            // Steps of the first call only, or programs would grow without bounds.
            let steps = if tick.index == 0 { &body[..] } else { &[] };
            steps.iter().for_each(|step| world.step(step));
            let (goes_on, at) = (left > 0, world.os.now());
            world.log.note(What::Ended { timer, goes_on, at });
            match goes_on {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let tolerance: Duration = window.latest() - window.earliest();
        let timers = self.timers.tolerating(tolerance);
        let result = timers.repeat(every.from(window.earliest()), callback);
        self.inserted(timer, result);
    }
}
