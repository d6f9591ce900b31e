//! The processor, and the hypervisor below it.

use super::registry;
use crate::Environment;

pub(super) fn read(environment: &mut Environment) {
    const FIRST: &str = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0";
    environment.processor = registry::text(FIRST, "ProcessorNameString");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hypervisors_have_names() {
        assert_eq!(name("KVMKVMKVM\0\0\0"), "KVM");
        assert_eq!(name("Microsoft Hv"), "Hyper-V");
        assert_eq!(name("\0\0\0\0\0\0\0\0\0\0\0\0"), "unnamed");
        assert_eq!(name("bhyve bhyve "), "bhyve bhyve");
    }
}
