//! The possible values of each rule.

/// One rule's value, whatever its type: what a table shows and a flag sets.
pub(super) trait Choice {
    /// The name of the value it has.
    fn name(&self) -> &'static str;

    /// The names of all values it can have.
    fn names(&self) -> &'static [&'static str];

    /// Gives it the value of that name; `false` if there is none.
    fn choose(&mut self, name: &str) -> bool;
}

/// Declares an enumeration whose values have names, in one place.
macro_rules! choice {
    (
        $(#[$about:meta])*
        pub enum $type:ident { $( $(#[$says:meta])* $variant:ident = $name:literal, )+ }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type { $(
            #[doc = concat!("`", $name, "`: ")]
            $(#[$says])*
            $variant,
        )+ }

        impl $crate::choices::Choice for $type {
            fn name(&self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            fn names(&self) -> &'static [&'static str] {
                &[ $( $name ),+ ]
            }

            fn choose(&mut self, name: &str) -> bool {
                *self = match name {
                    $( $name => Self::$variant, )+
                    _ => return false,
                };
                true
            }
        }
    };
}

choice! {
    /// C2: the intervals at which the hardware can tick under a request. Without one, it keeps the
    /// interval with which the machine started. The hardware decides as much as the version, so a
    /// version has the lattice of most machines in its time.
    pub enum Lattice {
        /// The largest 0.9765625 ms · 2^k not above the request, and at least 0.9765625 ms: the
        /// rates of the real-time clock's periodic interrupt, 1024 Hz downwards.
        PowersOfTwo = "powers-of-two",
        /// The request itself, or a hair above: see
        /// [`overshoot`](super::MachineParameters::overshoot).
        AtRequest = "at-request",
        /// The most whole [`quantum`](super::MachineParameters::quantum)s that fit the request,
        /// hence the request or a hair below.
        WholeQuanta = "whole-quanta",
    }
}

choice! {
    /// C3: the moment from which a relative wait counts.
    pub enum DueTime {
        /// The last tick. A wait can end up to a tick early.
        Coarse = "coarse",
        /// The call itself.
        Precise = "precise",
    }
}

choice! {
    /// C5: the waits that a process's request shortens.
    pub enum RequestReach {
        /// Everybody's: every tick may end every wait.
        Machine = "machine",
        /// Its own. All other waits on the machine form one class, which expires about once per
        /// default interval.
        Process = "process",
    }
}

choice! {
    /// C5: whether the class of other waits counts as expired at a tick when none of them was due.
    pub enum IdleExpiry {
        /// It does: the class has a rhythm of its own.
        FreeRun = "free-run",
        /// It does not: the next due wait ends at its first tick once the interval has passed.
        Hold = "hold",
    }
}

choice! {
    /// C5: the class that a timer-queue timer belongs to.
    pub enum TimerQueueClass {
        /// That of its process, like a sleep.
        Process = "process",
        /// Always the class of other waits, whatever its process asked for.
        Other = "other",
    }
}

choice! {
    /// C6: what a driver's request does in addition to shortening the interval.
    pub enum KernelRequests {
        /// Nothing.
        IntervalOnly = "interval-only",
        /// It takes the default interval's place for the class of other waits, so that everybody's
        /// sleeps shorten.
        Everyone = "everyone",
    }
}

choice! {
    /// C7: what the registry's `GlobalTimerResolutionRequests` does.
    pub enum GlobalKey {
        /// Nothing.
        Ignored = "ignored",
        /// It brings back [`RequestReach::Machine`].
        Honoured = "honoured",
    }
}

choice! {
    /// C7: what happens to the requests of a hidden and silent process.
    pub enum Occlusion {
        /// They stay in force.
        Ignored = "ignored",
        /// They do not count, unless the process has asked to have them honoured.
        Withdraws = "withdraws",
    }
}

choice! {
    /// C7: whether `SetProcessInformation` knows `IGNORE_TIMER_RESOLUTION`.
    pub enum Throttling {
        /// It does not, and answers error 87, invalid parameter.
        Unknown = "unknown",
        /// It does.
        Known = "known",
    }
}

choice! {
    /// C8: the start of a periodic timer's next period.
    pub enum Rearm {
        /// From the tick at which it fired: every period is lengthened to whole ticks.
        FromTick = "from-tick",
        /// From its schedule: no period is lost, and those that fall due by one tick fire in it
        /// back to back.
        Schedule = "schedule",
    }
}

choice! {
    /// C8: the time that a timer queue adds to its timers' periods.
    pub enum TimerQueueExtra {
        /// Nothing.
        None = "none",
        /// A millisecond.
        Millisecond = "millisecond",
    }
}

choice! {
    /// C9: high-resolution waitable timers.
    pub enum HighResolution {
        /// There are none; to ask for one is an invalid parameter.
        Absent = "absent",
        /// There are.
        Present = "present",
    }
}

choice! {
    /// C9: what ends waits on high-resolution timers.
    pub enum HighResolutionEnd {
        /// Interrupts of their own beside the ticks.
        Interrupts = "interrupts",
        /// Ticks, as the other waits of their process (C5).
        Ticks = "ticks",
    }
}

choice! {
    /// C9: the moment from which a relative due time counts.
    pub enum HighResolutionDue {
        /// The call.
        Call = "call",
        /// The last tick.
        Tick = "tick",
    }
}

choice! {
    /// C9: the interrupt that a timer is given when it is set, if it comes before the next tick.
    pub enum HighResolutionFirst {
        /// After as many smallest intervals as cover the wait.
        Steps = "steps",
        /// The same, but counted from the last tick instead of the call. An interrupt that comes before it is due then finds
        /// it so only if it looks late enough.
        StepsFromTick = "steps-from-tick",
        /// After one smallest interval.
        Step = "step",
        /// When it is due.
        Due = "due",
        /// None: the next tick looks at it.
        Tick = "tick",
    }
}

choice! {
    /// C9: the interrupt that follows one which found the timer not yet due, if it comes before the
    /// next tick.
    pub enum HighResolutionNext {
        /// After as many smallest intervals as cover what is left.
        Steps = "steps",
        /// The same, unless the timer becomes due while the interrupt still works. The next tick
        /// finds it then.
        StepsUnlessLate = "unless-late",
        /// When it is due.
        Due = "due",
        /// None: the next tick looks at it.
        Tick = "tick",
    }
}

choice! {
    /// C9: what an interrupt of a high-resolution timer does to the ticks.
    pub enum HighResolutionTicks {
        /// Nothing: they come when they were to come.
        Kept = "kept",
        /// It is a tick, and the next comes an interval after it.
        Restarted = "restarted",
    }
}

choice! {
    /// C9: the start of a periodic high-resolution timer's next period.
    pub enum HighResolutionPeriod {
        /// The moment at which an interrupt found it due, which is a little after the interrupt.
        Look = "look",
        /// The interrupt that found it due.
        Interrupt = "interrupt",
        /// The time at which it was due; periods that are over are skipped.
        Schedule = "schedule",
    }
}

choice! {
    /// C10: the tolerable delay of a waitable timer.
    pub enum Tolerance {
        /// There is none.
        Absent = "absent",
        /// As long as asked for.
        Any = "any",
        /// As long as asked for, in whole steps of 26.2144 ms.
        Steps = "steps",
    }
}

choice! {
    /// C13: the requests that `powercfg /energy` counts as the platform's timer resolution.
    pub enum PlatformInterval {
        /// Everybody's.
        AllRequests = "all-requests",
        /// Drivers' only.
        KernelRequests = "kernel-requests",
    }
}
