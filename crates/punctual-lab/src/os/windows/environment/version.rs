//! The version of this Windows.

use super::registry;
use crate::Environment;
use punctual_windows::os::windows::wine_version;
use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;

/// Windows 11 still reports version 10.0. This is the first build with the name 11.
const FIRST_BUILD_OF_11: u32 = 22_000;

const CURRENT_VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";

pub(super) fn read(environment: &mut Environment) {
    let version = version();
    let revision = registry::number(CURRENT_VERSION, "UBR");
    // `22H2`; the release id for versions before 20H2.
    let release = registry::text(CURRENT_VERSION, "DisplayVersion")
        .or_else(|| registry::text(CURRENT_VERSION, "ReleaseId"));
    environment.system = Some(system(&version, release.as_deref()));
    environment.kernel = Some(kernel(&version, revision));
    let none = || "none".to_owned();
    environment.wine = Some(wine_version().unwrap_or_else(none));
}

/// The true version: `GetVersionEx` returns what the program's manifest declares.
fn version() -> OSVERSIONINFOW {
    let mut version = OSVERSIONINFOW {
        dwOSVersionInfoSize: u32::try_from(size_of::<OSVERSIONINFOW>()).unwrap_or(0),
        ..Default::default()
    };
    // SAFETY: `version` is valid for writing and contains its size. The call cannot fail.
    unsafe { RtlGetVersion(&raw mut version) };
    version
}

fn system(version: &OSVERSIONINFOW, release: Option<&str>) -> String {
    let name = match version.dwMajorVersion {
        10 if version.dwBuildNumber >= FIRST_BUILD_OF_11 => "11".to_owned(),
        10 => "10".to_owned(),
        major => format!("NT {major}.{}", version.dwMinorVersion),
    };
    match release {
        Some(release) => format!("Windows {name} {release}"),
        None => format!("Windows {name}"),
    }
}

fn kernel(version: &OSVERSIONINFOW, revision: Option<u32>) -> String {
    let (major, minor) = (version.dwMajorVersion, version.dwMinorVersion);
    let build = version.dwBuildNumber;
    match revision {
        Some(revision) => format!("NT {major}.{minor}.{build}.{revision}"),
        None => format!("NT {major}.{minor}.{build}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(build: u32) -> OSVERSIONINFOW {
        OSVERSIONINFOW {
            dwMajorVersion: 10,
            dwBuildNumber: build,
            ..Default::default()
        }
    }

    #[test]
    fn builds_from_22000_on_are_windows_11() {
        assert_eq!(system(&of(19_045), Some("22H2")), "Windows 10 22H2");
        assert_eq!(system(&of(26_100), Some("24H2")), "Windows 11 24H2");
        assert_eq!(system(&of(10_240), None), "Windows 10");
        assert_eq!(kernel(&of(19_045), Some(5_965)), "NT 10.0.19045.5965");
    }
}
