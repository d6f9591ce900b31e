//! The quotas of processor time of any thread, and how often they made threads wait.

/// The quota of a group of threads. On Linux, that is a control group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupQuota {
    /// The group's name: its path below `/sys/fs/cgroup`.
    pub group: String,
    /// How much processor time it may use in a period, in microseconds, all its threads and
    /// processors together.
    pub quota_us: u64,
    /// How long a period is, in microseconds.
    pub period_us: u64,
    /// In how many periods it has used up its quota so far.
    pub times_throttled: u64,
}

/// The quotas of the groups to which a thread belongs, the outermost first. None if the thread has ended, if
/// nothing limits it, or if the system is another than Linux.
pub fn of_thread(thread: u32) -> Vec<GroupQuota> {
    crate::os::quotas_of(thread)
}
