//! For how long the quotas of the watch's own groups have held it back.

use punctual_lab::limits;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Mutex;

/// Where the groups are usually mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// The accounts of the groups of this process that have a quota. Few have any.
#[derive(Debug, Default)]
pub(crate) struct OwnQuota {
    accounts: Mutex<Vec<File>>,
}

impl OwnQuota {
    /// Looks for them again: a quota can be set at any time.
    pub(crate) fn find(&self) {
        let groups = limits::quotas_of_thread(std::process::id());
        let paths = groups
            .iter()
            .map(|quota| format!("{MOUNT}{}/cpu.stat", quota.group));
        let found = paths.filter_map(|path| File::open(path).ok()).collect();
        if let Ok(mut accounts) = self.accounts.lock() {
            *accounts = found;
        }
    }

    /// The sum of them, in nanoseconds. Takes no memory; nothing is read where there is no quota. `None` while
    /// they are looked for, which nothing should wait for.
    pub(crate) fn throttled_ns(&self) -> Option<u64> {
        let accounts = self.accounts.try_lock().ok()?;
        Some(accounts.iter().filter_map(read).sum())
    }
}

fn read(account: &File) -> Option<u64> {
    // A dozen lines of at most forty characters.
    let mut buffer = [0; 1_024];
    let length = account.read_at(&mut buffer, 0).ok()?;
    throttled_ns(std::str::from_utf8(&buffer[..length]).ok()?)
}

/// `throttled_usec` of version 2, or `throttled_time` of version 1, which is in nanoseconds.
/// <https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files>
fn throttled_ns(stat: &str) -> Option<u64> {
    stat.lines().find_map(|line| {
        let (name, number) = line.split_once(' ')?;
        let number: u64 = number.trim().parse().ok()?;
        match name {
            "throttled_usec" => Some(number.saturating_mul(1_000)),
            "throttled_time" => Some(number),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accounts_of_both_versions() {
        let second = "usage_usec 9\nnr_throttled 3\nthrottled_usec 70\nnr_bursts 0\n";
        assert_eq!(throttled_ns(second), Some(70_000));
        assert_eq!(
            throttled_ns("nr_throttled 3\nthrottled_time 42\n"),
            Some(42)
        );
        assert_eq!(throttled_ns("throttled_usec many\n"), None);
    }

    #[test]
    fn what_is_found_does_not_go_back() {
        let quota = OwnQuota::default();
        assert_eq!(quota.throttled_ns(), Some(0), "nothing was looked for");
        quota.find();
        let before = quota.throttled_ns();
        assert!(quota.throttled_ns() >= before);
    }
}
