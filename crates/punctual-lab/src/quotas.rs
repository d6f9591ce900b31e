//! The quotas of processor time of any thread, and how often they made threads wait.

pub use crate::environment::GroupQuota;

/// The quotas of the groups to which a thread belongs, the outermost first. None if the thread has ended, if
/// nothing limits it, or if the system is another than Linux.
pub fn of_thread(thread: u32) -> Vec<GroupQuota> {
    crate::os::quotas_of(thread)
}
