//! Facts that the laboratory does not ask for, because no experiment depends on them.

use punctual_lab::environment::ProcessorSet;
use std::fs::{File, read_to_string};
use std::io::Read;

/// The processors that this machine can have, offline ones included.
///
/// <https://docs.kernel.org/admin-guide/cputopology.html>
pub(crate) fn possible_processors() -> Option<ProcessorSet> {
    word("/sys/devices/system/cpu/possible")?.parse().ok()
}

/// What the clock counts at present.
pub(crate) fn clock_source() -> Option<String> {
    word("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

/// The version of the microcode, and where the tick does not tick.
pub(crate) fn own_facts() -> Vec<(&'static str, String)> {
    let mut start = String::new();
    if let Ok(file) = File::open("/proc/cpuinfo") {
        // The first processor is described in a page. A machine with many has a long file.
        const PAGE: u64 = 4_096;
        let _ = file.take(PAGE).read_to_string(&mut start);
    }
    let full = word("/sys/devices/system/cpu/nohz_full");
    let line = read_to_string("/proc/cmdline").unwrap_or_default();
    let mut facts = Vec::new();
    facts.extend(microcode(&start).map(|version| ("microcode", version)));
    facts.push(("tickless", tickless(full.as_deref(), &line)));
    facts
}

fn word(path: &str) -> Option<String> {
    let text = read_to_string(path).ok()?;
    text.split_whitespace().next().map(str::to_owned)
}

/// The line `microcode : 0x1000065` of the first processor.
fn microcode(cpuinfo: &str) -> Option<String> {
    let (_, version) = cpuinfo
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim() == "microcode")?;
    Some(version.trim().to_owned())
}

/// Which processors do without the periodic tick, and when. `nohz=off` keeps it on idle ones, too.
/// <https://docs.kernel.org/timers/no_hz.html>
fn tickless(full: Option<&str>, command_line: &str) -> String {
    let is_off = command_line
        .split_whitespace()
        .any(|word| word == "nohz=off");
    match full.filter(|full| full.starts_with(|first: char| first.is_ascii_digit())) {
        _ if is_off => "never".to_owned(),
        Some(processors) => format!("idle, and {processors} always"),
        None => "idle".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_microcode_of_the_first_processor() {
        let text = "processor\t: 0\nmicrocode\t: 0x1000065\nprocessor\t: 1\nmicrocode\t: 0x2\n";
        assert_eq!(microcode(text).as_deref(), Some("0x1000065"));
        assert_eq!(microcode("processor : 0\n"), None);
    }

    #[test]
    fn where_the_tick_does_not_tick() {
        assert_eq!(tickless(None, "root=/dev/vda quiet"), "idle");
        assert_eq!(tickless(Some("(null)"), ""), "idle");
        assert_eq!(tickless(Some("2-3"), ""), "idle, and 2-3 always");
        assert_eq!(tickless(Some("2-3"), "a nohz=off"), "never");
    }
}
