//! A probe in a program: an event that tells when its threads come to a place.
//!
//! <https://docs.kernel.org/trace/uprobetracer.html>

use super::instance::{Instance, failed, lives};
use crate::place::Place;
use crate::tracefs::FRAME_EVENT;
use punctual::Error;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// The file in which all probes are made and removed, of all instances together.
const PROBES: &str = "uprobe_events";

/// Followed by the number of the process that made it. Groups have no hyphens.
const PREFIX: &str = "punctual_";

/// A probe that lives as long as this. Instances that use it must have been removed before.
#[derive(Debug)]
pub(super) struct Probe {
    root: PathBuf,
    group: String,
}

impl Probe {
    pub(super) fn make(root: &Path, instance: &Instance, place: &Place) -> Result<Self, Error> {
        let name = instance.path().file_name().unwrap_or_default();
        let probe = Self {
            root: root.to_owned(),
            group: name.to_string_lossy().replace('-', "_"),
        };
        let failed = |error| failed(&place.file, "open", &error);
        let file = File::open(&place.file).map_err(failed)?;
        // The kernel splits a line at its spaces, and names of files may have some.
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let (group, offset) = (&probe.group, place.offset);
        append(root, &format!("p:{group}/{FRAME_EVENT} {path}:{offset:#x}"))?;
        Ok(probe)
    }

    /// The event, as a folder under `events`.
    pub(super) fn event(&self) -> String {
        format!("{}/{FRAME_EVENT}", self.group)
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // Nothing better can be done if it fails: the next capture tries again.
        let _ = append(&self.root, &format!("-:{}", self.event()));
    }
}

/// Removes the probes of processes that have ended.
pub(super) fn remove_left_behind(root: &Path) {
    let probes = fs::read_to_string(root.join(PROBES)).unwrap_or_default();
    for probe in probes.lines() {
        if let Some((event, maker)) = event_and_maker(probe)
            && !lives(maker)
        {
            // It may be in use by an instance of another program: then it stays.
            let _ = append(root, &format!("-:{event}"));
        }
    }
}

/// The event of a probe that is one of ours, and the process that made it, of a line such as
/// `p:punctual_12/punctual_frame /usr/bin/game:0x1139`.
pub(super) fn event_and_maker(probe: &str) -> Option<(&str, u32)> {
    let event = probe.strip_prefix("p:")?.split(' ').next()?;
    let group = event.strip_suffix(FRAME_EVENT)?.strip_suffix('/')?;
    let maker = group.strip_prefix(PREFIX)?.split('_').next()?;
    Some((event, maker.parse().ok()?))
}

/// Adds a line. To write from the beginning would remove all probes.
fn append(root: &Path, line: &str) -> Result<(), Error> {
    let file = root.join(PROBES);
    let open = OpenOptions::new().append(true).open(&file);
    let written = open.and_then(|mut open| open.write_all(line.as_bytes()));
    written.map_err(|error| failed(&file, "write", &error))
}
