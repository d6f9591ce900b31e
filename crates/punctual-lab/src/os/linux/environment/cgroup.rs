//! The processor quota of this program's control group, in both versions of control groups.
//!
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html> (`cpu.max`) and
//! <https://docs.kernel.org/scheduler/sched-bwc.html> (`cpu.cfs_quota_us`).

use super::source::Source;
use crate::Environment;
use crate::environment::{GroupQuota, ProcessorQuota};

/// Where the hierarchies are usually mounted.
const MOUNT: &str = "/sys/fs/cgroup";

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    let Some(groups) = source.fact("processor quota", "/proc/self/cgroup", |text| {
        Some(groups(text))
    }) else {
        return;
    };
    if source.names(MOUNT).is_empty() {
        source.not_known("processor quota", &format!("nothing is mounted at {MOUNT}"));
        return;
    }
    // Every group up to the root has a quota of its own. The tightest one applies.
    let tightest = groups
        .iter()
        .flat_map(|group| group.folders())
        .filter_map(|folder| Some((quota_of(source, &folder)?, folder)))
        .min_by(|(a, _), (b, _)| a.processors().total_cmp(&b.processors()));
    into.processor_quota = Some(tightest.as_ref().map_or(ProcessorQuota::Unlimited, |t| t.0));
    into.times_throttled = tightest
        .filter(|(quota, _)| *quota != ProcessorQuota::Unlimited)
        .and_then(|(_, folder)| source.some_text(&format!("{folder}/cpu.stat")))
        .and_then(|text| times_throttled(&text));
}

/// Those of the groups to which any thread belongs.
pub(super) fn quotas_of(source: &Source, thread: u32) -> Vec<GroupQuota> {
    let groups = source.some_text(&format!("/proc/{thread}/cgroup"));
    let groups = groups.map_or_else(Vec::new, |text| self::groups(&text));
    let folders = groups.iter().flat_map(Group::folders);
    let limited = folders.filter_map(|folder| match quota_of(source, &folder)? {
        ProcessorQuota::Unlimited => None,
        ProcessorQuota::Limited {
            quota_us,
            period_us,
        } => {
            let stat = source.some_text(&format!("{folder}/cpu.stat"))?;
            Some(GroupQuota {
                quota_us,
                period_us,
                times_throttled: times_throttled(&stat)?,
                throttled_ns: throttled_ns(&stat),
                group: folder.trim_start_matches(MOUNT).to_owned(),
            })
        }
    });
    limited.collect()
}

fn quota_of(source: &Source, folder: &str) -> Option<ProcessorQuota> {
    if let Some(text) = source.some_text(&format!("{folder}/cpu.max")) {
        return quota_v2(&text);
    }
    let quota = source.some_text(&format!("{folder}/cpu.cfs_quota_us"))?;
    let period = source.some_text(&format!("{folder}/cpu.cfs_period_us"))?;
    quota_v1(&quota, &period)
}

/// A group that may have a quota, with its path in one hierarchy.
#[derive(Debug, PartialEq)]
struct Group {
    /// Where the hierarchy may be mounted, below [`MOUNT`].
    mounts: Vec<String>,
    path: String,
}

impl Group {
    /// The folders of the group and of all its parents, up to the root.
    fn folders(&self) -> Vec<String> {
        let mut paths = vec![String::new()];
        for name in self.path.split('/').filter(|name| !name.is_empty()) {
            let above = paths.last().cloned().unwrap_or_default();
            paths.push(format!("{above}/{name}"));
        }
        let all = self.mounts.iter().flat_map(|mount| {
            let folders = paths
                .iter()
                .map(move |path| format!("{MOUNT}{mount}{path}"));
            folders.collect::<Vec<_>>()
        });
        all.collect()
    }
}

/// The groups of `/proc/self/cgroup` (`hierarchy:controllers:path`) that may have a quota: the one
/// of version 2, and the one of version 1 that has the controller `cpu`.
fn groups(text: &str) -> Vec<Group> {
    let parsed = text.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let mounts = if controllers.is_empty() {
            vec![String::new(), "/unified".to_owned()]
        } else if controllers.split(',').any(|controller| controller == "cpu") {
            let folder = format!("/{controllers}");
            let mut mounts = vec!["/cpu".to_owned()];
            mounts.extend((folder != mounts[0]).then_some(folder));
            mounts
        } else {
            return None;
        };
        Some(Group {
            mounts,
            path: path.to_owned(),
        })
    });
    parsed.collect()
}

