//! The rules by which a version of Windows ends timed waits, as data.

use super::choice::Choice;
use super::choices::{
    DueTime, GlobalKey, HighResolution, HighResolutionDue, HighResolutionEnd, HighResolutionFirst,
    HighResolutionNext, HighResolutionPeriod, HighResolutionTicks, IdleExpiry, KernelRequests,
    Lattice, Occlusion, PlatformInterval, Rearm, RequestReach, Throttling, TimerQueueClass,
    TimerQueueExtra, Tolerance,
};
use alloc::format;
use alloc::string::String;

/// The rules by which one version of Windows ends timed waits: a list of named choices.
///
/// The rules are hypotheses fitted to published measurements. If a rule disagrees with a measurement,
/// the rule is wrong. Change it and see which other numbers break:
///
/// ```
/// use punctual_windows::WINDOWS_10_2004;
///
/// let mut rules = WINDOWS_10_2004;
/// rules.set("due-time", "precise")?;
/// let changed: Vec<_> = rules.differences(&WINDOWS_10_2004).collect();
/// assert_eq!(changed, [("due-time", "precise", "coarse")]);
/// assert!(rules.set("due-time", "early").unwrap_err().contains("coarse or precise"));
/// # Ok::<(), String>(())
/// ```
///
/// Each field names the cases of the evidence that fix it, and how certain it is: *measured*,
/// *documented* or *inferred*. A rule that no published number fixes is a switch with a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// C2. The hardware's as much as the version's: a Windows 7 whose ticks come from the real-time clock
    /// ticks at powers of two, too. The value is that of most machines in the version's time.
    /// *Measured* on XP (vd-xp-queue-47-raised and svi-xp-1 exclude `at-request`; that the
    /// intervals are powers of two is what programs print), 7 (svi-7-1) and 10 (grc-1909-1);
    /// *inferred* for 8.
    pub lattice: Lattice,
    /// C3. *Measured* on 7, where svi-7-busy cannot come out otherwise; *inferred* for XP and 8.
    /// From 10 on the evidence disagrees, and most of it is for `coarse`: early-250, early-1000 and
    /// early-4 are waits that end early (*measured*, on versions that are ours), and doc-sleep
    /// *documents* them; doc-sleep-ex denies them. grc-2004-8 comes out with either.
    pub due_time: DueTime,
    /// C5. *Measured*: grc-1909-self before, grc-2004-2 after the change of version 2004.
    pub request_reach: RequestReach,
    /// C5. A switch: nobody has published what tells its values apart. `Sleep(20)` under another
    /// process's request for 1 ms would: it takes 32 ms or 21. `free-run` is *inferred*, since
    /// nothing would have to be remembered about idle stretches.
    pub idle_expiry: IdleExpiry,
    /// C5. A switch: *measured* by one reader of GRC (grc-queue-2004).
    pub timer_queue_class: TimerQueueClass,
    /// C6. *Measured* by one reader of GRC (grcc-driver).
    pub kernel_requests: KernelRequests,
    /// C7. *Documented*, and *measured* to have no effect on 10 (grc-key).
    pub global_key: GlobalKey,
    /// C7. *Documented* (doc-occluded).
    pub occlusion: Occlusion,
    /// C7. *Documented* as new in Windows 11 (doc-ignore-timer-resolution).
    pub throttling: Throttling,
    /// C8. *Measured* for timer queues (vd-xp-queue-100, vd-win7-queue-50), and for waitable timers
    /// on XP (vd-xp-waitable-periodic); *inferred* for waitable timers from 7 on.
    pub rearm: Rearm,
    /// C8. *Inferred* from vd-xp-queue-47-raised, whose 48.8 ms are a tick too long for 47.
    pub timer_queue_extra: TimerQueueExtra,
    /// C9. *Documented* as new in version 1803; measured in the sil cases.
    pub high_resolution: HighResolution,
    /// C9. *Measured* (sil-period-quiet), and contradicted by one remark (grc2-hr).
    pub hr_end: HighResolutionEnd,
    /// C9. *Measured* (sil-due-half).
    pub hr_due: HighResolutionDue,
    /// C9. *Measured* (sil-due-half, sil-due-raised).
    pub hr_first: HighResolutionFirst,
    /// C9. *Measured* (sil-period-raised, hr-avg-1ms): nothing else gives 1.5 and 2.0 in one loop.
    pub hr_next: HighResolutionNext,
    /// C9. *Measured* (sil-due-early), and contradicted: sil-due-quiet's few long iterations want
    /// `kept`. hr-half fails either way, by 0.05 with `restarted` and by 0.35 with `kept`.
    pub hr_ticks: HighResolutionTicks,
    /// C9. *Measured* (sil-period-nt).
    pub hr_period: HighResolutionPeriod,
    /// C10. *Documented* as new in 7; the steps are *documented* from 8 on. No measurement known.
    pub tolerance: Tolerance,
    /// C13. *Measured* from 2004 on (grc-powercfg), and before by one reader of GRC (grc2-c2).
    pub platform_interval: PlatformInterval,
}

