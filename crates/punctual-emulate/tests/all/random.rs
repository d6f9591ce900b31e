//! Random programs: whatever they wait for and request, a wait ends when the rules allow it and not before.

use proptest::prelude::*;
use punctual::Instant;
use punctual_emulate::call::{Asked, Call};
use punctual_emulate::timer_policy::{Begun, Next, Over, ProcessId, ThreadId, TimerPolicy};
use punctual_emulate::windows::{Conditions, Personas, Windows};
use punctual_windows::personas::named;
use punctual_windows::{VERSIONS, Version};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What threads of the program do.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// A thread waits for so many microseconds.
    Wait(u32, u64),
    /// What a thread waits for comes.
    Event(u32),
    /// Time passes, in microseconds.
    Pass(u64),
    /// A process forks, so that there is one more.
    Fork,
    /// The last process ends.
    Exit,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0..4_u32, 1..60_000_u64).prop_map(|(thread, micros)| Act::Wait(thread, micros)),
        2 => (0..4_u32).prop_map(Act::Event),
        4 => (0..40_000_u64).prop_map(Act::Pass),
        1 => Just(Act::Fork),
        1 => Just(Act::Exit),
    ];
    proptest::collection::vec(act, 1..60)
}

/// A tracer that traces nothing: it keeps threads' waits, and lets the virtual time pass.
struct Fake {
    windows: Windows,
    now: Instant,
    processes: u32,
    waits: BTreeMap<u32, (Begun, Instant, Duration)>,
    /// Whether the runtime trusts Windows, whose waits may end up to an interval early.
    early: Duration,
    longest: Duration,
}

impl Fake {
    fn act(&mut self, act: Act) {
        match act {
            Act::Wait(thread, micros) if !self.waits.contains_key(&thread) => {
                let length = Duration::from_micros(micros);
                let end = self.now + length;
                let asked = Asked {
                    call: Call::FutexWait,
                    end,
                    length,
                    period: None,
                };
                let process = ProcessId(1 + thread % self.processes);
                let begun = self
                    .windows
                    .begin(self.now, process, ThreadId(thread), asked);
                self.waits.insert(thread, (begun, end, length));
                self.check(thread);
            }
            Act::Event(thread) => {
                if let Some((begun, ..)) = self.waits.remove(&thread) {
                    let next = self.windows.over(self.now, begun.wait, Over::Event);
                    assert_eq!(next, Next::Nothing, "the program goes on");
                }
            }
            Act::Pass(micros) => self.pass(self.now + Duration::from_micros(micros)),
            Act::Fork => {
                self.processes += 1;
                let parent = Some(ProcessId(1));
                self.windows
                    .process_began(self.now, ProcessId(self.processes), parent);
            }
            Act::Exit if self.processes > 1 => {
                let gone = self.processes;
                self.waits.retain(|thread, _| 1 + thread % gone != gone);
                self.windows.process_ended(self.now, ProcessId(gone));
                self.processes -= 1;
                // Those of the others' threads are the same processes' as before.
                self.waits.clear();
            }
            Act::Wait(..) | Act::Exit => {}
        }
        self.revise();
    }

    /// An end is as the rules allow: neither too early nor too late.
    fn check(&self, thread: u32) {
        let (begun, end, length) = &self.waits[&thread];
        let earliest = end.checked_sub(self.early).unwrap_or_default();
        assert!(begun.end >= earliest, "{:?} before {end:?}", begun.end);
        assert!(
            begun.end <= *end + self.longest,
            "{length:?} {:?}",
            begun.end
        );
    }

    fn revise(&mut self) {
        for change in self.windows.changed(self.now) {
            let found = self
                .waits
                .iter_mut()
                .find(|(_, (begun, ..))| begun.wait == change.wait);
            if let Some((thread, (begun, ..))) = found {
                *begun = change;
                let thread = *thread;
                self.check(thread);
            }
        }
        assert!(
            self.windows.changed(self.now).is_empty(),
            "nothing happened"
        );
    }

