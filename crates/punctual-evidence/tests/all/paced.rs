//! VirtualDub's tables and the study of high-resolution timers, run by `punctual measure --beat`: the same
//! ways on the same machines must meet the same statements as the programs of the evidence.

use punctual::Period;
use punctual::os::windows::WindowsOs;
use punctual_evidence::{
    Case, Expect, Expectation, Finding, Loop, Method, Outcome, Priority, Run, Wake, check, sources,
};
use punctual_lab::machine::Machine as _;
use punctual_lab::pace::{Plan, keep};
use punctual_lab::simulated::SimulatedOs;
use punctual_lab::waiters::{WaiterOptions, requested};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{parse_duration, parse_femtos};
use std::ops::ControlFlow;
use std::time::Duration;

fn duration(text: &str) -> Duration {
    parse_duration(text).unwrap()
}

/// A loop of the evidence, in terms of flags of `punctual measure --beat`.
struct Paced {
    way: &'static str,
    plan: Plan,
    request: Option<Duration>,
    high: bool,
    beats: u64,
    /// Whether the warm-up is recorded, too.
    from_first: bool,
}

impl Paced {
    /// `None` for loops that do not keep a beat.
    fn of(looping: &Loop) -> Option<Self> {
        if looping.random_work.is_some() || looping.pinned_to.is_some() {
            return None;
        }
        let work = looping.work.as_deref().map_or(Duration::ZERO, duration);
        let early = Duration::from_micros(80);
        let exact = parse_femtos(&looping.time).unwrap().get();
        let given = Period::from_nanos_fraction(u64::try_from(exact).unwrap(), 1_000_000);
        // The source waits for the rest of the period after its work.
        let with_work = given.to_duration() + work;
        let shortened = with_work + early == Duration::from_millis(1);
        let (way, period) = match looping.method {
            Method::TimerQueue => ("timer-queue", given),
            Method::Waitable => ("waitable-cycle", given),
            Method::WaitableAbsolute => ("waitable-abs", given),
            Method::Feedback => ("feedback", given),
            Method::HighResolution => ("high-res-cycle", given),
            Method::HighResolutionOnce if shortened => {
                ("high-res-early", Period::from_hertz(1_000))
            }
            Method::HighResolutionOnce => ("high-res", Period::try_from(with_work).unwrap()),
            _ => return None,
        };
        Some(Self {
            way,
            plan: Plan {
                period,
                duration: Duration::MAX,
                work,
            },
            request: looping.request.as_deref().map(duration),
            high: looping.priority == Some(Priority::Highest),
            beats: looping.waits as u64 + 1,
            from_first: false,
        })
    }

    /// Keeps the beat on a machine and records it as the evidence's programs do.
    fn keep(&self, os: &SimulatedOs) -> Vec<Wake> {
        // As those programs begin: the machine has settled, and nothing starts at a tick.
        os.win32().sleep(1_100);
        os.win32().compute(Duration::from_nanos(1_003_700));
        let raise = |()| punctual::guard::PriorityGuard::raise(os, punctual::Priority::High);
        let _raised = self.high.then_some(()).map(raise);
        let mut waiters = SimulatedOs::waiters().into_iter();
        let waiter = waiters.find(|waiter| waiter.name == self.way).unwrap();
        let (keeping, make) = waiter.beats.unwrap();
        let mut wait = make(os, WaiterOptions::of(self.plan.period)).unwrap();
        if let Some(interval) = self.request {
            wait = requested(os, interval, wait).unwrap();
        }
        let warm_up = if self.from_first {
            0
        } else {
            self.plan.warm_up()
        };
        let (mut beats, mut wakes) = (0, Vec::new());
        keep(os, self.plan, keeping, &mut *wait, &mut |beat| {
            beats += 1;
            if beats > warm_up {
                wakes.push(Wake::note(os.win32(), beat.began));
            }
            if beats == warm_up + self.beats {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        wakes
    }
}

fn wakes(run: &Run, version: &str, expect: &Expectation, phase: Duration) -> Option<Vec<Wake>> {
    let mut paced = Paced::of(run.looping.as_ref()?)?;
    // A listing has every call, beginning with the first.
    paced.from_first = matches!(expect.statement, Expect::Listing { .. });
    let machine = run.machine_on(version, phase);
    let run = machine.run(move |win32| paced.keep(&WindowsOs::on(win32)));
    Some(run.unwrap().value)
}

fn found(expect: &Expectation, wakes: &[Wake]) -> Option<Finding> {
    let outcome = Outcome {
        wakes,
        ticks: &[],
        clock_readings: &[],
    };
    check(expect, &outcome)
}

/// No source controls the phase of whole milliseconds against ticks, so any may result.
fn best_phase(run: &Run, version: &str, expect: &Expectation) -> Option<Finding> {
    const PHASES: u32 = 50;
    let phases = match expect.statement {
        Expect::Listing { .. } => PHASES,
        _ => 1,
    };
    let mut last = None;
    for phase in 0..phases {
        let phase = Duration::from_millis(1) * phase / PHASES;
        last = found(expect, &wakes(run, version, expect, phase)?);
        if last.as_ref().is_none_or(|finding| finding.holds) {
            break;
        }
    }
    last
}

/// Published statements that fail here and are not known to fail.
fn failures(case: &Case, seen: &mut usize) -> Vec<String> {
    let mut failures = Vec::new();
    for run in case.runs() {
        for version in &run.versions {
            for expect in &run.expect {
                let Some(finding) = best_phase(&run, version, expect) else {
                    continue;
                };
                *seen += 1;
                if !finding.is_fine() {
                    failures.push(format!("{} on {version}: {finding}", case.id));
                }
            }
        }
    }
    failures
}

#[test]
fn pace_gives_the_published_numbers_wherever_the_evidence_does() {
    /// These were published for a program whose first call comes at once. A loop begins otherwise.
    const FIRST_AT_ONCE: &str = "vd-win7-queue-short";
    let mut seen = 0;
    let mut failing = Vec::new();
    for source in sources() {
        let is_of_loops = ["VD", "SIL"].contains(&source.source.name.as_str());
        let cases = source
            .case
            .iter()
            .filter(|case| is_of_loops && case.id != FIRST_AT_ONCE);
        for case in cases {
            failing.extend(failures(case, &mut seen));
        }
    }
    assert!(failing.is_empty(), "{failing:#?}");
    assert!(
        seen > 40,
        "only {seen} statements were about loops that keep a beat"
    );
}
