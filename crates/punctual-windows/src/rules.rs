//! The rules by which a version of Windows ends timed waits, as data.

use super::choices::{
    DueTime, GlobalKey, HighResolution, HighResolutionDue, HighResolutionEnd, HighResolutionFirst,
    HighResolutionNext, HighResolutionPeriod, HighResolutionTicks, IdleExpiry, KernelRequests,
    Lattice, Occlusion, PlatformInterval, Rearm, RequestReach, Throttling, TimerQueueClass,
    TimerQueueExtra, Tolerance,
};
use crate::choices::Choice;
use alloc::format;
use alloc::string::String;

/// Declares each rule once: its field and values, its name, what it decides in a line for people, and the cases of the
/// evidence that fix it.
macro_rules! rules {
    (
        $(#[$about:meta])*
        pub struct $rules:ident { $(
            $(#[$says:meta])*
            pub $field:ident: $type:ident = $name:literal, $decides:literal, [$($case:literal),*];
        )+ }
    ) => {
        $(#[$about])*
        pub struct $rules { $( $(#[$says])* pub $field: $type, )+ }

        impl $rules {
            fn entries(&mut self) -> [Entry<'_>; [$($name),+].len()] {
                [$( Entry {
                    name: $name,
                    about: $decides,
                    evidence: &[$($case),*],
                    choice: &mut self.$field,
                } ),+]
            }
        }
    };
}

rules! {
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
        pub lattice: Lattice = "lattice", "the intervals at which the hardware can tick, as it mostly is in the version's time",
            ["vd-xp-queue-47-raised", "svi-xp-1", "svi-7-1", "grc-1909-1"];
        /// C3. *Measured* on 7, where svi-7-busy cannot come out otherwise; *inferred* for XP and 8.
        /// From 10 on the evidence disagrees, and most of it is for `coarse`: early-250, early-1000 and
        /// early-4 are waits that end early (*measured*, on versions that are ours), and doc-sleep
        /// *documents* them; doc-sleep-ex denies them. grc-2004-8 comes out with either.
        pub due_time: DueTime = "due-time", "when a wait starts to count: at the last tick, or at the call",
            ["svi-7-busy", "early-250", "early-1000", "early-4", "doc-sleep"];
        /// C5. *Measured*: grc-1909-self before, grc-2004-2 after the change of version 2004.
        pub request_reach: RequestReach = "request-reach", "which waits a process's request shortens: all, or only its own",
            ["grc-1909-self", "grc-2004-2", "grc-2004-own"];
        /// C5. A switch: nobody has published what tells its values apart. `Sleep(20)` under another
        /// process's request for 1 ms would: it takes 32 ms or 21. `free-run` is *inferred*, since
        /// nothing would have to be remembered about idle stretches.
        pub idle_expiry: IdleExpiry = "idle-expiry", "whether the class of other waits counts as expired when none was due",
            [];
        /// C5. A switch: *measured* by one reader of GRC (grc-queue-2004).
        pub timer_queue_class: TimerQueueClass = "timer-queue-class", "which class of waits a timer-queue timer belongs to",
            ["grc-queue-2004"];
        /// C6. *Measured* by one reader of GRC (grcc-driver).
        pub kernel_requests: KernelRequests = "kernel-requests", "whether a driver's request shortens everybody's sleeps, too",
            ["grcc-driver"];
        /// C7. *Documented*, and *measured* to have no effect on 10 (grc-key).
        pub global_key: GlobalKey = "global-key", "whether the registry's GlobalTimerResolutionRequests does anything",
            ["grc-key"];
        /// C7. *Documented* (doc-occluded).
        pub occlusion: Occlusion = "occlusion", "what happens to the requests of a hidden and silent process",
            ["doc-occluded"];
        /// C7. *Documented* as new in Windows 11 (doc-ignore-timer-resolution).
        pub throttling: Throttling = "throttling", "whether SetProcessInformation knows IGNORE_TIMER_RESOLUTION",
            ["doc-ignore-timer-resolution"];
        /// C8. *Measured* for timer queues (vd-xp-queue-100, vd-win7-queue-50), and for waitable timers
        /// on XP (vd-xp-waitable-periodic); *inferred* for waitable timers from 7 on.
        pub rearm: Rearm = "rearm", "the start of a periodic timer's next period",
            ["vd-xp-queue-100", "vd-xp-waitable-periodic", "vd-win7-queue-50"];
        /// C8. *Inferred* from vd-xp-queue-47-raised, whose 48.8 ms are a tick too long for 47.
        pub timer_queue_extra: TimerQueueExtra = "timer-queue-extra", "the time that a timer queue adds to its timers' periods",
            ["vd-xp-queue-47-raised"];
        /// C9. *Documented* as new in version 1803; measured in the sil cases.
        pub high_resolution: HighResolution = "high-resolution", "whether there are high-resolution waitable timers",
            ["sil-period-quiet"];
        /// C9. *Measured* (sil-period-quiet), and contradicted by one remark (grc2-hr).
        pub hr_end: HighResolutionEnd = "hr-end", "what ends waits on high-resolution timers",
            ["sil-period-quiet"];
        /// C9. *Measured* (sil-due-half).
        pub hr_due: HighResolutionDue = "hr-due", "when a high-resolution timer starts to count",
            ["sil-due-half"];
        /// C9. *Measured* (sil-due-half, sil-due-raised).
        pub hr_first: HighResolutionFirst = "hr-first", "the first interrupt that looks at a high-resolution timer",
            ["sil-due-half", "sil-due-raised"];
        /// C9. *Measured* (sil-period-raised, hr-avg-1ms): nothing else gives 1.5 and 2.0 in one loop.
        pub hr_next: HighResolutionNext = "hr-next", "the interrupt after one that found such a timer not yet due",
            ["sil-period-raised", "hr-avg-1ms"];
        /// C9. *Measured* (sil-due-early), and contradicted: sil-due-quiet's few long iterations want
        /// `kept`. hr-half fails either way, by 0.05 with `restarted` and by 0.35 with `kept`.
        pub hr_ticks: HighResolutionTicks = "hr-ticks", "what an interrupt of such a timer does to the ticks",
            ["sil-due-early"];
        /// C9. *Measured* (sil-period-nt).
        pub hr_period: HighResolutionPeriod = "hr-period", "the start of such a timer's next period",
            ["sil-period-nt"];
        /// C10. *Documented* as new in 7; the steps are *documented* from 8 on. No measurement known.
        pub tolerance: Tolerance = "tolerance", "the tolerable delay that a waitable timer can have",
            [];
        /// C13. *Measured* from 2004 on (grc-powercfg), and before by one reader of GRC (grc2-c2).
        pub platform_interval: PlatformInterval = "platform-interval", "whose requests powercfg counts as the platform's interval",
            ["grc-powercfg", "grc2-c2"];
    }
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
