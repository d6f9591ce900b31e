//! What this program may change about its own scheduling, and what it may read.

use super::fields::value;
use super::source::Source;
use crate::Environment;

const STATUS: &str = "/proc/thread-self/status";
const LIMITS: &str = "/proc/self/limits";
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// The bit of `CAP_SYS_NICE` in a set of capabilities (`include/uapi/linux/capability.h`).
const CAP_SYS_NICE: u32 = 23;

/// The value of `unlimited`: the highest real-time priority.
const MOST_REALTIME_PRIORITY: u64 = 99;

/// The value of `unlimited`: 20 minus the lowest nice value, −20.
const MOST_NICE: u64 = 40;

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    into.superuser = source.fact("user", STATUS, is_superuser);
    into.may_raise_priority = source.fact("capabilities", STATUS, has_sys_nice);
    into.realtime_priority_limit = source.fact("real-time limit", LIMITS, |text| {
        limit(text, "Max realtime priority", MOST_REALTIME_PRIORITY)
    });
    into.nice_limit = source.fact("nice limit", LIMITS, |text| {
        limit(text, "Max nice priority", MOST_NICE)
    });
    let readable = source.fact("queue time", SCHEDSTAT, |text| {
        is_schedstat(text).then_some(true)
    });
    into.queue_time_readable = Some(readable.is_some());
}

/// `Uid:` has the real, effective, saved and file-system user. The second one decides.
fn is_superuser(status: &str) -> Option<bool> {
    let effective = value(status, "Uid")?.split_whitespace().nth(1)?;
    Some(effective.parse::<u32>().ok()? == 0)
}

fn has_sys_nice(status: &str) -> Option<bool> {
    let capabilities = u64::from_str_radix(value(status, "CapEff")?, 16).ok()?;
    Some(capabilities >> CAP_SYS_NICE & 1 == 1)
}

/// The soft limit of a line such as `Max nice priority   0   0`.
fn limit(limits: &str, name: &str, unlimited: u64) -> Option<u64> {
    let soft = limits
        .lines()
        .find_map(|line| line.strip_prefix(name))?
        .split_whitespace()
        .next()?;
    match soft {
        "unlimited" => Some(unlimited),
        number => Some(number.parse::<u64>().ok()?.min(unlimited)),
    }
}

/// Three numbers: <https://docs.kernel.org/scheduler/sched-stats.html>.
fn is_schedstat(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.clone().count() == 3 && words.all(|word| word.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_user_decides() {
        assert_eq!(is_superuser("Uid:\t1000\t0\t0\t0\n"), Some(true));
        assert_eq!(is_superuser("Uid:\t0\t1000\t1000\t1000\n"), Some(false));
        assert_eq!(is_superuser("Uid:\t0\n"), None);
        assert_eq!(is_superuser(""), None);
    }

    #[test]
    fn one_capability_of_all() {
        assert_eq!(has_sys_nice("CapEff:\t000001ffffffffff\n"), Some(true));
        assert_eq!(has_sys_nice("CapEff:\t0000000000800000\n"), Some(true));
        assert_eq!(has_sys_nice("CapEff:\t00000000a80425fb\n"), Some(false));
        assert_eq!(has_sys_nice("CapEff:\tnone\n"), None);
    }

    #[test]
    fn limits_are_soft_and_bounded() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max nice priority         31                   40\n\
                      Max realtime priority     unlimited            unlimited\n";
        assert_eq!(limit(limits, "Max nice priority", 40), Some(31));
        assert_eq!(limit(limits, "Max realtime priority", 99), Some(99));
        assert_eq!(
            limit("Max nice priority 99 99", "Max nice priority", 40),
            Some(40)
        );
        assert_eq!(limit("Max nice priority", "Max nice priority", 40), None);
        assert_eq!(limit("", "Max nice priority", 40), None);
    }

    #[test]
    fn accounts_are_three_numbers() {
        assert!(is_schedstat("102423 3575 2"));
        assert!(!is_schedstat("102423 3575"));
        assert!(!is_schedstat(""));
        assert!(!is_schedstat("a b c"));
    }
}
