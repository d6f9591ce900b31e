//! The ways of waiting.

use crate::failure::Failure;
use crate::os::waits::{self, Epoll, TimerFile};
use crate::truth::condition::Method;
use std::net::UdpSocket;
use std::os::fd::AsFd;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// One way, with what it needs.
pub enum Waiter {
    SleepUntil,
    SleepFor,
    TimerFile(TimerFile),
    EpollOfTimer(Epoll, TimerFile),
    Epoll(Epoll),
    EpollPrecise(Epoll),
    Poll,
    Ppoll,
    Select,
    Futex,
    Condvar(Mutex<()>, Condvar),
    Socket(UdpSocket),
}

impl Waiter {
    pub fn new(method: Method) -> Result<Self, Failure> {
        Ok(match method {
            Method::SleepUntil => Self::SleepUntil,
            Method::SleepFor => Self::SleepFor,
            Method::TimerFile => Self::TimerFile(TimerFile::new()?),
            Method::EpollOfTimer => {
                let timer = TimerFile::new()?;
                Self::EpollOfTimer(Epoll::new(Some(timer.0.as_fd()))?, timer)
            }
            Method::Epoll => Self::Epoll(Epoll::new(None)?),
            Method::EpollPrecise => Self::EpollPrecise(Epoll::new(None)?),
            Method::Poll => Self::Poll,
            Method::Ppoll => Self::Ppoll,
            Method::Select => Self::Select,
            Method::Futex => Self::Futex,
            Method::Condvar => Self::Condvar(Mutex::new(()), Condvar::new()),
            Method::Socket => Self::Socket(UdpSocket::bind("127.0.0.1:0")?),
        })
    }

    /// Waits until an instant, or for as long as is left until then.
    pub fn until(&self, instant: u64) {
        // What takes whole milliseconds gets them.
        let left = instant.saturating_sub(waits::now()).max(1);
        let rounded = left.next_multiple_of(1_000_000);
        match self {
            Self::SleepUntil => waits::sleep_until(instant),
            Self::SleepFor => waits::sleep_for(left),
            Self::TimerFile(timer) => {
                timer.set(instant);
                timer.wait();
            }
            Self::EpollOfTimer(epoll, timer) => {
                timer.set(instant);
                epoll.wait(None);
                timer.wait();
            }
            Self::Epoll(epoll) => drop(epoll.wait(Some(rounded))),
            Self::EpollPrecise(epoll) => epoll.wait_precisely(left),
            Self::Poll => waits::poll_for(rounded),
            Self::Ppoll => waits::ppoll_for(left),
            Self::Select => waits::select_for(left),
            Self::Futex => waits::futex_until(instant),
            Self::Condvar(lock, bell) => {
                if let Ok(held) = lock.lock() {
                    // Nobody rings.
                    drop(bell.wait_timeout(held, Duration::from_nanos(left)));
                }
            }
            Self::Socket(socket) => {
                let timeout = Some(Duration::from_nanos(left));
                if socket.set_read_timeout(timeout).is_ok() {
                    // Nobody sends.
                    let _ = socket.recv(&mut [0]);
                }
            }
        }
    }
}
