//! Published measurements of how Windows ends timed waits, which the simulator replays. The tests
//! here check that the experiments give the same results.

pub use punctual_sim::evidence::*;

#[cfg(test)]
mod paced;
