//! What a call's result says of how its wait was over.

use super::abi::{self, error};
use crate::call::Call;

/// How a call came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    TimedOut,
    /// What it waited for came, or it failed.
    Event,
    /// By a signal or a stop: the kernel may repeat it.
    Interrupted,
}

/// Of what the call returned.
pub(crate) fn outcome(call: Call, result: i64) -> Outcome {
    if result == error::INTERRUPTED || error::RESTARTS.contains(&result) {
        return Outcome::Interrupted;
    }
    let at_timeout = match call {
        Call::RtSigtimedwait | Call::Semtimedop => error::AGAIN,
        Call::FutexWait
        | Call::FutexWaitBitset
        | Call::FutexLockPi
        | Call::FutexWaitRequeuePi
        | Call::FutexWaitv
        | Call::MqTimedsend
        | Call::MqTimedreceive => error::TIMED_OUT,
        _ => 0,
    };
    if result == at_timeout {
        Outcome::TimedOut
    } else {
        Outcome::Event
    }
}

/// Whether a call, when a signal that the program ignores comes, would fail only because a tracer is told of
/// every signal: it fails with `EINTR` for whatever wakes it, and without a tracer nothing would have.
pub(crate) fn fails_when_woken(number: u32) -> bool {
    matches!(
        number,
        abi::EPOLL_WAIT
            | abi::EPOLL_PWAIT
            | abi::EPOLL_PWAIT2
            | abi::SEMOP
            | abi::SEMTIMEDOP
            | abi::RT_SIGTIMEDWAIT
            | abi::IO_GETEVENTS
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_has_its_own_timeout() {
        assert_eq!(outcome(Call::Nanosleep, 0), Outcome::TimedOut);
        assert_eq!(outcome(Call::FutexWait, 0), Outcome::Event);
        assert_eq!(outcome(Call::FutexWait, -110), Outcome::TimedOut);
        assert_eq!(outcome(Call::FutexWait, -11), Outcome::Event);
        assert_eq!(outcome(Call::Semtimedop, -11), Outcome::TimedOut);
        assert_eq!(outcome(Call::Poll, 1), Outcome::Event);
        assert_eq!(outcome(Call::Poll, -9), Outcome::Event);
        for result in [-4, -512, -514, -516] {
            assert_eq!(outcome(Call::EpollWait, result), Outcome::Interrupted);
        }
    }
}
