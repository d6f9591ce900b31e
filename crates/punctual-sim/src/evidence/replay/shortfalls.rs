//! What simulated machines are known not to give, and why.

use crate::evidence::{Expect, Finding};

/// Notes why a statement fails on whole machines, if it does and that is known.
pub(super) fn explain(case: &str, finding: &mut Finding) {
    if !finding.holds && finding.expected_to_fail.is_none() {
        finding.expected_to_fail = reason(case, &finding.statement).map(str::to_owned);
    }
}

fn reason(case: &str, statement: &Expect) -> Option<&'static str> {
    match (case, statement) {
        ("grc-random", Expect::Share { .. }) => Some(
            "the article leaves out what the call, the interrupt and the switch cost: a wait that \
             begins just after a tick takes 3 us more than 16.625 ms",
        ),
        ("sil-due-early", Expect::Share { .. }) => Some(
            "waits and ticks lock into one phase, and which depends on what an interrupt costs: \
             with 1 us every tick makes an iteration of 1.4 ms, with 0.2 or 5 us hardly any does",
        ),
        ("sil-pinned", Expect::PhaseShifts { .. }) => Some(
            "one processor handles all timer interrupts here, wherever the thread runs, so that \
             pinning it changes next to nothing",
        ),
        ("sil-phase-others", Expect::PhaseShifts { .. }) => Some(
            "a request for what is in force already changes nothing here; what shifts the phase \
             when the other program wakes is not known",
        ),
        _ => None,
    }
}
