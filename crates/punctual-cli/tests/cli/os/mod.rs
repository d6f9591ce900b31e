//! What only some systems have.

mod ctrl_c;
mod explain;
mod linux;
mod output_files;
mod processes;
mod windows;
