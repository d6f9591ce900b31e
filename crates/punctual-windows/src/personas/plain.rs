//! How a runtime waits, as parameters and the steps that follow from them.

use super::amount::{Amount, NANOS_PER_MILLISECOND, Rounding};
use super::odd::Manner;
use super::step::{Ask, Clock, Clocks, Event, Stage, State, Wait};
use serde::Deserialize;
use std::time::Duration;

/// How a runtime waits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Waits {
    /// What is asked of Windows.
    pub(super) asks: Amount,
    /// What is asked where that is refused.
    pub(super) fallback: Option<Amount>,
    /// How later rounds of one wait are rounded, if not as the first.
    again: Option<Rounding>,
    /// What the entry makes of its argument.
    #[serde(default)]
    takes: Takes,
    /// What a wait of no length does.
    #[serde(default)]
    zero: Zero,
    #[serde(default)]
    early: Early,
    /// The clock by which the end is known. Only runtimes that trust every wait have none.
    clock: Option<Clock>,
    /// Whether the clock is read in whole milliseconds, rounded down.
    #[serde(default)]
    whole_milliseconds: bool,
    /// Whether the end is rounded up to a whole millisecond.
    #[serde(default)]
    end_up: bool,
    /// How much earlier than its end a wait may be over, in microseconds.
    #[serde(default)]
    may_be_early_us: u64,
    /// How much less than the length is asked for, in microseconds, if the rest is spun.
    #[serde(default)]
    margin_us: u64,
    /// Whether each wait ends on a schedule that the first one begins.
    #[serde(default)]
    pub(super) is_periodic: bool,
    /// What becomes of periods that have passed.
    #[serde(default)]
    passed: Passed,
    /// The clock by which the length becomes a deadline and a length again, in whole milliseconds, up
    /// and down.
    deadline_clock: Option<Clock>,
    #[serde(default)]
    manner: Manner,
    request: Option<Request>,
}

/// What becomes of the periods of a schedule that have passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Passed {
    /// They are left out.
    #[default]
    Skipped,
    /// Each ends at once.
    Burst,
    /// The next one ends a millisecond from now, and the schedule goes on from there.
    Millisecond,
}

