//! Waits: on objects, and for time alone.

use super::objects::{Handle, Kind, Object, ObjectKey};
use super::{Wake, WindowsKernel, WindowsModel, number_of};
use crate::{Called, ProcessId, Reason, Returned, Waiter, WakeOrder, call_and_wait};
use punctual::Instant;
use punctual::os::windows::{INFINITE, Waited, Win32Error};
use punctual_windows::{Class, WaitKind};
use std::time::Duration;

/// `MAXIMUM_WAIT_OBJECTS` of winnt.h.
const MOST_OBJECTS: usize = 64;

/// A time to wait for, as Windows' calls say it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    After(Duration),
    /// A point of the system clock.
    At(Instant),
    Never,
}

impl Until {
    pub(crate) fn milliseconds(milliseconds: u32) -> Self {
        match milliseconds {
            INFINITE => Self::Never,
            _ => Self::After(Duration::from_millis(u64::from(milliseconds))),
        }
    }
}

/// Waits until an object is signalled or the time is over.
#[inline(always)]
pub(crate) fn wait_for(objects: &[Handle], milliseconds: u32) -> Result<Waited, Win32Error> {
    let returned = call_and_wait(|model: &mut WindowsModel, kernel| {
        kernel.charge(model.costs.call);
        model.begin_wait(kernel, objects, milliseconds)
    });
    match returned {
        Returned::Done(result) => result,
        Returned::Waited(crate::Ended::Woken(Wake::Object(slot))) => {
            let index = objects.iter().position(|object| object.slot == slot);
            Ok(Waited::Object(index.expect("it was waited on")))
        }
        Returned::Waited(_) => Ok(Waited::Timeout),
    }
}

/// Waits for time alone. For no time at all, others of the same priority have their turn.
#[inline(always)]
pub(crate) fn delay(until: Until) {
    call_and_wait(|model: &mut WindowsModel, kernel| {
        kernel.charge(model.costs.call);
        model.begin_delay(kernel, until)
    });
}

impl WindowsModel {
    fn begin_wait(
        &mut self,
        kernel: &mut WindowsKernel,
        objects: &[Handle],
        milliseconds: u32,
    ) -> Called<Result<Waited, Win32Error>> {
        let process = kernel.current_process();
        if !(1..=MOST_OBJECTS).contains(&objects.len()) {
            return Called::Done(Err(Win32Error::INVALID_PARAMETER));
        }
        if objects.iter().any(|object| object.process != process) {
            return Called::Done(Err(Win32Error::INVALID_HANDLE));
        }
        let handles = &mut self.process(process).handles;
        let signalled = match handles.first_signalled(objects) {
            Ok(signalled) => signalled,
            Err(error) => return Called::Done(Err(error)),
        };
        if let Some(index) = signalled {
            let object = handles.get_mut(objects[index].slot);
            object.expect("just looked up").serve();
            return Called::Done(Ok(Waited::Object(index)));
        }
        if milliseconds == 0 {
            return Called::Done(Ok(Waited::Timeout));
        }
        let number = objects[0].value();
        let what = "handle";
        let due = self.due(kernel, Until::milliseconds(milliseconds));
        let waiter = kernel.block(Reason { what, number }, None);
        let handles = &mut self.process(process).handles;
        for object in objects {
            let object = handles.get_mut(object.slot);
            let object = object.expect("just looked up");
            object.waiters.add(kernel, waiter);
        }
        self.time_out_at(kernel, process, waiter, due);
        Called::Waits
    }

    fn begin_delay(&mut self, kernel: &mut WindowsKernel, until: Until) -> Called<()> {
        let process = kernel.current_process();
        let what = "the end of a sleep";
        let due = match until {
            Until::After(Duration::ZERO) => Some(Instant::ZERO),
            _ => self.due(kernel, until),
        };
        let waiter = kernel.block(Reason { what, number: 0 }, None);
        self.time_out_at(kernel, process, waiter, due);
        Called::Waits
    }

    /// When a wait that begins now is due.
    pub(super) fn due(&self, kernel: &WindowsKernel, until: Until) -> Option<Instant> {
        match until {
            Until::After(duration) => Some(self.timer.due_time(kernel.now(), duration)),
            Until::At(instant) => Some(instant),
            Until::Never => None,
        }
    }

    /// A wait that was due by the last tick is over at once, once others have had their turn.
    fn time_out_at(
        &mut self,
        kernel: &mut WindowsKernel,
        process: ProcessId,
        waiter: Waiter,
        due: Option<Instant>,
    ) {
        let Some(due) = due else {
            return;
        };
        if self.is_over(kernel, due) {
            kernel.wake(waiter, Wake::TimedOut);
        } else {
            let class = self.class_of(process, WaitKind::Ordinary);
            self.time_out(kernel, waiter, class, due);
        }
    }

    pub(super) fn is_over(&mut self, kernel: &WindowsKernel, due: Instant) -> bool {
        due <= self.ticks_around(kernel.now()).last
    }

    pub(super) fn class_of(&self, process: ProcessId, kind: WaitKind) -> Class {
        self.timer.class(number_of(process), kind)
    }

    /// Makes an object signalled: ends one wait on it, or all of a manual-reset one.
    pub(crate) fn signal(&mut self, kernel: &mut WindowsKernel, key: ObjectKey) {
        let Some(object) = self.object(key) else {
            return;
        };
        object.signalled = true;
        while let Some(object) = self.object(key).filter(|object| object.signalled) {
            let Some(waiter) = object.waiters.take(kernel, WakeOrder::Fifo) else {
                return;
            };
            object.serve();
            self.wake(kernel, waiter, Wake::Object(key.slot));
        }
    }

    pub(crate) fn object(&mut self, key: ObjectKey) -> Option<&mut Object> {
        self.processes
            .get_mut(key.process as usize)?
            .handles
            .get_mut(key.slot)
    }

    /// Looks up an event of the calling process.
    pub(crate) fn event_of_caller(
        &mut self,
        kernel: &WindowsKernel,
        event: Handle,
    ) -> Result<ObjectKey, Win32Error> {
        let key = self.key_of_caller(kernel, event)?;
        match self.object(key) {
            Some(Object {
                kind: Kind::Event, ..
            }) => Ok(key),
            _ => Err(Win32Error::INVALID_HANDLE),
        }
    }

    pub(super) fn key_of_caller(
        &mut self,
        kernel: &WindowsKernel,
        handle: Handle,
    ) -> Result<ObjectKey, Win32Error> {
        let (process, slot) = (kernel.current_process(), handle.slot);
        if handle.process != process || self.process(process).handles.get(slot).is_none() {
            return Err(Win32Error::INVALID_HANDLE);
        }
        Ok(ObjectKey {
            process: number_of(process),
            slot,
        })
    }

    /// Gives the calling process a handle of an object.
    pub(crate) fn open(&mut self, kernel: &WindowsKernel, object: Object) -> Handle {
        let process = kernel.current_process();
        let slot = self.process(process).handles.add(object);
        Handle { process, slot }
    }

    /// Closes a handle of the calling process, and stops what its object was to do. Another process has
    /// no such handle.
    pub(crate) fn close(&mut self, kernel: &mut WindowsKernel, handle: Handle) {
        if let Ok(key) = self.key_of_caller(kernel, handle) {
            self.disarm(kernel, key);
            self.process(handle.process).handles.remove(handle.slot);
        }
    }
}
