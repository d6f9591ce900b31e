//! A trace written down event by event.

use punctual::Instant;
use punctual_trace::event::{Left, Priority, TimerId};
use punctual_trace::{
    Chronicle, Event, Kind, Names, ProcessorId, Symbol, ThreadId, Trace, Verdict, Wait, WakeUp,
    explain,
};

/// The thread that waits.
pub const SLEEPER: ThreadId = ThreadId(7);
/// Another that wants its processor.
pub const OTHER: ThreadId = ThreadId(8);
pub const IDLE: ThreadId = ThreadId::IDLE;

/// Instants are small numbers of nanoseconds.
pub fn at(ns: u64) -> Instant {
    Instant::from_nanos(ns)
}

#[derive(Default)]
pub struct Scene {
    events: Vec<Event>,
    names: Names,
}

impl Scene {
    /// The sleeper runs on processor 0, arms a timer at 10 for 100, give or take a tolerance, and
    /// at 20 leaves the processor to another.
    pub fn asleep(tolerance: u64, to: ThreadId) -> Self {
        let mut scene = Self::default();
        scene.name_threads();
        scene.on(0, SLEEPER).arms(10, 100, 100 + tolerance);
        scene.on(0, SLEEPER).leaves(20, Left::Waiting, to);
        scene
    }

    pub fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    pub fn name_threads(&mut self) {
        self.names.name_thread(SLEEPER, "sleeper");
        self.names.name_thread(OTHER, "other");
    }

    pub fn symbol(&mut self, text: &str) -> Symbol {
        self.names.symbol(text)
    }

    /// Where the next events are, and what runs there.
    pub fn on(&mut self, processor: u16, running: ThreadId) -> On<'_> {
        On {
            scene: self,
            processor: ProcessorId(processor),
            running,
            asked_to_switch: false,
        }
    }

    /// An event that does not say what runs.
    pub fn adds(&mut self, processor: u16, ns: u64, kind: Kind) {
        self.events.push(Event {
            at: at(ns),
            processor: ProcessorId(processor),
            running: None,
            asked_to_switch: false,
            kind,
        });
    }

    pub fn trace(&self) -> Trace {
        Trace::new(self.events.clone(), self.names.clone())
    }

    /// Explains the sleeper's wait from 10 for 100, which ended at `woke`.
    pub fn explain(&self, woke: u64) -> WakeUp {
        let wait = Wait {
            thread: SLEEPER,
            began: at(10),
            deadline: at(100),
            woke: at(woke),
        };
        explain(&Chronicle::new(&self.trace(), &[SLEEPER]), &wait)
    }

    /// The segments of that wait, which must be explained so, in words.
    pub fn segments(&self, woke: u64, verdict: Verdict) -> Vec<String> {
        let wake_up = self.explain(woke);
        assert_eq!(wake_up.verdict, verdict);
        let sum: u64 = wake_up.segments.iter().map(|segment| segment.ns).sum();
        assert_eq!(sum, woke - 100);
        let name = |segment: &punctual_trace::Segment| {
            let occupant = segment.occupant.name(&self.names, at(0));
            format!("{} {} ({occupant})", segment.ns, segment.cause)
        };
        wake_up.segments.iter().map(name).collect()
    }
}

/// A processor on which events happen.
pub struct On<'a> {
    scene: &'a mut Scene,
    processor: ProcessorId,
    running: ThreadId,
    asked_to_switch: bool,
}

impl On<'_> {
    /// From now on, the processor has been asked to choose another thread.
    pub fn asked(mut self) -> Self {
        self.asked_to_switch = true;
        self
    }

    pub fn event(&mut self, ns: u64, kind: Kind) -> &mut Self {
        self.scene.events.push(Event {
            at: at(ns),
            processor: self.processor,
            running: Some(self.running),
            asked_to_switch: self.asked_to_switch,
            kind,
        });
        self
    }

    pub fn arms(&mut self, ns: u64, earliest: u64, latest: u64) -> &mut Self {
        let timer = TimerId(1);
        let (earliest, latest) = (at(earliest), at(latest));
        self.event(
            ns,
            Kind::TimerArmed {
                timer,
                earliest,
                latest,
            },
        )
    }

    /// The timer interrupt comes, its handler begins, and wakes the sleeper.
    pub fn expires(&mut self, interrupt: u64, expired: u64, waking: u64) -> &mut Self {
        let name = self.scene.names.symbol("timer interrupt");
        self.event(interrupt, Kind::InterruptEntry { name });
        self.event(
            expired,
            Kind::TimerExpired {
                timer: TimerId(1),
                clock_ahead_ns: 0,
            },
        );
        self.event(waking, Kind::Waking { thread: SLEEPER })
    }

    pub fn readies(&mut self, ns: u64, processor: u16) -> &mut Self {
        let thread = SLEEPER;
        let processor = ProcessorId(processor);
        self.event(ns, Kind::Ready { thread, processor })
    }

    pub fn interrupt_ends(&mut self, ns: u64) -> &mut Self {
        self.event(ns, Kind::InterruptExit)
    }

    pub fn interrupted(&mut self, from: u64, to: u64, name: &str) -> &mut Self {
        let name = self.scene.names.symbol(name);
        self.event(from, Kind::InterruptEntry { name });
        self.event(to, Kind::InterruptExit)
    }

    pub fn softirq(&mut self, from: u64, to: u64, name: &str) -> &mut Self {
        let name = self.scene.names.symbol(name);
        self.event(from, Kind::SoftirqEntry { name });
        self.event(to, Kind::SoftirqExit)
    }

    /// Another thread gets the processor.
    pub fn leaves(&mut self, ns: u64, previous_state: Left, next: ThreadId) -> &mut Self {
        self.leaves_to(ns, previous_state, next, None)
    }

    /// The same, to a thread of this priority.
    pub fn leaves_to(
        &mut self,
        ns: u64,
        previous_state: Left,
        next: ThreadId,
        next_priority: Option<Priority>,
    ) -> &mut Self {
        let previous = self.running;
        self.event(
            ns,
            Kind::Switch {
                previous,
                previous_state,
                previous_priority: None,
                next,
                next_priority,
            },
        );
        self.running = next;
        self.asked_to_switch = false;
        self
    }
}
