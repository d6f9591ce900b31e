//! The confidence of a persona: that of the wait that it asks for first, and of its row.

use super::Said;
use crate::confidence::{Confidence, Ground, Level, Waits};
use punctual_windows::choices::HighResolution;
use punctual_windows::confidence::{Asked, Begun, Call, Looks, Subject, confidence};
use punctual_windows::personas::{Ask, Clock, Clocks, Event, Persona, Wait};
use std::time::Duration;

/// More than any persona asks before its first wait.
const MOST_ASKS: usize = 16;

/// How far the mean of a persona's waits can be trusted.
pub(super) fn confidence_of(persona: &Persona, subject: &Subject, waits: &Waits) -> Confidence {
    let asked = first_wait(persona, subject, waits);
    let verdict = confidence(subject, &asked);
    // What is published is about a call in a loop, and not about the runtime that makes it.
    let mut said: Confidence = Said(&verdict, None).into();
    if !persona.checked {
        said.level = said.level.max(Level::Inferred);
        said.rests_on.push(unchecked(persona));
        said.rests_on
            .sort_by_key(|ground| std::cmp::Reverse(ground.level));
    }
    said
}

/// A row that nobody has read in the runtime's source is an inference.
fn unchecked(persona: &Persona) -> Ground {
    Ground {
        rule: persona.id.to_owned(),
        basis: "not checked in its source".to_owned(),
        level: Level::Inferred,
        cases: Vec::new(),
    }
}

/// What the persona asks for first, on a machine of this version.
fn first_wait(persona: &Persona, subject: &Subject, waits: &Waits) -> Asked {
    let (mut state, clocks) = (persona.state(), Clocks::default());
    let mut request = waits.request;
    let has_high_resolution = subject.rules.high_resolution == HighResolution::Present;
    let mut next = persona.step(&mut state, Event::Start, &clocks);
    let mut is_begun = false;
    for _ in 0..MOST_ASKS {
        let event = match next {
            Ask::Nothing if is_begun => break,
            Ask::Nothing => {
                is_begun = true;
                Event::Begin(waits.duration)
            }
            Ask::Wait(wait) if wait.call() == Call::HighResolution && !has_high_resolution => {
                Event::Refused
            }
            Ask::Wait(wait) => {
                let base = Asked {
                    request,
                    looks: looks(persona),
                    ..Asked::tight(Call::Ordinary, waits.duration)
                };
                return asked(wait, base, waits.is_tight);
            }
            Ask::BeginPeriod(milliseconds) => {
                let interval = Duration::from_millis(milliseconds.into());
                request = request.into_iter().chain([interval]).min();
                Event::Done
            }
            Ask::MakeHighResolutionTimer if !has_high_resolution => Event::Refused,
            Ask::MakeHighResolutionTimer | Ask::EndPeriod(_) | Ask::Spin { .. } => Event::Done,
        };
        next = persona.step(&mut state, event, &clocks);
    }
    // It does not wait for so short a time.
    Asked::tight(Call::Clock, waits.duration)
}

/// The clock that its loop looks at.
fn looks(persona: &Persona) -> Looks {
    let clocks = persona.clocks();
    let stands = |clock: &Clock| matches!(clock, Clock::Interrupt | Clock::File);
    if clocks.contains(&Clock::Ticks) {
        Looks::TickCount
    } else if clocks.iter().any(stands) {
        Looks::LastTick
    } else {
        Looks::Exact
    }
}

fn asked(wait: Wait, base: Asked, is_tight: bool) -> Asked {
    let is_tolerant = matches!(
        wait,
        Wait::Waitable {
            tolerable_delay_ms: 1..,
            ..
        }
    );
    Asked {
        call: wait.call(),
        duration: wait.length(),
        is_periodic: wait.is_periodic(),
        is_tolerant,
        begun: if is_tight {
            Begun::Tight
        } else {
            Begun::AnyTime
        },
        ..base
    }
}
