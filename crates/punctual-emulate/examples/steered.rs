//! Runs a program under a simple rule, and says at the end what happened:
//! `steered [--two-stops] [--stats FILE] RULE PROGRAM…`.
//!
//! The rules: `as-asked` changes no end; `ticks=NS` ends waits at the next multiple of so many nanoseconds;
//! `later=NS` ends all waits so much later; `heard=NS` as `ticks`, and hears of each end at once; `again=NS`
//! ends waits so much too early, as some timers of Windows do, and waits on; `shorter=NS` makes waits last a
//! second, until the next one begins, and then ends all so much after it was asked.

use punctual::Instant;
use punctual_emulate::call::{Asked, Family};
use punctual_emulate::session::{Options, Session};
use punctual_emulate::timer_policy::{Begun, Next, Over, ProcessId, ThreadId, TimerPolicy, WaitId};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// What is done to ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    AsAsked,
    Ticks(u64),
    Heard(u64),
    Later(u64),
    Again(u64),
    Shorter(u64),
}

impl Rule {
    fn parse(word: &str) -> Option<Self> {
        if word == "as-asked" {
            return Some(Self::AsAsked);
        }
        let (name, nanos) = word.split_once('=')?;
        let nanos = nanos.parse().ok().filter(|&nanos| nanos > 0)?;
        Some(match name {
            "ticks" => Self::Ticks(nanos),
            "heard" => Self::Heard(nanos),
            "later" => Self::Later(nanos),
            "again" => Self::Again(nanos),
            "shorter" => Self::Shorter(nanos),
            _ => return None,
        })
    }
}

/// A wait that goes on.
struct Going {
    asked: Asked,
    begun: Instant,
    end: Instant,
    ended_early: bool,
}

/// The rule at work, and what came of it.
struct Simple {
    rule: Rule,
    next: u64,
    going: HashMap<WaitId, Going>,
    changed: Vec<Begun>,
    told: String,
    processes: i64,
    timed_out: u64,
    events: u64,
    interrupted: u64,
    early: u64,
    worst: u64,
    unknown: u64,
}

fn later(at: Instant, nanos: u64) -> Instant {
    Instant::from_nanos(at.as_nanos().saturating_add(nanos))
}

impl TimerPolicy for Simple {
    fn process_began(&mut self, _: Instant, process: ProcessId, parent: Option<ProcessId>) {
        self.processes += 1;
        writeln!(self.told, "began {process:?} {parent:?}").expect("text takes all");
    }

    fn executes(&mut self, _: Instant, process: ProcessId, executable: &Path) {
        writeln!(self.told, "executes {process:?} {}", executable.display())
            .expect("text takes all");
    }

    fn process_ended(&mut self, _: Instant, process: ProcessId) {
        self.processes -= 1;
        writeln!(self.told, "ended {process:?}").expect("text takes all");
    }

    fn begin(&mut self, now: Instant, _: ProcessId, thread: ThreadId, asked: Asked) -> Begun {
        self.next += 1;
        let wait = WaitId(self.next);
        let end = match self.rule {
            Rule::Later(nanos) => later(asked.end, nanos),
            Rule::Ticks(tick) | Rule::Heard(tick) => {
                Instant::from_nanos(asked.end.as_nanos().div_ceil(tick) * tick)
            }
            Rule::Again(nanos) if asked.call.family() != Family::Timer => {
                Instant::from_nanos(asked.end.as_nanos().saturating_sub(nanos)).max(now)
            }
            Rule::Shorter(_) if asked.call.family() != Family::Timer => later(now, 1_000_000_000),
            Rule::AsAsked | Rule::Again(_) | Rule::Shorter(_) => asked.end,
        };
        if let Rule::Shorter(nanos) = self.rule {
            let waits = self.going.iter_mut();
            self.changed
                .extend(
                    waits
                        .filter(|(_, going)| !going.ended_early)
                        .map(|(&wait, going)| {
                            going.end = later(going.asked.end, nanos);
                            going.ended_early = true;
                            Begun {
                                wait,
                                end: going.end,
                                hear_of_end: false,
                            }
                        }),
                );
        }
        writeln!(
            self.told,
            "{} {thread:?} {wait:?} {:?}",
            asked.call.name(),
            asked.length
        )
        .expect("text takes all");
        self.going.insert(
            wait,
            Going {
                asked,
                begun: now,
                end,
                ended_early: false,
            },
        );
        let hear_of_end = matches!(self.rule, Rule::Heard(_) | Rule::Again(_));
        Begun {
            wait,
            end,
            hear_of_end,
        }
    }

