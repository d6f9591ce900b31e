//! The text of `perf script`, and what it says of each thread and each processor.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::str::FromStr;

/// A line: where and when something happened, and which thread had the processor.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    pub at: u64,
    pub processor: u16,
    pub thread: u32,
    name: &'a str,
    fields: &'a str,
}

impl<'a> Event<'a> {
    /// `comm tid [cpu] seconds.nanoseconds: system:event: fields`.
    pub fn parse(line: &'a str) -> Option<Self> {
        // A name may contain anything. The processor is what is followed by a time and an event.
        line.match_indices(" [").find_map(|(start, _)| {
            let (processor, rest) = line[start + 2..].split_once("] ")?;
            let (time, rest) = rest.split_once(": ")?;
            let (seconds, nanos) = time.trim_start().split_once('.')?;
            let (_, event) = rest.split_once(':')?;
            let (name, fields) = event.split_once(':')?;
            // A thread that has exited is -1.
            let thread: i64 = line[..start].split_whitespace().last()?.parse().ok()?;
            Some(Self {
                at: seconds.parse::<u64>().ok()? * 1_000_000_000 + nanos.parse::<u64>().ok()?,
                processor: processor.parse().ok()?,
                thread: thread.try_into().unwrap_or(u32::MAX),
                name,
                fields,
            })
        })
    }

    /// The last field of this name: a thread's name comes first, and may contain anything.
    fn text(&self, key: &str) -> Option<&'a str> {
        let (_, field) = self.fields.rsplit_once(&format!(" {key}="))?;
        field.split(' ').next()
    }

    fn number<T: FromStr>(&self, key: &str) -> Option<T> {
        self.text(key)?.parse().ok()
    }

    /// The number of a system call.
    fn call(&self) -> Option<i64> {
        self.fields
            .strip_prefix(" NR ")?
            .split(' ')
            .next()?
            .parse()
            .ok()
    }
}

/// Something that happened to one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// It set a timer that wakes threads.
    Armed {
        timer: &'a str,
        expires: u64,
        deadline: u64,
    },
    /// A timer expired on this processor that the thread has set.
    Expired {
        timer: &'a str,
        processor: u16,
    },
    /// It is ready: it is in the queue of this processor.
    Woken(u16),
    Moved(u16),
    /// It got a processor.
    In(u16),
    /// It lost its processor, in this state: `S`, `D`, `T`, `R`.
    Out(char),
    CallBegan(i64),
    CallEnded,
}

/// Where a thread is.
#[derive(Debug, Clone, Copy, Default)]
pub enum State {
    #[default]
    Unknown,
    Running(u16),
    /// Ready on a processor; since when, if it was running before.
    Ready(u16, Option<u64>),
    /// It waits, for this reason.
    Away(&'static str),
}

/// A thread, in the order of time.
#[derive(Debug, Default)]
pub struct Thread<'a> {
    pub steps: Vec<(u64, Step<'a>)>,
    /// Where it is from when on.
    states: Vec<(u64, State)>,
    /// When it ran although it had not got a processor: a switch was not recorded.
    pub doubts: Vec<u64>,
    processor: u16,
    call: Option<i64>,
}

#[derive(Debug, Default)]
struct Processor {
    /// Which thread has it from when on; 0 is idle.
    occupants: Vec<(u64, u32)>,
    /// Times in which its thread is not known, because a switch was not recorded.
    doubts: Vec<(u64, u64)>,
    /// How many interrupts have it from when on.
    depths: Vec<(u64, u32)>,
}

/// Everything about all threads and processors.
#[derive(Debug, Default)]
pub struct Timeline<'a> {
    pub threads: BTreeMap<u32, Thread<'a>>,
    processors: BTreeMap<u16, Processor>,
    /// Which thread has set each timer.
    setters: BTreeMap<&'a str, u32>,
    /// When groups of threads got new processor time.
    pub refills: Vec<u64>,
}

/// The functions of timers that wake the thread that waits.
const WAKING: [&str; 2] = ["hrtimer_wakeup", "timerfd_tmrproc"];
/// The function of the timer that gives a group its processor time.
const REFILLING: &str = "sched_cfs_period_timer";

