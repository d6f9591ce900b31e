//! Runs a set of simple loops against the rules, from one event to the next. There are no
//! processors: a thread runs the moment its wait ends.

use punctual::Instant;
use punctual_sim::evidence::Wake;
use punctual_sim::random::Random;
use punctual_sim::windows::{
    Class, HighResolutionTimer, Periodic, Requester, TimerInterrupt, WaitKind,
};
use std::time::Duration;

/// From the end of one wait to the call that begins the next, if there is no work in between.
const CALL: Duration = Duration::from_micros(1);

/// What a thread does for ever.
#[derive(Debug, Clone, Copy)]
pub enum Program {
    Sleep(Duration),
    /// Sleeps for whole milliseconds, drawn anew each time.
    RandomSleeps {
        from: u32,
        to: u32,
    },
    TimerQueueOnce(Duration),
    Periodic {
        kind: WaitKind,
        first_due: Duration,
        period: Duration,
    },
    Absolute {
        period: Duration,
    },
    /// Compares `timeGetTime` with a schedule and sleeps the whole milliseconds that are left. The
    /// period is in femtoseconds.
    Feedback {
        period: u128,
    },
    HighResolution {
        due: Duration,
        period: Option<Duration>,
    },
}

/// A thread, and what it does between its waits.
#[derive(Debug, Clone, Copy)]
pub struct Thread {
    pub process: u32,
    pub program: Program,
    pub work: Duration,
    pub random_work: Duration,
    /// One wake-up, by number, that comes later than its wait's end.
    pub late: Option<(usize, Duration)>,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Its wait is over at this instant.
    Waking(Instant),
    Working(Instant),
    Ticks {
        class: Class,
        due: Instant,
    },
    HighResolution {
        looked: Instant,
    },
    /// The interrupt has come and looks at the timer at this instant.
    Looking(Instant),
}

#[derive(Debug)]
struct Running {
    thread: Thread,
    state: State,
    began: Instant,
    started: Instant,
    arms: u32,
    periodic: Option<Periodic>,
    high_resolution: Option<HighResolutionTimer>,
    wakes: Vec<Wake>,
}

#[derive(Debug)]
pub struct World {
    pub timer: TimerInterrupt,
    now: Instant,
    threads: Vec<Running>,
    random: Random,
}

impl World {
    pub fn new(timer: TimerInterrupt, start: Instant, seed: u64) -> Self {
        Self {
            timer,
            now: start,
            threads: Vec::new(),
            random: Random::new(seed),
        }
    }

    pub fn now(&self) -> Instant {
        self.now
    }

    /// Lets time pass while nobody does anything.
    pub fn idle_until(&mut self, now: Instant) {
        self.now = now;
    }

    pub fn begin_request(&mut self, requester: Requester, interval: Duration) {
        self.timer.begin_request(self.now, requester, interval);
    }

    /// Starts a thread and returns its number.
    pub fn start(&mut self, thread: Thread) -> usize {
        self.threads.push(Running {
            thread,
            state: State::Working(self.now),
            began: self.now,
            started: self.now,
            arms: 0,
            periodic: None,
            high_resolution: None,
            wakes: Vec::new(),
        });
        self.threads.len() - 1
    }

    pub fn wakes(&self, thread: usize) -> &[Wake] {
        &self.threads[thread].wakes
    }

    /// Runs until a thread has woken this many times.
    pub fn run(&mut self, thread: usize, wakes: usize) {
        while self.threads[thread].wakes.len() < wakes {
            self.step();
        }
    }

    fn step(&mut self) {
        let expiry = [Class::Requesting, Class::Other].map(|class| self.expiry_of(class));
        let threads = 0..self.threads.len();
        let next = threads
            .map(|index| (self.event_of(index, expiry), index))
            .min();
        let (time, index) = next.expect("a thread");
        self.now = time;
        match self.threads[index].state {
            State::Working(_) => self.arm(index),
            State::Waking(_) => self.wake(index),
            State::Ticks { class, .. } => self.expire(class),
            State::HighResolution { .. } => {
                let mean = self.timer.parameters().interrupt_latency;
                self.threads[index].state =
                    State::Looking(self.now + exponential(&mut self.random, mean));
            }
            State::Looking(_) => self.look(index),
        }
    }

    /// When the waits of a class end that are due first, if there are any.
    fn expiry_of(&self, class: Class) -> Option<Instant> {
        let dues = self
            .threads
            .iter()
            .filter_map(|running| match running.state {
                State::Ticks { class: its, due } if its == class => Some(due),
                _ => None,
            });
        Some(self.timer.next_expiry(class, dues.min()?))
    }