    fn over(&mut self, now: Instant, wait: WaitId, over: Over) -> Next {
        let Some(mut going) = self.going.remove(&wait) else {
            self.unknown += 1;
            return Next::Nothing;
        };
        let took = now.duration_since(going.begun);
        writeln!(self.told, "over {wait:?} {over:?} after {took:?}").expect("text takes all");
        match over {
            Over::Event => self.events += 1,
            Over::Interrupted => self.interrupted += 1,
            Over::TimedOut if now < going.asked.end && !going.ended_early => {
                // Only `again` ends anything before it was asked.
                going.ended_early = true;
                going.end = going.asked.end;
                let end = going.end;
                self.going.insert(wait, going);
                return Next::Again(Begun {
                    wait,
                    end,
                    hear_of_end: true,
                });
            }
            Over::TimedOut => {
                self.timed_out += 1;
                if now < going.end {
                    self.early += 1;
                }
                let late = now
                    .duration_since(going.end)
                    .as_nanos()
                    .try_into()
                    .unwrap_or(u64::MAX);
                self.worst = self.worst.max(late);
            }
        }
        Next::Nothing
    }

    fn next_firing(&mut self, wait: WaitId, fired: Instant) -> Instant {
        let period = self.going.get(&wait).and_then(|going| going.asked.period);
        let nanos = period.unwrap_or(Duration::from_secs(1)).as_nanos();
        later(fired, nanos.try_into().unwrap_or(u64::MAX))
    }

    fn changed(&mut self, _: Instant) -> Vec<Begun> {
        std::mem::take(&mut self.changed)
    }

    fn cannot_steer(&mut self, process: ProcessId, what: &str) {
        writeln!(self.told, "cannot steer {process:?}: {what}").expect("text takes all");
    }
}

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().skip(1).collect();
    let mut options = Options::default();
    let mut file = None;
    loop {
        if words.first().is_some_and(|word| word == "--two-stops") {
            words.remove(0);
            options.stub = false;
        } else if words.first().is_some_and(|word| word == "--stats") && words.len() > 1 {
            file = Some(words.remove(1));
            words.remove(0);
        } else {
            break;
        }
    }
    let rule = words
        .first()
        .and_then(|word| word.to_str())
        .and_then(Rule::parse);
    let (Some(rule), true) = (rule, words.len() > 1) else {
        eprintln!(
            "say a rule and a program: steered [--two-stops] [--stats FILE] as-asked sleep 1"
        );
        return ExitCode::from(2);
    };
    let mut command = Command::new(&words[1]);
    command.args(&words[2..]);
    let mut policy = Simple {
        rule,
        next: 0,
        going: HashMap::new(),
        changed: Vec::new(),
        told: String::new(),
        processes: 0,
        timed_out: 0,
        events: 0,
        interrupted: 0,
        early: 0,
        worst: 0,
        unknown: 0,
    };
    let code = match Session::run(&command, &mut policy, &options) {
        Ok(ended) => {
            writeln!(policy.told, "{:?} {:?}", ended.status, ended.counts).expect("text takes all");
            ended.status.exit_code()
        }
        Err(refusal) => {
            eprintln!("steered: {refusal}");
            refusal.exit_code()
        }
    };
    if let Some(file) = file {
        let all = format!(
            "{}left={} processes={} timed_out={} events={} interrupted={} early={} unknown={} \
             worst_late_us={}\n",
            policy.told,
            policy.going.len(),
            policy.processes,
            policy.timed_out,
            policy.events,
            policy.interrupted,
            policy.early,
            policy.unknown,
            policy.worst / 1000
        );
        if let Err(error) = fs::write(&file, all) {
            eprintln!("steered: {} cannot be written: {error}", file.display());
        }
    }
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
