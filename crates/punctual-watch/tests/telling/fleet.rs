//! What a fleet is asked, and the files for it.

mod asking;
mod comparing;
mod files;
