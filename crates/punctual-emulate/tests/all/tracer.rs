//! Real programs under the tracer: they say the same as without.

mod calls;
mod faults;
mod os;
mod run;
