//! Statements about requests: each party of a script is a process that does its part in its turn.

use super::programs::{duration, end_request, high_resolution, request};
use crate::{Expect, Expectation, Finding, Step, near};
use punctual::os::windows::{INFINITE, TimerResolution, Win32, Win32Error};
use punctual_sim::windows::{SimObject, SimWin32};
use punctual_windows::Powercfg;
use punctual_windows::os::windows::Win32Lab;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The number of the driver of a script: companions have numbers of their own.
const DRIVER: u32 = 1_000;

/// What there is to see when a script is over.
pub(super) struct Seen {
    smallest: Vec<String>,
    powercfg: Powercfg,
    resolution: TimerResolution,
    numbers: BTreeMap<String, u32>,
}

/// How many steps may have been taken, how many have been, and what was refused first.
#[derive(Default)]
struct Turns {
    given: AtomicUsize,
    taken: AtomicUsize,
    refused: OnceLock<Win32Error>,
}

/// Plays the script and looks after each step.
pub(super) fn play(win32: SimWin32, script: &[Step]) -> Result<Seen, Win32Error> {
    let turns = Arc::new(Turns::default());
    let numbers = start_parties(win32, script, &turns);
    let mut smallest = vec![show(win32.smallest_request())];
    for (number, step) in (1..).zip(script) {
        turns.given.store(number, SeqCst);
        if step.by == "driver" {
            win32.begin_driver_request(DRIVER, duration(argument(step)));
            turns.taken.store(number, SeqCst);
        }
        while turns.taken.load(SeqCst) < number {
            win32.sleep(1);
        }
        if let Some(refused) = turns.refused.get() {
            return Err(*refused);
        }
        // A thread that ends does so after its turn.
        win32.sleep(100);
        smallest.push(show(win32.smallest_request()));
    }
    Ok(Seen {
        smallest,
        powercfg: win32.powercfg(),
        resolution: win32.nt_query_timer_resolution()?,
        numbers,
    })
}

/// Starts a process for each party and returns their numbers.
fn start_parties(win32: SimWin32, script: &[Step], turns: &Arc<Turns>) -> BTreeMap<String, u32> {
    let mut numbers = BTreeMap::new();
    for party in script.iter().map(|step| step.by.as_str()) {
        if party == "driver" || numbers.contains_key(party) {
            continue;
        }
        let (script, turns) = (script.to_vec(), Arc::clone(turns));
        let name = party.to_owned();
        let body = move |win32| take_part(win32, &name, &script, &turns);
        match win32.start(party, body) {
            Ok(process) => numbers.insert(party.to_owned(), process.number()),
            Err(error) => panic!("a party of a script could not start: {error}"),
        };
    }
    numbers
}

fn argument(step: &Step) -> &str {
    let split = step.does.split_once(' ');
    split.map_or("", |(_, argument)| argument)
}

fn take_part(win32: SimWin32, party: &str, script: &[Step], turns: &Turns) {
    let mut held = Vec::new();
    for (number, step) in (1..).zip(script).filter(|(_, step)| step.by == party) {
        while turns.given.load(SeqCst) < number {
            win32.sleep(1);
        }
        match take_step(&win32, step) {
            Ok(opened) => held.extend(opened),
            // The first one counts.
            Err(refused) => drop(turns.refused.set(refused)),
        }
        turns.taken.store(number, SeqCst);
        if step.does == "exit" {
            return;
        }
    }
    win32.sleep(INFINITE);
}

/// Takes a step, and returns what the party has opened by it.
fn take_step(win32: &SimWin32, step: &Step) -> Result<Option<SimObject>, Win32Error> {
    let verb = step.does.split(' ').next();
    match verb.unwrap_or_default() {
        "begin" => request(win32, duration(argument(step))).map(|()| None),
        "end" => end_request(win32, duration(argument(step))).map(|()| None),
        "high-resolution" => high_resolution(win32).map(Some),
        "exit" => Ok(None),
        _ => panic!("a script has no such step: {step:?}"),
    }
}

fn show(smallest: Option<Duration>) -> String {
    smallest.map_or_else(|| "none".to_owned(), |interval| format!("{interval:?}"))
}

/// Nothing for statements about waits and ticks.
pub(super) fn check(expect: &Expectation, seen: &Seen) -> Option<Finding> {
    let found = match &expect.statement {
        Expect::Smallest { after } => (*after == seen.smallest, seen.smallest.join(" ")),
        Expect::Platform { is } => compare(*is, Some(seen.powercfg.platform_interval)),
        Expect::KernelRequest { is } => compare(*is, seen.powercfg.kernel_request),
        Expect::Listed { process, is } => {
            let number = seen.numbers.get(process);
            let listed = number.and_then(|number| seen.powercfg.processes.get(number));
            compare(*is, listed.copied())
        }
        Expect::Clockres {
            maximum,
            minimum,
            current,
        } => clockres(&seen.resolution, [*maximum, *minimum, *current]),
        _ => return None,
    };
    Some(Finding::new(expect, found))
}

/// Of the three that it shows, those that were published.
fn clockres(seen: &TimerResolution, published: [Option<f64>; 3]) -> (bool, String) {
    let shown = [seen.maximum_time, seen.minimum_time, seen.current_time];
    let shown = shown.map(|units| f64::from(units) / 10_000.0);
    // clockres prints three decimals.
    let fits = |(shown, is): (f64, Option<f64>)| is.is_none_or(|is| near(shown, is, 0.000_5));
    let found = shown.map(|shown| shown.to_string()).join(" ");
    (shown.into_iter().zip(published).all(fits), found)
}

/// In units of 100 ns, as `powercfg` counts.
fn compare(is: u64, found: Option<Duration>) -> (bool, String) {
    let found = found.map(|found| found.as_nanos() / 100);
    let shown = found.map_or("none".to_owned(), |found| found.to_string());
    (found == Some(is.into()), shown)
}
