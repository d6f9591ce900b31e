//! The native machine, system by system. Only this module makes system calls.

mod native;

pub use native::{Native, on_windows};
pub(crate) use native::{
    limit_behind, make_file_size_limit_an_error, process, quotas_of, std_sleeps,
};
