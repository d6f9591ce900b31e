//! The library as programs use it. One program of all of it, because each that is built takes seconds more.

mod driver;
mod ends;
mod halves;
mod sleeper;
mod suspend;
mod ticker;
mod timers;
