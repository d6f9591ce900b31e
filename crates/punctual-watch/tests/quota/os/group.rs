//! A control group of this process's own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// This process is in it until it is dropped.
pub struct Group {
    folder: PathBuf,
    /// The file that moves a process back to where this one came from.
    back: PathBuf,
}

impl Group {
    /// Makes one with a quota for each period, and moves this process into it.
    ///
    /// # Errors
    /// Why there can be none here.
    pub fn with_quota(quota: Duration, period: Duration) -> Result<Self, String> {
        let (quota, period) = (quota.as_micros(), period.as_micros());
        let name = format!("punctual-watch-test-{}", std::process::id());
        let first = Path::new("/sys/fs/cgroup/cpu");
        let made = if first.join("cpu.cfs_quota_us").exists() || first.join("tasks").exists() {
            let settings = [
                ("cpu.cfs_period_us", period.to_string()),
                ("cpu.cfs_quota_us", quota.to_string()),
            ];
            Self::make(first, &name, &settings)
        } else {
            let settings = [("cpu.max", format!("{quota} {period}"))];
            Self::make(Path::new("/sys/fs/cgroup"), &name, &settings)
        };
        made.map_err(|error| format!("no control group with a quota can be made here: {error}"))
    }

    fn make(mount: &Path, name: &str, settings: &[(&str, String)]) -> io::Result<Self> {
        let folder = mount.join(name);
        fs::create_dir(&folder)?;
        // From here on it is removed, whatever fails.
        let group = Self {
            back: mount.join("cgroup.procs"),
            folder,
        };
        for (file, value) in settings {
            let path = group.folder.join(file);
            // Nothing is made where the kernel has no such file.
            fs::OpenOptions::new().write(true).open(&path)?;
            fs::write(&path, value)?;
        }
        fs::write(
            group.folder.join("cgroup.procs"),
            std::process::id().to_string(),
        )?;
        Ok(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // What is not permitted was not done either.
        let _ = fs::write(&self.back, std::process::id().to_string());
        let _ = fs::remove_dir(&self.folder);
    }
}
