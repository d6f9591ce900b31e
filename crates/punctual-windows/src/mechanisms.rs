//! What Windows has to wait with, each once: its name, the call, how it repeats, and the first version that has it.

use crate::confidence::Call;

/// Something that Windows has to wait with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mechanism {
    /// Its name in flags, tables and recordings.
    pub name: &'static str,
    /// A description in one line, of at most 51 characters.
    pub summary: &'static str,
    /// The call that ends its waits, as far as rules tell calls apart.
    pub call: Call,
    /// When its waits end.
    pub ends: Ends,
    /// The first of the simulated versions that has it.
    pub since: &'static str,
}

/// When the waits of a mechanism end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ends {
    /// After a length that is asked for anew, from the call on.
    After,
    /// At a time of the system clock.
    At,
    /// Again and again: it is set once, with a period.
    Periodically,
}

impl Mechanism {
    /// The mechanism of this name.
    ///
    /// ```
    /// use punctual_windows::confidence::Call;
    /// use punctual_windows::mechanisms::Mechanism;
    ///
    /// let timer = Mechanism::named("high-res-cycle").unwrap();
    /// assert_eq!((timer.call, timer.since), (Call::HighResolution, "windows-10-1909"));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        MECHANISMS.into_iter().find(|known| known.name == name)
    }
}

const XP: &str = "windows-xp";
const V7: &str = "windows-7";
const V8: &str = "windows-8";
const V1909: &str = "windows-10-1909";

/// Declares each as a constant, and all of them in order.
macro_rules! mechanisms {
    ($count:literal: $($constant:ident = $name:literal, $call:ident, $ends:ident, $since:ident, $summary:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $summary, ".")]
            pub const $constant: Mechanism = Mechanism {
                name: $name,
                summary: $summary,
                call: Call::$call,
                ends: Ends::$ends,
                since: $since,
            };
        )+

        /// All of them: those that sleep, waitable timers, and timers with callbacks or messages.
        pub const MECHANISMS: [Mechanism; $count] = [$($constant),+];
    };
}

mechanisms! { 17:
    SLEEP = "sleep", Ordinary, After, XP, "Sleep, in whole milliseconds";
    WAIT_OBJECT = "wait-object", Ordinary, After, XP, "WaitForSingleObject on an event that is never set";
    WAIT_ON_ADDRESS = "wait-on-address", Ordinary, After, V8, "WaitOnAddress on a value that nothing changes";
    NT_DELAY = "nt-delay", Ordinary, After, XP, "NtDelayExecution, relative";
    WAITABLE = "waitable", Waitable, After, XP, "a waitable timer, set anew for each wait";
    WAITABLE_ABS = "waitable-abs", Waitable, At, XP, "a waitable timer set to a time of the system clock";
    WAITABLE_CYCLE = "waitable-cycle", Waitable, Periodically, XP, "a periodic waitable timer, in whole milliseconds";
    HIGH_RES = "high-res", HighResolution, After, V1909, "as waitable, with a high-resolution timer";
    HIGH_RES_ABS = "high-res-abs", HighResolution, At, V1909, "as waitable-abs, with a high-resolution timer";
    HIGH_RES_CYCLE = "high-res-cycle", HighResolution, Periodically, V1909, "as waitable-cycle, with a high-resolution timer";
    HIGH_RES_MMCSS = "high-res-mmcss", HighResolution, After, V1909, "high-res, in a thread with the MMCSS task Pro Audio";
    TIMER_QUEUE = "timer-queue", TimerQueue, Periodically, XP, "a periodic timer-queue timer that sets an event";
    POOL_TIMER = "pool-timer", Pool, Periodically, V7, "a periodic thread-pool timer that sets an event";
    TIME_SET_EVENT = "time-set-event", Multimedia, Periodically, XP, "a periodic multimedia timer; makes its own request";
    SET_TIMER = "set-timer", Message, Periodically, XP, "SetTimer and its messages; at least 10 ms";
    POOL_ONCE = "pool-once", Pool, After, V7, "a one-shot thread-pool timer that sets an event";
    QUEUE_ONCE = "queue-once", TimerQueue, After, XP, "a one-shot timer-queue timer that sets an event";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;

    #[test]
    fn each_fits_a_line_and_is_there_from_a_version_on() {
        for (place, one) in MECHANISMS.into_iter().enumerate() {
            assert!(one.summary.chars().count() <= 51, "{}", one.name);
            assert!(Version::named(one.since).is_ok(), "{}", one.since);
            let first = MECHANISMS.iter().position(|known| known.name == one.name);
            assert_eq!(first, Some(place), "{}", one.name);
        }
    }
}
