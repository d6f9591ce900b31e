//! Sets a case up, runs it, and compares.

use crate::driver::{Program, Thread, World};
use punctual::Instant;
use punctual_sim::evidence::{
    Case, Companion, Expect, Expectation, Finding, Loop, Method, Outcome, Run, Throttling, check,
    near,
};
use punctual_sim::windows::choices::HighResolution;
use punctual_sim::windows::expiry::message_timer;
use punctual_sim::windows::{
    MachineParameters, Powercfg, Requester, Requests, Rules, TimerInterrupt, TimerThrottling,
    Version, WaitKind, multimedia_request, parse_duration, parse_femtos, tick_interval,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// The process whose loop is looked at.
const OURS: u32 = 1;
/// Another, which asks for intervals.
const REQUESTER: u32 = 2;
/// A third, whose threads only sleep.
const SLEEPERS: u32 = 3;

/// Between ticks, so that nothing starts at one.
const START: Duration = Duration::from_micros(1_003_700);
const SEED: u64 = 0x5eed;

/// Everything that came out, run by run and version by version.
pub fn replay(case: &Case) -> Vec<Finding> {
    let replay_run = |run: &Run| {
        let versions = run.versions.iter();
        versions
            .flat_map(|version| replay_on(run, version))
            .collect::<Vec<_>>()
    };
    case.runs().iter().flat_map(replay_run).collect()
}

/// What came out of one run on one version.
pub fn replay_on(run: &Run, version: &str) -> Vec<Finding> {
    let (rules, parameters) = machine(run, version);
    if rules.high_resolution == HighResolution::Absent && asks_for_high_resolution(run) {
        let none = || (false, "there are no high-resolution timers".to_owned());
        let findings = run.expect.iter();
        return findings
            .map(|expectation| Finding::new(expectation, none()))
            .collect();
    }
    let mut findings = about_requests(run, &rules, &parameters);
    let (free_phase, fixed): (Vec<_>, Vec<_>) = run
        .expect
        .iter()
        .partition(|expectation| matches!(expectation.statement, Expect::Listing { .. }));
    if !fixed.is_empty() {
        findings.extend(timed(run, &rules, parameters, Duration::ZERO, &fixed));
    }
    if !free_phase.is_empty() {
        findings.extend(best_phase(run, &rules, parameters, &free_phase));
    }
    findings
}

fn asks_for_high_resolution(run: &Run) -> bool {
    let method = run.looping.as_ref().map(|looping| looping.method);
    matches!(
        method,
        Some(Method::HighResolution | Method::HighResolutionOnce)
    )
}

/// The phase of whole milliseconds against ticks is nobody's choice: any may come out.
fn best_phase(
    run: &Run,
    rules: &Rules,
    parameters: MachineParameters,
    expect: &[&Expectation],
) -> Vec<Finding> {
    const PHASES: u32 = 50;
    let tries = (0..PHASES).map(|phase| {
        let phase = Duration::from_millis(1) * phase / PHASES;
        timed(run, rules, parameters, phase, expect)
    });
    let misses = |findings: &Vec<Finding>| findings.iter().filter(|found| !found.holds).count();
    tries.min_by_key(misses).unwrap_or_default()
}

fn timed(
    run: &Run,
    rules: &Rules,
    parameters: MachineParameters,
    phase: Duration,
    expect: &[&Expectation],
) -> Vec<Finding> {
    let first_tick = Instant::ZERO + phase;
    let timer = TimerInterrupt::new(*rules, parameters, first_tick);
    let mut world = World::new(timer, first_tick + START, SEED);
    add_companions(&mut world, &run.companions);
    let second = Duration::from_secs(1);
    world.idle_until(world.now() + second);
    let thread = run.looping.as_ref().map(|looping| {
        let thread = start_loop(&mut world, looping);
        // The first interval begins wherever the first call happened to be.
        world.run(thread, looping.waits + 1);
        thread
    });
    let (ticks, clock_readings) = watch_clock(&world);
    let outcome = Outcome {
        wakes: thread.map_or(&[], |thread| world.wakes(thread)),
        ticks: &ticks,
        clock_readings: &clock_readings,
    };
    expect
        .iter()
        .filter_map(|expect| check(expect, &outcome))
        .collect()
}

fn machine(run: &Run, version: &str) -> (Rules, MachineParameters) {
    let mut rules = Version::named(version).unwrap().rules;
    for (name, value) in &run.rules {
        rules.set(name, value).unwrap();
    }
    let pairs: Vec<_> = run
        .machine
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    (rules, pairs.join(",").parse().unwrap())
}

fn add_companions(world: &mut World, companions: &[Companion]) {
    for companion in companions {
        match companion {
            Companion::Requester { interval } => {
                world.begin_request(Requester::Process(REQUESTER), duration(interval));
            }
            Companion::Driver { interval } => {
                world.begin_request(Requester::Driver(0), duration(interval));
            }
            Companion::Sleepers {
                count,
                from,
                to,
                random_work,
            } => {
                for _ in 0..*count {
                    let program = Program::RandomSleeps {
                        from: *from,
                        to: *to,
                    };
                    world.start(Thread {
                        process: SLEEPERS,
                        program,
                        work: Duration::ZERO,
                        random_work: duration(random_work),
                        late: None,
                    });
                }
            }
            Companion::Toggler { .. } | Companion::Load { .. } => {
                panic!("only a whole machine has companions that act in time")
            }
        }
    }
}

fn start_loop(world: &mut World, looping: &Loop) -> usize {
    let now = world.now();
    if looping.hidden {
        world.timer.set_occluded(now, OURS, true);
    }
    let throttling = match looping.throttling {
        Throttling::SystemDecides => TimerThrottling::SystemDecides,
        Throttling::Honour => TimerThrottling::Honour,
        Throttling::Ignore => TimerThrottling::Ignore,
    };
    world.timer.set_throttling(now, OURS, throttling);
    if let Some(request) = &looping.request {
        world.begin_request(Requester::Process(OURS), duration(request));
    }
    if looping.method == Method::TimeSetEvent {
        let held = multimedia_request(Duration::ZERO);
        world.begin_request(Requester::Process(OURS), held);
    }
    // A request counts from the next tick.
    world.idle_until(now + Duration::from_millis(100));
    let optional = |text: &Option<String>| text.as_deref().map_or(Duration::ZERO, duration);
    world.start(Thread {
        process: OURS,
        program: program(looping),
        work: optional(&looping.work),
        random_work: optional(&looping.random_work),
        late: looping
            .late
            .as_ref()
            .map(|late| (late.wait, duration(&late.by))),
    })
}

fn program(looping: &Loop) -> Program {
    let periodic = |kind, period| {
        let first_due = looping.first_due.as_deref().map_or(period, duration);
        Program::Periodic {
            kind,
            first_due,
            period,
        }
    };
    if looping.method == Method::Feedback {
        let period = parse_femtos(&looping.time).unwrap().get();
        return Program::Feedback { period };
    }
    let time = duration(&looping.time);
    match looping.method {
        Method::Sleep => Program::Sleep(time),
        Method::TimerQueue => periodic(WaitKind::TimerQueue, time),
        Method::Message => Program::Sleep(message_timer(time)),
        Method::TimerQueueOnce => Program::TimerQueueOnce(time),
        Method::TimeSetEvent | Method::Waitable => periodic(WaitKind::Ordinary, time),
        Method::WaitableAbsolute => Program::Absolute { period: time },
        Method::HighResolution => Program::HighResolution {
            due: time,
            period: Some(time),
        },
        Method::HighResolutionOnce => Program::HighResolution {
            due: time,
            period: None,
        },
        Method::Feedback => unreachable!("its period is no duration"),
    }
}

/// Ten seconds of ticks.
fn watch_clock(world: &World) -> (Vec<Instant>, Vec<u64>) {
    let clock = world.timer.clock();
    let end = world.now() + Duration::from_secs(10);
    let following = |tick: &Instant| Some(clock.tick_after(*tick));
    let ticks = std::iter::successors(Some(clock.tick_after(world.now())), following);
    let ticks: Vec<_> = ticks.take_while(|tick| *tick < end).collect();
    let readings = ticks
        .iter()
        .map(|tick| clock.time_get_time(*tick))
        .collect();
    (ticks, readings)
}

/// Statements about requests: who holds what, and what the tools show.
fn about_requests(run: &Run, rules: &Rules, parameters: &MachineParameters) -> Vec<Finding> {
    let mut requests = Requests::default();
    let mut high_resolution = BTreeSet::new();
    let mut smallest = vec![show(requests.smallest(rules))];
    for step in &run.script {
        let (verb, interval) = step.does.split_once(' ').unwrap_or((&step.does, ""));
        let by = requester(&step.by);
        match (verb, by) {
            ("begin", _) => requests.begin(by, duration(interval)),
            ("end", _) => assert!(requests.end(by, duration(interval)), "{step:?}"),
            ("exit", _) => requests.exit(by),
            ("high-resolution", Requester::Process(process)) => {
                high_resolution.insert(process);
            }
            _ => panic!("{step:?}"),
        }
        smallest.push(show(requests.smallest(rules)));
    }
    let view = Powercfg::view(rules, parameters, &requests, &high_resolution);
    let current = tick_interval(rules, parameters, requests.smallest(rules));
    let finding = |expectation: &Expectation| {
        let found = match &expectation.statement {
            Expect::Smallest { after } => (*after == smallest, format!("{smallest:?}")),
            Expect::Platform { is } => compare(*is, Some(view.platform_interval)),
            Expect::KernelRequest { is } => compare(*is, view.kernel_request),
            Expect::Listed { process, is } => {
                let Requester::Process(process) = requester(process) else {
                    panic!("drivers are not listed")
                };
                compare(*is, view.processes.get(&process).copied())
            }
            Expect::Clockres {
                maximum,
                minimum,
                current: expected,
            } => {
                let found = [
                    parameters.default_interval.as_nanos() as f64 / 1e6,
                    parameters.smallest_interval.as_nanos() as f64 / 1e6,
                    current.get() as f64 / 1e12,
                ];
                // clockres prints three decimals.
                let fits = |(found, is): (&f64, &Option<f64>)| {
                    is.is_none_or(|is| near(*found, is, 0.000_5))
                };
                let holds = found.iter().zip([maximum, minimum, expected]).all(fits);
                (holds, format!("{found:?}"))
            }
            _ => return None,
        };
        Some(Finding::new(expectation, found))
    };
    run.expect.iter().filter_map(finding).collect()
}

/// In units of 100 ns, as `powercfg` counts.
fn compare(is: u64, found: Option<Duration>) -> (bool, String) {
    let found = found.map(|found| found.as_nanos() / 100);
    (found == Some(is.into()), format!("{found:?}"))
}

fn requester(name: &str) -> Requester {
    match name {
        "driver" => Requester::Driver(0),
        name => {
            let letter = name.bytes().next().expect("a name");
            Requester::Process(letter.into())
        }
    }
}

fn show(smallest: Option<Duration>) -> String {
    smallest.map_or_else(|| "none".to_owned(), |interval| format!("{interval:?}"))
}

fn duration(text: &str) -> Duration {
    parse_duration(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Every text of a run can be read, those of cases that are not replayed here included.
pub fn assert_readable(case: &Case, run: &Run) {
    for version in &run.versions {
        machine(run, version);
    }
    if let Some(looping) = &run.looping {
        program(looping);
        for text in [&looping.work, &looping.random_work, &looping.request]
            .into_iter()
            .flatten()
        {
            duration(text);
        }
    }
    for companion in &run.companions {
        match companion {
            Companion::Requester { interval } | Companion::Driver { interval } => {
                duration(interval);
            }
            Companion::Toggler {
                interval,
                raised,
                lowered,
            } => {
                [interval, raised, lowered].into_iter().for_each(|text| {
                    duration(text);
                });
            }
            Companion::Sleepers {
                from,
                to,
                random_work,
                ..
            } => {
                duration(random_work);
                assert!(from <= to, "{}", case.id);
            }
            Companion::Load { threads } => {
                assert!(
                    threads == "all" || threads.parse::<u32>().is_ok(),
                    "{}",
                    case.id
                );
            }
        }
    }
}
