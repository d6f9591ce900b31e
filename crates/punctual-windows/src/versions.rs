//! One constant per version of Windows, each written as what changed since the one before.

use super::choices::{
    DueTime, GlobalKey, HighResolution, HighResolutionDue, HighResolutionEnd, HighResolutionFirst,
    HighResolutionNext, HighResolutionPeriod, HighResolutionTicks, IdleExpiry, KernelRequests,
    Lattice, Occlusion, PlatformInterval, Rearm, RequestReach, Throttling, TimerQueueClass,
    TimerQueueExtra, Tolerance,
};
use super::rules::Rules;
use alloc::format;
use alloc::string::String;

/// Windows XP.
pub const WINDOWS_XP: Rules = Rules {
    lattice: Lattice::PowersOfTwo,
    due_time: DueTime::Coarse,
    request_reach: RequestReach::Machine,
    idle_expiry: IdleExpiry::FreeRun,
    timer_queue_class: TimerQueueClass::Process,
    kernel_requests: KernelRequests::IntervalOnly,
    global_key: GlobalKey::Ignored,
    occlusion: Occlusion::Ignored,
    throttling: Throttling::Unknown,
    rearm: Rearm::FromTick,
    timer_queue_extra: TimerQueueExtra::Millisecond,
    high_resolution: HighResolution::Absent,
    hr_end: HighResolutionEnd::Interrupts,
    hr_due: HighResolutionDue::Call,
    hr_first: HighResolutionFirst::Steps,
    hr_next: HighResolutionNext::StepsUnlessLate,
    hr_ticks: HighResolutionTicks::Restarted,
    hr_period: HighResolutionPeriod::Look,
    tolerance: Tolerance::Absent,
    platform_interval: PlatformInterval::AllRequests,
};

/// Windows 7: free intervals, periodic timers on a schedule, tolerable delays.
pub const WINDOWS_7: Rules = Rules {
    lattice: Lattice::AtRequest,
    rearm: Rearm::Schedule,
    timer_queue_extra: TimerQueueExtra::None,
    tolerance: Tolerance::Any,
    ..WINDOWS_XP
};

/// Windows 8 and 8.1: tolerable delays in steps.
pub const WINDOWS_8: Rules = Rules {
    tolerance: Tolerance::Steps,
    ..WINDOWS_7
};

/// Windows 10 before version 2004: intervals a hair below the request, high-resolution timers.
pub const WINDOWS_10_1909: Rules = Rules {
    lattice: Lattice::WholeQuanta,
    high_resolution: HighResolution::Present,
    ..WINDOWS_8
};

/// Windows 10 from version 2004 on: a request reaches its own process only.
pub const WINDOWS_10_2004: Rules = Rules {
    request_reach: RequestReach::Process,
    timer_queue_class: TimerQueueClass::Other,
    kernel_requests: KernelRequests::Everyone,
    platform_interval: PlatformInterval::KernelRequests,
    ..WINDOWS_10_1909
};

/// Windows 11: requests of hidden and silent processes do not count.
pub const WINDOWS_11: Rules = Rules {
    global_key: GlobalKey::Honoured,
    occlusion: Occlusion::Withdraws,
    throttling: Throttling::Known,
    ..WINDOWS_10_2004
};

/// A version of Windows by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// What it is called on the command line.
    pub name: &'static str,
    /// How it ends timed waits.
    pub rules: Rules,
}

const fn version(name: &'static str, rules: Rules) -> Version {
    Version { name, rules }
}

/// All versions, oldest first.
pub const VERSIONS: [Version; 6] = [
    version("windows-xp", WINDOWS_XP),
    version("windows-7", WINDOWS_7),
    version("windows-8", WINDOWS_8),
    version("windows-10-1909", WINDOWS_10_1909),
    version("windows-10-2004", WINDOWS_10_2004),
    version("windows-11", WINDOWS_11),
];

impl Version {
    /// The version of that name.
    ///
    /// # Errors
    /// If there is none; the message lists all.
    ///
    /// ```
    /// use punctual_windows::{Version, WINDOWS_XP};
    ///
    /// assert_eq!(Version::named("windows-xp")?.rules, WINDOWS_XP);
    /// assert!(Version::named("windows-95").unwrap_err().contains("windows-xp, windows-7"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn named(name: &str) -> Result<Self, String> {
        let found = VERSIONS.into_iter().find(|version| version.name == name);
        found.ok_or_else(|| {
            let names = VERSIONS.map(|version| version.name).join(", ");
            format!("there is no machine '{name}'; there are {names}")
        })
    }
}
