//! Control groups of processor time, of both versions.

use crate::failure::Failure;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::Duration;

/// A control group; it is removed when this is dropped, after its processes have ended.
pub struct Group {
    path: PathBuf,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Where the controllers are mounted.
const ROOT: &str = "/sys/fs/cgroup";

/// The kernel takes a moment to see that the last process has ended.
const ATTEMPTS: u32 = 20;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(10);

impl Group {
    /// A group of this process, with a name that tells what it is for.
    pub fn new(name: &str) -> Result<Self, Failure> {
        let name = format!("punctual-{name}-{}", process::id());
        let first = Path::new(ROOT).join("cpu");
        if first.join("cpu.cfs_quota_us").exists() || first.join("cpu.shares").exists() {
            return Self::make(first.join(name), Version::One);
        }
        let second = Path::new(ROOT);
        fs::write(second.join("cgroup.subtree_control"), "+cpu")
            .map_err(|error| format!("no control group for processors: {error}"))?;
        Self::make(second.join(name), Version::Two)
    }

    fn make(path: PathBuf, version: Version) -> Result<Self, Failure> {
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path, version })
    }

    /// Gives it so much processor time, in nanoseconds, in each period.
    pub fn set_quota(&self, quota: u64, period: u64) -> Result<(), Failure> {
        let [quota, period] = [quota, period].map(|nanos| nanos / 1_000);
        match self.version {
            Version::One => {
                self.set("cpu.cfs_period_us", &period.to_string())?;
                self.set("cpu.cfs_quota_us", &quota.to_string())
            }
            Version::Two => self.set("cpu.max", &format!("{quota} {period}")),
        }
    }

    fn set(&self, file: &str, value: &str) -> Result<(), Failure> {
        let path = self.path.join(file);
        Ok(fs::write(&path, value).map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// The file in which the kernel counts how often the group was out of processor time.
    pub fn statistics(&self) -> PathBuf {
        self.path.join("cpu.stat")
    }

    pub fn add(&self, process: u32) -> Result<(), Failure> {
        self.set("cgroup.procs", &process.to_string())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Only an empty group can be removed; a program that still runs keeps it.
        for _ in 0..ATTEMPTS {
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                    thread::sleep(BETWEEN_ATTEMPTS);
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_removed() {
        let group = match Group::new("test") {
            Ok(group) => group,
            Err(error) => {
                println!("skipped: {error}");
                return;
            }
        };
        group.set_quota(50_000_000, 100_000_000).unwrap();
        let path = group.path.clone();
        assert!(path.is_dir());
        drop(group);
        assert!(!path.exists());
    }
}
