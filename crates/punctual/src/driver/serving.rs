//! The thread that serves a driver's queues.

use super::hub::Hub;
use super::shared::{Next, Shared};
use crate::Instant;
use crate::os::{Os, ThreadlessDriver};
use std::sync::Arc;

/// While this thread serves a driver's queues.
pub(super) struct Serving<O: Os> {
    hub: Arc<Hub<O>>,
    before: Option<O::ThreadId>,
}

impl<O: Os> Serving<O> {
    pub(super) fn begin(hub: &Arc<Hub<O>>) -> Self {
        let before = hub.serving();
        hub.set_serving(Some(hub.os.thread_id()));
        Self {
            hub: Arc::clone(hub),
            before,
        }
    }
}

impl<O: Os> Drop for Serving<O> {
    fn drop(&mut self) {
        self.hub.set_serving(self.before);
    }
}

/// On a machine with one thread, which waits for what the driver is to do.
impl<O: Os> ThreadlessDriver for Shared<O> {
    fn next_wakeup(&self) -> Option<Instant> {
        if self.hub.serving().is_some() {
            return None;
        }
        let next = self.fall_asleep();
        // No thread sleeps that a ring would have to wake.
        self.hub.rest.awake();
        match next {
            Next::Sleep(wakeup) => Some(wakeup?.window.latest()),
            Next::Look | Next::Stop => Some(Instant::ZERO),
        }
    }

    fn serve(&self) {
        let _serving = Serving::begin(&self.hub);
        Shared::serve(self, self.hub.os.now(), &mut Vec::new());
        if self.hub.is_shut_down() {
            self.close();
        }
    }
}
