//! Processes that end together: jobs, which end all that is in them with their last handle.
//!
//! <https://learn.microsoft.com/en-us/windows/win32/procthread/job-objects>

use punctual::Error;
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

/// Gives a process that is yet to start a group of its own, so that a console's Ctrl-C does not end
/// it before us.
pub(crate) fn start_in_own_group(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// Ends a process. If it leads a group, it alone holds the job that the group is, so that the whole
/// group ends with it.
pub(crate) fn kill_group(leader: &mut Child) {
    // It may have ended before, and that is what was wanted.
    let _ = leader.kill();
}

/// Puts this process, and with it all that it will start, into a job that lasts no longer than this
/// process does.
///
/// # Errors
/// When the system has no job to give, or this process is in one that permits no other within.
pub(crate) fn lead_own_group() -> Result<(), Error> {
    // SAFETY: both pointers may be null. The handle is not inherited by what this process starts.
    let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
    if job.is_null() {
        return Err(refused());
    }
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let (limits, size) = (&raw const limits, size_of_val(&limits));
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    // SAFETY: `limits` is valid for reading, with the size given, and of the class given.
    let limited = unsafe {
        let class = JobObjectExtendedLimitInformation;
        SetInformationJobObject(job, class, limits.cast::<c_void>(), size)
    };
    // SAFETY: no pointers.
    let own = unsafe { GetCurrentProcess() };
    // Not closed: the system does that when this process ends, and only then may it be.
    // SAFETY: the job is open.
    if limited != 0 && unsafe { AssignProcessToJobObject(job, own) } != 0 {
        return Ok(());
    }
    let error = refused();
    // SAFETY: the job is open, nobody else has its handle, and no process is in it.
    unsafe { CloseHandle(job) };
    Err(error)
}

/// Ends every process of this process's group: the others with the job, whose handle this one's end
/// closes.
pub(crate) fn end_own_group() -> ! {
    std::process::exit(0)
}

/// A shell that is given this text. As a whole and as it is: `cmd` has its own rules of quoting, and
/// with `/S` it strips the outer marks and no others.
pub(crate) fn shell(text: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell
        .args(["/D", "/S", "/C"])
        .raw_arg(format!("\"{text}\""));
    shell
}

fn refused() -> Error {
    let error = io::Error::last_os_error();
    Error::system(format!(
        "cannot make a job for the load's processes: {error}"
    ))
}
