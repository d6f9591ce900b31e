//! The timer queue: against a model, at its edges, and against the least number of wake-ups.

mod edges;
mod model;
mod wakeups;
