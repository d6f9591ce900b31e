//! Published measurements of how Windows ends timed waits, which the simulator replays; and whether
//! the experiments here give the same.

pub use punctual_sim::evidence::*;

#[cfg(test)]
mod paced;
