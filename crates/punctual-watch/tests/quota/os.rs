//! What only one system has.

pub mod group;
