//! What a simulated machine did, written as a Windows trace, as text and as a log, and read again, is
//! explained alike.

use crate::effort;
use punctual::os::windows::Win32;
use punctual::{Instant, Period};
use punctual_sim::random::Spread;
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_sim::{Limits, Noise, NoiseSource};
use punctual_trace::simulated::Simulated;
use punctual_trace::windows::etl::{self, Log};
use punctual_trace::windows::{WindowsTrace, xperf};
use punctual_trace::{Cause, Chronicle, Names, Verdict, Wait, WakeUp, explain};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{Companion, Version};
use std::collections::BTreeMap;
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// Runs the machine for as long as it sleeps so often.
fn run(machine: WindowsMachine, waits: u32) -> Simulated {
    let limits = Limits {
        log: usize::MAX,
        ..Limits::default()
    };
    let machine = machine.with_limits(limits);
    let run = machine.run(move |win32: SimWin32| {
        win32.time_begin_period(1).unwrap();
        for wait in 0..waits {
            win32.sleep(wait % 4 + 1);
            win32.compute(50 * MICROSECOND);
        }
    });
    let run = run.unwrap();
    Simulated::new(&run.log, &run.threads, 4, true)
}

/// The machine's trace after it was written and read, and the unit of its time stamps.
fn written_and_read(simulated: &Simulated) -> [(WindowsTrace, Duration); 2] {
    let (trace, processes) = (&simulated.trace, simulated.processes());
    let (mut text, mut log) = (Vec::new(), Vec::new());
    xperf::write(&mut text, trace, &processes, "simulated").unwrap();
    etl::write(&mut log, trace, &processes).unwrap();
    let log = Log::read(&log).unwrap();
    assert_eq!(
        (log.census().unread_records, log.census().unread_bytes),
        (0, 0)
    );
    [
        (WindowsTrace::of_text(&text).unwrap(), MICROSECOND),
        (WindowsTrace::of_log(&log).unwrap(), MICROSECOND / 10),
    ]
}

/// How long one occupant had the processor for a cause, in nanoseconds, and in how many segments.
type Told = BTreeMap<(Cause, String), (u64, u64)>;

/// What a trace without timers can tell: how long each had the processor before and
/// after the thread was ready. What passed before the interrupt is one.
fn told(wake_up: &WakeUp, names: &Names) -> Told {
    let mut told = Told::new();
    for segment in &wake_up.segments {
        let (cause, occupant) = match segment.cause {
            Cause::ArmedLate | Cause::AskedLate | Cause::Slack | Cause::InterruptLate => {
                (Cause::Slack, String::new())
            }
            // Which came first within one unit, that the thread was ready or that another was chosen?
            Cause::PickedAnother => (
                Cause::RunQueueWait,
                segment.occupant.name(names, Instant::ZERO),
            ),
            cause => (cause, segment.occupant.name(names, Instant::ZERO)),
        };
        let (ns, segments) = told.entry((cause, occupant)).or_default();
        *ns += segment.ns;
        *segments += 1;
    }
    told
}

/// Both ends of every segment are rounded.
fn is_alike(one: &Told, other: &Told, unit: Duration) -> bool {
    let rounding_ns = 2 * u64::try_from(unit.as_nanos()).unwrap();
    let of = |told: &Told, key| told.get(key).copied().unwrap_or_default();
    one.keys().chain(other.keys()).all(|key| {
        let ((ns, segments), (other_ns, others)) = (of(one, key), of(other, key));
        ns.abs_diff(other_ns) <= rounding_ns * segments.max(others)
    })
}

fn check(machine: WindowsMachine, waits: u32, period: Option<Period>) {
    let simulated = run(machine, waits);
    for (trace, unit) in written_and_read(&simulated) {
        compare(&simulated, &trace, unit, waits, period);
    }
}

fn compare(
    simulated: &Simulated,
    trace: &WindowsTrace,
    unit: Duration,
    waits: u32,
    period: Option<Period>,
) {
    let main = simulated.threads[0].thread;
    assert_eq!(trace.threads("main"), [main]);
    let read = trace.explain(&[main], period);
    assert!(read.wake_ups.len() >= waits as usize);
    let chronicle = Chronicle::new(&simulated.trace, &[main]);
    for of_trace in &read.wake_ups[1..] {
        let wait = Wait {
            // It may have run a moment later than whole units tell.
            woke: of_trace.wait.woke + unit,
            ..of_trace.wait
        };
        let own = explain(&chronicle, &wait);
        assert_eq!(
            (own.verdict, of_trace.verdict),
            (Verdict::Exact, Verdict::Exact)
        );
        let mut own_told = told(&own, &simulated.trace.names);
        own_told.retain(|&(cause, _), _| cause != Cause::AfterSwitch);
        let trace_told = told(of_trace, &read.trace.names);
        assert!(
            is_alike(&own_told, &trace_told, unit),
            "{own_told:?}\n{trace_told:?}\n{wait:?}"
        );
    }
}

fn noise() -> Noise {
    let source = |mean_interval, length| {
        Some(NoiseSource {
            mean_interval,
            length: Spread::new(length, length, 4 * length),
        })
    };
    Noise {
        interrupts: source(2 * MILLISECOND, 8 * MICROSECOND),
        dpcs: source(4 * MILLISECOND, 150 * MICROSECOND),
    }
}

fn machine(version: &str, seed: u64) -> WindowsMachine {
    let version = Version::named(version).unwrap();
    WindowsMachine::new(version).with_seed(seed)
}

#[test]
fn an_idle_machine() {
    let period = Period::try_from(MILLISECOND).unwrap();
    check(machine("windows-7", 1), 300, None);
    check(machine("windows-10-2004", 2), 300, Some(period));
}

#[test]
fn interrupts_and_dpcs() {
    for version in ["windows-xp", "windows-7", "windows-8", "windows-11"] {
        for seed in 0..effort(1, 5) {
            check(
                machine(version, 1 + u64::from(seed)).with_noise(noise()),
                500,
                None,
            );
        }
    }
}

#[test]
fn other_programs() {
    for seed in 1..5 {
        let sleepers = Companion::Sleepers {
            threads: 6,
            from: 1,
            to: 20,
            most_work: 2 * MILLISECOND,
        };
        let mut machine = machine("windows-10-1909", seed)
            .with_noise(noise())
            .with_companion(sleepers);
        for _ in 0..seed {
            machine = machine.with_companion(Companion::Load);
        }
        check(machine, effort(100, 300), None);
    }
}

/// A line of the text, to see that it is what the documentation says.
#[test]
fn the_text_is_in_the_layout_of_such_texts() {
    let simulated = run(machine("windows-10-2004", 1), 2);
    let mut text = Vec::new();
    let processes = simulated.processes();
    xperf::write(&mut text, &simulated.trace, &processes, "simulated").unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "BeginHeader");
    let switch = lines
        .iter()
        .find(|line| line.starts_with("                CSwitch, "));
    let switch = switch.unwrap().split(',').count();
    let first = lines.iter().rfind(|line| line.contains("CSwitch,"));
    assert_eq!(first.unwrap().split(',').count(), switch);
    assert!(text.contains("main (   8),         12"), "{text}");
    assert!(text.contains("timer interrupt"), "{text}");
}
