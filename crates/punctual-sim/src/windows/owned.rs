//! What a program holds of its machine. Each value ends what it names when it is dropped, so nothing uses it
//! afterwards; and none can be made up.

use super::model::callbacks::{CallbackKey, Stopped, await_pool_timer};
use super::model::objects::Handle;
use super::model::timers::Setting;
use super::model::{WindowsKernel, WindowsModel};
use super::program::call_system;
use crate::{Called, call_and_wait};
use std::marker::PhantomData;

/// An event or a waitable timer of a process. Its handle is closed when this is dropped.
#[derive(Debug)]
pub struct SimObject(Handle);

impl SimObject {
    pub(super) fn new(handle: Handle) -> Self {
        Self(handle)
    }

    pub(super) fn handle(&self) -> Handle {
        self.0
    }
}

impl Drop for SimObject {
    fn drop(&mut self) {
        call_system(|model, kernel| model.close(kernel, self.0));
    }
}

/// The calling thread's task of the multimedia class scheduler, which the thread leaves when this is
/// dropped.
#[derive(Debug)]
pub struct SimTask(PhantomData<*const ()>);

impl SimTask {
    /// The calling thread has joined it.
    pub(super) fn joined() -> Self {
        Self(PhantomData)
    }
}

impl Drop for SimTask {
    fn drop(&mut self) {
        call_system(WindowsModel::leave_task);
    }
}

/// A timer of the default timer queue. Dropping it waits for a callback that is under way.
#[derive(Debug)]
pub struct SimQueueTimer(CallbackKey);

impl SimQueueTimer {
    pub(super) fn new(key: CallbackKey) -> Self {
        Self(key)
    }
}

impl Drop for SimQueueTimer {
    fn drop(&mut self) {
        match stop(self.0) {
            Some(Stopped::Idle(callback)) => drop(callback),
            Some(Stopped::Running) => await_call(self.0),
            None => {}
        }
    }
}

/// A timer of the thread pool. Dropping it makes it inactive and waits for a callback that is under way.
#[derive(Debug)]
pub struct SimPoolTimer(CallbackKey);

impl SimPoolTimer {
    pub(super) fn new(key: CallbackKey) -> Self {
        Self(key)
    }

    pub(super) fn set(&self, setting: Option<Setting>) {
        call_system(|model, kernel| model.set_pool_timer(kernel, self.0, setting));
    }

    pub(super) fn wait_for_callbacks(&self, cancel_pending: bool) {
        await_pool_timer(self.0, cancel_pending);
    }
}

impl Drop for SimPoolTimer {
    fn drop(&mut self) {
        const CANCEL_PENDING: bool = true;
        self.set(None);
        self.wait_for_callbacks(CANCEL_PENDING);
        drop(stop(self.0));
    }
}

/// A multimedia timer. A callback that is under way when it is dropped may end later.
#[derive(Debug)]
pub struct SimMultimediaTimer(CallbackKey);

impl SimMultimediaTimer {
    pub(super) fn new(key: CallbackKey) -> Self {
        Self(key)
    }
}

impl Drop for SimMultimediaTimer {
    fn drop(&mut self) {
        drop(stop(self.0));
    }
}

fn stop(key: CallbackKey) -> Option<Stopped> {
    call_system(|model: &mut WindowsModel, kernel: &mut WindowsKernel| {
        model.stop_callbacks(kernel, key)
    })
}

/// Waits for the call under way of a timer that was stopped.
fn await_call(key: CallbackKey) {
    call_and_wait(|model: &mut WindowsModel, kernel| {
        if model.await_call(kernel, key) {
            Called::Waits
        } else {
            Called::Done(())
        }
    });
}
