//! What is known of a bell that several threads ring: a cancel, or the notify of a thread.

use punctual::Instant;
use std::collections::HashMap;

/// What a wait may have heard of its bell when it begins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heard {
    is_rung: bool,
    hushes: usize,
    maybe: bool,
    begun: usize,
}

#[derive(Default)]
pub struct Bell {
    /// Rings that have begun and not returned; whether each may have been used up.
    open: HashMap<usize, bool>,
    /// Rings that have returned since the last wait began.
    returned: usize,
    /// As many may be heard by a wait that begins now, at most.
    maybe: usize,
    /// Rings that have ever begun.
    begun: usize,
    hushes: usize,
    /// Resets under way.
    resets: usize,
    /// Since when it is certainly rung.
    pub rung_since: Option<Instant>,
}

impl Bell {
    pub fn ring(&mut self, ring: usize) {
        self.open.insert(ring, false);
        self.maybe += 1;
        self.begun += 1;
    }

    pub fn rung(&mut self, ring: usize, at: Instant) {
        let may_be_used_up = self.open.remove(&ring).unwrap_or_default();
        self.returned += 1;
        if !may_be_used_up && self.resets == 0 {
            self.rung_since.get_or_insert(at);
        }
    }

    /// A wait begins.
    pub fn heard_from(&self) -> Heard {
        Heard {
            is_rung: self.rung_since.is_some(),
            hushes: self.hushes,
            maybe: self.maybe > 0,
            begun: self.begun,
        }
    }

    /// The wait of a notify begins, whose end may hush it.
    pub fn wait_begins(&mut self) {
        self.returned = 0;
    }

    /// From here on it may be hushed.
    pub fn reset_begins(&mut self) {
        self.hushed();
        self.returned = 0;
        self.hushes += 1;
        self.resets += 1;
    }

    /// A reset has returned.
    pub fn was_reset(&mut self) {
        self.resets -= 1;
        self.hushed();
    }

    /// Whether it was certainly rung when a wait began, and has not been hushed since.
    pub fn was_rung(&self, wait: Heard) -> bool {
        wait.is_rung && wait.hushes == self.hushes
    }

    /// Whether a ring can have ended a wait.
    pub fn may_have_ended(&self, wait: Heard) -> bool {
        wait.maybe || self.begun > wait.begun
    }

    /// It was hushed, since that began. Rings that were under way, or came just after the hush, may
    /// still be heard.
    pub fn hushed(&mut self) {
        self.maybe = self.open.len() + self.returned;
        self.rung_since = None;
        self.open.values_mut().for_each(|may_be| *may_be = true);
    }
}
