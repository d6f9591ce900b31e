//! What only Windows can be asked for: timer interrupts closer together, and the multimedia class
//! scheduler.

use super::Native;
use crate::Error;
use std::fmt;
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

/// Timer interrupts come as close together as Windows lets a program ask, until this is dropped.
pub struct ResolutionRequest {
    _held: sys::Request,
}

/// The calling thread is in the care of the multimedia class scheduler until this is dropped.
#[must_use = "the thread is an ordinary one again when this is dropped"]
pub struct MultimediaTask {
    _held: sys::Task,
    _not_send: PhantomData<*const ()>,
}

impl Native {
    /// Asks for timer interrupts as close together as `timeBeginPeriod` gives, on most machines
    /// every millisecond, until the result is dropped. What waits with this crate needs no request:
    /// it makes its own where it gains by one. This is for waits that are somebody else's. It costs
    /// power on the whole machine.
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
    /// [Unsupported](Error::is_unsupported) but on Windows: elsewhere each timer has an interrupt of
    /// its own. [System](Error::is_system) if the request is refused.
    pub fn request_resolution(&self) -> Result<ResolutionRequest, Error> {
        #[cfg(windows)]
        return self
            .0
            .request()
            .map(|held| ResolutionRequest { _held: held });
        #[cfg(not(windows))]
        Err(Error::unsupported(
            "only Windows has a timer resolution to ask for: here each timer has an interrupt of \
             its own",
        ))
    }

    /// Puts the calling thread into the care of Windows' multimedia class scheduler (MMCSS), as one
    /// that does this task, until the result is dropped: `Pro Audio`, `Audio`, `Games`, `Playback`,
    /// `Capture`, `Distribution`, `Window Manager`, or another that is registered on this machine.
    /// It gives the thread a priority that no ordinary one has, without any privilege, and takes it
    /// away for the rest of each 10 ms in which the thread has used more than its share of the
    /// processor. So it is for threads that mostly wait.
    /// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) but on Windows; [invalid input](Error::is_invalid_input)
    /// for a task that is not registered; [system](Error::is_system) if the service does not run, or
    /// the thread does a task already.
    pub fn multimedia_task(&self, name: &str) -> Result<MultimediaTask, Error> {
        #[cfg(windows)]
        return self.0.multimedia_task(name).map(|held| MultimediaTask {
            _held: held,
            _not_send: PhantomData,
        });
        #[cfg(not(windows))]
        Err(Error::unsupported(format!(
            "only Windows has a multimedia class scheduler, and so the task {name:?}; raise the \
             thread's priority instead"
        )))
    }
}

impl fmt::Debug for ResolutionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResolutionRequest").finish_non_exhaustive()
    }
}

impl fmt::Debug for MultimediaTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MultimediaTask").finish_non_exhaustive()
    }
}
