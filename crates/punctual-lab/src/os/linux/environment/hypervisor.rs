//! Whether a hypervisor is below this machine, and which one. Uses the signs that
//! `systemd-detect-virt` uses, as far as they are files.

use super::fields::{by_word_of, value};
use super::source::Source;
use crate::Environment;

const DMI: &str = "/sys/class/dmi/id";
const DEVICE_TREE: &str = "/proc/device-tree";

/// The clock sources must be read before this.
pub(super) fn read(source: &mut Source, into: &mut Environment) {
    let vendor = source.some_text(&format!("{DMI}/sys_vendor"));
    let product = source.some_text(&format!("{DMI}/product_name"));
    let tree_model = source.some_text(&format!("{DEVICE_TREE}/model"));
    let signs = Signs {
        processor_says: source
            .text("/proc/cpuinfo")
            .ok()
            .and_then(|text| processor_says(&text)),
        kernel_says: source.some_text("/sys/hypervisor/type"),
        device_tree_says: source.some_text(&format!("{DEVICE_TREE}/hypervisor/compatible")),
        firmware_says: product_name(vendor, product).or(tree_model),
        clock_sources: into.clock_sources_available.clone().unwrap_or_default(),
    };
    into.hypervisor = signs.hypervisor();
    if into.hypervisor.is_none() {
        source.not_known("hypervisor", "the processor and the firmware do not tell");
    }
    into.product = signs.firmware_says;
}

#[derive(Debug, Default)]
struct Signs {
    /// x86 processors have a flag for it; other processors do not tell.
    processor_says: Option<bool>,
    kernel_says: Option<String>,
    device_tree_says: Option<String>,
    firmware_says: Option<String>,
    clock_sources: Vec<String>,
}

impl Signs {
    fn hypervisor(&self) -> Option<String> {
        let named = || self.named().map(str::to_owned);
        match self.processor_says {
            // Xen's paravirtual machines hide the flag, but their kernel names Xen.
            Some(false) if self.kernel_says.is_none() => Some("none".to_owned()),
            Some(true) => named().or_else(|| Some("unnamed".to_owned())),
            _ => named(),
        }
    }

    fn named(&self) -> Option<&'static str> {
        let kernel = self.kernel_says.as_deref().unwrap_or_default();
        let tree = self.device_tree_says.as_deref().unwrap_or_default();
        let firmware = self.firmware_says.as_deref().unwrap_or_default();
        by_word(kernel)
            .or_else(|| by_word(tree))
            .or_else(|| self.clock_sources.iter().find_map(|clock| by_word(clock)))
            .or_else(|| by_firmware(firmware))
    }
}

/// From the kernel's names: `xen`; `linux,kvm`; `kvm-clock`, `hyperv_clocksource_tsc_page`.
fn by_word(text: &str) -> Option<&'static str> {
    let names = [
        ("xen", "Xen"),
        ("kvm", "KVM"),
        ("hyperv", "Hyper-V"),
        ("vmware", "VMware"),
    ];
    by_word_of(&names, text)
}

/// From the firmware's names. Uses both maker and product: Microsoft and Apple make both kinds of
/// machine, and Amazon and Google rent out both under one maker's name.
fn by_firmware(product: &str) -> Option<&'static str> {
    let names = [
        ("QEMU", "QEMU"),
        ("KVM", "KVM"),
        ("OpenStack", "KVM"),
        ("Google Compute Engine", "KVM"),
        ("VMware", "VMware"),
        ("VirtualBox", "VirtualBox"),
        ("Xen", "Xen"),
        ("HVM domU", "Xen"),
        ("Bochs", "Bochs"),
        ("Parallels", "Parallels"),
        ("BHYVE", "bhyve"),
        ("Microsoft Corporation Virtual Machine", "Hyper-V"),
        ("Apple Virtualization", "Apple Virtualization"),
        ("Apple Inc. Apple Virtualization", "Apple Virtualization"),
    ];
    by_word_of(&names, product)
}

/// The flag `hypervisor` of x86. `None` if the processor has no such flag.
fn processor_says(cpuinfo: &str) -> Option<bool> {
    let flags = value(cpuinfo, "flags")?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

/// Maker and product as one text, without the placeholders that some makers leave.
fn product_name(vendor: Option<String>, product: Option<String>) -> Option<String> {
    let said = |text: &String| {
        let text = text.to_ascii_lowercase();
        ![
            "default string",
            "to be filled by o.e.m.",
            "system product name",
            "unknown",
        ]
        .contains(&text.as_str())
    };
    let parts: Vec<_> = [vendor, product]
        .into_iter()
        .flatten()
        .filter(said)
        .collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(signs: &Signs, expected: Option<&str>) {
        assert_eq!(signs.hypervisor().as_deref(), expected, "{signs:?}");
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn the_processors_flag_decides_where_there_is_one() {
        assert_eq!(processor_says("flags\t: fpu hypervisor sse\n"), Some(true));
        assert_eq!(processor_says("flags\t: fpu sse\n"), Some(false));
        assert_eq!(processor_says("Features\t: fp asimd\n"), None);
        assert_eq!(processor_says(""), None);
        check(
            &Signs {
                processor_says: Some(false),
                // Rented bare metal has the provider's name, and may offer any clocks.
                firmware_says: some("Google Compute Engine"),
                ..Signs::default()
            },
            Some("none"),
        );
        check(
            &Signs {
                processor_says: Some(true),
                ..Signs::default()
            },
            Some("unnamed"),
        );
    }

    #[test]
    fn a_hypervisor_is_named_by_what_knows_best() {
        check(
            &Signs {
                processor_says: Some(true),
                firmware_says: some("Amazon EC2 c5.large"),
                clock_sources: vec!["tsc".into(), "kvm-clock".into()],
                ..Signs::default()
            },
            Some("KVM"),
        );
        check(
            &Signs {
                processor_says: Some(true),
                firmware_says: some("innotek GmbH VirtualBox"),
                ..Signs::default()
            },
            Some("VirtualBox"),
        );
        check(
            &Signs {
                processor_says: Some(false),
                kernel_says: some("xen"),
                ..Signs::default()
            },
            Some("Xen"),
        );
        check(
            &Signs {
                processor_says: Some(true),
                firmware_says: some("Microsoft Corporation Virtual Machine"),
                ..Signs::default()
            },
            Some("Hyper-V"),
        );
    }

    #[test]
    fn where_processors_are_silent_only_a_sign_tells() {
        check(
            &Signs {
                device_tree_says: some("linux,kvm"),
                ..Signs::default()
            },
            Some("KVM"),
        );
        check(
            &Signs {
                firmware_says: some("Raspberry Pi 4 Model B"),
                ..Signs::default()
            },
            None,
        );
        check(&Signs::default(), None);
    }

    #[test]
    fn makers_that_say_nothing_are_left_out() {
        assert_eq!(
            product_name(some("LENOVO"), some("20Y5CTO1WW")).as_deref(),
            Some("LENOVO 20Y5CTO1WW")
        );
        assert_eq!(
            product_name(some("ASUS"), some("System Product Name")).as_deref(),
            Some("ASUS")
        );
        assert_eq!(product_name(some("To be filled by O.E.M."), None), None);
    }
}