impl<'a> Timeline<'a> {
    /// An error if perf says that it has lost something.
    pub fn new(text: &'a str) -> Result<Self, Failure> {
        let mut events = Vec::new();
        for line in text.lines() {
            if line.contains("PERF_RECORD_LOST") {
                return Err("perf has lost events: the machine is too busy".into());
            }
            events.push(Event::parse(line).ok_or_else(|| format!("perf script: {line}"))?);
        }
        events.sort_by_key(|event| event.at);
        let mut timeline = Self::default();
        for event in events {
            timeline
                .note(event)
                .ok_or_else(|| format!("a field is missing: {event:?}"))?;
        }
        Ok(timeline)
    }

    fn note(&mut self, event: Event<'a>) -> Option<()> {
        let Event {
            at,
            processor,
            thread,
            ..
        } = event;
        let mut step = |thread: u32, step| self.threads.entry(thread).or_default().note(at, step);
        match event.name {
            "hrtimer_start" if WAKING.contains(&event.text("function")?) => {
                let timer = event.text("hrtimer")?;
                let [expires, deadline] = [event.number("expires")?, event.number("softexpires")?];
                step(
                    thread,
                    Step::Armed {
                        timer,
                        expires,
                        deadline,
                    },
                );
                self.setters.insert(timer, thread);
            }
            "hrtimer_expire_entry" if event.text("function")? == REFILLING => self.refills.push(at),
            "hrtimer_expire_entry" if WAKING.contains(&event.text("function")?) => {
                let timer = event.text("hrtimer")?;
                if let Some(&setter) = self.setters.get(timer) {
                    step(setter, Step::Expired { timer, processor });
                }
            }
            "hrtimer_start" | "hrtimer_expire_entry" => {}
            "sched_switch" => {
                let (from, to) = (event.number("prev_pid")?, event.number("next_pid")?);
                step(from, Step::Out(event.text("prev_state")?.chars().next()?));
                step(to, Step::In(processor));
                self.processors
                    .entry(processor)
                    .or_default()
                    .switch(at, from, to);
            }
            "sched_wakeup" => step(
                event.number("pid")?,
                Step::Woken(event.number("target_cpu")?),
            ),
            "sched_migrate_task" => {
                step(event.number("pid")?, Step::Moved(event.number("dest_cpu")?));
            }
            // A call of -1 was taken back, as by a signal.
            "sys_enter" | "sys_exit" if event.call()? < 0 => {}
            "sys_enter" => step(thread, Step::CallBegan(event.call()?)),
            "sys_exit" => step(thread, Step::CallEnded),
            // The others are interrupts, and the deferred work of some.
            other => self
                .processors
                .entry(processor)
                .or_default()
                .interrupt(at, other),
        }
        Some(())
    }

    /// When the interrupt began that has the processor: the last of those within each other.
    pub fn interrupt_began(&self, processor: u16, at: u64) -> Option<u64> {
        let depths = &self.processors.get(&processor)?.depths;
        let known = &depths[..depths.partition_point(|(since, _)| *since <= at)];
        let (_, depth) = known.last().filter(|(_, depth)| *depth > 0)?;
        let before = known.iter().rposition(|(_, other)| other < depth);
        Some(known[before.map_or(0, |before| before + 1)].0)
    }

    /// What had a processor in a time: pieces that add up to it. `None` is an interrupt. Nothing at all if it is not
    /// known.
    pub fn had(&self, processor: u16, from: u64, to: u64) -> Option<Vec<(u64, Option<u32>)>> {
        let Processor {
            occupants,
            doubts,
            depths,
        } = self.processors.get(&processor)?;
        if doubts.iter().any(|(start, end)| *start < to && from < *end) {
            return None;
        }
        let changes = occupants.iter().chain(depths).map(|(at, _)| *at);
        let mut cuts: Vec<u64> = changes.filter(|at| from < *at && *at < to).collect();
        cuts.extend([from, to]);
        cuts.sort_unstable();
        let piece = |pair: &[u64]| {
            let is_interrupt = latest(depths, pair[0]) > 0;
            (
                pair[1] - pair[0],
                (!is_interrupt).then_some(latest(occupants, pair[0])),
            )
        };
        Some(cuts.windows(2).map(piece).collect())
    }
}

/// What is so since a change; 0 before the first.
fn latest(changes: &[(u64, u32)], at: u64) -> u32 {
    let known = changes.partition_point(|(since, _)| *since <= at);
    known.checked_sub(1).map_or(0, |last| changes[last].1)
}

impl Processor {
    fn switch(&mut self, at: u64, from: u32, to: u32) {
        if let Some((since, _)) = self.occupants.last().filter(|(_, last)| *last != from) {
            self.doubts.push((*since, at));
        }
        self.occupants.push((at, to));
    }

