//! A minimal executor: runs a future on the calling thread, on any machine.

use crate::os::Os;
use crate::os::wait::until_rung;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Runs a future to its end on the calling thread.
///
/// The thread waits through `os` while the future is pending, so futures also run on simulated
/// machines. On the machine this program runs on, any other executor works too.
///
/// ```
/// use punctual::{Driver, Native, block_on};
/// use std::time::Duration;
///
/// let driver = Driver::new().start()?;
/// let timers = driver.handle();
/// block_on(&Native::new(), async {
///     timers.sleep(Duration::from_millis(2)).await?;
///     timers.sleep(Duration::from_millis(1)).await
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn block_on<O: Os, F: Future>(os: &O, future: F) -> F::Output {
    let bell = os.bell();
    let waker = Waker::from(Arc::new(Ringer {
        os: os.clone(),
        bell: bell.clone(),
    }));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        until_rung(os, &bell);
        os.hush(&bell);
    }
}

/// A waker that rings a bell.
struct Ringer<O: Os> {
    os: O,
    bell: O::Bell,
}

impl<O: Os> Wake for Ringer<O> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.os.ring(&self.bell);
    }
}
