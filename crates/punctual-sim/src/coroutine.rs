//! Simulated threads: each a stack of its own, on the one host thread that runs their machine. The
//! only unsafe code of this crate.
//!
//! A thread that is killed stays where it was suspended: its coroutine is forgotten, its stack
//! stays mapped and is never used again, and no destructor runs. Using the stack again would be
//! unsound: safe code may have lent out its locals and rely on its own frame to take them back (a
//! scope of host threads, a pinned future in somebody's list). The limit on abandoned stacks bounds
//! what is given up; stacks of threads that end are pooled.

#![allow(
    unsafe_code,
    reason = "a handle finds its machine, and a thread its way back to the scheduler, through a \
              pointer in a host-thread-local: no safe reference can live in one"
)]

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::hint;
use std::io;
use std::mem::{self, MaybeUninit};
use std::panic::{self, AssertUnwindSafe};
use std::ptr;

/// What a simulated thread runs.
pub(crate) type Body = Box<dyn FnOnce() + Send>;

type Panic = Box<dyn Any + Send>;
/// Yields where on its stack it suspended itself.
type ThreadCoroutine = Coroutine<(), usize, Result<(), Panic>>;
type ThreadYielder = Yielder<(), usize>;

/// Why a simulated thread gave control back.
pub(crate) enum Step {
    /// It suspended itself.
    Suspended,
    /// Its body returned.
    Returned,
    /// Its body panicked.
    Panicked(Panic),
}

/// The coroutines of a machine, by thread number, and the stacks that are free.
pub(crate) struct Coroutines {
    fibers: Vec<Option<Fiber>>,
    pool: Vec<DefaultStack>,
    stack_bytes: usize,
}

/// A thread's coroutine, in one cache line of the host's.
#[repr(align(64))]
struct Fiber {
    coroutine: ThreadCoroutine,
    /// Where on its stack it suspended itself; zero before it has.
    suspended_at: usize,
}

impl Coroutines {
    pub(crate) fn new(stack_bytes: usize) -> Self {
        Self {
            fibers: Vec::new(),
            pool: Vec::new(),
            stack_bytes,
        }
    }

    /// Gives a thread its stack. It first runs when it is first resumed.
    pub(crate) fn start(&mut self, thread: usize, body: Body) -> io::Result<()> {
        let stack = match self.pool.pop() {
            Some(stack) => stack,
            None => DefaultStack::new(self.stack_bytes)?,
        };
        let coroutine = Coroutine::with_stack(stack, move |yielder, ()| {
            RUNNING.with(|running| running.yielder.set(yielder));
            // The body is consumed, so nothing can look at what its panic left half-done.
            panic::catch_unwind(AssertUnwindSafe(|| staggered(thread, body)))
        });
        if thread >= self.fibers.len() {
            self.fibers.resize_with(thread + 1, || None);
        }
        self.fibers[thread] = Some(Fiber {
            coroutine,
            suspended_at: 0,
        });
        Ok(())
    }

    /// Runs a thread until it suspends itself or ends.
    #[inline(always)]
    pub(crate) fn resume(&mut self, thread: usize) -> Step {
        let place = &mut self.fibers[thread];
        let Some(fiber) = place else {
            unreachable!("a thread is started before it is resumed, and not resumed once it ended")
        };
        let ended = match fiber.coroutine.resume(()) {
            CoroutineResult::Yield(at) => {
                fiber.suspended_at = at;
                return Step::Suspended;
            }
            CoroutineResult::Return(ended) => ended,
        };
        RUNNING.with(|running| running.yielder.set(ptr::null()));
        if let Some(fiber) = place.take() {
            self.pool.push(fiber.coroutine.into_stack());
        }
        match ended {
            Ok(()) => Step::Returned,
            Err(panic) => Step::Panicked(panic),
        }
    }

    /// Fetches a thread's fiber into the host's caches, while it is still another's turn.
    #[inline]
    pub(crate) fn expect(&self, thread: usize) {
        if let Some(fiber) = self.fibers.get(thread) {
            prefetch(ptr::from_ref(fiber).addr());
        }
    }

    /// Fetches the end of a thread's stack, whose fiber has been [expected](Self::expect): of ten
    /// thousand stacks, none is in a near cache.
    #[inline]
    pub(crate) fn expect_stack(&self, thread: usize) {
        let Some(Some(fiber)) = self.fibers.get(thread) else {
            return;
        };
        // What was pushed when it suspended itself is below.
        let lowest = fiber.suspended_at.wrapping_sub(CACHE_LINE);
        for line in 0..LINES_EXPECTED {
            prefetch(lowest.wrapping_add(line * CACHE_LINE));
        }
    }

    /// Leaves a thread where it is, for ever. Returns whether that gave up a stack.
    pub(crate) fn abandon(&mut self, thread: usize) -> bool {
        let place = self.fibers.get_mut(thread);
        let fiber = place.and_then(Option::take);
        let gives_up_a_stack = fiber.is_some();
        mem::forget(fiber);
        gives_up_a_stack
    }
}

