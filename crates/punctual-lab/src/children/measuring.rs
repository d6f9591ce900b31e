//! A child process that measures and requests nothing itself, while its parent requests an
//! interval. It prints its result as JSON to standard output, which is a pipe to the parent.

use super::{CHILD_SUBCOMMAND, Part};
use crate::limits::with_limit;
use crate::os::process;
use punctual::Error;
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Starts the child and waits for its result. This takes as long as the samples and up to a second
/// more. The child ends when this process ends, for any reason.
pub(crate) fn measure_in<T: DeserializeOwned>(
    program: &Path,
    requested: Duration,
    samples: u32,
) -> Result<T, Error> {
    let part = Part::Sweep { requested, samples };
    let mut command = Command::new(program);
    command
        .args([CHILD_SUBCOMMAND, &part.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Ctrl-C goes to this process only. It shows the results so far when the child is done.
    process::start_in_own_group(&mut command);
    let failed = |error: io::Error| {
        let (program, error) = (program.display(), with_limit(&error));
        Error::system(format!("cannot run {program} as a child process: {error}"))
    };
    let mut child = command.spawn().map_err(failed)?;
    // The child ends when this pipe closes. So the pipe is held until the child has ended by
    // itself.
    let held = child.stdin.take();
    let output = child.wait_with_output().map_err(failed)?;
    drop(held);
    found(output.status.success(), &output.stdout, &output.stderr)
}

/// The child's result, or the reason why there is none.
fn found<T: DeserializeOwned>(
    succeeded: bool,
    printed: &[u8],
    complained: &[u8],
) -> Result<T, Error> {
    if succeeded && let Ok(row) = serde_json::from_slice(printed) {
        return Ok(row);
    }
    let complaint = String::from_utf8_lossy(complained);
    let complaint = match complaint.trim() {
        "" => "it gave no reason",
        complaint => complaint,
    };
    Err(Error::system(format!(
        "the child process that measures ended without a result: {complaint}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn what_a_child_tells_is_what_it_found() {
        assert_eq!(found::<Vec<u32>>(true, b"[1, 2]", b"").unwrap(), [1, 2]);
    }

    #[test]
    fn a_child_without_a_result_is_an_error_that_says_why() {
        for (succeeded, printed) in [(true, "[1, "), (true, ""), (false, "[1, 2]")] {
            let printed = printed.as_bytes();
            let error = found::<Vec<u32>>(succeeded, printed, b"no such interval\n").unwrap_err();
            assert!(error.to_string().ends_with("no such interval"), "{error}");
        }
        let error = found::<Vec<u32>>(false, b"", b" \n").unwrap_err();
        assert!(error.to_string().contains("gave no reason"), "{error}");
    }
}
