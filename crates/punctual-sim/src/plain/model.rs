//! What the plain operating system knows and does: bells, and who is told of whose end.

use super::{KernelTicks, Plain};
use crate::call::Called;
use crate::coroutine;
use crate::error::Exit;
use crate::kernel::{Kernel, Model};
use crate::processes::ProcessId;
use crate::random::{self, Random, Spread};
use crate::thread::Reason;
use crate::wait_list::WaitList;
use crate::world::World;
use punctual::Instant;
use punctual::margin::ProcessBudget;
use punctual::os::Woken;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The bell of a plain machine. It belongs to the process that made it and goes with it, or with
/// its last clone.
#[derive(Debug, Clone)]
pub struct SimBell {
    pub(super) place: Place,
    _life: Arc<BellKey>,
}

/// Where a process's watcher finds how it ended.
pub(super) type ExitPlace = Arc<Mutex<Option<Exit>>>;

/// Where to find a bell. Its machine's number tells bells of two machines apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    machine: u64,
    index: u32,
    generation: u32,
}

/// Owned by all clones of a bell together.
#[derive(Debug)]
struct BellKey(Place);

impl Drop for BellKey {
    fn drop(&mut self) {
        // Elsewhere than on its machine there is nothing to give back; and what is dropped by the
        // machine itself goes when its process does.
        let _ = coroutine::with_world::<World<PlainModel>, _>(|cell| {
            if let Ok(mut world) = cell.try_borrow_mut() {
                world.model.release(self.0);
            }
        });
    }
}

/// How many bells can exist at once.
pub const MAX_BELLS: usize = 1 << 20;

/// The purpose of this model's stream of chance.
const LATENCIES: u64 = 1 << 32;

/// Numbers machines, so that a bell of one is not taken for a bell of another.
static NEXT_MACHINE: AtomicU64 = AtomicU64::new(0);

/// The plain operating system.
pub(crate) struct PlainModel {
    pub(super) look_cost: u64,
    pub(super) call_cost: u64,
    wake_latency: Spread,
    pub(super) ticks: Option<KernelTicks>,
    /// Whether they have begun: with the first wait of all.
    has_ticked: bool,
    random: Random,
    machine: u64,
    bells: Vec<Bell>,
    free: Vec<u32>,
    /// By process number: who is to be told of its end.
    pub(super) watched: Vec<Option<(Place, ExitPlace)>>,
    /// By process number.
    budgets: Vec<Option<Arc<ProcessBudget>>>,
}

/// A processor has served its kernel's tick.
pub(crate) struct Tick {
    processor: usize,
}

/// In one cache line of the host's: with thousands of threads it is in no near cache.
#[repr(align(64))]
pub(super) struct Bell {
    generation: u32,
    pub(super) rung: bool,
    owner: Option<ProcessId>,
    waiters: WaitList,
}

impl PlainModel {
    pub(super) fn new(plain: Plain, seed: u64) -> Self {
        Self {
            look_cost: random::nanos(plain.look_cost),
            call_cost: random::nanos(plain.call_cost),
            wake_latency: plain.wake_latency,
            ticks: plain.ticks,
            has_ticked: false,
            random: Random::stream(seed, LATENCIES),
            machine: NEXT_MACHINE.fetch_add(1, Ordering::Relaxed),
            bells: Vec::new(),
            free: Vec::new(),
            watched: Vec::new(),
            budgets: Vec::new(),
        }
    }

    pub(super) fn add_bell(&mut self, owner: ProcessId) -> SimBell {
        let index = self.free.pop().unwrap_or_else(|| {
            let count = self.bells.len();
            assert!(
                count < MAX_BELLS,
                "a plain machine has at most {MAX_BELLS} bells"
            );
            self.bells.push(Bell {
                generation: 0,
                rung: false,
                owner: None,
                waiters: WaitList::default(),
            });
            u32::try_from(count).expect("at most MAX_BELLS")
        });
        let bell = &mut self.bells[index as usize];
        bell.owner = Some(owner);
        let place = Place {
            machine: self.machine,
            index,
            generation: bell.generation,
        };
        SimBell {
            place,
            _life: Arc::new(BellKey(place)),
        }
    }

