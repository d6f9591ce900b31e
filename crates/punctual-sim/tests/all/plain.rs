//! Programs on plain simulated machines: threads, processors, ends, and the library.

mod bounds;
mod crowd;
mod determinism;
mod driver;
mod ends;
mod library;
mod model;
mod scheduling;
mod ticks;
