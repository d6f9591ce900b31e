//! All processors busy: one spinning child process for each.

use crate::failure::Failure;
use crate::machine::processors;
use clap::ValueEnum;
use serde::Serialize;
use std::env;
use std::fmt;
use std::hint;
use std::io::{self, Read};
use std::process::{self, Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// What else the machine does while it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Load {
    /// Nothing that we know of.
    Idle,
    /// One spinning process for each processor.
    Busy,
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Idle => "idle",
            Self::Busy => "busy",
        })
    }
}

/// The hidden subcommand that a child runs.
pub const SUBCOMMAND: &str = "spin-until-input-ends";

/// The scheduler spreads new processes over the processors within a few of its ticks (4 ms at
/// 250 Hz); this is many.
const SETTLE: Duration = Duration::from_millis(200);

/// The running children; they end when this is dropped, and when this process ends however it does.
pub struct Children(Vec<Child>);

impl Load {
    pub fn start(self) -> Result<Children, Failure> {
        let mut children = Children(Vec::new());
        if self == Self::Idle {
            return Ok(children);
        }
        let executable = env::current_exe()?;
        for _ in 0..processors() {
            let child = Command::new(&executable)
                .arg(SUBCOMMAND)
                .stdin(Stdio::piped())
                .spawn()?;
            children.0.push(child);
        }
        thread::sleep(SETTLE);
        Ok(children)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.stdin.take());
        }
        for child in &mut self.0 {
            // It ends by itself; waiting leaves no zombie, and cannot fail for a child of ours.
            let _ = child.wait();
        }
    }
}

/// What a child does. The pipe it reads closes when its parent ends, even if that is killed.
pub fn spin_until_input_ends() -> ! {
    thread::spawn(|| {
        // Nobody writes to the pipe; whatever ends the reading ends this.
        let _ = io::stdin().read(&mut [0]);
        process::exit(0);
    });
    loop {
        hint::spin_loop();
    }
}
