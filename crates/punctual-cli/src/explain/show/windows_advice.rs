//! What to do about each cause that matters, on Windows.

use punctual_trace::Cause;
use punctual_trace::report::CauseRow;

pub(super) fn advice(row: &CauseRow) -> String {
    let who = &row.who;
    match row.cause {
        Cause::ArmedLate => "the program was still busy when its deadline came, or had no \
             processor. Work less per period, or lengthen it (--period)"
            .to_owned(),
        Cause::AskedLate => {
            "the call was asked to wait past the deadline: Sleep and its like take \
             whole milliseconds and are rounded up. A waitable timer or NtDelayExecution take \
             units of 100 ns"
                .to_owned()
        }
        Cause::Slack => "Windows ends waits at ticks of its timer interrupt, and the next that \
             counts for this process came so much later. A high-resolution timer is not bound to \
             them (--method high-res); or the process itself asks for a shorter interval \
             (--request 1ms)"
            .to_owned(),
        Cause::InterruptLate => format!(
            "{who} had the processor when the timer interrupt was due. Interrupts wait for each \
             other: a driver that takes long in one delays them all"
        ),
        Cause::Handler => format!(
            "the timer interrupt had come, and {who} had its processor until the thread was ready. \
             Timers expire in a DPC, which waits for interrupts and for the DPCs before it: look \
             at the driver that takes longest"
        ),
        Cause::Thread | Cause::GivingWay => format!(
            "{who} had the processor, and is as urgent or more so. Raise the thread's priority \
             (--priority high), or ask MMCSS for it"
        ),
        Cause::Interrupt | Cause::Deferred => format!(
            "{who} had the processor, and no thread is more urgent than that. Look at the driver \
             it belongs to, or keep the thread on another processor (--pin)"
        ),
        Cause::IdleExit => "ready, on a processor that was idle and had to wake first".to_owned(),
        Cause::Migration => "the thread was moved to another processor while it was ready. Keep \
             it on one (--pin)"
            .to_owned(),
        Cause::AfterSwitch => "the thread had the processor and had not read the clock yet: the \
             switch itself, the way back from the kernel, or a spin"
            .to_owned(),
        Cause::Merged => "a switch between threads is missing from the trace: waiting for the \
             processor and having it are one part"
            .to_owned(),
    }
}
