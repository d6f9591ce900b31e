//! Simulated calls: how a program on a machine reaches its operating system.
//!
//! A call takes effect at once, and its cost in time comes after that. The thread pays the cost when it
//! makes its next call, without a switch of threads unless an event happens before. If the call blocks,
//! the processor pays before it runs another thread.
//!
//! The functions with `inline(always)` in this crate are on the path of every wait. Without it, the
//! compiler makes ten calls on that path, and a wake-up takes a sixth longer, on a simulated Windows and
//! on the plain machine.

use crate::coroutine::{self, NotHere};
use crate::kernel::{Kernel, Model};
use crate::random::nanos;
use crate::thread::{Ended, NOBODY};
use crate::world::World;
use punctual::Instant;
use std::cell::{RefCell, RefMut};
use std::time::Duration;

/// What a call that may block decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Called<R> {
    /// The call is done, with this result.
    Done(R),
    /// The call has [blocked](Kernel::block) its thread.
    Waits,
}

/// The result of a call that may block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned<R, W> {
    /// The call's own result: it did not block.
    Done(R),
    /// What ended the wait.
    Waited(Ended<W>),
}

/// Makes a call: runs `effect` with the model and the kernel. It costs what `effect`
/// [charges](Kernel::charge), at least a nanosecond.
///
/// If the call made a more urgent thread ready, the caller may lose its processor before this
/// returns.
///
/// # Panics
/// Outside of a simulated thread of a machine with this model.
#[inline(always)]
pub fn call<M: Model, R>(effect: impl FnOnce(&mut M, &mut Kernel<M>) -> R) -> R {
    let (result, must_switch) = enter(effect);
    if must_switch {
        lose_processor();
    }
    result
}

#[cold]
#[inline(never)]
fn lose_processor() {
    coroutine::suspend();
}

/// Makes a call that may block. If `effect` decides to wait, the thread is suspended until the wait has
/// ended and the thread has a processor again.
///
/// Functions between a program's loop and this call should be inlined. The host's processor predicts
/// returns from calls, and a suspended thread returns to another place than predicted. Each function in
/// between costs two mispredictions, which are a third of a wake-up.
///
/// # Panics
/// As [`call`].
#[inline(always)]
pub fn call_and_wait<M: Model, R>(
    effect: impl FnOnce(&mut M, &mut Kernel<M>) -> Called<R>,
) -> Returned<R, M::Wake> {
    let (called, must_switch) = enter(effect);
    if must_switch {
        coroutine::suspend();
    }
    match called {
        Called::Done(result) => Returned::Done(result),
        Called::Waits => Returned::Waited(end_of_wait::<M>()),
    }
}

/// The reason why the last wait of the calling thread ended.
#[inline(always)]
fn end_of_wait<M: Model>() -> Ended<M::Wake> {
    find_world(|cell: &RefCell<World<M>>| {
        let kernel = &mut borrow(cell).kernel;
        let current = kernel.current;
        kernel.threads.at(current).ended
    })
}

/// How many records the machine's log has. Unlike a call, this takes no time: it is asked by who
/// watches a machine, and not by its programs.
///
/// # Panics
/// As [`call`].
pub fn records<M: Model>() -> usize {
    find_world(|cell: &RefCell<World<M>>| borrow(cell).kernel.log.len())
}

/// The inside of a call. Also says whether the calling thread has lost its processor, and perhaps
/// more, and is to be suspended.
#[inline(always)]
fn enter<M: Model, R>(effect: impl FnOnce(&mut M, &mut Kernel<M>) -> R) -> (R, bool) {
    on_world::<M, _>(|_, mut world| {
        let World { kernel, model } = &mut *world;
        let result = effect(model, kernel);
        kernel.debt = kernel.debt.max(1);
        if !kernel.ended.is_empty() {
            world.tell_ends();
        }
        let kernel = &mut world.kernel;
        let must_switch = std::mem::take(&mut kernel.must_switch);
        if must_switch {
            // Nothing is left to owe what was charged after that.
            kernel.debt = 0;
        }
        (result, must_switch)
    })
}

