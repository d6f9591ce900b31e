//! Whether this program runs in a container, and in which kind.

use super::fields::by_word_of;
use super::source::Source;
use crate::Environment;

/// The inode numbers of the first process and control-group namespaces, fixed in the kernel's
/// `include/linux/proc_ns.h` (`PROC_PID_INIT_INO`, `PROC_CGROUP_INIT_INO`). A program in both is
/// not in a container, even in a virtual machine that was made from a container's image.
const FIRST_NAMESPACES: [(&str, &str); 2] = [
    ("/proc/self/ns/pid", "pid:[4026531836]"),
    ("/proc/self/ns/cgroup", "cgroup:[4026531835]"),
];

pub(super) fn read(source: &mut Source, into: &mut Environment) {
    let in_first = |(path, first): (&str, &str)| source.link(path).map(|link| link == first);
    let in_all_first = FIRST_NAMESPACES.map(in_first);
    into.container = match in_all_first {
        [Ok(true), Ok(true)] => Some("none".to_owned()),
        [Err(_), Err(_)] => {
            source.not_known("container", "no links in /proc/self/ns");
            None
        }
        _ => Some(kind(source)),
    };
}

/// Signs that name the container software: <https://systemd.io/CONTAINER_INTERFACE>, and the files
/// that docker and podman leave.
fn kind(source: &Source) -> String {
    if let Some(name) = source.some_text("/run/systemd/container") {
        return name;
    }
    if source.exists("/run/.containerenv") {
        return "podman".to_owned();
    }
    if source.exists("/.dockerenv") {
        return "docker".to_owned();
    }
    let groups = source.some_text("/proc/1/cgroup").unwrap_or_default();
    kind_by_group(&groups).unwrap_or("unnamed").to_owned()
}

fn kind_by_group(groups: &str) -> Option<&'static str> {
    let kinds = [
        ("kubepods", "kubernetes"),
        ("docker", "docker"),
        ("libpod", "podman"),
        ("lxc", "lxc"),
    ];
    by_word_of(&kinds, groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_the_name_of_the_group() {
        assert_eq!(kind_by_group("1:cpu:/docker/0a1b\n"), Some("docker"));
        assert_eq!(
            kind_by_group("0::/kubepods.slice/pod1/docker-2.scope\n"),
            Some("kubernetes")
        );
        assert_eq!(kind_by_group("0::/\n"), None);
        assert_eq!(kind_by_group(""), None);
    }
}
