//! How punctually a machine wakes its programs, watched for months and told to Prometheus.
//!
//! What comes in: [settings], and what a machine says about itself. What goes out: metrics, a page, a file for
//! node_exporter, and a folder of late wake-ups. To change one of them, open:
//!
//! | module | what it is |
//! |---|---|
//! | [`settings`] | what is watched, how often, for which budget, and who is told |
//! | [`histogram`] | lateness counted into fixed buckets, without a lock or memory |
//! | [`board`] | everything that is counted: samplers and observers write it, everyone else reads it |
//! | [`readings`] | what the system says about itself |
//! | [`faults`] | what went wrong: said once and then rarely, and counted |
//! | [`sampler`] | the threads that wait and count |
//! | [`governor`] | how often they wait, so that they use no more than the budget |
//! | [`disturbances`] | what is not the machine's lateness: suspension, stepped clocks, the watch's own quota |
//! | [`observer`] | renews what the system says about itself |
//! | [`watched`] | what can be watched here: processors and ways of waiting |
//! | [`late`] | the late wake-ups that were saved, and what is counted |
//! | [`recorder`] | the thread of the flight recorder: takes the kernel's events, and has late wake-ups saved with them |
//! | [`exposition`], [`textfile`] | the board as text for Prometheus, and as a file for node_exporter |
//! | [`history`], [`page`] | the last hour, and a page for people |
//! | [`serve`] | answers over HTTP |
//! | [`watch`] | all of it together: starts, takes over new settings, stops |
//! | [`fleet`] | which of two groups of machines wakes later, from what Prometheus keeps of their watches |
//! | [`error`], [`log`] | why a watch does not start; where it says what people should know |
//! | `sample` | a made-up board, for tests and for a fleet that is not there (feature `sample`) |

pub mod board;
pub mod disturbances;
pub mod error;
pub mod exposition;
pub mod faults;
pub mod fleet;
pub mod governor;
pub mod histogram;
pub mod history;
pub mod late;
pub mod log;
pub mod observer;
mod os;
pub mod page;
pub mod readings;
pub mod recorder;
#[cfg(any(test, feature = "sample"))]
pub mod sample;
pub mod sampler;
pub mod serve;
pub mod settings;
pub mod textfile;
pub mod watch;
pub mod watched;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. What it guards is whole after a panic too: it is replaced, or only grows.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
