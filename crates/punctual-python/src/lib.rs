//! The native module of the Python package `punctually`.
//!
//! What comes in: calls of Python. What goes out: waits with the interpreter's lock given up.
//!
//! | to change | open |
//! |---|---|
//! | a wait, a loop, a driver | `sleeper.rs`, `ticker.rs`, `driver.rs` |
//! | when the lock is taken back, and from whom | `lead.rs`, `line.rs`, `waiting.rs` |
//! | virtual time for tests | `virtual_time.rs` |
//! | what Python sees | `python/punctually/`, whose `_native.pyi` has the types of this module |
//! | waits of languages on simulated machines | `punctual-python-lab`, which `build.rs` puts beside it |

mod alarm;
mod cancel;
mod clock;
mod driver;
mod errors;
mod guards;
mod interpreter;
mod lateness;
mod lead;
mod line;
mod os;
mod quantities;
mod sleeper;
mod stats;
mod switch_interval;
mod ticker;
mod virtual_time;
mod waiting;
mod wake;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use super::*;
    #[pymodule_export]
    use crate::{
        alarm::LoopAlarm,
        cancel::Cancel,
        clock::{deadline_ns, now_ns, set_process_budget},
        driver::{Cancellation, DriverCore, Firing, Timer},
        guards::{Held, hold_memory, hold_priority, hold_processors, hold_slice},
        sleeper::{Sleeper, sleep_here, sleep_until},
        stats::{LatenessStats, Summary},
        ticker::Ticker,
        virtual_time::{VirtualClock, is_virtual},
        wake::{Arrival, Tick, Wake},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        interpreter::check(module.py())?;
        line::open(module.py())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
