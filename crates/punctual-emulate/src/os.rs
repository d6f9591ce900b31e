//! What only one system has: how programs are stopped at their calls.

mod native;

pub(crate) use native::{possible, run};
