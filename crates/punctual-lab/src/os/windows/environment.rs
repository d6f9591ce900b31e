//! Reads what Windows tells every program about the machine, without a privilege.

use crate::environment::windows;
use crate::{Environment, Native};
use punctual_windows::os::windows::wine_version;
use std::ptr;
use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, LocalFree};
use windows_sys::Win32::Security::{
    GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation,
};
use windows_sys::Win32::System::Power::{PowerGetActiveScheme, PowerReadFriendlyName};
use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, RRF_RT_REG_DWORD, RRF_RT_REG_SZ, RegGetValueW,
};
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
use windows_sys::core::GUID;

/// The machine as it is now, for the calling thread.
pub(super) fn read(os: &Native) -> Environment {
    let mut environment = windows::read(os);
    environment.architecture = Some(std::env::consts::ARCH.to_owned());
    read_version(&mut environment);
    read_processor(&mut environment);
    read_power(&mut environment);
    environment.product = product();
    environment.queue_time_readable = Some(false);
    read_privileges(&mut environment);
    environment
}

/// The machine's name in its firmware.
fn product() -> Option<String> {
    const BIOS: &str = r"HARDWARE\DESCRIPTION\System\BIOS";
    let maker = registry_text(BIOS, "SystemManufacturer");
    let name = registry_text(BIOS, "SystemProductName");
    let both = [maker, name].into_iter().flatten().collect::<Vec<_>>();
    (!both.is_empty()).then(|| both.join(" "))
}

// The version of this Windows.

/// Windows 11 still reports version 10.0. This is the first build with the name 11.
const FIRST_BUILD_OF_11: u32 = 22_000;

const CURRENT_VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";

fn read_version(environment: &mut Environment) {
    let version = version();
    let revision = registry_number(CURRENT_VERSION, "UBR");
    // `22H2`; the release id for versions before 20H2.
    let release = registry_text(CURRENT_VERSION, "DisplayVersion")
        .or_else(|| registry_text(CURRENT_VERSION, "ReleaseId"));
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

// The processor, and the hypervisor below it.

fn read_processor(environment: &mut Environment) {
    const FIRST: &str = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0";
    environment.processor = registry_text(FIRST, "ProcessorNameString");
    environment.hypervisor = hypervisor();
}

/// The hypervisor that the processor names. "Hyper-V" also appears on real hardware, if Windows
/// isolates its own kernel with it, as many do.
#[cfg(target_arch = "x86_64")]
fn hypervisor() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    const FEATURES: u32 = 1;
    const HYPERVISOR_PRESENT: u32 = 1 << 31;
    const HYPERVISOR: u32 = 0x4000_0000;
    // SAFETY: every processor of this architecture has the instruction and its first leaves.
    #[allow(unused_unsafe, reason = "newer compilers hold it for safe")]
    let (features, vendor) = unsafe { (__cpuid(FEATURES), __cpuid(HYPERVISOR)) };
    if features.ecx & HYPERVISOR_PRESENT == 0 {
        return Some("none".to_owned());
    }
    let words = [vendor.ebx, vendor.ecx, vendor.edx];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Some(name(&String::from_utf8_lossy(&bytes)))
}

/// Other architectures have no common way to tell it.
#[cfg(not(target_arch = "x86_64"))]
fn hypervisor() -> Option<String> {
    None
}

/// The meaning of the twelve letters by which a hypervisor names itself.
#[cfg(any(test, target_arch = "x86_64"))]
fn name(vendor: &str) -> String {
    let known = match vendor.trim_matches(['\0', ' ']) {
        "Microsoft Hv" => "Hyper-V",
        "KVMKVMKVM" => "KVM",
        "VMwareVMware" => "VMware",
        "VBoxVBoxVBox" => "VirtualBox",
        "XenVMMXenVMM" => "Xen",
        "TCGTCGTCGTCG" => "QEMU",
        "" => "unnamed",
        other => other,
    };
    known.to_owned()
}

// The power plan. It decides how fast processors run and how deeply they sleep.

/// Longer than any plan's name.
const MOST_UNITS_OF_A_NAME: usize = 256;

