//! Where tracefs is, and what to do where it is not.

use punctual::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where it is mounted, by convention; the second since before it had a place of its own.
const PLACES: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];

const MOUNT: &str = "mount -t tracefs nodev /sys/kernel/tracing";

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
    let is_known = fs::read_to_string("/proc/filesystems")
        .is_ok_and(|systems| systems.lines().any(|line| line.ends_with("\ttracefs")));
    Err(Error::unsupported(if is_known {
        format!("tracefs is not mounted: as root, run '{MOUNT}', then run this command as root")
    } else {
        "this kernel has no tracefs (CONFIG_FTRACE)".to_owned()
    }))
}
