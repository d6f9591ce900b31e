//! Any interleaving of everything, against the simplest model there is.

use super::at;
use proptest::prelude::*;
use punctual::Window;
use punctual::driver::{Cancellation, Handle, Timer};
use punctual::os::VirtualOs;
use punctual::{Driver, Instant, Os};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Something to do, at the beginning or in a callback.
#[derive(Debug, Clone)]
enum Step {
    Insert {
        window: Window,
        inside: Vec<Step>,
    },
    Cancel(usize),
    Move(usize, Window),
    /// A callback that takes its time.
    Work(u64),
    Panic,
}

fn windows() -> impl Strategy<Value = Window> {
    let exact = (0_u64..400).prop_map(|micros| Window::from(at(micros)));
    let wide = (0_u64..400, 0_u64..100).prop_map(|(a, b)| Window::from(at(a)..=at(a + b)));
    prop_oneof![exact, wide]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let simple = prop_oneof![
        (0_usize..40).prop_map(Step::Cancel),
        (0_usize..40, windows()).prop_map(|(timer, window)| Step::Move(timer, window)),
        (0_u64..50).prop_map(Step::Work),
        Just(Step::Panic),
        windows().prop_map(|window| Step::Insert {
            window,
            inside: Vec::new()
        }),
    ];
    let nested = simple.prop_recursive(3, 32, 4, |inner| {
        let inside = prop::collection::vec(inner, 0..4);
        (windows(), inside).prop_map(|(window, inside)| Step::Insert { window, inside })
    });
    prop::collection::vec(nested, 0..40)
}

/// What the queue holds, by the end of the window and by age: the order in which it fires.
#[derive(Default)]
struct Model {
    waiting: BTreeMap<(Instant, u64), (usize, Window)>,
    place: HashMap<usize, (Instant, u64)>,
    age: u64,
    fired: u64,
    panics: u64,
    calling: Option<usize>,
}

impl Model {
    fn put(&mut self, timer: usize, window: Window) {
        self.age += 1;
        let place = (window.latest(), self.age);
        self.waiting.insert(place, (timer, window));
        self.place.insert(timer, place);
    }

    fn take(&mut self, timer: usize) -> bool {
        let place = self.place.remove(&timer);
        place
            .and_then(|place| self.waiting.remove(&place))
            .is_some()
    }

    /// By when something must wake.
    fn latest(&self) -> Option<Instant> {
        let ((latest, _), _) = self.waiting.first_key_value()?;
        Some(*latest)
    }

    /// How many fire at this instant.
    fn due(&self, now: Instant) -> usize {
        let windows = self.waiting.values().map(|(_, window)| window);
        windows.take_while(|window| window.has_begun(now)).count()
    }

    /// This timer fires: it had to be the head, and its window to have begun.
    fn fire(&mut self, timer: usize, window: Window, now: Instant) {
        let (_, (head, expected)) = self.waiting.pop_first().expect("something waits");
        assert_eq!((timer, window), (head, expected));
        assert!(window.has_begun(now));
        self.place.remove(&timer);
        self.fired += 1;
        self.calling = Some(timer);
    }
}

#[derive(Clone)]
struct World {
    os: VirtualOs,
    timers: Handle<VirtualOs>,
    model: Arc<Mutex<Model>>,
    handles: Arc<Mutex<Vec<Timer<VirtualOs>>>>,
}

impl World {
    fn handle(&self, number: usize) -> Option<Timer<VirtualOs>> {
        self.handles.lock().unwrap().get(number).cloned()
    }

    fn model<T>(&self, change: impl FnOnce(&mut Model) -> T) -> T {
        change(&mut self.model.lock().unwrap())
    }

    fn take(&self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    fn step(&self, step: &Step) {
        match step {
            Step::Insert { window, inside } => self.insert(*window, inside.clone()),
            Step::Cancel(number) => {
                let Some(timer) = self.handle(*number) else {
                    return;
                };
                let expected = self.model(|model| {
                    if model.take(*number) {
                        Cancellation::Prevented
                    } else if model.calling == Some(*number) {
                        Cancellation::UnderWay
                    } else {
                        Cancellation::TooLate
                    }
                });
                assert_eq!(timer.cancel(), expected);
            }
            Step::Move(number, window) => {
                let Some(timer) = self.handle(*number) else {
                    return;
                };
                let expected = self.model(|model| {
                    let waits = model.take(*number);
                    if waits {
                        model.put(*number, *window);
                    }
                    waits
                });
                assert_eq!(timer.reschedule(*window), expected);
            }
            Step::Work(micros) => self.os.advance(Duration::from_micros(*micros)),
            Step::Panic => {
                if self.model(|model| model.calling.is_some()) {
                    self.model(|model| model.panics += 1);
                    std::panic::resume_unwind(Box::new("on purpose"));
                }
            }
        }
    }

    fn insert(&self, window: Window, inside: Vec<Step>) {
        let mut handles = self.handles.lock().unwrap();
        let number = handles.len();
        self.model(|model| model.put(number, window));
        let world = self.clone();
        let callback = move |firing: punctual::driver::Firing| {
            world.model(|model| model.fire(number, firing.window, firing.woke));
            world.take(&inside);
        };
        handles.push(self.timers.once(window, callback).unwrap());
    }
}

proptest! {
    #![proptest_config(crate::tried())]

    #[test]
    fn everything_fires_once_in_order_or_was_cancelled(
        rounds in prop::collection::vec((steps(), 0_u64..200), 1..if cfg!(miri) { 3 } else { 8 }),
    ) {
        let os = VirtualOs::new();
        let mut driver = Driver::on(os.clone());
        let world = World {
            os: os.clone(),
            timers: driver.handle(),
            model: Arc::default(),
            handles: Arc::default(),
        };
        for (steps, advance) in rounds {
            world.take(&steps);
            os.advance(Duration::from_micros(advance));
            let began = os.now();
            driver.run_due();
            world.model(|model| {
                model.calling = None;
                prop_assert_eq!(model.due(began), 0, "something was left");
                let wakeup = driver.next_wakeup();
                prop_assert_eq!(wakeup.map(Window::latest), model.latest());
                if let Some(wakeup) = wakeup {
                    let due = model.due(wakeup.earliest());
                    prop_assert_eq!(due, model.due(wakeup.latest()));
                }
                Ok(())
            })?;
        }
        let counters = world.timers.counters();
        let (fired, panics) = world.model(|model| (model.fired, model.panics));
        prop_assert_eq!((counters.fired, counters.panics), (fired, panics));
    }
}