fn read_power(environment: &mut Environment) {
    match active_plan() {
        Ok(plan) => environment.power_plan = Some(plan),
        Err(code) => environment
            .not_known
            .push(format!("the power plan: the query failed (error {code})")),
    }
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/powersetting/nf-powersetting-powergetactivescheme>
fn active_plan() -> Result<String, u32> {
    let mut plan: *mut GUID = ptr::null_mut();
    // SAFETY: the key must be null, and `plan` is valid for writing.
    let found = unsafe { PowerGetActiveScheme(ptr::null_mut(), &raw mut plan) };
    if found != ERROR_SUCCESS || plan.is_null() {
        return Err(found);
    }
    let name = friendly_name(plan);
    // SAFETY: the system allocated it for us, and its documentation says to free it like this.
    unsafe { LocalFree(plan.cast()) };
    name
}

/// <https://learn.microsoft.com/en-us/windows/win32/api/powrprof/nf-powrprof-powerreadfriendlyname>
fn friendly_name(plan: *const GUID) -> Result<String, u32> {
    let mut units = [0_u16; MOST_UNITS_OF_A_NAME];
    let mut bytes = u32::try_from(size_of_val(&units)).unwrap_or(0);
    let (key, no_group, no_setting) = (ptr::null_mut(), ptr::null(), ptr::null());
    let into = units.as_mut_ptr().cast();
    // SAFETY: `plan` is valid for reading, `into` for writing `bytes` bytes; the others may be
    // null.
    let read_power =
        unsafe { PowerReadFriendlyName(key, plan, no_group, no_setting, into, &raw mut bytes) };
    if read_power != ERROR_SUCCESS {
        return Err(read_power);
    }
    let length = (bytes as usize / size_of::<u16>()).min(MOST_UNITS_OF_A_NAME);
    let name = String::from_utf16_lossy(&units[..length]);
    Ok(name.trim_end_matches('\0').to_owned())
}

// What this program may do.

fn read_privileges(environment: &mut Environment) {
    environment.superuser = is_elevated();
    // Any thread may, within its process's class; the real-time class is not used.
    environment.may_raise_priority = Some(true);
}

/// Whether this program runs with an administrator's rights.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/securitybaseapi/nf-securitybaseapi-gettokeninformation>
fn is_elevated() -> Option<bool> {
    let mut token = ptr::null_mut();
    // SAFETY: no pointers.
    let own = unsafe { GetCurrentProcess() };
    // SAFETY: `token` is valid for writing.
    if unsafe { OpenProcessToken(own, TOKEN_QUERY, &raw mut token) } == 0 {
        return None;
    }
    let mut elevation = TOKEN_ELEVATION { TokenIsElevated: 0 };
    let size = u32::try_from(size_of::<TOKEN_ELEVATION>()).unwrap_or(0);
    let (into, mut length) = ((&raw mut elevation).cast(), 0);
    // SAFETY: `into` is valid for writing, with the size and of the class given; so is `length`.
    let known = unsafe { GetTokenInformation(token, TokenElevation, into, size, &raw mut length) };
    // SAFETY: the token is open and only ours.
    unsafe { CloseHandle(token) };
    (known != 0).then_some(elevation.TokenIsElevated != 0)
}

// Values of the registry that every program may read.

/// Longer than any name of a processor or a product.
const MOST_UNITS: usize = 256;

/// A text, without the spaces around it; `None` if it is missing or empty.
fn registry_text(key: &str, name: &str) -> Option<String> {
    let mut units = [0_u16; MOST_UNITS];
    let length = get(key, name, RRF_RT_REG_SZ, &mut units)? / size_of::<u16>();
    let text = String::from_utf16_lossy(&units[..length.min(MOST_UNITS)]);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// A number.
fn registry_number(key: &str, name: &str) -> Option<u32> {
    let mut number = [0_u32];
    get(key, name, RRF_RT_REG_DWORD, &mut number)?;
    Some(number[0])
}

/// Reads a value of this type and returns its length in bytes.
///
/// <https://learn.microsoft.com/en-us/windows/win32/api/winreg/nf-winreg-reggetvaluew>
fn get<T>(key: &str, name: &str, kind: u32, into: &mut [T]) -> Option<usize> {
    let (key, name) = (wide(key), wide(name));
    let mut length = u32::try_from(size_of_val(into)).ok()?;
    // SAFETY: both texts end with a zero, `into` is valid for writing `length` bytes, and any bytes
    // are a valid value of its plain numbers.
    let result = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            name.as_ptr(),
            kind,
            ptr::null_mut(),
            into.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    (result == ERROR_SUCCESS).then_some(length as usize)
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_most_is_known() {
        let environment = read(&Native::detect().unwrap());
        assert!(
            environment
                .system
                .is_some_and(|system| system.starts_with("Windows"))
        );
        assert!(
            environment
                .kernel
                .is_some_and(|kernel| kernel.starts_with("NT "))
        );
        assert!(environment.timer_interval_ns.is_some_and(|nanos| nanos > 0));
        assert!(
            environment
                .performance_counter_hertz
                .is_some_and(|hertz| hertz > 0)
        );
        assert!(environment.processors_online.is_some());
        assert!(environment.wine.is_some());
    }

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

    #[test]
    fn hypervisors_have_names() {
        assert_eq!(name("KVMKVMKVM\0\0\0"), "KVM");
        assert_eq!(name("Microsoft Hv"), "Hyper-V");
        assert_eq!(name("\0\0\0\0\0\0\0\0\0\0\0\0"), "unnamed");
        assert_eq!(name("bhyve bhyve "), "bhyve bhyve");
    }

    const VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";

    #[test]
    fn what_every_windows_has_is_read_and_what_none_has_is_not() {
        assert!(registry_text(VERSION, "CurrentBuildNumber").is_some());
        assert_eq!(registry_text(VERSION, "No Such Value"), None);
        assert_eq!(
            registry_number(VERSION, "CurrentBuildNumber"),
            None,
            "it is a text"
        );
    }
}
