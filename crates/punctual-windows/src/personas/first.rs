//! What a persona asks for first, as far as confidence goes.

use super::{Ask, Clock, Clocks, Event, Persona};
use crate::choices::HighResolution;
use crate::confidence::{Asked, Call, Looks, Subject};
use std::time::Duration;

/// More than any persona asks before its first wait.
const MOST_ASKS: usize = 16;

impl Persona {
    /// The wait that it asks for first, on a machine of this version. `base` says how long it is to wait, when it begins,
    /// and what the process requests besides.
    pub fn first_wait(&self, subject: &Subject, base: Asked) -> Asked {
        let (mut state, clocks) = (self.state(), Clocks::default());
        let mut request = base.request;
        let has_high_resolution = subject.rules.high_resolution == HighResolution::Present;
        let mut next = self.step(&mut state, Event::Start, &clocks);
        let mut is_begun = false;
        for _ in 0..MOST_ASKS {
            let event = match next {
                Ask::Nothing if is_begun => break,
                Ask::Nothing => {
                    is_begun = true;
                    Event::Begin(base.duration)
                }
                Ask::Wait(wait) if wait.call() == Call::HighResolution && !has_high_resolution => {
                    Event::Refused
                }
                Ask::Wait(wait) => {
                    return Asked {
                        call: wait.call(),
                        duration: wait.length(),
                        is_periodic: wait.is_periodic(),
                        is_tolerant: wait.is_tolerant(),
                        request,
                        looks: self.looks(),
                        ..base
                    };
                }
                Ask::BeginPeriod(milliseconds) => {
                    let interval = Duration::from_millis(milliseconds.into());
                    request = request.into_iter().chain([interval]).min();
                    Event::Done
                }
                Ask::MakeHighResolutionTimer if !has_high_resolution => Event::Refused,
                Ask::MakeHighResolutionTimer | Ask::EndPeriod(_) | Ask::Spin { .. } => Event::Done,
            };
            next = self.step(&mut state, event, &clocks);
        }
        // It does not wait for so short a time.
        Asked::tight(Call::Clock, base.duration)
    }

    /// The clock that its loop looks at.
    fn looks(&self) -> Looks {
        let clocks = self.clocks();
        let stands = |clock: &Clock| matches!(clock, Clock::Interrupt | Clock::File);
        if clocks.contains(&Clock::Ticks) {
            Looks::TickCount
        } else if clocks.iter().any(stands) {
            Looks::LastTick
        } else {
            Looks::Exact
        }
    }
}
