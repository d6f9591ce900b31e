//! The system's name, the kernel's release, and how it preempts.

use super::source::Source;
use crate::Environment;

/// Only the superuser may read it, and only if debugfs is mounted.
const MODE: &str = "/sys/kernel/debug/sched/preempt";

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    // Where /etc has none, /usr/lib has the one to read:
    // https://www.freedesktop.org/software/systemd/man/latest/os-release.html
    into.system = source
        .some_text("/usr/lib/os-release")
        .filter(|_| !source.exists("/etc/os-release"))
        .and_then(|text| system_name(&text))
        .or_else(|| source.fact("system name", "/etc/os-release", system_name));
    into.kernel = source.fact("kernel release", "/proc/sys/kernel/osrelease", |release| {
        (!release.is_empty()).then(|| format!("Linux {release}"))
    });
    into.preemption = source.fact("preemption model", "/proc/sys/kernel/version", |version| {
        (!version.is_empty()).then(|| preemption(version))
    });
    if into.preemption.as_deref() == Some("PREEMPT_DYNAMIC") {
        into.preemption_mode = read_mode(source);
    }
}

/// The mode that was chosen at run time, or else at boot, or else when the kernel was built.
fn read_mode(source: &mut Source) -> Option<String> {
    let at_boot = source
        .some_text("/proc/cmdline")
        .and_then(|text| mode_at_boot(&text));
    let release = source.some_text("/proc/sys/kernel/osrelease");
    let built = release
        .and_then(|release| source.some_text(&format!("/boot/config-{release}")))
        .and_then(|text| mode_built(&text));
    source
        .some_text(MODE)
        .and_then(|text| mode_chosen(&text))
        .or(at_boot)
        .or(built)
        .or_else(|| source.fact("preemption mode", MODE, mode_chosen))
}

/// The display name in an `os-release` file, or else its short name and version.
fn system_name(text: &str) -> Option<String> {
    let value = |key: &str| {
        let (_, value) = text
            .lines()
            .filter_map(|line| line.trim().split_once('='))
            .find(|(found, _)| *found == key)?;
        let value = unquoted(value);
        (!value.is_empty()).then_some(value)
    };
    value("PRETTY_NAME").or_else(|| {
        let name = value("NAME")?;
        Some(match value("VERSION_ID") {
            Some(version) => format!("{name} {version}"),
            None => name,
        })
    })
}

/// A value in shell syntax: quotes around it, and backslashes before special characters.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    let inner = ['"', '\''].into_iter().find_map(|quote| {
        let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner)
    });
    inner.unwrap_or(value).replace('\\', "")
}

/// The kernel's own word in its version (`#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1`). Kernels that
/// preempt threads inside the kernel only at chosen points, or never, have no word for it.
fn preemption(version: &str) -> String {
    version
        .split_whitespace()
        .find(|word| word.starts_with("PREEMPT"))
        .unwrap_or("none or voluntary")
        .to_owned()
}

/// The mode in parentheses: `none voluntary (full) lazy`.
fn mode_chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('(')?;
    let (mode, _) = rest.split_once(')')?;
    Some(mode.trim().to_owned())
}

/// The mode of the kernel's command line.
fn mode_at_boot(command_line: &str) -> Option<String> {
    command_line
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("preempt="))
        .next_back()
        .map(str::to_owned)
}

/// The mode of a kernel's configuration.
fn mode_built(configuration: &str) -> Option<String> {
    let modes = [
        ("CONFIG_PREEMPT_NONE=y", "none"),
        ("CONFIG_PREEMPT_VOLUNTARY=y", "voluntary"),
        ("CONFIG_PREEMPT=y", "full"),
        ("CONFIG_PREEMPT_LAZY=y", "lazy"),
    ];
    modes
        .into_iter()
        .find(|(setting, _)| configuration.lines().any(|line| line.trim() == *setting))
        .map(|(_, mode)| mode.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_systems() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(system_name(text).as_deref(), expected, "{text:?}");
        };
        check(
            "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian\"\n",
            Some("Debian GNU/Linux 12 (bookworm)"),
        );
        check(
            "NAME='Alpine Linux'\nVERSION_ID=3.19.1\n",
            Some("Alpine Linux 3.19.1"),
        );
        check("NAME=Void\n", Some("Void"));
        check("PRETTY_NAME=\"A \\\"B\\\"\"\n", Some("A \"B\""));
        check("PRETTY_NAME=\"\"\nNAME=\"", Some("\""));
        check("PRETTY_NAME=\n", None);
        check("", None);
    }

    #[test]
    fn preemption_is_the_kernels_own_word() {
        let check = |version: &str, expected: &str| assert_eq!(preemption(version), expected);
        check(
            "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)",
            "PREEMPT_DYNAMIC",
        );
        check("#1 SMP PREEMPT_RT Debian 6.1.76-1", "PREEMPT_RT");
        check("#1 SMP PREEMPT Mon Apr 3 17:24:16 BST 2023", "PREEMPT");
        check(
            "#45-Ubuntu SMP Fri Aug 30 12:02:04 UTC",
            "none or voluntary",
        );
    }

    #[test]
    fn modes_of_a_dynamic_kernel() {
        assert_eq!(
            mode_chosen("none voluntary (full)\n").as_deref(),
            Some("full")
        );
        assert_eq!(mode_chosen("none voluntary full"), None);
        assert_eq!(mode_chosen(")("), None);
        assert_eq!(
            mode_at_boot("quiet preempt=none ro preempt=full").as_deref(),
            Some("full")
        );
        assert_eq!(mode_at_boot("quiet nopreempt=1"), None);
        let built = "# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n\
                     CONFIG_PREEMPT_DYNAMIC=y\n";
        assert_eq!(mode_built(built).as_deref(), Some("voluntary"));
        assert_eq!(mode_built("CONFIG_PREEMPT_DYNAMIC=y\n"), None);
    }
}
