//! Makes the calls, one series after the other.

use super::{Lengths, When};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::waiters::{Wait, Waiter};
use fastrand::Rng;
use punctual::Error;
use punctual_data::quantity::whole_nanos;
use punctual_data::quantity::write_duration;
use std::time::Duration;

/// Calls that begin within this time, and at least one, are not counted: caches fill, and in a
/// tight loop the first call begins at no particular moment.
pub const WARM_UP: Duration = Duration::from_millis(100);

/// The least time between two tellings of a series.
const NEWS: Duration = Duration::from_millis(100);

/// A series is told again when it has grown by one part of so many. To take it down is a copy of
/// it, so all copies together are at most this many times the last.
const GROWTH: u64 = 50;

/// What the calls of one length took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The name of the call.
    pub call: String,
    /// How long it was to wait.
    pub length: Duration,
    /// What the system was asked for: whole units of the call.
    pub asked: Duration,
    /// How long each call took, in nanoseconds, in order.
    pub durations_ns: Vec<u64>,
    /// Why there are no more, if the system refused to wait.
    pub failed: Option<String>,
}

impl Taken {
    pub(super) fn new<M>(offer: &Waiter<M>, length: Duration) -> Self {
        Self {
            call: offer.name.to_owned(),
            length,
            asked: offer.asked(length),
            durations_ns: Vec::new(),
            failed: None,
        }
    }

    /// The name of the series: `sleep 1ms`.
    pub fn name(&self) -> String {
        format!("{} {}", self.call, write_duration(self.length))
    }
}

/// Makes calls on a machine.
pub(super) struct Rounds<'a, M> {
    machine: &'a M,
    plan: &'a Lengths,
    /// Of random moments.
    random: Rng,
}

impl<'a, M: Machine> Rounds<'a, M> {
    pub(super) fn new(machine: &'a M, plan: &'a Lengths, seed: u64) -> Self {
        Self {
            machine,
            plan,
            random: Rng::with_seed(seed),
        }
    }

    /// Fills the series, which are those of the first call with each length, then those of the
    /// second.
    pub(super) fn run(
        &mut self,
        calls: &mut [Box<dyn Wait>],
        series: Vec<Taken>,
        observer: &mut dyn Observer<Taken>,
    ) {
        let lengths = self.plan.lengths.len();
        for (index, mut taken) in series.into_iter().enumerate() {
            let call = &mut *calls[index / lengths];
            let failed = self.fill(index, call, &mut taken, observer).err();
            call.end_turn();
            taken.failed = failed.map(|error| error.to_string());
            let done = (index as u64 + 1) * self.plan.count;
            observer.block(index, &taken, done);
            if observer.stops() {
                break;
            }
        }
    }

    /// Makes the calls of one series, until there are enough or the observer stops them.
    fn fill(
        &mut self,
        index: usize,
        call: &mut dyn Wait,
        taken: &mut Taken,
        observer: &mut dyn Observer<Taken>,
    ) -> Result<(), Error> {
        let before = index as u64 * self.plan.count;
        let began = self.machine.now();
        loop {
            self.once(call, taken.asked)?;
            let is_warm = self.machine.now().duration_since(began) >= WARM_UP;
            if is_warm || observer.stops() {
                break;
            }
        }
        let (mut told, mut told_at) = (0, self.machine.now());
        while !observer.stops() && (taken.durations_ns.len() as u64) < self.plan.count {
            taken
                .durations_ns
                .push(whole_nanos(self.once(call, taken.asked)?));
            let done = taken.durations_ns.len() as u64;
            let now = self.machine.now();
            if done - told >= done / GROWTH && now.duration_since(told_at) >= NEWS {
                (told, told_at) = (done, now);
                observer.block(index, taken, before + done);
            }
        }
        Ok(())
    }

    /// Makes one call, and returns how long it took.
    fn once(&mut self, call: &mut dyn Wait, asked: Duration) -> Result<Duration, Error> {
        if !self.plan.work.is_zero() {
            self.machine.work(self.plan.work);
        }
        match self.plan.at {
            When::Tight => {}
            When::Random => {
                let longest = whole_nanos(self.machine.longest_interval());
                let nanos = self.random.u64(..longest.max(1));
                self.machine.work(Duration::from_nanos(nanos));
            }
            When::Aligned => self.machine.await_tick(),
        }
        let began = self.machine.now();
        call.wait_for(asked)?;
        Ok(self.machine.now().duration_since(began))
    }
}
