//! Endless arithmetic: a thread that always wants its processor.

use super::say_ready;
use punctual::Error;
use std::convert::Infallible;
use std::hint::black_box;

/// Multiplies floating-point numbers, as rendering and signal processing do. A loop of pauses would
/// not work: it would leave a sibling hyperthread undisturbed.
pub(super) fn serve() -> Result<Infallible, Error> {
    say_ready()?;
    let mut angle = (1.0_f64, 0.0_f64);
    // A rotation by one radian: the results stay bounded and keep changing.
    let (sine, cosine) = 1.0_f64.sin_cos();
    loop {
        let (x, y) = angle;
        angle = black_box((x * cosine - y * sine, x * sine + y * cosine));
    }
}
