//! A thread under the multimedia class scheduler.

use super::{Win32, Win32Error, WindowsOs};
use crate::Error;
use crate::opaque::opaque;
use std::marker::PhantomData;

/// Keeps the calling thread under the multimedia class scheduler (MMCSS, from Windows Vista on) until
/// this is dropped.
///
/// The scheduler gives the thread a priority above ordinary ones, without any privilege. If the thread
/// uses more than its share of the processor, it loses the priority for the rest of each 10 ms. So this
/// is for threads that mostly wait. A thread that spins for long may run later than without it.
///
/// It changes when a ready thread runs, not when its wait ends.
///
/// ```
/// # #[cfg(feature = "machines")] {
/// use punctual::os::windows::{Win32, WindowsOs};
///
/// fn render<W: Win32>(os: &WindowsOs<W>) {
///     match os.multimedia_task("Pro Audio") {
///         Ok(_guard) => { /* ahead of ordinary threads until the end of the block */ }
///         Err(error) => eprintln!("going on without: {error}"),
///     }
/// }
/// # }
/// ```
#[must_use = "the thread is an ordinary one again when this is dropped"]
pub struct MultimediaTask<W: Win32> {
    /// Left when it is dropped. This guard cannot leave its thread, so that is the calling thread's.
    _task: W::Task,
    not_send: PhantomData<*const ()>,
}

impl<W: Win32> WindowsOs<W> {
    /// Registers the calling thread for a task: `Pro Audio`, `Audio`, `Games`, `Playback`, `Capture`,
    /// `Distribution`, `Window Manager`, or another that is registered on this machine.
    /// <https://learn.microsoft.com/en-us/windows/win32/procthread/multimedia-class-scheduler-service>
    ///
    /// # Errors
    /// [Invalid input](Error::is_invalid_input) for a task that is not registered;
    /// [unsupported](Error::is_unsupported) on versions without the scheduler;
    /// [system](Error::is_system) if its service does not run, or the thread already does a task.
    pub fn multimedia_task(&self, name: &str) -> Result<MultimediaTask<W>, Error> {
        let task = self.win32().av_set_mm_thread_characteristics_w(name);
        Ok(MultimediaTask {
            _task: task.map_err(|error| refused(name, error))?,
            not_send: PhantomData,
        })
    }
}

fn refused(name: &str, error: Win32Error) -> Error {
    let refusal = match error {
        Win32Error::PROC_NOT_FOUND | Win32Error::MOD_NOT_FOUND => {
            Error::unsupported("this Windows has no multimedia class scheduler")
        }
        Win32Error::INVALID_TASK_NAME => Error::invalid_input(format!(
            "this Windows has no multimedia task {name:?}; most have Pro Audio, Audio, Games, \
             Playback, Capture, Distribution and Window Manager"
        )),
        Win32Error::THREAD_ALREADY_IN_TASK => {
            Error::system("this thread already does a multimedia task, and can do only one")
        }
        error => Error::system(format!(
            "the multimedia class scheduler refuses the task {name:?}: {error}"
        )),
    };
    refusal.because_of(error)
}

opaque!(MultimediaTask<W: Win32>);
