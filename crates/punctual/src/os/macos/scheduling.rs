//! The calling thread's class and its time constraint. Neither needs a privilege.

use super::ffi::{
    QOS_CLASS_DEFAULT, QOS_CLASS_UNSPECIFIED, QOS_CLASS_USER_INTERACTIVE, QosClass,
    pthread_get_qos_class_np, pthread_set_qos_class_self_np,
};
use super::{FoundAffinity, System};
use crate::Error;
use crate::os::scheduling::{check_processors, no_fifo, no_slice};
use crate::os::{Priority, Scheduling};
use std::convert::Infallible;
use std::ffi::c_int;
use std::io;
use std::time::Duration;

/// How much a real-time thread computes at a time, and within how long it must have: the figures of
/// Apple's technical note on high-precision timers. A thread that computes for longer falls back.
///
/// <https://developer.apple.com/library/archive/technotes/tn2169/_index.html>
const COMPUTATION: Duration = Duration::from_millis(5);
const CONSTRAINT: Duration = Duration::from_millis(10);

/// Neither needs a privilege there.
const INSTEAD_OF_A_SLICE: &str = "raise the thread's priority, which needs no privilege";

/// A thread's scheduling as it was before it was raised.
#[derive(Debug)]
pub struct FoundPriority {
    class: QosClass,
    relative_priority: c_int,
    /// The scheduling policy to go back to, where that was changed. Setting one takes a thread out
    /// of its class, so it is not touched for the class's sake.
    policy: Option<Policy>,
}

/// A thread's scheduling policy.
#[derive(Debug, Clone, Copy)]
pub(super) enum Policy {
    /// The ordinary one.
    Standard,
    /// A time constraint, in counts of `mach_absolute_time`.
    TimeConstraint(Constraint),
}

/// `thread_time_constraint_policy` of `mach/thread_policy.h`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Constraint {
    period: u32,
    computation: u32,
    constraint: u32,
    preemptible: bool,
}

impl Scheduling for System {
    type Priority = FoundPriority;
    type Affinity = FoundAffinity;
    type Slice = Infallible;

    /// High is the class `USER_INTERACTIVE`; real-time is a time constraint of 5 ms of work within
    /// 10 ms.
    fn raise_priority(&self, priority: Priority) -> Result<FoundPriority, Error> {
        let (class, relative_priority) = found_class()?;
        let policy = match priority {
            Priority::High => {
                set_class(QOS_CLASS_USER_INTERACTIVE, 0)?;
                None
            }
            Priority::Realtime => {
                let found = found_policy()?;
                let counts = |duration| {
                    u32::try_from(self.clock.counts_within(duration)).unwrap_or(u32::MAX)
                };
                set_policy(Policy::TimeConstraint(Constraint {
                    period: 0,
                    computation: counts(COMPUTATION),
                    constraint: counts(CONSTRAINT),
                    preemptible: true,
                }))?;
                Some(found)
            }
            Priority::Fifo(_) => return Err(no_fifo("macOS")),
        };
        Ok(FoundPriority {
            class,
            relative_priority,
            policy,
        })
    }

