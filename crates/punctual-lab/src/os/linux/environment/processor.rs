//! The processor's model, and the processors that this thread can run on.

use super::fields::value;
use super::source::Source;
use crate::Environment;
use crate::environment::ProcessorSet;

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    into.processor = source.fact("processor model", "/proc/cpuinfo", model);
    into.processors_online = source.fact(
        "processors online",
        "/sys/devices/system/cpu/online",
        |text| {
            text.parse()
                .ok()
                .filter(|set: &ProcessorSet| set.count() > 0)
        },
    );
    let allowed = source.fact(
        "processors this thread may use",
        "/proc/thread-self/status",
        |text| value(text, "Cpus_allowed_list")?.parse().ok(),
    );
    into.processors_usable =
        allowed.map(|allowed| usable(&allowed, into.processors_online.as_ref()));
}

/// A thread's list includes processors that are absent now and may be plugged in later.
fn usable(allowed: &ProcessorSet, online: Option<&ProcessorSet>) -> ProcessorSet {
    match online {
        Some(online) => {
            let online: Vec<_> = online.numbers().collect();
            let both = allowed.numbers().filter(|number| online.contains(number));
            both.collect()
        }
        None => allowed.clone(),
    }
}

/// The model, under the key that each architecture has for it. On Arm, where `model name` is rare,
/// it is made of the maker's and the part's numbers.
fn model(cpuinfo: &str) -> Option<String> {
    // x86 and MIPS; POWER; RISC-V; s390; Arm boards (their processors are found by the board).
    ["model name", "cpu model", "cpu", "uarch", "processor 0"]
        .into_iter()
        .find_map(|key| value(cpuinfo, key))
        .map(spaced_once)
        .or_else(|| arm_model(cpuinfo))
}

fn arm_model(cpuinfo: &str) -> Option<String> {
    let implementer = value(cpuinfo, "CPU implementer")?;
    let part = value(cpuinfo, "CPU part")?;
    let board = value(cpuinfo, "Model")
        .or_else(|| value(cpuinfo, "Hardware"))
        .map_or(String::new(), |board| format!(" ({})", spaced_once(board)));
    // https://developer.arm.com/documentation/100442/latest, register MIDR_EL1, and each maker's.
    let maker = match implementer {
        "0x41" => "Arm",
        "0x42" => "Broadcom",
        "0x43" => "Cavium",
        "0x46" => "Fujitsu",
        "0x48" => "HiSilicon",
        "0x4e" => "NVIDIA",
        "0x51" => "Qualcomm",
        "0x53" => "Samsung",
        "0x61" => "Apple",
        "0xc0" => "Ampere",
        other => return Some(format!("Arm, maker {other}, part {part}{board}")),
    };
    Some(format!("{maker} part {part}{board}"))
}

fn spaced_once(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cpuinfo: &str, expected: Option<&str>) {
        assert_eq!(model(cpuinfo).as_deref(), expected, "{cpuinfo:?}");
    }

    #[test]
    fn models_by_architecture() {
        check(
            "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 42\n\
             model name\t: Intel(R) Core(TM)   i5-2500 CPU @ 3.30GHz\n",
            Some("Intel(R) Core(TM) i5-2500 CPU @ 3.30GHz"),
        );
        check(
            "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n",
            Some("POWER9, altivec supported"),
        );
        check(
            "processor\t: 0\nhart\t\t: 1\nuarch\t\t: sifive,u74-mc\n",
            Some("sifive,u74-mc"),
        );
        check(
            "vendor_id       : IBM/S390\nprocessor 0: version = FF,  machine = 8561\n",
            Some("version = FF, machine = 8561"),
        );
    }

    #[test]
    fn arm_has_numbers_and_sometimes_a_board() {
        let pi = "processor\t: 0\nBogoMIPS\t: 108.00\nCPU implementer\t: 0x41\n\
                  CPU architecture: 8\nCPU part\t: 0xd08\n\nHardware\t: BCM2835\n\
                  Model\t\t: Raspberry Pi 4 Model B Rev 1.4\n";
        check(pi, Some("Arm part 0xd08 (Raspberry Pi 4 Model B Rev 1.4)"));
        check(
            "CPU implementer\t: 0xc0\nCPU part\t: 0xac3\n",
            Some("Ampere part 0xac3"),
        );
        check(
            "CPU implementer\t: 0x99\nCPU part\t: 0x1\n",
            Some("Arm, maker 0x99, part 0x1"),
        );
        check("CPU implementer\t: 0x41\n", None);
    }

    #[test]
    fn nothing_in_it_is_no_model() {
        check("", None);
        check("model name\t:\n", None);
    }

    #[test]
    fn processors_that_are_not_there_cannot_be_used() {
        let set = |text: &str| text.parse::<ProcessorSet>().unwrap();
        assert_eq!(usable(&set("0-127"), Some(&set("0-3"))), set("0-3"));
        assert_eq!(usable(&set("2,9"), None), set("2,9"));
    }
}
