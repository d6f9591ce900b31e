//! How far something is, and how long it will still take: bars on standard error, if that is a
//! terminal.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::{self, Write};
use std::time::{Duration, Instant};

/// How long nobody needs to be told that something is going on.
const PATIENCE: Duration = Duration::from_secs(2);

/// What every bar looks like behind the word that says what is being done.
const TEMPLATE: &str = "{msg} {bar:40} {percent:>3} %{left}";

/// A bar of so many steps, drawn from the first on.
pub fn bar(doing: &'static str, steps: u64) -> ProgressBar {
    styled(doing, steps, ProgressDrawTarget::stderr())
}

fn styled(doing: &'static str, steps: u64, target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is a constant");
    let style = style.with_key("left", |state: &ProgressState, out: &mut dyn Write| {
        // Nobody hears that it failed, and the next drawing has it.
        let _ = left(out, state.pos(), state.eta());
    });
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    bar.set_style(style);
    bar.set_message(doing);
    bar
}

/// Before the first step nobody can know.
fn left(out: &mut dyn Write, done: u64, eta: Duration) -> fmt::Result {
    match done {
        0 => Ok(()),
        _ => write!(out, ", {:#} left", HumanDuration(eta)),
    }
}

/// A bar of what is computed, shown only to somebody who has waited for a while. It is cleared when
/// this is dropped.
pub struct Progress {
    bar: ProgressBar,
    began: Instant,
}

impl Progress {
    pub fn of(doing: &'static str, steps: u64) -> Self {
        Self {
            bar: styled(doing, steps, ProgressDrawTarget::hidden()),
            began: Instant::now(),
        }
    }

    /// So many steps are done.
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