/// Uses processor time, like a program that computes.
///
/// # Panics
/// As [`call`].
pub fn compute<M: Model>(duration: Duration) {
    on_world::<M, _>(|cell, mut world| {
        world.kernel.debt = world.kernel.debt.saturating_add(nanos(duration));
        drop(pay(cell, world));
    });
}

/// Spins until the instant has come, and returns the instant at which the spin ended. A preempted
/// thread continues to spin when it has a processor again.
///
/// # Panics
/// As [`call`].
pub fn spin_until<M: Model>(until: Instant) -> Instant {
    on_world::<M, _>(|cell, mut world| {
        let until = until.as_nanos();
        let kernel = &mut world.kernel;
        if kernel.now < until {
            if until < kernel.nothing_before() {
                kernel.now = until;
            } else {
                let current = kernel.current;
                kernel.threads.at(current).spin_until = until;
                kernel.wait_on_processor(until);
                drop(world);
                coroutine::suspend();
                world = borrow(cell);
            }
        }
        world.kernel.debt = 1;
        world.kernel.now()
    })
}

/// Shows the world to the inside of a call, once the calling thread has paid what it owes.
#[inline(always)]
fn on_world<M: Model, R>(
    inside: impl for<'a> FnOnce(&'a RefCell<World<M>>, RefMut<'a, World<M>>) -> R,
) -> R {
    find_world(|cell| {
        let world = borrow(cell);
        let world = pay(cell, world);
        inside(cell, world)
    })
}

#[inline(always)]
fn find_world<M: Model, R>(look: impl FnOnce(&RefCell<World<M>>) -> R) -> R {
    match coroutine::with_world(look) {
        Ok(result) => result,
        Err(error) => not_here(&error),
    }
}

#[inline(always)]
fn borrow<M: Model>(cell: &RefCell<World<M>>) -> RefMut<'_, World<M>> {
    match cell.try_borrow_mut() {
        Ok(world) => world,
        Err(_) => panic!("a call was made within another call: models must not use handles"),
    }
}

#[cold]
fn not_here(error: &NotHere) -> ! {
    match error {
        NotHere::NoMachine => panic!(
            "this handle belongs to a simulated machine, and none runs on this host thread: use it only \
             within the machine's `run`"
        ),
        NotHere::OtherMachine => panic!(
            "this handle belongs to a simulated machine of another kind than the one that runs on \
             this host thread"
        ),
    }
}

/// Moves the clock on by what the calling thread owes, if nothing else happens before; otherwise
/// lets that happen first.
#[inline(always)]
fn pay<'a, M: Model>(
    cell: &'a RefCell<World<M>>,
    mut world: RefMut<'a, World<M>>,
) -> RefMut<'a, World<M>> {
    let kernel = &mut world.kernel;
    let paid = kernel.now.saturating_add(kernel.debt);
    if kernel.debt == 0 || paid < kernel.nothing_before() {
        kernel.now = paid;
        kernel.debt = 0;
        return world;
    }
    pay_slowly(cell, world)
}

#[cold]
#[inline(never)]
fn pay_slowly<'a, M: Model>(
    cell: &'a RefCell<World<M>>,
    mut world: RefMut<'a, World<M>>,
) -> RefMut<'a, World<M>> {
    assert!(
        coroutine::in_thread(),
        "only a simulated thread can make a call"
    );
    let kernel = &mut world.kernel;
    let paid = kernel.now.saturating_add(kernel.debt);
    kernel.wait_on_processor(paid);
    drop(world);
    coroutine::suspend();
    borrow(cell)
}

impl<M: Model> Kernel<M> {
    /// The calling thread keeps its processor and goes on at `until`, if nothing intervenes.
    fn wait_on_processor(&mut self, until: u64) {
        let number = self.current_processor;
        let index = std::mem::replace(&mut self.current, NOBODY);
        let busy_until = self
            .now
            .saturating_add(std::mem::replace(&mut self.debt, 0));
        let processor = &mut self.processors[usize::from(number)];
        processor.busy_until = busy_until;
        debug_assert_eq!(processor.running, index);
        self.schedule_resumption(number, until);
    }
}