    // What was found was permitted, so there is no failure to report.
    fn restore_priority(&self, found: &FoundPriority) {
        if let Some(policy) = found.policy {
            let _ = set_policy(policy);
        }
        // A thread without a class cannot be given none again: the default one is what it means.
        let class = match found.class {
            QOS_CLASS_UNSPECIFIED => QOS_CLASS_DEFAULT,
            class => class,
        };
        let _ = set_class(class, found.relative_priority);
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn pin(&self, processors: &[usize]) -> Result<FoundAffinity, Error> {
        check_processors(processors)?;
        Err(Error::unsupported(
            "macOS lets no program choose a thread's processor; raise its priority instead",
        ))
    }

    fn restore_affinity(&self, found: &FoundAffinity) {
        match *found {}
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn slice(&self) -> Result<Duration, Error> {
        Err(no_slice("macOS", INSTEAD_OF_A_SLICE))
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn set_slice(&self, _: Duration) -> Result<Infallible, Error> {
        Err(no_slice("macOS", INSTEAD_OF_A_SLICE))
    }

    fn restore_slice(&self, found: &Infallible) {
        match *found {}
    }

    /// # Errors
    /// [Unsupported](Error::is_unsupported), always.
    fn lock_memory(&self) -> Result<(), Error> {
        Err(Error::unsupported(
            "macOS locks no process's memory as a whole; call mlock for the memory that matters",
        ))
    }

    fn unlock_memory(&self) {}
}

pub(super) fn found_class() -> Result<(QosClass, c_int), Error> {
    let (mut class, mut relative_priority) = (QOS_CLASS_UNSPECIFIED, 0);
    // SAFETY: always succeeds.
    let own = unsafe { libc::pthread_self() };
    // SAFETY: the thread is the calling one; both results are valid for writing.
    let result =
        unsafe { pthread_get_qos_class_np(own, &raw mut class, &raw mut relative_priority) };
    match result {
        0 => Ok((class, relative_priority)),
        error => Err(refused("to tell the thread's class", error)
            .because_of(io::Error::from_raw_os_error(error))),
    }
}

fn set_class(class: QosClass, relative_priority: c_int) -> Result<(), Error> {
    match pthread_set_qos_class_self_np(class, relative_priority) {
        0 => Ok(()),
        // A thread whose policy or priority was set by other means has left the classes for good.
        libc::EPERM => Err(Error::not_permitted(
            "the system refuses a class to a thread whose scheduling was set by other means; \
             raise the priority of another thread",
        )
        .because_of(io::Error::from_raw_os_error(libc::EPERM))),
        error => Err(refused("the class", error).because_of(io::Error::from_raw_os_error(error))),
    }
}

fn refused(what: &str, code: c_int) -> Error {
    Error::system(format!("the scheduler refuses {what} (code {code})"))
}

/// The calling thread's port; it is the thread's own and need not be given back.
fn own_port() -> libc::mach_port_t {
    // SAFETY: always succeeds.
    let own = unsafe { libc::pthread_self() };
    // SAFETY: the thread is the calling one.
    unsafe { libc::pthread_mach_thread_np(own) }
}

/// <https://developer.apple.com/documentation/kernel/1418892-thread_policy_get>
pub(super) fn found_policy() -> Result<Policy, Error> {
    let mut policy = libc::thread_time_constraint_policy {
        period: 0,
        computation: 0,
        constraint: 0,
        preemptible: 0,
    };
    let mut count = libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT;
    // False asks for the thread's own; the answer is true if it has none.
    let mut is_default = 0;
    // SAFETY: the policy is as long as the count says; all three are valid for writing.
    let result = unsafe {
        libc::thread_policy_get(
            own_port(),
            flavor(libc::THREAD_TIME_CONSTRAINT_POLICY),
            (&raw mut policy).cast(),
            &raw mut count,
            &raw mut is_default,
        )
    };
    if result != libc::KERN_SUCCESS {
        return Err(refused("to tell the thread's policy", result));
    }
    Ok(match is_default {
        0 => Policy::TimeConstraint(Constraint {
            period: policy.period,
            computation: policy.computation,
            constraint: policy.constraint,
            preemptible: policy.preemptible != 0,
        }),
        _ => Policy::Standard,
    })
}

/// <https://developer.apple.com/documentation/kernel/1418892-thread_policy_set>
fn set_policy(policy: Policy) -> Result<(), Error> {
    let Constraint {
        period,
        computation,
        constraint,
        preemptible,
    } = match policy {
        Policy::Standard => Constraint::default(),
        Policy::TimeConstraint(constraint) => constraint,
    };
    let mut information = libc::thread_time_constraint_policy {
        period,
        computation,
        constraint,
        preemptible: preemptible.into(),
    };
    let (flavor_number, count) = match policy {
        // It has no information: the count says so.
        Policy::Standard => (libc::THREAD_STANDARD_POLICY, 0),
        Policy::TimeConstraint(_) => (
            libc::THREAD_TIME_CONSTRAINT_POLICY,
            libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT,
        ),
    };
    // SAFETY: the information is valid for reading and as long as the count says.
    let result = unsafe {
        libc::thread_policy_set(
            own_port(),
            flavor(flavor_number),
            (&raw mut information).cast(),
            count,
        )
    };
    match result {
        libc::KERN_SUCCESS => Ok(()),
        code => Err(refused("the policy", code)),
    }
}

/// Flavors are small positive numbers that `libc` has as signed ones.
fn flavor(number: c_int) -> libc::thread_policy_flavor_t {
    libc::thread_policy_flavor_t::try_from(number).unwrap_or_default()
}
