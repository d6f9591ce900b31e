//! What quotas of processor time did to the explained threads while they were watched.

use punctual_lab::environment::ProcessorQuota;
use punctual_lab::quotas::{GroupQuota, of_thread};
use punctual_trace::recording::Throttled;
use std::collections::BTreeMap;

/// The groups in which the threads were seen, as they were at first and at last.
#[derive(Debug, Default)]
pub(super) struct Quotas(BTreeMap<String, (GroupQuota, GroupQuota)>);

impl Quotas {
    /// Looks at the groups of a thread. It may be in others than it was.
    pub(super) fn look(&mut self, thread: u32) {
        self.note(of_thread(thread));
    }

    fn note(&mut self, quotas: Vec<GroupQuota>) {
        for quota in quotas {
            let first_and_last = self.0.entry(quota.group.clone());
            let (_, last) = first_and_last.or_insert_with(|| (quota.clone(), quota.clone()));
            *last = quota;
        }
    }

    /// What they did.
    pub(super) fn throttled(&self) -> Vec<Throttled> {
        let groups = self.0.iter();
        let groups = groups.map(|(group, (first, last))| Throttled {
            group: group.clone(),
            quota_ns: last.quota_us.saturating_mul(1_000),
            period_ns: last.period_us.saturating_mul(1_000),
            times: last.times_throttled.saturating_sub(first.times_throttled),
        });
        groups.collect()
    }
}

/// What a quota did, as a sentence.
pub(super) fn sentence(throttled: &Throttled) -> Option<String> {
    let quota = ProcessorQuota::Limited {
        quota_us: throttled.quota_ns / 1_000,
        period_us: throttled.period_ns / 1_000,
    };
    let times = match throttled.times {
        0 => return None,
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    Some(format!(
        "the group {} used up its processor quota of {quota} {times}",
        throttled.group
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota(group: &str, times_throttled: u64) -> GroupQuota {
        GroupQuota {
            group: group.to_owned(),
            quota_us: 3_000,
            period_us: 20_000,
            times_throttled,
            throttled_ns: None,
        }
    }

    #[test]
    fn only_what_happened_meanwhile_counts_in_whichever_group() {
        let mut quotas = Quotas::default();
        quotas.note(vec![quota("/a", 7), quota("/a/b", 2)]);
        quotas.note(vec![quota("/a", 9), quota("/a/b", 2)]);
        quotas.note(vec![quota("/c", 1)]);
        quotas.note(Vec::new());
        let throttled = quotas.throttled();
        let times: Vec<_> = throttled
            .iter()
            .map(|it| (it.group.as_str(), it.times))
            .collect();
        assert_eq!(times, [("/a", 2), ("/a/b", 0), ("/c", 0)]);
        let said: Vec<_> = throttled.iter().filter_map(sentence).collect();
        let expected = "the group /a used up its processor quota of 3 of every 20 ms 2 times";
        assert_eq!(said, [expected]);
    }
}
