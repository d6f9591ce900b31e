//! Advice for each important cause, on Windows.

use crate::Cause;
use crate::report::{CauseRow, named};
use punctual_data::quantity::nanos;

pub(super) fn advice(row: &CauseRow) -> String {
    let occupant = &named(&row.occupant, row.priority.as_ref());
    match row.cause {
        Cause::ArmedLate => "the program was still busy at its deadline, or had no processor. Do \
                             less work in a period, or make the period longer (--period)"
            .to_owned(),
        Cause::AskedLate => {
            "the call was asked to wait past the deadline. Sleep and its like take whole \
             milliseconds, rounded up. A waitable timer or NtDelayExecution take units of 100 ns"
                .to_owned()
        }
        Cause::Slack => "Windows ends waits at ticks of its timer interrupt. The next tick that \
                         counts for this process came this much later. Use a high-resolution \
                         timer, which does not wait for ticks (--method high-res), or ask for a \
                         shorter interval (--request 1ms)"
            .to_owned(),
        Cause::InterruptLate => format!(
            "{occupant} had the processor when the timer interrupt was due. Interrupts wait for each \
             other, so a driver that takes long in one delays them all"
        ),
        Cause::IrqHandler => format!(
            "the timer interrupt had come, and {occupant} had its processor until the thread was ready. \
             Timers expire in a DPC, which waits for interrupts and for earlier DPCs. Look at the \
             driver that takes longest"
        ),
        Cause::RunQueueWait
        | Cause::Preempted
        | Cause::SliceExpired
        | Cause::PickedAnother
        | Cause::WakeUpPreemptionDelay => format!(
            "{occupant} had the processor, and its priority was as high or higher. Raise the thread's \
             priority (--priority high), or ask MMCSS to"
        ),
        Cause::Interrupt | Cause::Softirq => format!(
            "{occupant} had the processor, and comes before every thread. Look at its driver, or keep \
             the thread on another processor (--pin)"
        ),
        Cause::IdleExit => {
            "the thread was ready, and its idle processor had to wake up first".to_owned()
        }
        Cause::Migration => "the thread was moved to another processor while it was ready. Keep \
             it on one (--pin)"
            .to_owned(),
        Cause::Throttled => format!(
            "its job had used up its rate of processor time, once for {}. Raise the job's rate \
             (SetInformationJobObject), or the container's",
            nanos(row.longest_ns)
        ),
        Cause::Stopped => "the thread was suspended, by a debugger or another program".to_owned(),
        Cause::Blocked => "the thread waited within the kernel, most likely for a page of its \
                           memory. Lock what it needs (VirtualLock), and leave files to another \
                           thread"
            .to_owned(),
        Cause::Lock => "the thread waited for a lock that another thread had. Hold it for \
                        shorter, or share less"
            .to_owned(),
        Cause::Sleeping => "after its timer, the thread waited for something else, such as input \
                            or another thread. That is the program's own doing"
            .to_owned(),
        Cause::AfterSwitch => "the thread had the processor and had not yet read the clock. This \
                               is the switch, the return from the kernel, or a spin"
            .to_owned(),
        Cause::Ambiguous => "a switch between threads is missing from the trace. Waiting for the \
                          processor and having it are shown as one part"
            .to_owned(),
    }
}
