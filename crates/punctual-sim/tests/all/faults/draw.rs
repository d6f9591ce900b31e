//! Draws a random program from a seed. Each seed uses only some kinds of steps.

use super::program::{
    Actor, Aim, Await, CANCELS, EndedBy, Every, FAR, Machine, Program, Serve, Step,
};
use punctual::MissedTicks;
use punctual_sim::random::Random;

/// The purpose of the stream of chance.
const PROGRAM: u64 = 5 << 32;

/// The kinds of steps: see [`Draw::simple`].
const KINDS: u64 = 15;

struct Draw {
    random: Random,
    /// The kinds of steps that this program uses.
    kinds: Vec<u64>,
    /// The longest usual wait of this program.
    longest: u64,
    actors: usize,
}

impl Program {
    pub fn of(seed: u64) -> Self {
        let mut random = Random::stream(seed, PROGRAM);
        let machine = match random.between(0, 7) {
            0 => Machine::Windows(size(&mut random, 0, 5), random.between(0, 1) == 0),
            _ => Machine::Plain,
        };
        let mask = random.next_u64() | random.next_u64();
        let kinds = (0..KINDS).filter(|kind| mask >> kind & 1 == 1);
        let longest = [20_000, 300_000, 2_000_000, 10_000_000][size(&mut random, 0, 3)];
        let actors = size(&mut random, 1, 4);
        let kinds = kinds.collect();
        let mut draw = Draw {
            random,
            kinds,
            longest,
            actors,
        };
        let serve = match draw.below(5) {
            0 => Serve::Run,
            1 => Serve::BlockOn,
            2 => Serve::EventLoop,
            _ => Serve::OwnThread,
        };
        Self {
            machine,
            serve,
            aim: draw.aim(),
            actors: (0..actors).map(|_| draw.actor()).collect(),
            leaves_early: draw.below(8) == 0,
        }
    }
}

