//! The command as a person or a script uses it. No test here depends on speed.
//!
//! All tests are one program, because linking takes long.

#[cfg(feature = "sim")]
mod asked;
#[cfg(feature = "sim")]
mod can_be_asked;
mod clocks;
mod command;
mod company;
#[cfg(feature = "sim")]
mod compare;
mod doctor;
#[cfg(feature = "sim")]
mod emulate;
mod explain;
#[cfg(feature = "sim")]
mod explain_windows;
#[cfg(feature = "sim")]
mod formats;
#[cfg(feature = "sim")]
mod hostile_text;
#[cfg(feature = "sim")]
mod languages;
mod measure;
#[cfg(feature = "sim")]
mod measure_simulated;
mod os;
mod output_files;
mod pace;
#[cfg(feature = "sim")]
mod personas;
#[cfg(feature = "sim")]
mod readme;
mod refusals;
mod report;
#[cfg(feature = "sim")]
mod resolution;
#[cfg(feature = "sim")]
mod simulated;
mod sleep;
mod trace_info;
#[cfg(not(feature = "sim"))]
mod unsimulated;

/// How much is tried: what finds the common mistakes, or with `PUNCTUAL_LONG=1` what finds rare ones, too.
#[cfg_attr(
    not(feature = "sim"),
    allow(dead_code, reason = "most of it is simulated")
)]
fn effort(quick: u32, long: u32) -> u32 {
    match std::env::var_os("PUNCTUAL_LONG") {
        None => quick,
        Some(_) => long,
    }
}
