//! The systems on which experiments are made, as values.

pub mod windows;
