//! Peers in Go: small programs of their own, built when Go is installed.

use crate::answering::Process;
use crate::failure::Failure;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;
use std::{env, process};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/go");

/// A program; or why there is none.
pub struct Program(Result<File, String>);

impl Program {
    /// Builds it from its folder in `go/`, if there is a Go to build it with.
    ///
    /// The folder it is built into is removed as soon as the program is open, so that nothing is
    /// left behind however this process ends.
    pub fn build(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("punctual-bench-{}-{name}", process::id()));
        let program = build_in(&folder, name);
        // Nothing was built, or nothing can be done about it.
        let _ = fs::remove_dir_all(&folder);
        Self(program)
    }

    /// Starts it, or says why it does not.
    pub fn start(&self) -> Result<Process, String> {
        match &self.0 {
            Ok(program) => start(program).map_err(|error| error.to_string()),
            Err(reason) => Err(reason.clone()),
        }
    }
}

fn build_in(folder: &Path, name: &str) -> Result<File, String> {
    let binary = folder.join(name);
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&binary)
        .arg(format!("./{name}"))
        .current_dir(SOURCE)
        .output();
    match built {
        Ok(output) if output.status.success() => {
            File::open(&binary).map_err(|error| error.to_string())
        }
        Ok(output) => Err(format!("does not build: {}", first_line(&output.stderr))),
        Err(error) if error.kind() == ErrorKind::NotFound => Err("not installed".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn start(program: &File) -> Result<Process, Failure> {
    let path = format!("/proc/self/fd/{}", program.as_raw_fd());
    Process::start(&mut Command::new(path))
}

pub fn first_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    text.lines()
        .next()
        .unwrap_or("it does not say why")
        .to_owned()
}
