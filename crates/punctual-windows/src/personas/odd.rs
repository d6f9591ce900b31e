//! Waits that no parameter expresses.

use super::amount::{Amount, Call, NANOS_PER_MILLISECOND};
use super::step::{State, Wait};
use serde::Deserialize;

/// How what is left becomes what is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Manner {
    /// All of it.
    #[default]
    Plain,
    /// libuv: all of it, and from the third round on 1, 2, 4… ms more, so that no loop is busy.
    Growing,
    /// CPython's old locks: 1 ms, then twice as much each time, at most 50 ms, and looks in between.
    Polling,
    /// SDL's precise delay: 1 ms again and again, then what is left less the worst overshoot, then a
    /// spin.
    Probing,
    /// Netty's wheel: multiples of 10 ms, then 1 ms at a time.
    Tens,
    /// Qt's coarse timers: `timeSetEvent` below 20 ms, then `SetTimer`, in whole seconds from 20 s on.
    Coarse,
}

/// The length of a probe.
const PROBE_NS: u64 = NANOS_PER_MILLISECOND;

impl Manner {
    /// A wait begins.
    pub(super) fn begin(self, state: &mut State, now: u64) {
        if self == Self::Probing {
            state.longest_ns = PROBE_NS;
            state.probed_ns = now;
            state.is_probed = false;
        }
    }

    /// What is asked for now; nothing if the rest is spun. `left_ns` is the state's, less a margin.
    pub(super) fn wait(self, state: &mut State, amount: Amount, left_ns: u64) -> Option<Wait> {
        match self {
            Self::Plain => Some(amount.wait(left_ns)),
            Self::Growing => {
                let more = match state.round {
                    0 | 1 => 0,
                    round => 1 << (round - 2).min(20),
                };
                Some(amount.wait(left_ns + more * NANOS_PER_MILLISECOND))
            }
            Self::Polling => {
                const MOST_NS: u64 = 50 * NANOS_PER_MILLISECOND;
                let doubled = NANOS_PER_MILLISECOND << state.round.min(20);
                Some(amount.wait(left_ns.min(doubled).min(MOST_NS)))
            }
            Self::Probing => probe(state, amount, left_ns),
            Self::Tens => {
                const TEN: u64 = 10 * NANOS_PER_MILLISECOND;
                let whole = left_ns.next_multiple_of(NANOS_PER_MILLISECOND);
                Some(amount.wait((whole / TEN * TEN).max(NANOS_PER_MILLISECOND)))
            }
            Self::Coarse => Some(coarse(amount, left_ns)),
        }
    }

    /// What was asked for has ended.
    pub(super) fn look(self, state: &mut State, now: u64) {
        if self == Self::Probing && !state.is_probed {
            state.longest_ns = state.longest_ns.max(now - state.probed_ns);
            state.probed_ns = now;
        }
    }
}

/// A probe while another fits, then one wait that ends before the end if it is as late as the worst.
fn probe(state: &mut State, amount: Amount, left_ns: u64) -> Option<Wait> {
    if state.is_probed {
        return None;
    }
    if left_ns > state.longest_ns {
        return Some(amount.wait(PROBE_NS));
    }
    state.is_probed = true;
    let overshoot = state.longest_ns - PROBE_NS;
    (left_ns > overshoot).then(|| amount.wait(left_ns - overshoot))
}

fn coarse(amount: Amount, left_ns: u64) -> Wait {
    const EXACT_BELOW: u64 = 20 * NANOS_PER_MILLISECOND;
    const SECONDS_FROM: u64 = 20_000 * NANOS_PER_MILLISECOND;
    const SECOND: u64 = 1_000 * NANOS_PER_MILLISECOND;
    if left_ns < EXACT_BELOW {
        return amount.wait(left_ns);
    }
    let nanos = match left_ns >= SECONDS_FROM {
        true => left_ns.saturating_add(SECOND / 2) / SECOND * SECOND,
        false => left_ns,
    };
    Amount {
        call: Call::Message,
        ..amount
    }
    .wait(nanos)
}