    fn interrupt(&mut self, at: u64, event: &str) {
        let depth = latest(&self.depths, u64::MAX);
        if event.ends_with("_entry") {
            self.depths.push((at, depth + 1));
        } else if event.ends_with("_exit") {
            self.depths.push((at, depth.saturating_sub(1)));
        }
    }
}

impl<'a> Thread<'a> {
    fn note(&mut self, at: u64, step: Step<'a>) {
        let state = self
            .states
            .last()
            .map_or(State::Unknown, |(_, state)| *state);
        let next = match (step, state) {
            (Step::In(processor), _) => {
                self.processor = processor;
                State::Running(processor)
            }
            (Step::Out('R'), _) => State::Ready(self.processor, Some(at)),
            (Step::Out('D'), _) => State::Away("blocked"),
            (Step::Out('T' | 't'), _) => State::Away("stopped"),
            (Step::Out(_), _) if self.call == Some(libc::SYS_futex) => State::Away("lock"),
            (Step::Out(_), _) => State::Away("sleeping"),
            (Step::Woken(processor), State::Away(_) | State::Unknown) => {
                State::Ready(processor, None)
            }
            (Step::Woken(on) | Step::Moved(on), State::Ready(_, since)) => State::Ready(on, since),
            _ => state,
        };
        match step {
            Step::CallBegan(number) => self.call = Some(number),
            Step::CallEnded => {
                self.call = None;
                if !matches!(state, State::Running(_)) {
                    self.doubts.push(at);
                }
            }
            Step::Armed { .. } | Step::Expired { .. } => {}
            _ => self.states.push((at, next)),
        }
        self.steps.push((at, step));
    }

    /// Where it was in a time: from when to when, and where.
    pub fn was(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, u64, State)> {
        let changes = self.states.iter().copied();
        let starts = std::iter::once((0, State::Unknown)).chain(changes);
        let ends = self.states.iter().map(|(at, _)| *at).chain([u64::MAX]);
        let spans = starts.zip(ends).skip_while(move |(_, end)| *end <= from);
        let within = spans.take_while(move |((start, _), _)| *start < to);
        within.map(move |((start, state), end)| (start.max(from), end.min(to), state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Event<'_> {
        Event::parse(line).unwrap_or_else(|| panic!("{line}"))
    }

    #[test]
    fn names_may_contain_anything() {
        let line = read(
            " a [0] 1.5: b 17 [001] 35205.252043681:  sched:sched_switch: prev_comm=x prev_pid=1 y \
             prev_pid=17 prev_prio=120 prev_state=R+ ==> next_comm=pid=3 z next_pid=19 next_prio=120",
        );
        assert_eq!(
            (line.at, line.processor, line.thread),
            (35_205_252_043_681, 1, 17)
        );
        let threads = (line.number("prev_pid"), line.number("next_pid"));
        assert_eq!(threads, (Some(17), Some(19)));
        assert_eq!(line.text("prev_state"), Some("R+"));
    }

    #[test]
    fn reads_what_perf_prints() {
        let call =
            read("  python3 23142 [000] 35205.252048168:  raw_syscalls:sys_exit: NR 230 = 0");
        assert_eq!((call.name, call.call()), ("sys_exit", Some(230)));
        let timer = read(
            "rustc 9 [000] 35205.271757634: timer:hrtimer_start: hrtimer=0xffff88811d8884c8 \
             function=sched_cfs_period_timer expires=35205321730310 softexpires=35205321730300 mode=0x0 was_armed=0",
        );
        assert_eq!(timer.text("hrtimer"), Some("0xffff88811d8884c8"));
        assert_eq!(timer.number("expires"), Some(35_205_321_730_310_u64));
        let gone = read(
            ":-1 -1 [000] 35950.687134072: sched:sched_switch: prev_comm=lto prev_pid=2169 \
             prev_prio=130 prev_state=X ==> next_comm=rustc next_pid=2131 next_prio=130",
        );
        assert_eq!(
            (gone.thread, gone.number("prev_pid")),
            (u32::MAX, Some(2169))
        );
    }

    #[test]
    fn what_is_not_understood_and_what_is_lost_is_an_error() {
        for text in [
            "perf 1 [000] 1.0",
            "x 1 [000] 2.000000001: sched:sched_wakeup: comm=x pid=-",
            "x 1 [000] 2.000000001: PERF_RECORD_LOST_SAMPLES: lost 3",
        ] {
            assert!(Timeline::new(text).is_err(), "{text}");
        }
    }
}
