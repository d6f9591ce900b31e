//! A child process that measures and asks for nothing, while its parent asks on its behalf. What it
//! finds goes back through the pipe that is its standard output, as JSON.

use super::{By, Row, native};
use crate::load::{CHILD_SUBCOMMAND, Part};
use crate::os::process;
use crate::resolution::{self, OnWindows};
use punctual::Error;
use punctual::os::windows::{Win32Lab, WindowsOs};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Starts the child and waits for what it finds: for the samples, and a second or less besides. It
/// ends with this process, however that ends.
pub(super) fn measure_in(program: &Path, requested: Duration, samples: u32) -> Result<Row, Error> {
    let part = Part::Sweep { requested, samples };
    let mut command = Command::new(program);
    command
        .args([CHILD_SUBCOMMAND, &part.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Ctrl-C is this process's: it shows what there is when the child is done.
    process::start_in_own_group(&mut command);
    let failed = |error: io::Error| {
        let program = program.display();
        Error::system(format!("cannot run {program} as a child process: {error}"))
    };
    let mut child = command.spawn().map_err(failed)?;
    // At the end of this pipe the child ends: it is held until the child has ended by itself.
    let held = child.stdin.take();
    let output = child.wait_with_output().map_err(failed)?;
    drop(held);
    found(output.status.success(), &output.stdout, &output.stderr)
}

/// What the child found, or why it found nothing.
fn found(succeeded: bool, printed: &[u8], complained: &[u8]) -> Result<Row, Error> {
    if succeeded && let Ok(row) = serde_json::from_slice(printed) {
        return Ok(row);
    }
    let complaint = String::from_utf8_lossy(complained);
    let complaint = match complaint.trim() {
        "" => "it did not say why",
        complaint => complaint,
    };
    Err(Error::system(format!(
        "the child process that measures ended without a result: {complaint}"
    )))
}

/// The child's part: measures, and tells its parent.
pub(crate) fn serve(requested: Duration, samples: u32) -> Result<(), Error> {
    let row = resolution::native(Measure { requested, samples })??;
    let said = serde_json::to_vec(&row).map_err(io::Error::from);
    let mut output = io::stdout();
    said.and_then(|said| output.write_all(&said))
        .and_then(|()| output.flush())
        .map_err(|error| Error::system(format!("the parent process does not listen: {error}")))
}

struct Measure {
    requested: Duration,
    samples: u32,
}

impl OnWindows for Measure {
    type Output = Result<Row, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        native::here(os.win32(), By::Parent, self.requested, self.samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::Summary;
    use crate::statistics::Distribution;

    fn row() -> Row {
        Row {
            requested_ns: 2_000_000,
            interval_ns: 15_625_000,
            time_get_time_steps_ms: (15, 16),
            article_mean_ms: 15.625,
            sleep_1: Summary::from(&Distribution::new()),
            samples_thrown_away: 1,
            ended_after_intervals: vec![(1, 64)],
            published: None,
        }
    }

    #[test]
    fn what_a_child_tells_is_what_it_found() {
        let said = serde_json::to_vec(&row()).unwrap();
        assert_eq!(found(true, &said, b"").unwrap(), row());
    }

    #[test]
    fn a_child_without_a_result_is_an_error_that_says_why() {
        let said = serde_json::to_vec(&row()).unwrap();
        for (succeeded, printed) in [(true, &said[..9]), (true, b""), (false, &said[..])] {
            let error = found(succeeded, printed, b"no such interval\n").unwrap_err();
            assert!(error.to_string().ends_with("no such interval"), "{error}");
        }
        let error = found(false, b"", b" \n").unwrap_err();
        assert!(error.to_string().contains("did not say"), "{error}");
    }
}
