//! What only Windows can be asked for: timer interrupts closer together, and the multimedia class
//! scheduler.

use super::Native;
use crate::Error;
use crate::opaque::opaque;
use std::marker::PhantomData;

#[cfg(windows)]
mod sys {
    use crate::os::native::windows::{self, Real};

    pub(super) type Request = windows::Request<Real>;
    pub(super) type Task = windows::MultimediaTask<Real>;
}

#[cfg(not(windows))]
mod sys {
    pub(super) type Request = std::convert::Infallible;
    pub(super) type Task = std::convert::Infallible;
}

/// A request for the shortest timer interval that Windows grants a program, until this is dropped.
pub struct ResolutionRequest {
    _held: sys::Request,
}

/// Keeps the calling thread under the multimedia class scheduler until this is dropped.
#[must_use = "the thread is an ordinary one again when this is dropped"]
pub struct MultimediaTask {
    _held: sys::Task,
    _not_send: PhantomData<*const ()>,
}

impl Native {
    /// Requests the shortest timer interval of `timeBeginPeriod`, a millisecond on most machines, until
    /// the result is dropped.
    ///
    /// Waits of this crate make their own requests where they need them. Use this for waits of other
    /// code. A request costs power on the whole machine.
    ///
    /// ```
    /// use punctual::Native;
    ///
    /// let os = Native::new();
    /// match os.request_resolution() {
    ///     Ok(_request) => { /* all waits of this program are precise to a millisecond */ }
    ///     Err(error) => eprintln!("going on without: {error}"),
    /// }
    /// ```
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) except on Windows: on other systems each timer has its own
    /// interrupt. [System](Error::is_system) if the request is refused.
    pub fn request_resolution(&self) -> Result<ResolutionRequest, Error> {
        #[cfg(windows)]
        return self
            .0
            .request()
            .map(|held| ResolutionRequest { _held: held });
        #[cfg(not(windows))]
        Err(Error::unsupported(
            "only Windows has a timer resolution to request: on this system each timer has its own \
             interrupt",
        ))
    }

    /// Registers the calling thread with Windows' multimedia class scheduler (MMCSS) for a task, until the
    /// result is dropped.
    ///
    /// The tasks are `Pro Audio`, `Audio`, `Games`, `Playback`, `Capture`, `Distribution`, `Window
    /// Manager`, and others that are registered on this machine. The scheduler gives the thread a priority
    /// above ordinary ones, without any privilege. If the thread uses more than its share of the processor,
    /// it loses the priority for the rest of each 10 ms. So this is for threads that mostly wait.
    /// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) except on Windows; [invalid input](Error::is_invalid_input)
    /// for a task that is not registered; [system](Error::is_system) if the service does not run, or
    /// the thread already does a task.
    pub fn multimedia_task(&self, name: &str) -> Result<MultimediaTask, Error> {
        #[cfg(windows)]
        return self.0.multimedia_task(name).map(|held| MultimediaTask {
            _held: held,
            _not_send: PhantomData,
        });
        #[cfg(not(windows))]
        Err(Error::unsupported(format!(
            "only Windows has a multimedia class scheduler, for the task {name:?}; raise the thread's \
             priority instead"
        )))
    }
}

opaque!(ResolutionRequest, MultimediaTask);
