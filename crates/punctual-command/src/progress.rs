//! Progress bars with the remaining time, on standard error if that is a terminal.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::{self, Write};
use std::time::{Duration, Instant};

/// The time before a bar is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// The template of every bar. The word before it says what is running.
const TEMPLATE: &str = "{msg} {bar:40} {percent:>3} %{left}";

/// A bar with this many steps, shown at once.
pub fn bar(doing: &'static str, steps: u64) -> ProgressBar {
    styled(doing, steps, ProgressDrawTarget::stderr())
}

fn styled(doing: &'static str, steps: u64, target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is a constant");
    let style = style.with_key("left", |state: &ProgressState, out: &mut dyn Write| {
        // A failure here shows nothing, and the next drawing has the time again.
        let _ = left(out, state.pos(), state.eta());
    });
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    bar.set_style(style);
    bar.set_message(doing);
    bar
}

/// Before the first step the remaining time is unknown.
fn left(out: &mut dyn Write, done: u64, eta: Duration) -> fmt::Result {
    match done {
        0 => Ok(()),
        _ => write!(out, ", {:#} left", HumanDuration(eta)),
    }
}

/// A bar for a computation. It is shown only after a while, and is cleared when this is dropped.
pub struct Progress {
    bar: ProgressBar,
    began: Instant,
}

impl Progress {
    /// For a computation of so many steps.
    pub fn of(doing: &'static str, steps: u64) -> Self {
        Self {
            bar: styled(doing, steps, ProgressDrawTarget::hidden()),
            began: Instant::now(),
        }
    }

    /// Sets the number of steps that are done.
    pub fn reach(&self, step: u64) {
        if self.bar.is_hidden() && self.began.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(step);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_left_only_where_that_is_known() {
        let shown = |done, seconds| {
            let mut text = String::new();
            left(&mut text, done, Duration::from_secs(seconds)).unwrap();
            text
        };
        assert_eq!(shown(0, 0), "");
        assert_eq!(shown(1, 64), ", 64s left");
        assert_eq!(shown(9, 0), ", 0s left");
    }
}