/// `cpu.max`: `max 100000` or `50000 100000`.
fn quota_v2(text: &str) -> Option<ProcessorQuota> {
    let mut words = text.split_whitespace();
    let (quota, period) = (words.next()?, words.next()?);
    match quota {
        "max" => Some(ProcessorQuota::Unlimited),
        quota => limited(quota.parse().ok()?, period.parse().ok()?),
    }
}

/// `cpu.cfs_quota_us` (-1 is no limit) and `cpu.cfs_period_us`.
fn quota_v1(quota: &str, period: &str) -> Option<ProcessorQuota> {
    match quota.parse::<i64>().ok()? {
        ..0 => Some(ProcessorQuota::Unlimited),
        quota => limited(quota.unsigned_abs(), period.parse().ok()?),
    }
}

fn limited(quota_us: u64, period_us: u64) -> Option<ProcessorQuota> {
    (period_us > 0).then_some(ProcessorQuota::Limited {
        quota_us,
        period_us,
    })
}

/// `nr_throttled` of `cpu.stat`, the same in both versions.
fn times_throttled(text: &str) -> Option<u64> {
    count(text, "nr_throttled ")
}

/// `throttled_usec` of `cpu.stat` in version 2, `throttled_time` in nanoseconds in version 1.
fn throttled_ns(text: &str) -> Option<u64> {
    let micros = count(text, "throttled_usec ").map(|micros| micros.saturating_mul(1_000));
    micros.or_else(|| count(text, "throttled_time "))
}

fn count(text: &str, name: &str) -> Option<u64> {
    text.lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|number| number.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Option<ProcessorQuota> = Some(ProcessorQuota::Limited {
        quota_us: 50_000,
        period_us: 100_000,
    });

    #[test]
    fn quotas_of_both_versions() {
        assert_eq!(quota_v2("50000 100000"), HALF);
        assert_eq!(quota_v2("max 100000"), Some(ProcessorQuota::Unlimited));
        assert_eq!(quota_v2("max"), None);
        assert_eq!(quota_v2("50000 0"), None);
        assert_eq!(quota_v2("many 100000"), None);
        assert_eq!(quota_v1("50000", "100000"), HALF);
        assert_eq!(quota_v1("-1", "100000"), Some(ProcessorQuota::Unlimited));
        assert_eq!(quota_v1("", "100000"), None);
    }

    #[test]
    fn a_group_of_version_2_and_all_above_it() {
        let found = groups("0::/user.slice/app\n");
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].folders(),
            [
                "/sys/fs/cgroup",
                "/sys/fs/cgroup/user.slice",
                "/sys/fs/cgroup/user.slice/app",
                "/sys/fs/cgroup/unified",
                "/sys/fs/cgroup/unified/user.slice",
                "/sys/fs/cgroup/unified/user.slice/app",
            ]
        );
    }

    #[test]
    fn the_group_of_version_1_that_has_processors() {
        let found = groups("5:memory:/a\n4:cpuset:/b\n3:cpu,cpuacct:/docker/c:d\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "/docker/c:d");
        assert_eq!(found[0].mounts, ["/cpu", "/cpu,cpuacct"]);
        assert_eq!(groups("1:cpu:/\n")[0].mounts, ["/cpu"]);
        assert!(groups("").is_empty());
        assert!(groups("nonsense\n1:cpu\n").is_empty());
    }

    #[test]
    fn counts_of_throttling() {
        let stat = "usage_usec 1\nnr_periods 20\nnr_throttled 12\nthrottled_usec 3\n";
        assert_eq!(times_throttled(stat), Some(12));
        assert_eq!(throttled_ns(stat), Some(3_000));
        assert_eq!(
            throttled_ns("nr_throttled 1\nthrottled_time 42\n"),
            Some(42)
        );
        assert_eq!(throttled_ns("nr_throttled 1\n"), None);
        assert_eq!(times_throttled("nr_periods 20\n"), None);
        assert_eq!(times_throttled(""), None);
    }
}