/// Cache lines of its stack that a thread uses between two waits: some frames' worth. With ten
/// thousand threads a wake-up takes a tenth longer with five lines, and as much with eight that
/// begin one higher.
const LINES_EXPECTED: usize = 7;

/// That of nearly every processor there is.
const CACHE_LINE: usize = 64;

/// Asks the host's processor to fetch a cache line. Processors that are not asked find it later.
#[inline]
pub(crate) fn prefetch(address: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which has no effect on what can be observed, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(ptr::without_provenance(address)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Runs a body some way down its stack. Stacks begin at pages' beginnings, and what thousands of
/// suspended threads keep at the same place of a page competes for the same few sets of the host's
/// caches; so the threads use different eighths of their pages.
fn staggered(thread: usize, body: Body) {
    match thread % 8 {
        1 => further_down::<512>(body),
        2 => further_down::<1024>(body),
        3 => further_down::<1536>(body),
        4 => further_down::<2048>(body),
        5 => further_down::<2560>(body),
        6 => further_down::<3072>(body),
        7 => further_down::<3584>(body),
        _ => body(),
    }
}

#[inline(never)]
fn further_down<const BYTES: usize>(body: Body) {
    let skipped = [MaybeUninit::<u8>::uninit(); BYTES];
    hint::black_box(&skipped);
    body();
    hint::black_box(&skipped);
}

impl Drop for Coroutines {
    fn drop(&mut self) {
        for fiber in self.fibers.drain(..) {
            mem::forget(fiber);
        }
    }
}

thread_local! {
    static RUNNING: Running = const {
        Running {
            world: Cell::new(None),
            yielder: Cell::new(ptr::null()),
        }
    };
}

/// What the handles of a simulated machine need to find it.
struct Running {
    /// The machine that this host thread runs, and its type.
    world: Cell<Option<(TypeId, *const ())>>,
    /// The way from the simulated thread that runs back to the scheduler; null while none does.
    yielder: Cell<*const ThreadYielder>,
}

/// Why a handle found no machine.
#[derive(Debug)]
pub(crate) enum NotHere {
    /// No simulated machine runs on this host thread.
    NoMachine,
    /// The one that runs is of another kind.
    OtherMachine,
}

/// Makes a machine the one that this host thread runs, for as long as `run` takes. A machine run by
/// a simulated thread of another is the running one until it ends.
pub(crate) fn enter<W: 'static, R>(world: &RefCell<W>, run: impl FnOnce() -> R) -> R {
    struct Restore {
        world: Option<(TypeId, *const ())>,
        yielder: *const ThreadYielder,
    }
    impl Drop for Restore {
        fn drop(&mut self) {
            RUNNING.with(|running| {
                running.world.set(self.world);
                running.yielder.set(self.yielder);
            });
        }
    }
    let entered = (TypeId::of::<W>(), ptr::from_ref(world).cast());
    let _restore = RUNNING.with(|running| Restore {
        world: running.world.replace(Some(entered)),
        yielder: running.yielder.replace(ptr::null()),
    });
    run()
}

/// Shows the running machine to `look`.
#[inline(always)]
pub(crate) fn with_world<W: 'static, R>(look: impl FnOnce(&RefCell<W>) -> R) -> Result<R, NotHere> {
    let world = RUNNING.with(|running| match running.world.get() {
        Some((kind, world)) if kind == TypeId::of::<W>() => Ok(world),
        Some(_) => Err(NotHere::OtherMachine),
        None => Err(NotHere::NoMachine),
    })?;
    // SAFETY: `enter` stored the pointer from a `&RefCell<W>` of this very `W`, and takes it away
    // before that borrow ends. The reference made here cannot leave `look`. Should `look` suspend
    // its thread and the machine end meanwhile, the thread is never resumed.
    let world = unsafe { &*world.cast::<RefCell<W>>() };
    Ok(look(world))
}

/// Whether a simulated thread is running, and not the machine itself.
pub(crate) fn in_thread() -> bool {
    RUNNING.with(|running| !running.yielder.get().is_null())
}

/// Gives control back to the scheduler until it resumes this thread.
///
/// # Panics
/// Outside of a simulated thread.
#[inline(always)]
pub(crate) fn suspend() {
    let here = MaybeUninit::<u8>::uninit();
    let yielder = RUNNING.with(|running| running.yielder.replace(ptr::null()));
    assert!(!yielder.is_null(), "only a simulated thread can wait");
    // SAFETY: the pointer was set by the coroutine that is running, from a reference that lives as
    // long as the coroutine's stack, and is null whenever no coroutine of the innermost machine
    // runs. A stack is unmapped or used again only after its coroutine has returned.
    let yielder = unsafe { &*yielder };
    yielder.suspend(ptr::from_ref(&here).addr());
    RUNNING.with(|running| running.yielder.set(yielder));
}
