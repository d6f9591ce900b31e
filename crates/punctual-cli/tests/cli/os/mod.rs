//! Tests for particular systems.

mod ctrl_c;
mod explain;
mod linux;
mod output_files;
mod processes;
mod signals;
mod windows;
