//! Advice for each important cause, on Linux.

use super::{Facts, turns};
use crate::Cause;
use crate::report::{CauseRow, named};
use punctual_data::quantity::nanos;

/// A switch of threads takes less time than this. If it takes longer, the kernel does not preempt.
const LONGEST_SWITCH_NS: u64 = 20_000;

/// Handlers take microseconds, rarely a few hundred.
const LONGEST_HANDLER_NS: u64 = 1_000_000;

/// The deepest idle states of current processors take a few hundred microseconds to leave.
const LONGEST_IDLE_EXIT_NS: u64 = 1_000_000;

/// An interrupt comes sooner than this if nothing delays it, in a virtual machine, too.
const LONGEST_DELIVERY_NS: u64 = 20_000;

pub(super) fn advice(row: &CauseRow, facts: Facts<'_>) -> String {
    let slice_is_short = facts.slice_is_short;
    let occupant = &named(&row.occupant, row.priority.as_ref());
    match row.cause {
        Cause::ArmedLate => "the program was still busy at its deadline, or had no processor. Do \
                             less work in a period, or make the period longer (--period)"
            .to_owned(),
        Cause::AskedLate => "the remaining time was computed before the system used it. Wait for \
                             absolute deadlines (--method clock-nanosleep, futex or timerfd)"
            .to_owned(),
        Cause::Slack => slack(facts),
        Cause::InterruptLate if occupant == "idle" => idle(facts),
        Cause::InterruptLate if row.longest_ns < LONGEST_DELIVERY_NS => {
            "the timer interrupt took a few \
             microseconds to come, as timers do. Only a margin helps (--method punctual)"
                .to_owned()
        }
        Cause::InterruptLate => format!(
            "{occupant} had the processor when the timer interrupt was due. It had interrupts off, or \
             the hypervisor ran other machines. Keep the thread on a processor that has less to do (--pin)"
        ),
        Cause::IrqHandler | Cause::Interrupt | Cause::Softirq
            if row.longest_ns > LONGEST_HANDLER_NS =>
        {
            stopped(row, facts)
        }
        Cause::Interrupt | Cause::Softirq if row.max_ns > LONGEST_HANDLER_NS => format!(
            "{occupant} came so often that it took {} of one wake-up, though each time at most {}. Move \
             the device's interrupts to another processor (/proc/irq/*/smp_affinity), or the thread \
             (--pin)",
            nanos(row.max_ns),
            nanos(row.longest_ns)
        ),
        Cause::IrqHandler => "timers and wake-ups of one interrupt are handled one after \
                              the other. Use a processor with fewer timers (--pin)"
            .to_owned(),
        Cause::RunQueueWait | Cause::Preempted => turns::run_queue_wait(row, slice_is_short),
        Cause::SliceExpired => turns::slice_expired(row, slice_is_short),
        Cause::PickedAnother => turns::picked_another(row, slice_is_short),
        Cause::WakeUpPreemptionDelay if row.longest_ns > LONGEST_SWITCH_NS => format!(
            "{occupant} was asked to give way, and once took {} to do so. This kernel does not preempt \
             it there. Boot with preempt=full, or use another processor (--pin)",
            nanos(row.longest_ns)
        ),
        Cause::WakeUpPreemptionDelay => "a switch of threads. Nothing is wrong".to_owned(),
        Cause::Interrupt if occupant == "timer interrupt" => "the interrupt that made the \
                                                              thread ready had more to do, or \
                                                              the tick came. Nothing is wrong"
            .to_owned(),
        Cause::Interrupt | Cause::Softirq => format!(
            "{occupant} had the processor. Move that device's interrupts to another processor \
             (/proc/irq/*/smp_affinity), or the thread (--pin)"
        ),
        Cause::IdleExit if row.longest_ns > LONGEST_IDLE_EXIT_NS => no_idle_state(row, facts),
        Cause::IdleExit => "the thread was ready, and its processor had to wake up first. Shallow \
                            idle states, a real-time governor or a spin (--method punctual) \
                            shorten that"
            .to_owned(),
        Cause::Migration => "the thread was moved to another processor while it was ready. Keep \
             it on one (--pin)"
            .to_owned(),
        Cause::Throttled => format!(
            "its group had used up its quota of processor time, and the thread waited for the next \
             period, once for {}. Raise the quota (cpu.max, docker --cpus), make its period \
             shorter, or let other threads of the group do less",
            nanos(row.longest_ns)
        ),
        Cause::Stopped => "a signal (SIGSTOP, SIGTSTP) or a debugger had stopped the thread. \
                           Measure again without it"
            .to_owned(),
        Cause::Blocked => {
            "the thread waited within the kernel for a disk, memory or a lock there, \
                           and could not be interrupted. Lock its memory (mlockall), and leave \
                           files to another thread"
                .to_owned()
        }
        Cause::Lock => {
            "the thread waited for a lock that another thread had. Hold it for shorter, \
                        share less, or use a lock that lends its priority (PTHREAD_PRIO_INHERIT)"
                .to_owned()
        }
        Cause::Sleeping => "after its timer, the thread waited for something else, such as input \
                            or another thread. That is the program's own doing"
            .to_owned(),
        Cause::AfterSwitch => "the thread had the processor and had not yet read the clock. This \
                               is the return from the kernel, page faults, or a spin"
            .to_owned(),
        Cause::Ambiguous => format!(
            "{occupant} had the processor before, and the switch from it was not recorded. That happens \
             in virtual machines. Waking up and running are shown as one part, and a program may \
             have been less late than that"
        ),
    }
}

