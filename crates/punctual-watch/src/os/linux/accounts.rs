//! Numbers that the kernel keeps: steal, pressure, quotas, timer slack.

use crate::readings::Reading;
use punctual_lab::limits;
use rustix::param::clock_ticks_per_second;
use rustix::thread::current_timer_slack;
use std::fs::read_to_string;

/// All that this kernel tells. Steal is told of the watched processors only.
#[expect(
    clippy::cast_precision_loss,
    reason = "a float counts microseconds of centuries"
)]
pub(crate) fn numbers(watched: &[usize]) -> Vec<Reading> {
    let mut numbers = Vec::new();
    let stat = read_to_string("/proc/stat").unwrap_or_default();
    for (processor, ticks) in steal(&stat) {
        if watched.contains(&processor) {
            let seconds = ticks as f64 / clock_ticks_per_second() as f64;
            let help = "Time for which the hypervisor gave the processor to others";
            let labels = vec![("cpu", processor.to_string())];
            numbers.push(Reading::seconds("steal", help, labels, seconds));
        }
    }
    for resource in ["cpu", "io", "memory"] {
        let text = read_to_string(format!("/proc/pressure/{resource}")).unwrap_or_default();
        let kinds = [
            (
                "some",
                "pressure_waiting",
                "Time for which some thread waited for the resource",
            ),
            (
                "full",
                "pressure_stalled",
                "Time for which all threads that were not idle waited for it",
            ),
        ];
        for (kind, name, help) in kinds {
            if let Some(micros) = pressure(&text, kind) {
                let labels = vec![("resource", resource.to_owned())];
                numbers.push(Reading::seconds(name, help, labels, micros as f64 / 1e6));
            }
        }
    }
    for quota in limits::quotas_of_thread(std::process::id()) {
        // In a container, the outermost group that it sees has no name.
        let group = if quota.group.is_empty() {
            "/"
        } else {
            &quota.group
        };
        let labels = || vec![("group", group.to_owned())];
        if let Some(nanos) = quota.throttled_ns {
            let help = "Time for which the quota of a group of the watch held its threads back";
            numbers.push(Reading::seconds(
                "throttled",
                help,
                labels(),
                nanos as f64 / 1e9,
            ));
        }
        numbers.push(Reading {
            name: "throttled_periods",
            help: "Periods in which a group of the watch used up its quota",
            unit: None,
            rises: true,
            labels: labels(),
            value: quota.times_throttled as f64,
        });
    }
    if let Ok(slack) = current_timer_slack() {
        numbers.push(Reading {
            rises: false,
            ..Reading::seconds(
                "timer_slack",
                "By how much the kernel may delay timers of the watch's threads that do not ask for precision",
                Vec::new(),
                slack as f64 / 1e9,
            )
        });
    }
    numbers
}

/// The processors' lines `cpu0 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL …`, in ticks of which
/// [`clock_ticks_per_second`] tells the length. <https://man7.org/linux/man-pages/man5/proc_stat.5.html>
fn steal(stat: &str) -> impl Iterator<Item = (usize, u64)> + '_ {
    stat.lines().filter_map(|line| {
        let mut words = line.strip_prefix("cpu")?.split_ascii_whitespace();
        // The line of all processors has no number: its first word is `cpu`.
        if line.starts_with("cpu ") {
            return None;
        }
        let processor = words.next()?.parse().ok()?;
        let steal = words.nth(7)?.parse().ok()?;
        Some((processor, steal))
    })
}

/// The total of one kind, in microseconds: `some avg10=0.00 avg60=0.00 avg300=0.00 total=1234`.
/// <https://docs.kernel.org/accounting/psi.html>
fn pressure(text: &str, kind: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(kind))?;
    let total = line
        .split_ascii_whitespace()
        .find_map(|word| word.strip_prefix("total="));
    total?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_of_each_processor() {
        let stat = "cpu  1 2 3 4 5 6 7 99 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu12 0 0 0 0 0 0 0 9\nintr 5 0\n";
        assert_eq!(steal(stat).collect::<Vec<_>>(), [(0, 8), (12, 9)]);
        let old = "cpu0 1 2 3 4\ncpux 1 2 3 4 5 6 7 8\ncpu\n";
        assert_eq!(steal(old).count(), 0, "older kernels tell no steal");
    }

    #[test]
    fn pressure_of_both_kinds() {
        let text = "some avg10=62.67 avg60=27.47 avg300=18.99 total=197206346\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!(pressure(text, "some"), Some(197_206_346));
        assert_eq!(pressure(text, "full"), Some(7));
        assert_eq!(pressure("some avg10=0.00\n", "some"), None);
        assert_eq!(pressure("", "full"), None);
    }

    #[test]
    fn every_name_has_one_unit_and_one_help() {
        let numbers = numbers(&[0]);
        for one in &numbers {
            let alike = numbers.iter().filter(|other| other.name == one.name);
            assert!(
                alike
                    .clone()
                    .all(|other| (other.unit, other.help) == (one.unit, one.help))
            );
            let same = alike.filter(|other| other.labels == one.labels);
            assert_eq!(same.count(), 1, "{one:?}");
        }
        assert!(numbers.iter().any(|one| one.name == "timer_slack"));
    }
}
