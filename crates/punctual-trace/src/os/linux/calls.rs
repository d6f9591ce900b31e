//! The system calls in which a program can wait, recorded in an instance of their own: only there can the
//! kernel be told to record those of a program and of all that it starts.

use super::instance::Instance;
use crate::event::ThreadId;
use punctual::Error;
use std::path::Path;

/// The two events, `raw_syscalls` because the events of single calls need a kernel built with them.
const EVENTS: [&str; 2] = ["raw_syscalls/sys_enter", "raw_syscalls/sys_exit"];

/// Numbers of this system's calls with their names.
macro_rules! numbered {
    ($($name:ident = $number:ident),* $(,)?) => {
        &[$((libc::$number, stringify!($name))),*]
    };
}

/// The calls in which a program can wait, and `sched_yield`, which gives the processor away.
const WAITING: &[(libc::c_long, &str)] = numbered![
    accept = SYS_accept,
    accept4 = SYS_accept4,
    clock_nanosleep = SYS_clock_nanosleep,
    connect = SYS_connect,
    epoll_pwait = SYS_epoll_pwait,
    epoll_pwait2 = SYS_epoll_pwait2,
    futex = SYS_futex,
    futex_waitv = SYS_futex_waitv,
    io_getevents = SYS_io_getevents,
    io_uring_enter = SYS_io_uring_enter,
    mq_timedreceive = SYS_mq_timedreceive,
    mq_timedsend = SYS_mq_timedsend,
    nanosleep = SYS_nanosleep,
    ppoll = SYS_ppoll,
    pselect6 = SYS_pselect6,
    read = SYS_read,
    readv = SYS_readv,
    recvfrom = SYS_recvfrom,
    recvmmsg = SYS_recvmmsg,
    recvmsg = SYS_recvmsg,
    restart_syscall = SYS_restart_syscall,
    rt_sigsuspend = SYS_rt_sigsuspend,
    rt_sigtimedwait = SYS_rt_sigtimedwait,
    sched_yield = SYS_sched_yield,
    semtimedop = SYS_semtimedop,
    wait4 = SYS_wait4,
    waitid = SYS_waitid,
];

/// Those that newer systems do without.
#[cfg(target_arch = "x86_64")]
const OLDER: &[(libc::c_long, &str)] = numbered![
    epoll_wait = SYS_epoll_wait,
    pause = SYS_pause,
    poll = SYS_poll,
    select = SYS_select,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[(libc::c_long, &str)] = &[];

/// The calls that are recorded, with their numbers.
#[allow(clippy::useless_conversion, reason = "32 bits on systems of 32 bits")]
pub(super) fn table() -> Vec<(i64, String)> {
    let all = WAITING.iter().chain(OLDER);
    all.map(|&(number, name)| (number.into(), name.to_owned()))
        .collect()
}

/// An instance that records the calls of these threads and of all that they will start, but not those of
/// `except`; and the formats of its events. `None` if this kernel does not record calls.
pub(super) fn instance(
    root: &Path,
    threads: &[ThreadId],
    except: ThreadId,
) -> Result<Option<(Instance, Vec<String>)>, Error> {
    let instance = Instance::make(root)?;
    instance.set("trace_options", "event-fork")?;
    let threads: Vec<_> = threads.iter().map(|thread| thread.0.to_string()).collect();
    instance.set("set_event_pid", &threads.join(" "))?;
    let filter = filter(except);
    let mut formats = Vec::new();
    for event in EVENTS {
        let Some(format) = instance.enable(event)? else {
            return Ok(None);
        };
        instance.set(&format!("events/{event}/filter"), &filter)?;
        formats.push(format);
    }
    Ok(Some((instance, formats)))
}

/// What the kernel is to record: it evaluates this for every call of the threads, so it is a tree.
fn filter(ThreadId(except): ThreadId) -> String {
    let mut numbers: Vec<_> = table().into_iter().map(|(number, _)| number).collect();
    numbers.sort_unstable();
    format!("common_pid != {except} && ({})", one_of(&numbers))
}

/// Whether the call is one of these, in ascending order.
fn one_of(numbers: &[i64]) -> String {
    /// So many comparisons cost as much as one more branch.
    const FEW: usize = 3;
    if numbers.len() <= FEW {
        let equal = numbers.iter().map(|number| format!("id == {number}"));
        return equal.collect::<Vec<_>>().join(" || ");
    }
    let (lower, upper) = numbers.split_at(numbers.len() / 2);
    let middle = upper[0];
    let (lower, upper) = (one_of(lower), one_of(upper));
    format!("(id < {middle} && ({lower})) || (id >= {middle} && ({upper}))")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_is_a_tree_of_ranges() {
        assert_eq!(one_of(&[7]), "id == 7");
        assert_eq!(
            one_of(&[0, 7, 19, 23]),
            "(id < 19 && (id == 0 || id == 7)) || (id >= 19 && (id == 19 || id == 23))"
        );
    }

    #[test]
    fn every_call_has_one_number_and_one_name() {
        let table = table();
        let numbers: std::collections::BTreeSet<_> = table.iter().map(|it| it.0).collect();
        let names: std::collections::BTreeSet<_> = table.iter().map(|it| &it.1).collect();
        assert_eq!((numbers.len(), names.len()), (table.len(), table.len()));
        assert!(names.contains(&"futex".to_owned()));
    }
}
