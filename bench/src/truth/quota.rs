//! A group of processes with a quota of processor time.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

/// A control group; it is removed when this is dropped, after its processes have ended.
pub struct Group(PathBuf);

/// Where the controllers are mounted.
const ROOT: &str = "/sys/fs/cgroup";

impl Group {
    /// With so much processor time, in nanoseconds, in each period.
    pub fn new(quota: u64, period: u64) -> Result<Self, Failure> {
        let [quota, period] = [quota, period].map(|nanos| nanos / 1_000);
        let name = format!("punctual-truth-{}", process::id());
        let first = Path::new(ROOT).join("cpu");
        if first.join("cpu.cfs_quota_us").exists() || first.join("cpu.shares").exists() {
            let group = Self::make(first.join(name))?;
            group.set("cpu.cfs_period_us", &period.to_string())?;
            group.set("cpu.cfs_quota_us", &quota.to_string())?;
            return Ok(group);
        }
        let second = Path::new(ROOT);
        fs::write(second.join("cgroup.subtree_control"), "+cpu")
            .map_err(|error| format!("no control group for processors: {error}"))?;
        let group = Self::make(second.join(name))?;
        group.set("cpu.max", &format!("{quota} {period}"))?;
        Ok(group)
    }

    fn make(path: PathBuf) -> Result<Self, Failure> {
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }

    fn set(&self, file: &str, value: &str) -> Result<(), Failure> {
        let path = self.0.join(file);
        Ok(fs::write(&path, value).map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// The file in which the kernel counts how often the group was out of processor time.
    pub fn statistics(&self) -> PathBuf {
        self.0.join("cpu.stat")
    }

    pub fn add(&self, process: u32) -> Result<(), Failure> {
        self.set("cgroup.procs", &process.to_string())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Only an empty group can be removed; a program that still runs keeps it.
        let _ = fs::remove_dir(&self.0);
    }
}
