//! A wait under the multimedia class scheduler: the same timer, in a thread that runs before
//! ordinary ones once it is ready.

use super::offer;
use super::waitable::make_relative_high_resolution;
use crate::machine::{Method, Offer};
use punctual::Instant;
use punctual::os::windows::{MultimediaTask, WindowsOs};
use punctual_windows::mechanisms::HIGH_RES_MMCSS;
use punctual_windows::os::windows::Win32Lab;

/// The task with the highest priority among those that every Windows registers.
const TASK: &str = "Pro Audio";

/// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
pub(super) fn high_resolution<W: Win32Lab>() -> Offer<WindowsOs<W>> {
    offer(HIGH_RES_MMCSS, |os, _| {
        let method = make_relative_high_resolution(os)?;
        // The thread joins the task here as a test, because this function can return a reason.
        drop(os.multimedia_task(TASK)?);
        Ok(Box::new(InTask {
            os: os.clone(),
            method,
            task: None,
        }))
    })
}

/// A method whose turns belong to a multimedia task. The turns of other methods do not.
struct InTask<W: Win32Lab> {
    os: WindowsOs<W>,
    method: Box<dyn Method>,
    task: Option<MultimediaTask<W>>,
}

impl<W: Win32Lab> Method for InTask<W> {
    fn begin_turn(&mut self) {
        // The thread could join when the method was made, so it can join now.
        self.task = self.os.multimedia_task(TASK).ok();
        self.method.begin_turn();
    }

    fn wait_until(&mut self, deadline: Instant) -> Instant {
        self.method.wait_until(deadline)
    }

    fn end_turn(&mut self) {
        self.method.end_turn();
        self.task = None;
    }
}
