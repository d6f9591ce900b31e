//! Progress of what is computed, shown only to somebody who has waited for a while.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// How long nobody needs to be told that something is going on.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar on standard error, if that is a terminal. It is cleared when this is dropped.
pub struct Progress {
    bar: ProgressBar,
    began: Instant,
}

impl Progress {
    /// The template is indicatif's.
    pub fn of(steps: u64, template: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template).expect("the template is a constant");
        bar.set_style(style);
        Self {
            bar,
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
