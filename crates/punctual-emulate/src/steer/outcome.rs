//! What a call's result says of how its wait was over.

use super::abi::{self, error};
use crate::call::Call;
use crate::timer_policy::Over;

/// How the wait was over, by what the call returned. One that failed came to its event; one that a signal or a stop
/// interrupted, the kernel may repeat.
pub(crate) fn outcome(call: Call, result: i64) -> Over {
    if result == error::INTERRUPTED || error::RESTARTS.contains(&result) {
        return Over::Interrupted;
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
        Over::TimedOut
    } else {
        Over::Event
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
        assert_eq!(outcome(Call::Nanosleep, 0), Over::TimedOut);
        assert_eq!(outcome(Call::FutexWait, 0), Over::Event);
        assert_eq!(outcome(Call::FutexWait, -110), Over::TimedOut);
        assert_eq!(outcome(Call::FutexWait, -11), Over::Event);
        assert_eq!(outcome(Call::Semtimedop, -11), Over::TimedOut);
        assert_eq!(outcome(Call::Poll, 1), Over::Event);
        assert_eq!(outcome(Call::Poll, -9), Over::Event);
        for result in [-4, -512, -514, -516] {
            assert_eq!(outcome(Call::EpollWait, result), Over::Interrupted);
        }
    }
}
