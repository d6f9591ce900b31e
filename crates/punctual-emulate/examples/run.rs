//! Runs a program under a version of Windows, and prints what its waits have been:
//! `cargo run --example run -- windows-10-2004 sleep 0.01`.

use punctual_emulate::session::{Options, Session};
use punctual_emulate::summary::Summary;
use punctual_emulate::windows::{Conditions, Windows};
use punctual_windows::Version;
use std::process::{Command, exit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let version = Version::named(&words.next().unwrap_or_default())?;
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    let mut windows = Windows::new(Conditions::new(version));
    let ended = Session::run(&command, &mut windows, &Options::default())?;
    eprintln!("{}", serde_json::to_string_pretty(&Summary::of(&windows))?);
    exit(ended.status.exit_code());
}
