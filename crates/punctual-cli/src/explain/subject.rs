//! The title of an explained loop.

use crate::show::slice_in_words;
use punctual_data::quantity;
use punctual_lab::conditions::{Load, Priority};
use punctual_lab::measure::Question;

/// The question in words.
pub(super) fn subject(question: &Question) -> String {
    let period = quantity::show(question.schedule.period.to_duration());
    let method = question.waiters.join(", ");
    let conditions = &question.conditions;
    let mut subject = format!("a loop of {period} with {method}");
    if conditions.load != Load::None {
        subject += &format!(", load {}", conditions.load);
    }
    if conditions.priority != Priority::Normal {
        subject += &format!(", priority {}", conditions.priority);
    }
    if let Some(processor) = conditions.pin {
        subject += &format!(", pinned to processor {processor}");
    }
    if let Some(slice) = conditions.slices.first() {
        subject += &format!(", slice {}", slice_in_words(*slice));
    }
    if let Some(interval) = question.request {
        subject += &format!(", asking for {}", quantity::show(interval));
    }
    for companion in &conditions.with {
        subject += &format!(", with {companion}");
    }
    if let Some(simulated) = &question.on {
        subject += &format!(", on {}, simulated", simulated.machine);
    }
    subject
}
