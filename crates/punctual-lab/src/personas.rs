//! The waits of languages and their runtimes, on simulated machines.
//!
//! A [`Persona`] says which calls of Windows a runtime makes, and when. Here they are made: each
//! persona is a [`Call`](crate::machine::Call), a [`Method`](crate::machine::Method) and a
//! [`Way`](crate::machine::Way), found by its name and not listed. What is asked of a
//! completion port is a wait for an event that is never set, and `select` is a wait of its length in
//! units of 100 ns: the same ends of waits, by the calls that machines have.
//!
//! Only simulated machines have personas. On a real Windows one would measure this program, not the
//! runtime.

mod offers;
mod program;
mod waits;

pub use offers::{call_named, method_named, way_named};
pub use punctual_windows::personas::{Persona, named, personas};

#[cfg(test)]
mod tests;