    fn event_of(&self, index: usize, [requesting, other]: [Option<Instant>; 2]) -> Instant {
        let running = &self.threads[index];
        match running.state {
            State::Waking(at) | State::Working(at) | State::Looking(at) => at,
            State::Ticks { class, .. } => {
                let expiry = if class == Class::Requesting {
                    requesting
                } else {
                    other
                };
                expiry.expect("the class has a wait: this one")
            }
            State::HighResolution { looked } => {
                let timer = running.high_resolution.expect("it is armed");
                let next_tick = self.timer.clock().tick_after(looked);
                timer.next_interrupt(self.timer.parameters(), next_tick, looked)
            }
        }
    }

    /// Begins the thread's next wait.
    fn arm(&mut self, index: usize) {
        let now = self.now;
        let running = &mut self.threads[index];
        running.began = now;
        running.arms += 1;
        let (arms, process, started) = (running.arms, running.thread.process, running.started);
        let relative = |wait| self.timer.due_time(now, wait);
        let ordinary = WaitKind::Ordinary;
        let (kind, due) = match running.thread.program {
            Program::Sleep(wait) => (ordinary, relative(wait)),
            Program::RandomSleeps { from, to } => {
                let millis = self.random.between(from.into(), to.into());
                (ordinary, relative(Duration::from_millis(millis)))
            }
            Program::TimerQueueOnce(wait) => (WaitKind::TimerQueue, relative(wait)),
            Program::Absolute { period } => (ordinary, started + period * arms),
            Program::Feedback { period } => {
                let reading = self.timer.clock().time_get_time(now);
                let start = self.timer.clock().time_get_time(started);
                let target = period * u128::from(arms) / 1_000_000_000_000;
                let target = start + u64::try_from(target).unwrap();
                (
                    ordinary,
                    relative(Duration::from_millis(target.saturating_sub(reading))),
                )
            }
            Program::Periodic {
                kind,
                first_due,
                period,
            } => {
                let rules = self.timer.rules();
                let timer = running
                    .periodic
                    .get_or_insert_with(|| Periodic::new(rules, kind, relative(first_due), period));
                (kind, timer.due())
            }
            Program::HighResolution { due, period } => {
                let set = running.high_resolution.is_some() && period.is_some();
                if !set {
                    running.high_resolution = Some(HighResolutionTimer::new(now + due, period));
                }
                running.state = State::HighResolution { looked: now };
                return;
            }
        };
        running.state = if due <= self.timer.clock().last_tick(now) {
            State::Waking(now)
        } else {
            State::Ticks {
                class: self.timer.class(process, kind),
                due,
            }
        };
    }

    /// Ends every wait of a class that is due.
    fn expire(&mut self, class: Class) {
        self.timer.expire(class, self.now);
        for index in 0..self.threads.len() {
            match self.threads[index].state {
                State::Ticks { class: its, due } if its == class && due <= self.now => {
                    self.threads[index].state = State::Waking(self.now);
                    self.wake(index);
                }
                _ => {}
            }
        }
    }

    fn look(&mut self, index: usize) {
        let running = &mut self.threads[index];
        let timer = running.high_resolution.as_mut().expect("it is armed");
        if timer.look(self.now) {
            self.wake(index);
        } else {
            running.state = State::HighResolution { looked: self.now };
        }
    }

    /// The thread runs: it notes the time and works.
    fn wake(&mut self, index: usize) {
        let now = self.now;
        let running = &mut self.threads[index];
        if let Some((_, by)) = running
            .thread
            .late
            .take_if(|late| late.0 == running.wakes.len())
        {
            running.state = State::Waking(now + by);
            return;
        }
        let clock = self.timer.clock();
        let firings = running.periodic.as_mut().map_or(1, |timer| {
            // One that was due when it was set fires at once: whatever else falls due before the
            // next tick has to wait for it.
            timer.fire(clock.last_tick(now).max(timer.due()))
        });
        for _ in 0..firings {
            running.wakes.push(Wake {
                began: running.began,
                at: now,
                reading: clock.time_get_time(now),
                after_tick: now.duration_since(clock.last_tick(now)),
            });
        }
        let at_random = running.thread.random_work.as_nanos();
        let at_random = self.random.between(0, u64::try_from(at_random).unwrap());
        let work = running.thread.work + Duration::from_nanos(at_random);
        running.state = State::Working(if running.thread.program.goes_on_by_itself() {
            now
        } else {
            now + CALL + work
        });
    }
}

impl Program {
    /// A periodic timer does not notice work that is shorter than its period.
    fn goes_on_by_itself(self) -> bool {
        match self {
            Self::Periodic { .. } => true,
            Self::HighResolution { period, .. } => period.is_some(),
            _ => false,
        }
    }
}

fn exponential(random: &mut Random, mean: Duration) -> Duration {
    Duration::from_nanos(random.exponential(u64::try_from(mean.as_nanos()).unwrap()))
}
