//! A command of the user's, wrapped by this process, which ends it.

use super::{complain, say_ready};
use crate::limits::with_limit;
use crate::os::process;
use punctual::Error;
use std::convert::Infallible;
use std::process::Stdio;

/// Runs the command in this process's group. The whole group ends when the load ends or the command
/// ends, including processes that the command left behind.
pub(super) fn serve(command: &str) -> Result<Infallible, Error> {
    let mut shell = process::shell(command)?
        .stdin(Stdio::null())
        // Our standard output carries one word to the starter.
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| {
            let error = with_limit(&error);
            Error::system(format!("cannot start a shell: {error}"))
        })?;
    say_ready()?;
    match shell.wait() {
        Ok(status) => complain(&format!("the command ended by itself ({status})")),
        Err(error) => complain(&format!("the command cannot be waited for: {error}")),
    }
    process::end_own_group()
}