    /// Time passes, and what ends meanwhile ends in its order.
    fn pass(&mut self, until: Instant) {
        loop {
            let next = self.waits.iter().min_by_key(|(_, (begun, ..))| begun.end);
            let Some((thread, (begun, ..))) = next else {
                break;
            };
            let (thread, begun) = (*thread, *begun);
            if begun.end > until {
                break;
            }
            self.now = self.now.max(begun.end);
            match self.windows.over(self.now, begun.wait, Over::TimedOut) {
                Next::Nothing => drop(self.waits.remove(&thread)),
                Next::Again(again) => {
                    assert!(
                        begun.hear_of_end,
                        "whoever waits again wants to hear of the end"
                    );
                    let wait = self.waits.get_mut(&thread).unwrap();
                    wait.0 = again;
                    self.check(thread);
                }
            }
            self.revise();
        }
        self.now = self.now.max(until);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_wait_ends_before_its_time_or_never(
        acts in acts(),
        version in 0..VERSIONS.len(),
        persona in prop::sample::select(vec![
            "", "python-3.10", "python-3.11", "python-3.9-lock", "python-3.10-lock",
            "java-thread-sleep", "go-1.15", "go-1.23", "node", "tokio", "dotnet-6-task-delay",
            "boost-thread", "sdl2", "libdispatch", "msvc-17.9",
        ]),
        request in prop::option::of(1..20_u64),
    ) {
        let mut conditions = Conditions::new(VERSIONS[version]);
        let default = conditions.parameters.default_interval;
        conditions.request = request.map(Duration::from_millis);
        // Ends are told of on the way, too, so that only the last can be told to be early.
        let mut early = default + Duration::from_millis(1);
        conditions.personas = Personas::None;
        if !persona.is_empty() {
            conditions.personas = Personas::Named(Arc::new(named(persona).unwrap()));
            // What is rounded down, and the rounds of a runtime that waits again.
            early = Duration::from_secs(1);
        }
        let longest = Duration::from_millis(200);
        conditions.longest = longest;
        let mut windows = Windows::new(conditions);
        let now = Instant::from_nanos(5_000_000_000_000);
        windows.process_began(now, ProcessId(1), None);
        let mut fake = Fake { windows, now, processes: 1, waits: BTreeMap::new(), early, longest };
        for act in acts {
            fake.act(act);
        }
        // All waits end.
        let last = fake.now + Duration::from_secs(2);
        fake.pass(last);
        prop_assert!(fake.waits.is_empty(), "{:?}", fake.waits);
    }
}

/// A request that begins while others wait ends their waits earlier, where it does on Windows.
#[test]
fn a_request_shortens_what_lasts_where_it_did_on_windows() {
    for (version, shortens) in [
        ("windows-7", true),
        ("windows-10-1909", true),
        ("windows-11", false),
    ] {
        let mut conditions = Conditions::new(Version::named(version).unwrap());
        conditions.personas = Personas::Named(Arc::new(named("java-thread-sleep").unwrap()));
        let mut windows = Windows::new(conditions);
        let now = Instant::from_nanos(5_000_000_000_000);
        windows.process_began(now, ProcessId(1), None);
        windows.process_began(now, ProcessId(2), Some(ProcessId(1)));
        let asked = |millis| {
            let length = Duration::from_millis(millis);
            Asked {
                call: Call::FutexWait,
                end: now + length,
                length,
                period: None,
            }
        };
        // One of the tens does without a request.
        let long = windows.begin(now, ProcessId(1), ThreadId(1), asked(40));
        windows.begin(now, ProcessId(2), ThreadId(2), asked(33));
        let changed = windows.changed(now);
        let new = changed.iter().find(|begun| begun.wait == long.wait);
        assert_eq!(
            new.is_some_and(|new| new.end < long.end),
            shortens,
            "{version}"
        );
    }
}
