//! Programs under rules, real ones and made-up ones. One program of all of it, because each that is built takes
//! seconds more.

mod predictions;
mod random;
mod tracer;
