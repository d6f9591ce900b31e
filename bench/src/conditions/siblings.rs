//! Processors that share a core.

use std::fs;
use std::path::Path;

/// Two processors of one core, if there is a core of two.
pub fn siblings() -> Option<(usize, usize)> {
    pair_in(Path::new("/sys/devices/system/cpu"))
}

fn pair_in(folder: &Path) -> Option<(usize, usize)> {
    let processors = fs::read_dir(folder).ok()?.flatten();
    processors
        .filter_map(|entry| {
            let list = entry.path().join("topology/thread_siblings_list");
            pair(fs::read_to_string(list).ok()?.trim())
        })
        .min()
}

/// The first two of a list like "0,4" or "0-1".
fn pair(list: &str) -> Option<(usize, usize)> {
    let (first, rest) = list.split_once([',', '-'])?;
    let second = rest.split([',', '-']).next()?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_in_lists_or_ranges() {
        assert_eq!(pair("0,4"), Some((0, 4)));
        assert_eq!(pair("2-3"), Some((2, 3)));
        assert_eq!(pair("0,16,32"), Some((0, 16)));
        assert_eq!(pair("1"), None);
    }

    #[test]
    fn a_machine_without_a_list_has_no_siblings() {
        assert_eq!(pair_in(Path::new("/no/such/folder")), None);
    }
}
