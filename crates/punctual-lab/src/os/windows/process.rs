//! Processes that end together: a job ends all its processes when its last handle closes.
//!
//! <https://learn.microsoft.com/en-us/windows/win32/procthread/job-objects>

use punctual::Error;
use punctual::os::windows::Real;
use punctual_windows::os::windows::Win32Lab;
use std::ffi::c_void;
use std::io;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::ptr;
use windows_sys::Win32::Foundation::CloseHandle;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, GetCurrentProcess};

/// Gives a process, before it starts, a group of its own. A console's Ctrl-C then does not end it
/// before us.
pub(crate) fn start_in_own_group(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// Ends a process. If it leads a group, it has the only handle of the group's job, so the whole
/// group ends with it.
pub(crate) fn kill_group(leader: &mut Child) {
    // An error means that it has already ended, which is fine.
    let _ = leader.kill();
}

/// Puts this process, and all that it will start, into a job that ends with this process.
///
/// # Errors
/// If the system cannot make a job, or if this process is in a job that permits no other inside it.
pub(crate) fn lead_own_group() -> Result<(), Error> {
    // SAFETY: both pointers may be null. Child processes do not inherit the handle.
    let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
    if job.is_null() {
        return Err(refused());
    }
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let (limits, size) = (&raw const limits, size_of_val(&limits));
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    // SAFETY: `limits` is valid for reading, with the size and of the class given.
    let limited = unsafe {
        let class = JobObjectExtendedLimitInformation;
        SetInformationJobObject(job, class, limits.cast::<c_void>(), size)
    };
    // SAFETY: no pointers.
    let own = unsafe { GetCurrentProcess() };
    // The handle stays open: the system closes it when this process ends, and not earlier.
    // SAFETY: the job is open.
    if limited != 0 && unsafe { AssignProcessToJobObject(job, own) } != 0 {
        return Ok(());
    }
    let error = refused();
    // SAFETY: the job is open, we have its only handle, and no process is in it.
    unsafe { CloseHandle(job) };
    Err(error)
}

/// Ends every process of this process's group. The others end with the job, whose handle closes
/// when this process ends.
pub(crate) fn end_own_group() -> ! {
    std::process::exit(0)
}

/// A shell that runs this text, unchanged and as a whole: `cmd` has its own rules for quotes, and
/// with `/S` it removes only the outer ones. Its path is the system's, because a bare name would
/// also be looked for beside this program and in `PATH`.
///
/// # Errors
/// If Windows does not say where its programs are.
pub(crate) fn shell(text: &str) -> Result<Command, Error> {
    let folder = Real::new().get_system_directory_w().map_err(|error| {
        Error::system(format!("cannot find Windows' own programs: {error}")).because_of(error)
    })?;
    let mut shell = Command::new(folder.join("cmd.exe"));
    shell
        .args(["/D", "/S", "/C"])
        .raw_arg(format!("\"{text}\""));
    Ok(shell)
}

fn refused() -> Error {
    let error = io::Error::last_os_error();
    Error::system(format!(
        "cannot make a job for the load's processes: {error}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_shell_is_the_systems_own() {
        let program = shell("exit").unwrap().get_program().to_owned();
        let program = Path::new(&program);
        assert!(program.is_absolute() && program.is_file(), "{program:?}");
        let folder = Real::new().get_system_directory_w().unwrap();
        assert_eq!(program.parent(), Some(folder.as_path()));
    }
}
