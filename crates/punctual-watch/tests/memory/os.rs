//! What needs `unsafe`.

pub mod counting;