/// Advice for an interrupt that took so long that it cannot have run all the time.
fn stopped(row: &CauseRow, facts: Facts<'_>) -> String {
    let (occupant, longest) = (&row.occupant, nanos(row.longest_ns));
    match facts.hypervisor {
        Some(hypervisor) => format!(
            "{occupant} once took {longest} without a break. No handler needs that long; most likely \
             {hypervisor} ran other machines in the middle of it. Nothing inside this machine can help"
        ),
        None => format!(
            "{occupant} once took {longest} without a break. A driver does too much in its handler, or \
             firmware stopped the processor. Try without that device, or with newer firmware"
        ),
    }
}

/// Advice for an idle processor that took longer than idle states do.
fn no_idle_state(row: &CauseRow, facts: Facts<'_>) -> String {
    let longest = nanos(row.longest_ns);
    let most = format!("the thread was ready, and its processor stayed idle, once for {longest}");
    match facts.hypervisor {
        Some(hypervisor) => format!(
            "{most}. No idle state takes that long to leave; most likely {hypervisor} ran other machines"
        ),
        None => format!(
            "{most}. No idle state takes that long to leave; a quota of processor time or firmware does"
        ),
    }
}

fn slack(facts: Facts<'_>) -> String {
    let slack = match facts.timer_slack_ns {
        Some(slack) if slack > 0 => format!("timer slack of {}", nanos(slack)),
        _ => "the tolerance that the timer was armed with".to_owned(),
    };
    format!(
        "{slack}: the kernel may end the wait that much later. To avoid it, use \
         prctl(PR_SET_TIMERSLACK, 1), a real-time priority, timerfd, or punctual's Sleeper"
    )
}

fn idle(facts: Facts<'_>) -> String {
    let sleep = "the processor was idle when its timer interrupt was due, and took time to wake";
    match facts.hypervisor {
        Some(hypervisor) => format!(
            "{sleep}. Under {hypervisor} the host has to run it first. A margin helps (--method \
             punctual). Of the settings inside the machine, only keeping the processor busy does"
        ),
        None => format!(
            "{sleep}. Shallower idle states help (/dev/cpu_dma_latency), and so does a margin \
             (--method punctual)"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cause: Cause, occupant: &str, priority: Option<&str>, longest_ns: u64) -> CauseRow {
        CauseRow {
            cause,
            occupant: occupant.to_owned(),
            priority: priority.map(str::to_owned),
            wakeups: 1,
            runs: 4_738,
            total_ns: 32_500_000,
            max_ns: 32_500_000,
            longest_ns,
            share: 1.0,
        }
    }

    const GUEST: Facts<'static> = Facts {
        hypervisor: Some("KVM"),
        timer_slack_ns: None,
        slice_is_short: false,
    };

    /// 4738 runs of at most 78 µs in one wake-up are no pause of the machine.
    #[test]
    fn the_hypervisor_is_not_blamed_for_a_sum() {
        let of_many = row(Cause::Interrupt, "timer interrupt", None, 78_000);
        let said = advice(&of_many, GUEST);
        assert!(!said.contains("KVM"), "{said}");
        assert!(
            said.contains("32.5 ms") && said.contains("78.0 µs"),
            "{said}"
        );
        let of_one = row(Cause::Interrupt, "timer interrupt", None, 32_500_000);
        assert!(advice(&of_one, GUEST).contains("KVM"));
    }

    #[test]
    fn a_long_idle_exit_is_no_idle_state() {
        let of = |longest_ns| advice(&row(Cause::IdleExit, "idle", None, longest_ns), GUEST);
        assert!(of(46_000_000).contains("KVM"), "{}", of(46_000_000));
        assert!(of(200_000).contains("Shallow"), "{}", of(200_000));
    }
}
