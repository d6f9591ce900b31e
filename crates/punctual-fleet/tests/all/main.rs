//! What a fleet is asked, and the files for it. One program of all of it, because each that is built takes seconds more.

mod asking;
mod comparing;
mod files;
