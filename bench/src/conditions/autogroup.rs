//! Whether the scheduler groups processes by session.
//!
//! <https://man7.org/linux/man-pages/man7/sched.7.html>: "The autogroup feature".

use crate::failure::Failure;
use std::fs;

const SETTING: &str = "/proc/sys/kernel/sched_autogroup_enabled";

/// The setting, changed until this is dropped. A process has the group that the setting gave it when it
/// was made, so it is changed only while processes are made.
pub struct Autogroup {
    found: String,
    wanted: &'static str,
}

impl Autogroup {
    pub fn set(on: bool) -> Result<Self, Failure> {
        let found = fs::read_to_string(SETTING)
            .map_err(|error| format!("this kernel has no autogroup: {error}"))?;
        if !is_in_root_group() {
            return Err("autogroup does not apply in a control group".into());
        }
        let setting = Self {
            found: found.trim().to_owned(),
            wanted: if on { "1" } else { "0" },
        };
        if setting.found != setting.wanted {
            fs::write(SETTING, setting.wanted)
                .map_err(|error| format!("autogroup can't be changed: {error}"))?;
        }
        Ok(setting)
    }
}

impl Drop for Autogroup {
    fn drop(&mut self) {
        if self.found != self.wanted {
            // It was permitted a moment ago.
            let _ = fs::write(SETTING, &self.found);
        }
    }
}

/// Whether this process is in no control group that divides processor time.
fn is_in_root_group() -> bool {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    group_of(&groups) == "/"
}

/// The group that divides processor time, of lines of "hierarchy:controllers:path".
fn group_of(groups: &str) -> &str {
    let fields = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        Some((fields.next()?, fields.next()?, fields.next()?))
    });
    let is_first = |controllers: &str| controllers.split(',').any(|name| name == "cpu");
    let first = fields.clone().find(|&(_, names, _)| is_first(names));
    let second = || fields.clone().find(|&(id, _, _)| id == "0");
    first.or_else(second).map_or("/", |(_, _, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_of_the_version_that_has_the_controller() {
        assert_eq!(group_of("1:cpu,cpuacct:/a\n0::/b\n"), "/a");
        assert_eq!(group_of("2:cpuacct:/a\n0::/user.slice\n"), "/user.slice");
        assert_eq!(group_of("2:cpuset:/a:b\n1:cpu:/\n0::/c\n"), "/");
        assert_eq!(group_of(""), "/");
    }

    #[test]
    fn the_setting_is_given_back() {
        let setting = || fs::read_to_string(SETTING).unwrap_or_default();
        let before = setting();
        match Autogroup::set(before.trim() == "0") {
            Ok(changed) => {
                assert_ne!(setting(), before);
                drop(changed);
                assert_eq!(setting(), before);
            }
            Err(error) => println!("skipped: {error}"),
        }
    }
}