/// One rule as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// What it is called.
    pub name: &'static str,
    /// What it decides, in a line for people.
    pub about: &'static str,
    /// The value it has.
    pub value: &'static str,
    /// The values it can have.
    pub values: &'static [&'static str],
    /// The ids of the cases of the evidence that fix it; empty for a rule that is only documented or
    /// inferred.
    pub evidence: &'static [&'static str],
}

/// What is known of a rule, and where its value is.
struct Entry<'a> {
    name: &'static str,
    about: &'static str,
    evidence: &'static [&'static str],
    choice: &'a mut dyn Choice,
}

impl Rules {
    /// All rules, in the order of the struct.
    pub fn iter(&self) -> impl Iterator<Item = Rule> + use<> {
        let mut copy = *self;
        copy.entries()
            .map(|entry| Rule {
                name: entry.name,
                about: entry.about,
                value: entry.choice.name(),
                values: entry.choice.names(),
                evidence: entry.evidence,
            })
            .into_iter()
    }

    /// The rules that differ from another version's: name, value here, value there.
    pub fn differences(
        &self,
        other: &Self,
    ) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> + use<> {
        let pairs = self.iter().zip(other.iter());
        pairs
            .filter(|(here, there)| here.value != there.value)
            .map(|(here, there)| (here.name, here.value, there.value))
    }