    /// What the sleepers of a process share.
    pub(super) fn budget(&mut self, process: ProcessId) -> Arc<ProcessBudget> {
        let index = process.index();
        if self.budgets.len() <= index {
            self.budgets.resize_with(index + 1, || None);
        }
        Arc::clone(self.budgets[index].get_or_insert_default())
    }

    /// The bell, unless it went with its process.
    #[inline]
    pub(super) fn bell(&mut self, place: Place) -> Option<&mut Bell> {
        find(&mut self.bells, self.machine, place)
    }

    fn release(&mut self, place: Place) {
        if place.machine != self.machine {
            return;
        }
        if let Some(bell) = self.bell(place) {
            *bell = Bell {
                generation: bell.generation.wrapping_add(1),
                rung: false,
                owner: None,
                waiters: WaitList::default(),
            };
            self.free.push(place.index);
        }
    }

    pub(super) fn ring(&mut self, kernel: &mut Kernel<Self>, place: Place) {
        if let Some(bell) = self.bell(place) {
            bell.rung = true;
            bell.waiters.wake_all(kernel, ());
        }
    }

    fn schedule_tick(&mut self, kernel: &mut Kernel<Self>, processor: usize) {
        let Some(ticks) = self.ticks else {
            return;
        };
        let interval = random::nanos(ticks.interval).max(1);
        let next = kernel.now().as_nanos() / interval * interval + interval;
        let length = Duration::from_nanos(ticks.length.draw_nanos(&mut self.random));
        kernel.interrupt(
            Instant::from_nanos(next),
            processor,
            length,
            Tick { processor },
        );
    }

    #[inline]
    pub(super) fn wait(
        &mut self,
        kernel: &mut Kernel<Self>,
        until: Option<Instant>,
        place: Place,
    ) -> Called<Woken> {
        kernel.debt = self.call_cost;
        let now = kernel.now();
        if self.ticks.is_some() && !self.has_ticked {
            self.has_ticked = true;
            (0..kernel.processors()).for_each(|processor| self.schedule_tick(kernel, processor));
        }
        let bell = find(&mut self.bells, self.machine, place);
        if bell.as_ref().is_some_and(|bell| bell.rung) {
            return Called::Done(Woken::ByBell);
        }
        let deadline = match until {
            Some(until) if until <= now => return Called::Done(Woken::ByTime),
            Some(until) => {
                let late = self.wake_latency.draw_nanos(&mut self.random);
                Some(Instant::from_nanos(until.as_nanos().saturating_add(late)))
            }
            None => None,
        };
        let reason = Reason {
            what: "bell",
            number: u64::from(place.index),
        };
        let waiter = kernel.block(reason, deadline);
        if let Some(bell) = bell {
            bell.waiters.add(kernel, waiter);
        }
        Called::Waits
    }
}

/// The bell of a machine, unless it went with its process.
#[inline]
fn find(bells: &mut [Bell], machine: u64, place: Place) -> Option<&mut Bell> {
    assert!(
        place.machine == machine,
        "this bell belongs to another simulated machine"
    );
    let bell = bells.get_mut(place.index as usize)?;
    (bell.generation == place.generation).then_some(bell)
}

impl Model for PlainModel {
    type Event = Tick;
    type Wake = ();

    fn event(&mut self, kernel: &mut Kernel<Self>, Tick { processor }: Tick) {
        self.schedule_tick(kernel, processor);
    }

    fn expect(&self, reason: &Reason) {
        let bell = usize::try_from(reason.number).ok();
        if let Some(bell) = bell.and_then(|place| self.bells.get(place)) {
            coroutine::prefetch(std::ptr::from_ref(bell).addr());
        }
    }

    fn process_ended(&mut self, kernel: &mut Kernel<Self>, process: ProcessId, exit: &Exit) {
        let watched = self.watched.get_mut(process.index()).and_then(Option::take);
        if let Some((bell, place)) = watched {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(exit.clone());
            self.ring(kernel, bell);
        }
        if let Some(budget) = self.budgets.get_mut(process.index()) {
            *budget = None;
        }
        for index in 0..self.bells.len() {
            let bell = &self.bells[index];
            if bell.owner == Some(process) {
                let place = Place {
                    machine: self.machine,
                    index: u32::try_from(index).expect("at most MAX_BELLS"),
                    generation: bell.generation,
                };
                self.release(place);
            }
        }
    }
}