fn size(random: &mut Random, least: u64, most: u64) -> usize {
    usize::try_from(random.between(least, most)).expect("a small number")
}

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.random.between(0, end - 1)
    }

    fn number(&mut self, end: u64) -> usize {
        size(&mut self.random, 0, end - 1)
    }

    fn aim(&mut self) -> Aim {
        match self.below(5) {
            0 => Aim::Coarse,
            1 => Aim::Exact,
            2 => Aim::Fixed(self.random.between(0, 1_000_000)),
            _ => Aim::Usual,
        }
    }

    fn actor(&mut self) -> Actor {
        let count = self.random.between(1, 12);
        Actor {
            aim: self.aim(),
            yields: self.below(4) == 0,
            steps: (0..count).map(|_| self.step()).collect(),
        }
    }

    /// A time to wait: often a round one, so that several things are due at once.
    fn time(&mut self) -> u64 {
        match self.below(16) {
            0 => 0,
            1 => FAR,
            2..=6 => self.longest / 4 * self.random.between(0, 4),
            _ => self.random.between(0, self.longest),
        }
    }

    fn near(&mut self) -> u64 {
        match self.time() {
            FAR => self.longest,
            near => near,
        }
    }

    fn width(&mut self) -> u64 {
        match self.below(3) {
            0 => self.near(),
            _ => 0,
        }
    }

    fn work(&mut self) -> u64 {
        let longest = (self.longest / 4).min(500_000);
        self.random.between(0, longest)
    }

    fn every(&mut self) -> Every {
        let per = self.random.between(1, 7);
        let policy = match self.below(5) {
            0 => MissedTicks::Burst,
            1 => MissedTicks::Delay,
            2 => MissedTicks::BurstOf(2),
            _ => MissedTicks::Skip,
        };
        let nanos = self
            .random
            .between(1_000 * per, per * self.longest.min(3_000_000));
        Every { nanos, per, policy }
    }

    fn body(&mut self, depth: u64) -> Vec<Step> {
        let count = self.below(3 - depth);
        (0..count)
            .map(|_| self.step_in_callback(depth + 1))
            .collect()
    }

    /// Something that a destructor may do: one step, without an end of its own.
    fn last_words(&mut self) -> Option<Box<Step>> {
        let step = match self.below(24) {
            0 => Step::Once {
                after: self.near(),
                width: self.width(),
                body: Vec::new(),
                last_words: None,
            },
            1 => Step::CancelTimer(self.number(64)),
            2 => Step::Notify(self.number(self.actors as u64)),
            3 => Step::Work(self.work() / 4),
            _ => return None,
        };
        Some(Box::new(step))
    }

    fn step_in_callback(&mut self, depth: u64) -> Step {
        match self.below(12) {
            0 => Step::Panic,
            1 => Step::Work(self.work()),
            2 => Step::Sleep {
                after: self.work(),
                width: 0,
                ended_by: EndedBy::Nothing,
            },
            _ => self.simple(depth),
        }
    }

    fn step(&mut self) -> Step {
        match self.below(9) {
            0 | 1 => {
                let ended_by = match self.below(4) {
                    0 => EndedBy::Nothing,
                    1 => EndedBy::Cancel(self.number(CANCELS as u64)),
                    _ => EndedBy::Notify,
                };
                Step::Sleep {
                    after: self.time(),
                    width: 0,
                    ended_by,
                }
            }
            2 => Step::Sleep {
                after: self.near(),
                width: self.width(),
                ended_by: EndedBy::Nothing,
            },
            3 | 4 => Step::Await(self.awaits()),
            5 => Step::Notify(self.number(self.actors as u64)),
            6 if self.below(3) == 0 => Step::Ticker {
                every: self.every(),
                count: self.random.between(1, 12),
                work: self.work() / 4,
                cancel: (self.below(2) == 0).then(|| self.number(CANCELS as u64)),
            },
            _ => self.simple(0),
        }
    }

    /// What takes no time of the thread's, of the kinds that this program uses.
    fn simple(&mut self, depth: u64) -> Step {
        let place = self.number(self.kinds.len().max(1) as u64);
        match self.kinds.get(place).copied().unwrap_or_default() {
            0..=3 => Step::Once {
                after: self.time(),
                width: self.width(),
                body: self.body(depth),
                last_words: self.last_words(),
            },
            4 => Step::Soon {
                body: self.body(depth),
            },
            5 | 6 => Step::Repeat {
                every: self.every(),
                after: self.near(),
                tolerance: self.width(),
                count: self.random.between(1, 12),
                body: self.body(depth),
            },
            7 => Step::Notify(self.number(self.actors as u64)),
            8 if self.below(3) == 0 => Step::Cancel(self.number(CANCELS as u64)),
            9 if depth == 0 => {
                let count = self.random.between(1, 12);
                let windows = (0..count).map(|_| (self.near(), self.width()));
                Step::Queue {
                    windows: windows.collect(),
                    cancelled: self.number(count),
                }
            }
            10 | 11 => Step::CancelTimer(self.number(64)),
            12 => Step::MoveTimer {
                timer: self.number(64),
                after: self.time(),
                width: self.width(),
            },
            13 if self.below(60) == 0 => Step::ShutDown,
            13 => Step::Retune {
                timer: self.number(64),
                every: self.every(),
            },
            14 => Step::Reset(self.number(CANCELS as u64)),
            _ => Step::Work(self.work()),
        }
    }

    fn awaits(&mut self) -> Await {
        match self.below(6) {
            0 => Await::Reset {
                after: self.time(),
                then: self.near(),
            },
            1 => Await::Timeout {
                limit: self.near(),
                after: self.time(),
            },
            2 => Await::Ticks {
                every: self.every(),
                count: self.random.between(1, 8),
                work: self.work() / 4,
            },
            3 => Await::Abandon { after: self.time() },
            _ => Await::Sleep {
                after: self.near(),
                width: self.width(),
            },
        }
    }
}
