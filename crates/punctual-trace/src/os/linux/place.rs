//! Where tracefs is, and what to do where it is not.

use punctual::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where it is mounted, by convention; the second since before it had a place of its own.
const PLACES: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];

const MOUNT: &str = "mount -t tracefs nodev /sys/kernel/tracing";
const SUDO_MOUNT: &str = "sudo mount -t tracefs nodev /sys/kernel/tracing";
const SUDO: &str = "sudo punctual explain";

pub(super) fn tracefs() -> Result<PathBuf, Error> {
    let mut refused = false;
    for place in PLACES.map(Path::new) {
        match fs::read_dir(place.join("instances")) {
            Ok(_) => return Ok(place.to_owned()),
            Err(error) => refused |= error.kind() == ErrorKind::PermissionDenied,
        }
    }
    if refused {
        return Err(Error::not_permitted(
            "reading the kernel's trace needs to be root: run this command with sudo",
        ));
    }
    Err(Error::unsupported(if is_known() {
        format!("tracefs is not mounted: as root, run '{MOUNT}', then run this command as root")
    } else {
        "this kernel has no tracefs (CONFIG_FTRACE)".to_owned()
    }))
}

/// Whether the kernel has it, mounted or not.
fn is_known() -> bool {
    fs::read_to_string("/proc/filesystems")
        .is_ok_and(|systems| systems.lines().any(|line| line.ends_with("\ttracefs")))
}

/// The command that brings a refused caller further, if there is one.
pub(super) fn remedy() -> Option<&'static str> {
    match tracefs() {
        Ok(_) => Some(SUDO),
        Err(error) if error.is_not_permitted() => Some(SUDO),
        Err(_) => is_known().then_some(SUDO_MOUNT),
    }
}
