//! The simulator as programs use it. One program of all of it, because each that is built takes seconds more.

mod evidence;
mod faults;
mod plain;
mod windows;
