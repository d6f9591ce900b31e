//! Progress of computations that take all processors, and their end on request.

use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use std::ops::ControlFlow;

/// The steps of the bar.
const STEPS: u64 = 1_000;

/// Shows the share of a computation that is done, and ends it once a signal has come. Threads call it at
/// any time.
pub fn following(
    doing: &'static str,
    stop: &Stop,
) -> impl Fn(f64) -> ControlFlow<()> + Sync + use<> {
    let (progress, stop) = (Progress::of(doing, STEPS), stop.clone());
    move |share| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to the number of steps"
        )]
        progress.reach((share.clamp(0.0, 1.0) * STEPS as f64) as u64);
        match stop.is_asked_for() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
