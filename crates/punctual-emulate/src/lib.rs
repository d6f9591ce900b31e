//! Runs any Linux program, unchanged, so that its timed waits end when a given version of Windows would
//! have ended them.
//!
//! What comes in: a program, a version of Windows, conditions. What goes out: the program's status, and a summary or a
//! recording of its waits.
//!
//! | to change | open |
//! |---|---|
//! | which calls are steered, and how their times are read and written | `steer.rs` |
//! | how a traced program is stopped and goes on | `os/linux/tracer.rs` |
//! | when a wait ends | `windows.rs`, `machine.rs` |
//! | which runtime a program has | `recognise.rs` |
//!
//! | module | what it is |
//! |---|---|
//! | [`call`] | a timed call, as the program made it: which, and for how long |
//! | [`timer_policy`] | what decides when a wait ends, and hears of everything that it needs to know |
//! | [`machine`] | the Windows machine of a session, whose alarms end real waits |
//! | [`windows`] | the policy: a version's rules, and the personas of runtimes |
//! | [`recognise`] | which runtime an executable is |
//! | [`statistics`] | what a program's waits have been |
//! | [`run`] | a question and its run, once or with other phases: [`Question::run`](run::Question::run) |
//! | [`summary`], [`text`], [`recording`] | what is told of it |
//! | [`session`] | one run of a program by any policy |

pub mod call;
pub mod machine;
mod os;
pub mod recognise;
pub mod recording;
pub mod run;
pub mod session;
pub mod statistics;
#[allow(
    dead_code,
    reason = "where no program can be traced, only its tests use it"
)]
mod steer;
pub mod summary;
pub mod text;
pub mod timer_policy;
pub mod windows;
