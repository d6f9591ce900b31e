use super::*;
use crate::environment::ProcessorQuota;
use std::fs;
use std::path::PathBuf;

/// A folder that looks like a system's root, removed when dropped.
struct Root(PathBuf);

impl Root {
    fn with(test: &str, files: &[(&str, &str)]) -> Self {
        let name = format!("punctual-environment-{}-{test}", std::process::id());
        let root = Self(std::env::temp_dir().join(name));
        for (path, text) in files {
            let path = root.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn read(&self) -> Environment {
        let mut source = Source::under(&self.0);
        let environment = read_files(&mut source);
        Environment {
            not_known: source.into_not_known(),
            ..environment
        }
    }

    fn quotas_of(&self, thread: u32) -> Vec<GroupQuota> {
        cgroup::quotas_of(&Source::under(&self.0), thread)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_system_without_files_is_unknown_and_says_so() {
    let environment = Root::with("empty", &[]).read();
    let expected = Environment {
        architecture: environment.architecture.clone(),
        queue_time_readable: Some(false),
        not_known: environment.not_known.clone(),
        ..Environment::default()
    };
    assert_eq!(environment, expected);
    let reasons = environment.not_known.join("\n");
    assert!(
        reasons.contains("system name: no file /etc/os-release"),
        "{reasons}"
    );
    assert!(reasons.contains("processor quota: "), "{reasons}");
    assert!(reasons.contains("container: "), "{reasons}");
}

/// Empty, senseless and binary content in every file that is read. None of it may do harm.
#[test]
fn a_system_of_damaged_files_does_no_harm() {
    let paths = [
        "etc/os-release",
        "proc/cmdline",
        "proc/cpuinfo",
        "proc/loadavg",
        "proc/self/cgroup",
        "proc/self/limits",
        "proc/sys/kernel/osrelease",
        "proc/sys/kernel/version",
        "proc/thread-self/schedstat",
        "proc/thread-self/status",
        "sys/devices/system/clocksource/clocksource0/available_clocksource",
        "sys/devices/system/clocksource/clocksource0/current_clocksource",
        "sys/devices/system/cpu/cpu0/cpuidle/state0/latency",
        "sys/devices/system/cpu/cpu0/cpuidle/state0/name",
        "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
        "sys/devices/system/cpu/cpuidle/current_driver",
        "sys/devices/system/cpu/online",
        "sys/fs/cgroup/cpu.max",
        "sys/fs/cgroup/cpu.stat",
        "sys/hypervisor/type",
    ];
    let damages = [
        "",
        "\n",
        ":",
        "=\n=",
        "\u{fffd}\0\0",
        "-1",
        "18446744073709551616 0 0",
    ];
    for (index, damage) in damages.into_iter().enumerate() {
        let files = paths.map(|path| (path, damage));
        let environment = Root::with(&format!("damaged-{index}"), &files).read();
        for line in environment.lines() {
            assert!(line.chars().count() <= 80, "{line:?}");
        }
    }
}

#[test]
fn a_container_with_half_a_processor_on_a_laptop() {
    let root = Root::with(
        "container",
        &[
            ("usr/lib/os-release", "NAME=Alpine\nVERSION_ID=3.19\n"),
            ("proc/sys/kernel/osrelease", "6.8.0-45-generic\n"),
            ("proc/sys/kernel/version", "#45 SMP PREEMPT_DYNAMIC Fri\n"),
            (
                "boot/config-6.8.0-45-generic",
                "CONFIG_PREEMPT_VOLUNTARY=y\n",
            ),
            (
                "proc/cpuinfo",
                "model name : Intel(R) Core(TM) i7\nflags : fpu\n",
            ),
            ("proc/self/cgroup", "0::/pod/app\n"),
            ("sys/fs/cgroup/pod/cpu.max", "50000 100000\n"),
            ("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 7\n"),
            ("sys/fs/cgroup/pod/app/cpu.max", "max 100000\n"),
            ("sys/devices/system/cpu/online", "0-7\n"),
            (
                "sys/devices/system/cpu/cpuidle/current_driver",
                "intel_idle\n",
            ),
            (
                "sys/devices/system/cpu/cpuidle/current_governor_ro",
                "menu\n",
            ),
            ("sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C1E\n"),
            ("sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "10\n"),
            ("sys/devices/system/cpu/cpu0/cpuidle/state10/name", "C10\n"),
            (
                "sys/devices/system/cpu/cpu0/cpuidle/state10/latency",
                "230\n",
            ),
            (
                "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
                "powersave\n",
            ),
        ],
    );
    let environment = root.read();
    assert_eq!(environment.system.as_deref(), Some("Alpine 3.19"));
    assert_eq!(environment.preemption_mode.as_deref(), Some("voluntary"));
    assert_eq!(environment.hypervisor.as_deref(), Some("none"));
    assert_eq!(
        environment.processor_quota,
        Some(ProcessorQuota::Limited {
            quota_us: 50_000,
            period_us: 100_000
        })
    );
    assert_eq!(environment.times_throttled, Some(7));
    assert_eq!(environment.idle_governor.as_deref(), Some("menu"));
    assert_eq!(environment.deepest_idle_state.as_deref(), Some("C10"));
    assert_eq!(environment.idle_exit_latency_ns, Some(230_000));
    assert_eq!(environment.frequency_governor.as_deref(), Some("powersave"));
}

#[test]
fn a_quota_of_version_1() {
    let root = Root::with(
        "version-1",
        &[
            ("proc/self/cgroup", "3:cpu,cpuacct:/docker/abc\n0::/\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ],
    );
    let quota = root.read().processor_quota.unwrap();
    assert_eq!(quota.to_string(), "150 of every 100 ms");
}

#[test]
fn the_quotas_of_any_thread_and_how_often_they_made_it_wait() {
    let root = Root::with(
        "quotas-of-a-thread",
        &[
            ("proc/7/cgroup", "0::/pod/app\n"),
            ("sys/fs/cgroup/cpu.stat", "nr_throttled 5\n"),
            ("sys/fs/cgroup/pod/cpu.max", "50000 100000\n"),
            (
                "sys/fs/cgroup/pod/cpu.stat",
                "nr_periods 9\nnr_throttled 4\nthrottled_usec 70\n",
            ),
            ("sys/fs/cgroup/pod/app/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/pod/app/cpu.stat", "nr_throttled 0\n"),
        ],
    );
    let expected = GroupQuota {
        group: "/pod".to_owned(),
        quota_us: 50_000,
        period_us: 100_000,
        times_throttled: 4,
        throttled_ns: Some(70_000),
    };
    assert_eq!(root.quotas_of(7), [expected]);
    assert_eq!(root.quotas_of(8), []);
}

#[test]
fn this_machine_tells_what_every_linux_tells() {
    let environment = read();
    assert!(environment.kernel.is_some());
    assert!(environment.tick_rate_hertz.is_some());
    assert!(environment.timer_slack_ns.is_some());
    assert!(environment.clock_cost_ns.is_some_and(|cost| cost > 0.0));
    assert!(
        environment
            .processors_usable
            .is_some_and(|set| set.count() > 0)
    );
}
