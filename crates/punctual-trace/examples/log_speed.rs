//! How fast a Windows log becomes a report: `log_speed [MILLIONS_OF_EVENTS]`, of a log that it writes itself.
//!
//! On each of eight processors, a timer interrupt and a DPC wake one thread, which wakes another, and
//! then the processor is idle. So every record of the log matters, which is the worst that can be read.

use punctual::Instant;
use punctual_trace::event::{Left, Priority};
use punctual_trace::report::Tally;
use punctual_trace::windows::etl::{self, Log};
use punctual_trace::windows::{Process, WindowsTrace};
use punctual_trace::{Event, Kind, Names, ProcessorId, Symbol, ThreadId, Trace};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::{self, Duration};

const PROCESSORS: u16 = 8;
const THREADS: u32 = 64;
/// How many records of the log each round of a processor becomes.
const RECORDS: u32 = 7;
const ROUND_NS: u64 = 1_000_000;

/// Other programs make some of the runs slower, and none faster.
const RUNS: u32 = 5;

/// What one run took: reading the log, finding its waits, explaining them, summing them up.
type Took = [Duration; 4];

fn main() -> Result<(), Box<dyn Error>> {
    let millions: u32 = std::env::args().nth(1).map_or(Ok(2), |text| text.parse())?;
    let log = log(millions * 1_000_000 / RECORDS / u32::from(PROCESSORS))?;
    let records = Log::read(&log)?.census().total();
    println!("{records} events in {} MB", log.len() / 1_000_000);
    let runs: Result<Vec<Took>, _> = (0..RUNS).map(|_| run(&log)).collect();
    let runs = runs?;
    let best = |took: &dyn Fn(&Took) -> Duration| runs.iter().map(took).min().unwrap_or_default();
    for (index, what) in ["read", "waits found", "explained", "summed up"]
        .into_iter()
        .enumerate()
    {
        tell(what, best(&|took| took[index]), records);
    }
    tell("all", best(&|took| took.iter().sum()), records);
    Ok(())
}

fn tell(what: &str, took: Duration, events: u64) {
    #[expect(clippy::cast_precision_loss, reason = "rates are shown to two digits")]
    let millions = events as f64 / took.as_secs_f64() / 1e6;
    println!(
        "{what:12} {:6.2} s, {millions:5.1} million events/s",
        took.as_secs_f64()
    );
}

fn run(log: &[u8]) -> Result<Took, Box<dyn Error>> {
    let begin = time::Instant::now();
    let read = Log::read(log)?;
    let is_read = begin.elapsed();
    let trace = WindowsTrace::of_log(&read)?;
    let are_found = begin.elapsed();
    let explained = trace.explain(&trace.threads("game.exe"), None);
    let are_explained = begin.elapsed();
    let report = Tally::of(&explained.wake_ups, &explained.trace.names).report(None);
    let is_done = begin.elapsed();
    assert!(report.exact > 0);
    Ok([
        is_read,
        are_found - is_read,
        are_explained - are_found,
        is_done - are_explained,
    ])
}

fn log(rounds: u32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut names = Names::default();
    let names_of = [
        names.symbol("HalpTimerClockInterrupt"),
        names.symbol("KiTimerExpiration"),
    ];
    let mut events = Vec::new();
    for round in 0..rounds {
        for processor in 0..PROCESSORS {
            // Processors are a little apart, as on a real machine.
            let at = u64::from(round) * ROUND_NS + u64::from(processor) * 1_700;
            one_round(&mut events, round, processor, at, names_of);
        }
    }
    let process = |index: u32| {
        let (name, number) = match index.is_multiple_of(16) {
            true => ("game.exe", 4_000),
            false => ("other.exe", 5_000),
        };
        let name = name.to_owned();
        Process { name, number }
    };
    let threads = (0..2 * THREADS).map(|index| (number(index), process(index)));
    let threads: BTreeMap<_, _> = threads.collect();
    let mut log = Vec::new();
    etl::write(&mut log, &Trace::new(events, names), &threads)?;
    Ok(log)
}

/// Threads of Windows have multiples of four.
fn number(index: u32) -> ThreadId {
    ThreadId(100 + 4 * index)
}

fn one_round(events: &mut Vec<Event>, round: u32, processor: u16, at: u64, names: [Symbol; 2]) {
    let index = (round * u32::from(PROCESSORS) + u32::from(processor)) % THREADS;
    let (first, second) = (number(index), number(index + THREADS));
    let ready = |thread| Kind::Ready {
        thread,
        processor: ProcessorId(processor),
    };
    let switch = |previous, next| Kind::Switch {
        previous,
        previous_state: Left::Waiting,
        previous_priority: Some(Priority::Windows(8)),
        next,
        next_priority: Some(Priority::Windows(9)),
    };
    let idle = ThreadId::IDLE;
    for (after, kind) in [
        (0, Kind::InterruptEntry { name: names[0] }),
        (3_000, Kind::InterruptExit),
        (3_000, Kind::SoftirqEntry { name: names[1] }),
        (6_000, ready(first)),
        (9_000, Kind::SoftirqExit),
        (12_000, switch(idle, first)),
        (60_000, ready(second)),
        (90_000, switch(first, second)),
        (200_000, switch(second, idle)),
    ] {
        events.push(Event {
            at: Instant::from_nanos(at + after),
            processor: ProcessorId(processor),
            running: None,
            asked_to_switch: false,
            kind,
        });
    }
}
