//! Advice for each important cause.

use super::{System, labelled, windows_advice};
use crate::show::nanos;
use crate::text::Text;
use punctual_lab::Environment;
use punctual_trace::report::CauseRow;
use punctual_trace::{Cause, Report};
use std::io;

/// A cause with a smaller share of the lateness gets no advice.
const LEAST_SHARE: f64 = 0.02;

/// A switch of threads takes less time than this. If it takes longer, the kernel does not preempt.
const LONGEST_SWITCH_NS: u64 = 20_000;

/// Handlers take microseconds, rarely a few hundred.
const LONGEST_HANDLER_NS: u64 = 1_000_000;

/// An interrupt comes sooner than this if nothing delays it, in a virtual machine, too.
const LONGEST_DELIVERY_NS: u64 = 20_000;

pub(super) fn write(
    out: &mut Text,
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
        Cause::ArmedLate => "the program was still busy at its deadline, or had no processor. Do \
                             less work in a period, or make the period longer (--period)"
            .to_owned(),
        Cause::AskedLate => "the remaining time was computed before the system used it. Wait for \
                             absolute deadlines (--method clock-nanosleep, futex or timerfd)"
            .to_owned(),
        Cause::Slack => slack(environment),
        Cause::InterruptLate if who == "idle" => idle(environment),
        Cause::InterruptLate if row.max_ns < LONGEST_DELIVERY_NS => {
            "the timer interrupt took a few \
             microseconds to come, as timers do. Only a margin helps (--method punctual)"
                .to_owned()
        }
        Cause::InterruptLate => format!(
            "{who} had the processor when the timer interrupt was due. It had interrupts off, or \
             the hypervisor ran other machines. Keep the thread on a processor that has less to do (--pin)"
        ),
        Cause::Handler | Cause::Interrupt | Cause::Deferred if row.max_ns > LONGEST_HANDLER_NS => {
            stopped(row, environment)
        }
        Cause::Handler => "timers and wake-ups of one interrupt are handled one after the other. \
                           Use a processor with fewer timers (--pin)"
            .to_owned(),
        Cause::Thread => format!(
            "{who} had the processor, and to the scheduler the waiting thread was not more urgent. \
             Raise its priority (--priority high or realtime), or give it a processor of its own"
        ),
        Cause::GivingWay if row.max_ns > LONGEST_SWITCH_NS => format!(
            "{who} was asked to give way, and once took {} to do so. This kernel does not preempt \
             it there. Boot with preempt=full, or use another processor (--pin)",
            nanos(row.max_ns)
        ),
        Cause::GivingWay => "the switch from another thread. Nothing is wrong".to_owned(),
        Cause::Interrupt if who == "timer interrupt" => "the timer interrupt that made the thread \
                                                         ready had more to do, or the tick came. \
                                                         Nothing is wrong"
            .to_owned(),
        Cause::Interrupt | Cause::Deferred => format!(
            "{who} had the processor. Move that device's interrupts to another processor \
             (/proc/irq/*/smp_affinity), or the thread (--pin)"
        ),
        Cause::IdleExit => "the thread was ready, and its processor had to wake up first. Shallow \
                            idle states, a real-time governor or a spin (--method punctual) \
                            shorten that"
            .to_owned(),
        Cause::Migration => "the thread was moved to another processor while it was ready. Keep \
             it on one (--pin)"
            .to_owned(),
        Cause::Quota => {
            "the thread's group had used up its quota of processor time. Raise the quota \
            (cpu.max), or make the period shorter"
                .to_owned()
        }
        Cause::Stopped => {
            "a signal (SIGSTOP, SIGTSTP) or a debugger had stopped the thread".to_owned()
        }
        Cause::Blocked => "the thread waited in the kernel: for a disk, for memory. Lock what it \
            needs into memory (mlockall), and leave files to another thread"
            .to_owned(),
        Cause::Lock => "the thread waited for a lock that another thread had. Hold locks for \
            shorter, or share nothing with threads that are less urgent"
            .to_owned(),
        Cause::Sleeping => "the thread waited for something else than its timer".to_owned(),
        Cause::AfterSwitch => "the thread had the processor and had not yet read the clock. This \
                               is the return from the kernel, page faults, or a spin"
            .to_owned(),
        Cause::Merged => format!(
            "{who} had the processor before, and the switch from it was not recorded. That happens \
             in virtual machines. Waking up and running are shown as one part"
        ),
    }
}

/// Advice for an interrupt that took so long that it cannot have run all the time.
fn stopped(row: &CauseRow, environment: &Environment) -> String {
    let (who, longest) = (&row.who, nanos(row.max_ns));
    match hypervisor(environment) {
        Some(hypervisor) => format!(
            "{who} once took {longest}. No handler needs that long; most likely {hypervisor} ran other \
             machines in the middle of it. Nothing inside this machine can help"
        ),
        None => format!(
            "{who} once took {longest}. A driver does too much in its handler, or firmware stopped \
             the processor. Try without that device, or with newer firmware"
        ),
    }
}

/// The hypervisor below the machine, if there is one.
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
        "{slack}: the kernel may end the wait that much later. To avoid it, use \
         prctl(PR_SET_TIMERSLACK, 1), a real-time priority, timerfd, or punctual's Sleeper"
    )
}

fn idle(environment: &Environment) -> String {
    let sleep = "the processor was idle when its timer interrupt was due, and took time to wake";
    match hypervisor(environment) {
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
