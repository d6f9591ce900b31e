//! Tests for particular systems.

mod ctrl_c;
mod explain;
mod hostile_text;
mod linux;
mod output_files;
mod processes;
mod windows;
