//! The waits that parameters describe: a call, its rounding, what follows an early end, and requests.

use super::state::{Stage, State};
use super::step::{Ask, Clock, Clocks, Event, Wait};
use serde::Deserialize;

/// How a runtime waits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Waits {
    pub(super) call: Call,
    #[serde(default)]
    pub(super) rounding: Rounding,
    /// The least amount that is asked for, in the call's unit.
    #[serde(default)]
    least: u64,
    /// What a wait of no length does.
    #[serde(default)]
    zero: Zero,
    /// What is asked where the call is refused.
    fallback: Option<Fallback>,
    #[serde(default)]
    early: Early,
    /// How later rounds of one wait are rounded, if not as the first.
    again: Option<Rounding>,
    /// The clock of a loop.
    clock: Option<Clock>,
    request: Option<Request>,
}

/// A Windows call that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Call {
    Ordinary,
    Port,
    Waitable,
    HighResolution,
    Pool,
    Message,
    Select,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Rounding {
    #[default]
    Up,
    Down,
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
    Loop,
    /// The rest is spun.
    Spin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Fallback {
    call: Call,
    #[serde(default)]
    rounding: Rounding,
    #[serde(default)]
    least: u64,
}

/// A request for a timer interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Request {
    milliseconds: u32,
    held: Held,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Held {
    /// From the start of the program to its end.
    Always,
    /// From just before each wait to just after it.
    DuringWaits,
    /// The same, for waits that are no multiple of 10 ms.
    DuringWaitsUnlessTens,
    /// The same, for waits of at most 16 ms.
    DuringShortWaits,
}

const NANOS_PER_MILLISECOND: u64 = 1_000_000;
const NANOS_PER_UNIT: u64 = 100;
const NANOS_PER_MICROSECOND: u64 = 1_000;

impl Rounding {
    pub(super) fn divide(self, nanos: u64, unit: u64) -> u64 {
        match self {
            Self::Up => nanos.div_ceil(unit),
            Self::Down => nanos / unit,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

/// The longest timeout that is not for ever.
fn milliseconds(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).min(u32::MAX - 1)
}

impl Call {
    /// The wait of this length, rounded to its unit.
    fn wait(self, rounding: Rounding, least: u64, nanos: u64) -> Wait {
        let amount = |unit| rounding.divide(nanos, unit).max(least);
        let in_milliseconds = || milliseconds(amount(NANOS_PER_MILLISECOND));
        match self {
            Self::Ordinary => Wait::Ordinary {
                milliseconds: in_milliseconds(),
            },
            Self::Port => Wait::Port {
                milliseconds: in_milliseconds(),
            },
            Self::Message => Wait::Message {
                milliseconds: in_milliseconds(),
            },
            Self::Waitable => Wait::Waitable {
                units: amount(NANOS_PER_UNIT),
                is_new: true,
                tolerable_delay_ms: 0,
            },
            Self::HighResolution => Wait::HighResolution {
                units: amount(NANOS_PER_UNIT),
                is_new: true,
            },
            Self::Pool => Wait::Pool {
                units: amount(NANOS_PER_UNIT),
            },
            Self::Select => Wait::Select {
                microseconds: amount(NANOS_PER_MICROSECOND),
            },
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Ordinary => "ordinary wait",
            Self::Port => "completion port",
            Self::Waitable => "waitable timer",
            Self::HighResolution => "high-resolution timer",
            Self::Pool => "thread-pool timer",
            Self::Message => "timer message",
            Self::Select => "select",
        }
    }
}

impl Held {
    /// Whether it is held during a wait of this length.
    fn is_for(self, nanos: u64) -> bool {
        match self {
            Self::Always => false,
            Self::DuringWaits => true,
            Self::DuringWaitsUnlessTens => {
                !nanos.div_ceil(NANOS_PER_MILLISECOND).is_multiple_of(10)
            }
            Self::DuringShortWaits => nanos <= 16 * NANOS_PER_MILLISECOND,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::DuringWaits => "during waits",
            Self::DuringWaitsUnlessTens => "during waits unless 10, 20, 30… ms",
            Self::DuringShortWaits => "during waits up to 16 ms",
        }
    }
}

impl Waits {
    pub(super) fn clocks(&self) -> &[Clock] {
        self.clock.as_slice()
    }

    pub(super) fn early_in_words(&self) -> String {
        match (self.early, self.clock) {
            (Early::Trust, _) => "trusts".to_owned(),
            (Early::Loop, clock) => format!("waits again, by {}", clock.map_or("", Clock::words)),
            (Early::Spin, _) => "spins".to_owned(),
        }
    }

    pub(super) fn request_in_words(&self) -> String {
        match self.request {
            None => "none".to_owned(),
            Some(request) => format!("{} ms {}", request.milliseconds, request.held.words()),
        }
    }

    pub(super) fn step(&self, state: &mut State, event: Event, clocks: &Clocks) -> Ask {
        match (event, state.stage) {
            (Event::Start, _) => self.start(state),
            (Event::Begin(duration), _) => {
                let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
                state.asked_ns = nanos;
                state.round = 0;
                state.end_ns = self.now(clocks).saturating_add(nanos);
                self.begin(state)
            }
            (Event::Done, Stage::Requesting) => self.wait(state, state.asked_ns),
            (Event::Refused, _) => {
                state.is_refused = true;
                self.wait(state, state.asked_ns)
            }
            (Event::Woken { timed_out: true }, _) | (Event::Done, Stage::Spinning) => {
                self.look(state, clocks)
            }
            (Event::Woken { timed_out: false }, _) => self.end(state),
            (Event::Done, _) => nothing(state),
        }
    }

    fn start(&self, state: &mut State) -> Ask {
        *state = State::default();
        match self.request {
            Some(request) if request.held == Held::Always => {
                state.stage = Stage::Starting;
                Ask::BeginPeriod(request.milliseconds)
            }
            _ => Ask::Nothing,
        }
    }

    fn begin(&self, state: &mut State) -> Ask {
        if state.asked_ns == 0 && self.zero == Zero::Return {
            return nothing(state);
        }
        match self.request {
            Some(request) if request.held.is_for(state.asked_ns) => {
                state.stage = Stage::Requesting;
                state.held_ms = request.milliseconds;
                Ask::BeginPeriod(request.milliseconds)
            }
            _ => self.wait(state, state.asked_ns),
        }
    }

    /// Asks for what is left.
    fn wait(&self, state: &mut State, left_ns: u64) -> Ask {
        state.stage = Stage::Waiting;
        if state.asked_ns == 0 && self.zero == Zero::Yield {
            return Ask::Wait(Wait::Ordinary { milliseconds: 0 });
        }
        let fallback = self.fallback.filter(|_| state.is_refused);
        let (call, first, least) = match fallback {
            Some(fallback) => (fallback.call, fallback.rounding, fallback.least),
            None => (self.call, self.rounding, self.least),
        };
        let later = self.again.filter(|_| state.round > 0);
        state.round = state.round.saturating_add(1);
        Ask::Wait(call.wait(later.unwrap_or(first), least, left_ns))
    }

    /// The call has ended: is the wait over?
    fn look(&self, state: &mut State, clocks: &Clocks) -> Ask {
        let left_ns = state.end_ns.saturating_sub(self.now(clocks));
        match self.early {
            Early::Loop if left_ns > 0 => self.wait(state, left_ns),
            Early::Spin if left_ns > 0 => {
                state.stage = Stage::Spinning;
                Ask::Spin {
                    until_ns: state.end_ns,
                }
            }
            _ => self.end(state),
        }
    }

    fn end(&self, state: &mut State) -> Ask {
        if state.held_ms == 0 {
            return nothing(state);
        }
        state.stage = Stage::Releasing;
        Ask::EndPeriod(std::mem::take(&mut state.held_ms))
    }

    fn now(&self, clocks: &Clocks) -> u64 {
        self.clock.map_or(0, |clock| clocks.at(clock))
    }
}

fn nothing(state: &mut State) -> Ask {
    state.stage = Stage::Idle;
    Ask::Nothing
}
