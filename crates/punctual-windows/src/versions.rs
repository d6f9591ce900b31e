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

/// Windows Server 2022: the registry brings back requests that reach the whole machine. That is said in a comment on
/// "The Great Rule Change" (randomascii.wordpress.com).
pub const WINDOWS_SERVER_2022: Rules = Rules {
    global_key: GlobalKey::Honoured,
    ..WINDOWS_10_2004
};

/// Windows 11: requests of hidden and silent processes do not count.
pub const WINDOWS_11: Rules = Rules {
    occlusion: Occlusion::Withdraws,
    throttling: Throttling::Known,
    ..WINDOWS_SERVER_2022
};

/// A version of Windows by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// What it is called on the command line.
    pub name: &'static str,
    /// How it ends timed waits.
    pub rules: Rules,
    /// For whom it is made.
    pub edition: Edition,
}

/// For whom a Windows is made. It decides how long a thread runs before others of its priority have their turn
/// ("Windows Internals", on quantums).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// For people: two default intervals, without what is added for the window in front.
    Client,
    /// For services: twelve.
    Server,
}

impl Edition {
    /// How many default intervals a thread runs before others have their turn.
    pub fn quantum(self) -> u32 {
        match self {
            Self::Client => 2,
            Self::Server => 12,
        }
    }
}

const fn client(name: &'static str, rules: Rules) -> Version {
    let edition = Edition::Client;
    Version {
        name,
        rules,
        edition,
    }
}

const fn server(name: &'static str, rules: Rules) -> Version {
    let edition = Edition::Server;
    Version {
        name,
        rules,
        edition,
    }
}

/// All versions, oldest first.
pub const VERSIONS: [Version; 7] = [
    client("windows-xp", WINDOWS_XP),
    client("windows-7", WINDOWS_7),
    client("windows-8", WINDOWS_8),
    client("windows-10-1909", WINDOWS_10_1909),
    client("windows-10-2004", WINDOWS_10_2004),
    server("windows-server-2022", WINDOWS_SERVER_2022),
    client("windows-11", WINDOWS_11),
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

/// What tells a version from the others where there is little room: `2004` of `windows-10-2004`.
pub fn short(name: &str) -> &str {
    name.rsplit('-').next().unwrap_or(name)
}