    /// Sets a rule by the names of the rule and the value.
    ///
    /// # Errors
    /// If there is no such rule or value; the message lists the known ones.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut entries = self.entries();
        let Some(entry) = entries.iter_mut().find(|entry| entry.name == name) else {
            let names = entries.map(|entry| entry.name).join(", ");
            return Err(format!("there is no rule {name:?}; rules are {names}"));
        };
        if entry.choice.choose(value) {
            return Ok(());
        }
        let values = entry.choice.names().join(" or ");
        Err(format!("the rule {name} is {values}, not {value:?}"))
    }

    /// The one list of all fields.
    fn entries(&mut self) -> [Entry<'_>; 20] {
        [
            Entry {
                name: "lattice",
                about: "the intervals at which the hardware can tick, as it mostly is in the version's time",
                evidence: &["vd-xp-queue-47-raised", "svi-xp-1", "svi-7-1", "grc-1909-1"],
                choice: &mut self.lattice,
            },
            Entry {
                name: "due-time",
                about: "when a wait starts to count: at the last tick, or at the call",
                evidence: &[
                    "svi-7-busy",
                    "early-250",
                    "early-1000",
                    "early-4",
                    "doc-sleep",
                ],
                choice: &mut self.due_time,
            },
            Entry {
                name: "request-reach",
                about: "which waits a process's request shortens: all, or only its own",
                evidence: &["grc-1909-self", "grc-2004-2", "grc-2004-own"],
                choice: &mut self.request_reach,
            },
            Entry {
                name: "idle-expiry",
                about: "whether the class of other waits counts as expired when none was due",
                evidence: &[],
                choice: &mut self.idle_expiry,
            },
            Entry {
                name: "timer-queue-class",
                about: "which class of waits a timer-queue timer belongs to",
                evidence: &["grc-queue-2004"],
                choice: &mut self.timer_queue_class,
            },
            Entry {
                name: "kernel-requests",
                about: "whether a driver's request shortens everybody's sleeps, too",
                evidence: &["grcc-driver"],
                choice: &mut self.kernel_requests,
            },
            Entry {
                name: "global-key",
                about: "whether the registry's GlobalTimerResolutionRequests does anything",
                evidence: &["grc-key"],
                choice: &mut self.global_key,
            },
            Entry {
                name: "occlusion",
                about: "what happens to the requests of a hidden and silent process",
                evidence: &["doc-occluded"],
                choice: &mut self.occlusion,
            },
            Entry {
                name: "throttling",
                about: "whether SetProcessInformation knows IGNORE_TIMER_RESOLUTION",
                evidence: &["doc-ignore-timer-resolution"],
                choice: &mut self.throttling,
            },
            Entry {
                name: "rearm",
                about: "the start of a periodic timer's next period",
                evidence: &[
                    "vd-xp-queue-100",
                    "vd-xp-waitable-periodic",
                    "vd-win7-queue-50",
                ],
                choice: &mut self.rearm,
            },
            Entry {
                name: "timer-queue-extra",
                about: "the time that a timer queue adds to its timers' periods",
                evidence: &["vd-xp-queue-47-raised"],
                choice: &mut self.timer_queue_extra,
            },
            Entry {
                name: "high-resolution",
                about: "whether there are high-resolution waitable timers",
                evidence: &["sil-period-quiet"],
                choice: &mut self.high_resolution,
            },
            Entry {
                name: "hr-end",
                about: "what ends waits on high-resolution timers",
                evidence: &["sil-period-quiet"],
                choice: &mut self.hr_end,
            },
            Entry {
                name: "hr-due",
                about: "when a high-resolution timer starts to count",
                evidence: &["sil-due-half"],
                choice: &mut self.hr_due,
            },
            Entry {
                name: "hr-first",
                about: "the first interrupt that looks at a high-resolution timer",
                evidence: &["sil-due-half", "sil-due-raised"],
                choice: &mut self.hr_first,
            },
            Entry {
                name: "hr-next",
                about: "the interrupt after one that found such a timer not yet due",
                evidence: &["sil-period-raised", "hr-avg-1ms"],
                choice: &mut self.hr_next,
            },
            Entry {
                name: "hr-ticks",
                about: "what an interrupt of such a timer does to the ticks",
                evidence: &["sil-due-early"],
                choice: &mut self.hr_ticks,
            },
            Entry {
                name: "hr-period",
                about: "the start of such a timer's next period",
                evidence: &["sil-period-nt"],
                choice: &mut self.hr_period,
            },
            Entry {
                name: "tolerance",
                about: "the tolerable delay that a waitable timer can have",
                evidence: &[],
                choice: &mut self.tolerance,
            },
            Entry {
                name: "platform-interval",
                about: "whose requests powercfg counts as the platform's interval",
                evidence: &["grc-powercfg", "grc2-c2"],
                choice: &mut self.platform_interval,
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::versions::{VERSIONS, WINDOWS_7, WINDOWS_11, WINDOWS_XP};

    #[test]
    fn every_value_of_every_rule_can_be_set_and_read_back() {
        for rule in WINDOWS_XP.iter() {
            for value in rule.values {
                let mut rules = WINDOWS_XP;
                rules.set(rule.name, value).unwrap();
                let read = rules.iter().find(|found| found.name == rule.name).unwrap();
                assert_eq!(read.value, *value);
            }
        }
    }

    #[test]
    fn every_value_is_some_versions_own_or_a_hypothesis() {
        for rule in WINDOWS_XP.iter() {
            let used = |value: &str| {
                let mut versions = VERSIONS.iter().flat_map(|version| version.rules.iter());
                versions.any(|found| found.name == rule.name && found.value == value)
            };
            let switch = ["due-time", "idle-expiry", "timer-queue-class"].contains(&rule.name);
            let searched = rule.name.starts_with("hr-");
            assert!(
                switch || searched || rule.values.iter().all(|value| used(value)),
                "{}",
                rule.name
            );
        }
    }

    #[test]
    fn differences_say_both_values_and_are_none_to_oneself() {
        let mut differences = WINDOWS_7.differences(&WINDOWS_XP);
        assert_eq!(
            differences.next(),
            Some(("lattice", "at-request", "powers-of-two"))
        );
        assert_eq!(WINDOWS_11.differences(&WINDOWS_11).count(), 0);
    }

    #[test]
    fn an_error_lists_what_there_is() {
        let mut rules = WINDOWS_7;
        let error = rules.set("due", "coarse").unwrap_err();
        assert!(
            error.contains("\"due\"") && error.contains("due-time, request-reach"),
            "{error}"
        );
        let error = rules.set("rearm", "never").unwrap_err();
        assert_eq!(
            error,
            "the rule rearm is from-tick or schedule, not \"never\""
        );
        assert_eq!(rules, WINDOWS_7);
    }
}
