//! The threads of this process, and how urgent one is.

/// The numbers of this process's threads, in ascending order. Empty where the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn of_this_process() -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let names = threads.flatten().map(|thread| thread.file_name());
    let mut threads: Vec<_> = names
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect();
    threads.sort_unstable();
    threads
}

/// Nothing asks for them.
#[cfg(not(target_os = "linux"))]
pub(crate) fn of_this_process() -> Vec<u32> {
    Vec::new()
}

/// Makes the calling thread less urgent than others, so that its work does not make them late.
#[cfg(target_os = "linux")]
pub(crate) fn be_modest() {
    /// A ninth of the weight of an ordinary thread: `sched_prio_to_weight` of `kernel/sched/core.c`.
    const NICE: i32 = 10;
    // On Linux it is the thread's own value. If it stays, the thread is as urgent as any other.
    let _ = rustix::process::nice(NICE);
}

/// No such thread does any work here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn be_modest() {}
