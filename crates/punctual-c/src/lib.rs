//! The border between Punctual and C: every function of `include/punctual.h`, and nothing else.
//!
//! What comes in: calls of C, with pointers. What goes out: a status for each, and waits of the library.
//!
//! | to change | open |
//! |---|---|
//! | a function of the header | the module of its name; cbindgen writes `include/punctual.h` |
//! | what C++ has over it | `include/punctual/`, a header for each topic |
//! | how pointers and sizes are checked | `handle.rs`, `sized.rs` |
//!
//! The modules are private, so that these functions are called as C calls them. The header says
//! what a caller promises: a pointer is null, or it is what its type says, and a handle comes from
//! the function that makes it. All that is `unsafe` here rests on that promise. `handle` and
//! `sized` are the only places that follow pointers, and `callback` the only one that calls one.
// A border to C is made of pointers.
#![allow(unsafe_code)]

mod handle;
mod sized;

// In the order of the header.
mod status;

mod clock;

mod options;

mod cancel;
mod sleeper;
mod ticker;

mod callback;
mod driver;
mod timer;

mod guard;
mod stats;

#[cfg(test)]
mod tests;
