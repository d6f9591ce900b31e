//! Systems that do not tell, or not in a way that anybody has tried.

/// What to use where there is no timer interval to hold: Windows has one, so this is macOS's.
pub const INSTEAD_OF_AN_INTERVAL: &str = "What delays its timers is leeway, which each timer is \
    given: Punctual's waits ask for none";

/// The calling thread's number.
pub fn own_thread() -> Option<u32> {
    None
}

/// The threads of a process, with their names.
pub fn threads_of(_: u32) -> Vec<(u32, String)> {
    Vec::new()
}

/// Whether there is a process of this number.
pub fn is_alive(_: u32) -> bool {
    false
}

/// How often a processor was taken from a thread of this process while it wanted it.
pub fn involuntary_switches(_: u32) -> Option<u64> {
    None
}

/// Time in which the hypervisor ran others on our processors, all of them together.
pub fn steal_ns() -> Option<u64> {
    None
}
