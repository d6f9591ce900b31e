//! What to do about each cause that matters.

use super::{System, labelled, windows_advice};
use crate::show::nanos;
use punctual_lab::Environment;
use punctual_trace::report::CauseRow;
use punctual_trace::{Cause, Report};
use std::io::{self, Write};

/// A cause with less of the lateness than this is not worth a word.
const LEAST_SHARE: f64 = 0.02;

/// A switch of threads takes less; what takes longer is a kernel that does not preempt.
const LONGEST_SWITCH_NS: u64 = 20_000;

/// Handlers take microseconds, seldom a few hundred.
const LONGEST_HANDLER_NS: u64 = 1_000_000;

/// An interrupt that nobody holds up comes sooner, in a virtual machine, too.
const LONGEST_DELIVERY_NS: u64 = 20_000;

pub(super) fn write(
    out: &mut dyn Write,
    report: &Report,
    environment: &Environment,
    system: System,
) -> io::Result<()> {
    let mut advised = Vec::new();
    writeln!(out)?;
    for row in &report.causes {
        let kind = (
            row.cause,
            row.cause == Cause::InterruptLate && row.who == "idle",
        );
        if row.share < LEAST_SHARE || advised.contains(&kind) {
            continue;
        }
        advised.push(kind);
        let advice = match system {
            System::Linux => advice(row, environment),
            System::Windows => windows_advice::advice(row),
        };
        labelled(out, "why:", &format!("{}: {advice}", row.cause))?;
    }
    Ok(())
}

fn advice(row: &CauseRow, environment: &Environment) -> String {
    let who = &row.who;
    match row.cause {
        Cause::ArmedLate => "the program was still busy when its deadline came, or had no \
             processor. Work less per period, or lengthen it (--period)"
            .to_owned(),
        Cause::AskedLate => "what remained until the deadline was computed before the system used \
             it. Wait for absolute deadlines (--method clock-nanosleep, futex or timerfd)"
            .to_owned(),
        Cause::Slack => slack(environment),
        Cause::InterruptLate if who == "idle" => idle(environment),
        Cause::InterruptLate if row.max_ns < LONGEST_DELIVERY_NS => {
            "the timer interrupt took a few \
             microseconds to come, as timers do. Only a margin helps (--method punctual)"
                .to_owned()
        }
        Cause::InterruptLate => format!(
            "{who} had the processor when the timer interrupt was due. Interrupts were off in it, \
             or the hypervisor ran others; keep the thread on a processor that has less to do (--pin)"
        ),
        Cause::Handler | Cause::Interrupt | Cause::Deferred if row.max_ns > LONGEST_HANDLER_NS => {
            stopped(row, environment)
        }
        Cause::Handler => "timers and wake-ups in the same interrupt come one after the other. \
             Fewer timers on that processor help (--pin)"
            .to_owned(),
        Cause::Thread => format!(
            "{who} had the processor, and the scheduler did not think the waiting thread more \
             urgent. Raise its priority (--priority high or realtime), or give it a processor"
        ),
        Cause::GivingWay if row.max_ns > LONGEST_SWITCH_NS => format!(
            "{who} was asked to give way and did so only after {} once: this kernel does not \
             preempt it there. Boot with preempt=full, or keep away from it (--pin)",
            nanos(row.max_ns)
        ),
        Cause::GivingWay => "the switch from another thread itself; nothing is wrong".to_owned(),
        Cause::Interrupt if who == "timer interrupt" => "the timer interrupt that made the thread \
             ready had more to do, or the tick came; nothing is wrong"
            .to_owned(),
        Cause::Interrupt | Cause::Deferred => format!(
            "{who} had the processor. Serve that device elsewhere (/proc/irq/*/smp_affinity), or \
             keep the thread elsewhere (--pin)"
        ),
        Cause::IdleExit => "ready, on a processor that was asleep: it had to wake first. Shallow \
             idle states, a real-time governor or a spin (--method punctual) shorten it"
            .to_owned(),
        Cause::Migration => "the thread was moved to another processor while it was ready. Keep \
             it on one (--pin)"
            .to_owned(),
        Cause::AfterSwitch => "the thread had the processor and had not read the clock yet: the \
             way back from the kernel, page faults, or a spin"
            .to_owned(),
        Cause::Merged => format!(
            "{who} had the processor before, and the switch from it was not recorded, as happens \
             in virtual machines: waking up and running are one part"
        ),
    }
}

/// An interrupt that lasts so long did not run all the time.
fn stopped(row: &CauseRow, environment: &Environment) -> String {
    let (who, longest) = (&row.who, nanos(row.max_ns));
    match hypervisor(environment) {
        Some(hypervisor) => format!(
            "{who} took {longest} once, which no handler needs: {hypervisor} most likely ran \
             others in the middle of it. Nothing inside the machine can help"
        ),
        None => format!(
            "{who} took {longest} once: a driver that does too much in its handler, or firmware \
             that stopped the processor. Try without that device, and newer firmware"
        ),
    }
}

/// The hypervisor under the machine, if there is one.
fn hypervisor(environment: &Environment) -> Option<&str> {
    let name = environment.hypervisor.as_deref();
    name.filter(|&name| name != "none")
}

fn slack(environment: &Environment) -> String {
    let slack = match environment.timer_slack_ns {
        Some(slack) if slack > 0 => format!("timer slack of {}", nanos(slack)),
        _ => "the tolerance that the timer was armed with".to_owned(),
    };
    format!(
        "{slack}: the kernel may end the wait that much later. prctl(PR_SET_TIMERSLACK, 1), a \
         real-time priority or timerfd are free of it; so is punctual's Sleeper"
    )
}

fn idle(environment: &Environment) -> String {
    let sleep = "the processor was idle when its timer interrupt was due, and took time to wake";
    match hypervisor(environment) {
        Some(hypervisor) => format!(
            "{sleep}: under {hypervisor} the host has to run it first. No setting inside the \
             machine helps but keeping the processor busy; a margin does (--method punctual)"
        ),
        None => format!(
            "{sleep}. Shallower idle states help (/dev/cpu_dma_latency), or a margin (--method \
             punctual)"
        ),
    }
}
