//! What this process has started, and what that has started in turn.

use punctual_command::stop::Signal;
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, getpid, kill_process, pidfd_open, pidfd_send_signal, set_child_subreaper,
};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// All descendants of this process.
#[derive(Debug, Clone, Copy)]
pub struct Family;

impl Family {
    /// The processes that are started from now on. Whoever loses its parent is adopted by this
    /// process, so it remains a descendant.
    ///
    /// <https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html>
    pub fn to_come() -> Self {
        // Every kernel since 3.4 has it. Without it, who is left behind escapes.
        let _ = set_child_subreaper(Some(getpid()));
        Self
    }

    /// Sends a signal to all of them.
    pub fn signal(self, signal: Signal) {
        send_to_all(match signal {
            Signal::Interrupt => rustix::process::Signal::INT,
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::HangUp => rustix::process::Signal::HUP,
        });
    }

    /// Ends all of them by SIGKILL, which no process survives.
    pub fn kill(self) {
        send_to_all(rustix::process::Signal::KILL);
    }

    /// Whether any of them has not ended.
    pub fn lives(self) -> bool {
        !members().is_empty()
    }
}

/// The number of the signal that ended a process.
pub fn killed_by(status: ExitStatus) -> Option<i32> {
    status.signal()
}

fn send_to_all(signal: rustix::process::Signal) {
    for member in members() {
        send(member, signal);
    }
}

fn send(process: u32, signal: rustix::process::Signal) {
    let Some(id) = i32::try_from(process).ok().and_then(Pid::from_raw) else {
        return;
    };
    // In each case an error means that it has ended, which is fine.
    let _ = match pidfd_open(id, PidfdFlags::empty()) {
        // By now another process may have the number.
        Ok(handle) if members().contains(&process) => pidfd_send_signal(handle, signal),
        // Before Linux 5.3.
        Err(Errno::NOSYS) => kill_process(id, signal),
        Ok(_) | Err(_) => Ok(()),
    };
}

/// The descendants that have not ended.
fn members() -> BTreeSet<u32> {
    let processes: Vec<_> = processes().collect();
    let mut found = BTreeSet::from([std::process::id()]);
    loop {
        let known = found.len();
        let children = processes.iter().filter(|it| found.contains(&it.parent));
        let children: Vec<_> = children.map(|it| it.id).collect();
        found.extend(children);
        if found.len() == known {
            break;
        }
    }
    let has_ended = |it: &&Process| it.has_ended;
    for ended in processes.iter().filter(has_ended) {
        found.remove(&ended.id);
    }
    found.remove(&std::process::id());
    found
}

struct Process {
    id: u32,
    parent: u32,
    has_ended: bool,
}

fn processes() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(process)
}

/// From `/proc/ID/stat`: `ID (NAME) STATE PARENT …`. A zombie has ended.
///
/// <https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html>
fn process(id: u32) -> Option<Process> {
    let text = fs::read(format!("/proc/{id}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (_, after_name) = text.rsplit_once(')')?;
    let mut words = after_name.split_whitespace();
    Some(Process {
        id,
        has_ended: matches!(words.next()?, "Z" | "X"),
        parent: words.next()?.parse().ok()?,
    })
}

#[cfg(test)]
#[allow(unsafe_code, reason = "a system call between fork and exec")]
mod tests {
    use super::*;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::Duration;

    /// A shell and a process that it has left behind in a group of its own.
    fn shell_with_orphan() -> Child {
        let script = "(setsid sleep 1234.5 &) ; sleep 1234.5";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).stdin(Stdio::null());
        // Whoever started the tests may ignore it, as `nohup` and a shell's background do with others.
        // SAFETY: it takes numbers, and the default is no handler that could be called.
        let set_default = || match unsafe { libc::signal(libc::SIGTERM, libc::SIG_DFL) } {
            libc::SIG_ERR => Err(io::Error::last_os_error()),
            _ => Ok(()),
        };
        // SAFETY: it only makes a system call.
        unsafe { shell.pre_exec(set_default) };
        shell.spawn().unwrap()
    }

    #[test]
    fn who_was_left_behind_is_of_the_family_too() {
        let family = Family::to_come();
        let mut shell = shell_with_orphan();
        while members().len() < 3 {
            thread::sleep(Duration::from_millis(5));
        }
        // One that is started at this moment is signalled the next time.
        while family.lives() {
            family.signal(Signal::Terminate);
            shell.try_wait().unwrap();
            thread::sleep(Duration::from_millis(5));
        }
        shell.wait().unwrap();
    }
}
