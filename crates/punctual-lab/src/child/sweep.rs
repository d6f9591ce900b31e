//! A process that measures and requests nothing itself, while its parent requests an interval. It
//! prints its result as JSON to standard output, which is a pipe to the parent.

use crate::machine::OnWindows;
use crate::os;
use crate::sweep::{Row, on_behalf_of_a_child};
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;
use std::io::{self, Write};
use std::time::Duration;

/// Measures, and prints the result for the parent.
pub(super) fn serve(requested: Duration, samples: u32) -> Result<(), Error> {
    let row = os::on_windows(Measure { requested, samples })??;
    let said = serde_json::to_vec(&row).map_err(io::Error::from);
    let mut output = io::stdout();
    said.and_then(|said| output.write_all(&said))
        .and_then(|()| output.flush())
        .map_err(|error| Error::system(format!("cannot tell the parent process: {error}")))
}

struct Measure {
    requested: Duration,
    samples: u32,
}

impl OnWindows for Measure {
    type Output = Result<Row, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        on_behalf_of_a_child(os.win32(), self.requested, self.samples)
    }
}
