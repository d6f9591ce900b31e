//! Which Windows calls the waits of languages and their runtimes become.
//!
//! "What does `time.sleep(0.001)` take in Python 3.10 on Windows 10 2004?" has two halves: the call
//! that CPython makes, and the rules by which Windows ends it. A [`Persona`] is the first half: one
//! entry of a runtime, in the versions that do the same. It is a step function of a state and an
//! event. It reads no clock, makes no call and runs on no engine, so a simulated machine can drive it,
//! and so can an emulator that holds a real program's waits.
//!
//! ```
//! use punctual_windows::personas::{Ask, Clocks, Event, Wait, named};
//! use std::time::Duration;
//!
//! let sleep = named("python-3.10")?;
//! let (mut state, clocks) = (sleep.state(), Clocks::default());
//! let asked = sleep.step(&mut state, Event::Begin(Duration::from_micros(1_500)), &clocks);
//! assert_eq!(asked, Ask::Wait(Wait::Ordinary { milliseconds: 2 }));
//! let asked = sleep.step(&mut state, Event::Woken { timed_out: true }, &clocks);
//! assert_eq!(asked, Ask::Nothing);
//! # Ok::<(), String>(())
//! ```
//!
//! The files of the directory `personas` hold parameters and sources. What no parameter expresses,
//! such as libuv's growing rest, is a Rust function.
//!
//! A program sees a persona through three things:
//!
//! - **The call and its rounding.** A timeout in whole milliseconds is rounded up or down. A waitable
//!   timer counts 100 ns.
//! - **What an early end leads to.** Some runtimes trust a wait. Others look at a clock and wait again,
//!   and a clock that moves with the ticks makes that a long wait.
//! - **The requests for a timer interval** that the runtime makes, and how long it holds them.

mod amount;
mod list;
mod odd;
mod persona;
mod plain;
mod step;

pub use list::Personas;
pub use persona::Persona;
pub use step::{Ask, Clock, Clocks, Event, State, Wait};

use std::sync::OnceLock;

/// Every file of personas.
const FILES: [&str; 9] = [
    include_str!("../personas/python.toml"),
    include_str!("../personas/go.toml"),
    include_str!("../personas/rust.toml"),
    include_str!("../personas/java.toml"),
    include_str!("../personas/dotnet.toml"),
    include_str!("../personas/javascript.toml"),
    include_str!("../personas/c.toml"),
    include_str!("../personas/games.toml"),
    include_str!("../personas/others.toml"),
];

/// The personas of a file, which is read once: a machine's list of methods asks for every name.
fn in_file(file: usize) -> &'static [Persona] {
    static READ: [OnceLock<Vec<Persona>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    READ[file].get_or_init(|| persona::read(FILES[file]))
}

/// All personas, in the order of the files.
///
/// # Panics
/// If a file is not as [`Persona`] describes it: they are part of the program.
pub fn personas() -> Vec<Persona> {
    let files = 0..FILES.len();
    files.flat_map(in_file).cloned().collect()
}

/// The persona of this name.
///
/// # Errors
/// If there is none; the message lists all.
pub fn named(id: &str) -> Result<Persona, String> {
    // To read one file is enough.
    let quoted = format!("id = {id:?}\n");
    let file = FILES.iter().position(|file| file.contains(&quoted));
    let mut in_file = file.into_iter().flat_map(in_file);
    let found = in_file.find(|persona| persona.id == id).cloned();
    found.ok_or_else(|| {
        let ids: Vec<_> = personas().iter().map(|persona| persona.id).collect();
        format!("there is no persona {id:?}; there are {}", ids.join(", "))
    })
}

#[cfg(test)]
mod tests;