/// What an entry makes of its argument, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Takes {
    /// Whole milliseconds, if it is rounded at all.
    milliseconds: Option<Rounding>,
    #[serde(default)]
    least: u64,
    #[serde(default)]
    more: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Zero {
    /// As any other length.
    #[default]
    Wait,
    /// The thread gives up its turn.
    Yield,
    /// Nothing.
    Return,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Early {
    /// The wait counts as over.
    #[default]
    Trust,
    /// It is asked for again until the clock says that it is over.
    Again,
    /// The rest is spun.
    Spin,
}

impl Takes {
    fn taken(self, duration: Duration) -> u64 {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let Some(rounding) = self.milliseconds else {
            return nanos;
        };
        let whole = rounding.divide(nanos, NANOS_PER_MILLISECOND);
        (whole.max(self.least) + self.more).saturating_mul(NANOS_PER_MILLISECOND)
    }
}

impl Waits {
    pub(super) fn clocks(&self) -> Vec<Clock> {
        self.clock.into_iter().chain(self.deadline_clock).collect()
    }

    pub(super) fn early_in_words(&self) -> String {
        match (self.early, self.clock) {
            (Early::Again, Some(clock)) => format!("waits again, by {}", clock.words()),
            (Early::Spin, _) => "spins".to_owned(),
            (Early::Trust | Early::Again, _) => "trusts".to_owned(),
        }
    }

    pub(super) fn request_in_words(&self) -> String {
        self.request.map_or("none".to_owned(), Request::words)
    }

    pub(super) fn step(&self, state: &mut State, event: Event, clocks: &Clocks) -> Ask {
        match (event, state.stage) {
            (Event::Start, _) => self.start(state),
            (Event::Begin(duration), _) => self.begin(state, duration, clocks),
            (Event::Refused, stage) => {
                state.is_refused = true;
                // The same is asked for again, of another call.
                state.is_probed = false;
                state.round = state.round.saturating_sub(1);
                match stage {
                    Stage::Starting => self.adjust(state, Stage::Leaving, true),
                    _ => self.prepare(state),
                }
            }
            (Event::Done, Stage::Preparing) => self.ask(state),
            (Event::Done, Stage::Starting | Stage::Leaving) => nothing(state),
            (Event::Woken { timed_out: true }, _) if self.releases(state) => {
                self.adjust(state, Stage::Between, false)
            }
            (Event::Done | Event::Woken { timed_out: true }, _) => self.look(state, clocks),
            (Event::Woken { timed_out: false }, _) => self.end(state),
        }
    }

    /// What the runtime does when the program starts.
    fn start(&self, state: &mut State) -> Ask {
        *state = State::default();
        match self.request.filter(|request| request.is_held_between()) {
            None => Ask::Nothing,
            Some(request) if request.only_without_timer => {
                state.stage = Stage::Starting;
                Ask::MakeHighResolutionTimer
            }
            Some(_) => self.adjust(state, Stage::Leaving, true),
        }
    }

    fn begin(&self, state: &mut State, duration: Duration, clocks: &Clocks) -> Ask {
        state.asked_ns = self.until_deadline(self.takes.taken(duration), clocks);
        state.round = 0;
        if state.asked_ns == 0 && self.zero == Zero::Return {
            return nothing(state);
        }
        let now = self.now(clocks);
        state.due_ns = self.due(state.due_ns, state.asked_ns, clocks);
        state.end_ns = match self.end_up {
            true => state.due_ns.next_multiple_of(NANOS_PER_MILLISECOND),
            false => state.due_ns,
        };
        state.left_ns = state.end_ns.saturating_sub(now);
        if self.passed == Passed::Burst && state.left_ns == 0 {
            return nothing(state);
        }
        self.manner.begin(state, now);
        self.prepare(state)
    }

    /// The length once it has been a deadline.
    fn until_deadline(&self, length: u64, clocks: &Clocks) -> u64 {
        let Some(clock) = self.deadline_clock else {
            return length;
        };
        let now = clocks.at(clock) / NANOS_PER_MILLISECOND;
        let end = clocks.at(clock).saturating_add(length);
        (end.div_ceil(NANOS_PER_MILLISECOND) - now).saturating_mul(NANOS_PER_MILLISECOND)
    }

    /// When a wait that begins now is due, on the persona's clock.
    fn due(&self, last: u64, asked: u64, clocks: &Clocks) -> u64 {
        let now = match self.end_up {
            true => self.clock.map_or(0, |clock| clocks.at(clock)),
            false => self.now(clocks),
        };
        if !self.is_periodic || last == 0 || asked == 0 {
            return now.saturating_add(asked);
        }
        let next = last.saturating_add(asked);
        match self.passed {
            Passed::Burst => next,
            Passed::Millisecond if next > now => next,
            Passed::Millisecond => now.saturating_add(NANOS_PER_MILLISECOND),
            Passed::Skipped => {
                let passed = now.saturating_sub(last) / asked;
                last.saturating_add(asked.saturating_mul(passed + 1))
            }
        }
    }

    /// Makes or ends the request, if the wait needs that, and then asks for the wait.
    fn prepare(&self, state: &mut State) -> Ask {
        let is_held = self.request_here(state).is_some_and(|request| {
            let nanos = if request.each_round {
                state.left_ns
            } else {
                state.asked_ns
            };
            request.is_held_during(nanos)
        });
        match is_held == state.is_held {
            true => self.ask(state),
            false => self.adjust(state, Stage::Preparing, is_held),
        }
    }

    /// Asks for what is left.
    fn ask(&self, state: &mut State) -> Ask {
        state.stage = Stage::Waiting;
        if state.asked_ns == 0 && self.zero == Zero::Yield {
            return Ask::Wait(Wait::Ordinary { milliseconds: 0 });
        }
        let amount = self.fallback.filter(|_| state.is_refused);
        let mut amount = amount.unwrap_or(self.asks);
        if let Some(again) = self.again.filter(|_| state.round > 0) {
            amount = amount.rounded(again);
        }
        let less = state.left_ns.saturating_sub(self.margin_us * 1_000);
        let spins_all = self.early == Early::Spin && less == 0;
        let spins_rest = state.round > 0 && amount.is_none(state.left_ns);
        if (spins_all || spins_rest) && self.clock == Some(Clock::Performance) {
            return spin(state);
        }
        let Some(wait) = self.manner.wait(state, amount, less) else {
            return spin(state);
        };
        state.round = state.round.saturating_add(1);
        Ask::Wait(wait)
    }

    /// What was asked for is over. Is the wait?
    fn look(&self, state: &mut State, clocks: &Clocks) -> Ask {
        let now = self.now(clocks);
        state.left_ns = state.end_ns.saturating_sub(now);
        self.manner.look(state, now);
        match self.early {
            _ if state.left_ns <= self.may_be_early_us * 1_000 => self.end(state),
            Early::Again => self.prepare(state),
            Early::Spin => spin(state),
            Early::Trust => self.end(state),
        }
    }

    fn end(&self, state: &mut State) -> Ask {
        let is_held = self
            .request_here(state)
            .is_some_and(Request::is_held_between);
        match is_held == state.is_held {
            true => nothing(state),
            false => self.adjust(state, Stage::Leaving, is_held),
        }
    }

    /// Whether the request ends with each round, and is in force.
    fn releases(&self, state: &State) -> bool {
        state.is_held && self.request.is_some_and(|request| request.each_round)
    }

    /// The request that this runtime makes on this Windows.
    fn request_here(&self, state: &State) -> Option<Request> {
        let is_made = |request: &Request| !request.only_without_timer || state.is_refused;
        self.request.filter(is_made)
    }

    /// Makes or ends the request.
    fn adjust(&self, state: &mut State, stage: Stage, is_held: bool) -> Ask {
        let milliseconds = self.request.map_or(0, |request| request.milliseconds);
        state.stage = stage;
        state.is_held = is_held;
        match is_held {
            true => Ask::BeginPeriod(milliseconds),
            false => Ask::EndPeriod(milliseconds),
        }
    }

    fn now(&self, clocks: &Clocks) -> u64 {
        let now = self.clock.map_or(0, |clock| clocks.at(clock));
        match self.whole_milliseconds {
            true => now - now % NANOS_PER_MILLISECOND,
            false => now,
        }
    }
}

fn spin(state: &mut State) -> Ask {
    state.stage = Stage::Spinning;
    Ask::Spin {
        until_ns: state.end_ns,
    }
}

fn nothing(state: &mut State) -> Ask {
    state.stage = Stage::Idle;
    Ask::Nothing
}

/// A request through `timeBeginPeriod`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Request {
    pub(super) milliseconds: u32,
    held: Held,
    /// The longest wait during which it is held, in milliseconds.
    at_most: Option<u64>,
    /// Whether waits of 10, 20, 30… ms do without.
    #[serde(default)]
    unless_tens: bool,
    /// Whether it is made anew for each round of a wait.
    #[serde(default)]
    each_round: bool,
    /// Whether it is made only where there are no high-resolution timers.
    #[serde(default)]
    only_without_timer: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Held {
    /// From the start of the program to its end, except during waits that are too long.
    Always,
    /// From just before each wait to just after it.
    DuringWaits,
}

impl Request {
    /// Whether it is in force during a wait of this length.
    fn is_held_during(self, nanos: u64) -> bool {
        let is_short = |most| nanos <= most * NANOS_PER_MILLISECOND;
        let is_ten = nanos.div_ceil(NANOS_PER_MILLISECOND).is_multiple_of(10);
        self.at_most.is_none_or(is_short) && !(self.unless_tens && is_ten)
    }

    /// Whether it is in force between waits.
    fn is_held_between(self) -> bool {
        self.held == Held::Always
    }

    pub(super) fn words(self) -> String {
        let held = match self.held {
            Held::Always => "always",
            Held::DuringWaits => "during waits",
        };
        let mut words = format!("{} ms {held}", self.milliseconds);
        if let Some(most) = self.at_most {
            words += &format!(" of at most {most} ms");
        }
        if self.unless_tens {
            words += " except of 10, 20, 30… ms";
        }
        if self.only_without_timer {
            words += ", where there are no high-resolution timers";
        }
        words
    }
}
