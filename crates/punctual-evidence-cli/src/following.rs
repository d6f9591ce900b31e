//! Progress of computations and recordings, and the end of computations on request.

use punctual_command::progress::Progress;
use punctual_command::stop::Stop;
use punctual_data::quantity::rounded;
use std::ops::ControlFlow;

/// The steps of the bar.
const STEPS: u32 = 1_000;

/// Shows the share that is done. Threads call it at any time.
pub fn showing(doing: &'static str) -> impl Fn(f64) + Send + Sync + 'static {
    let progress = Progress::of(doing, STEPS.into());
    move |share: f64| progress.reach(rounded(share.clamp(0.0, 1.0) * f64::from(STEPS)))
}

/// The same, and ends a computation once a signal has come.
pub fn following(
    doing: &'static str,
    stop: &Stop,
) -> impl Fn(f64) -> ControlFlow<()> + Sync + use<> {
    let (show, stop) = (showing(doing), stop.clone());
    move |share| {
        show(share);
        match stop.is_asked_for() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
