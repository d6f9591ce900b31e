//! CPython, by its library or its program.

use super::elf::{Elf, find, leading_number};
use object::ReadRef;

/// The minor version of Python 3, if it is or has one. Python 2 waits in loops of its own, which need no
/// persona.
pub(super) fn minor<'a>(
    elf: &Elf<'a, impl ReadRef<'a>>,
    name: &str,
    needed: &[String],
) -> Option<u32> {
    let library = needed
        .iter()
        .find_map(|name| name.strip_prefix("libpython3."));
    if let Some(minor) = library.and_then(leading_number) {
        return Some(minor);
    }
    let program = name.strip_prefix("python3.").and_then(leading_number);
    let is_python = || elf.exports("Py_GetVersion") || elf.exports("PyRun_SimpleStringFlags");
    if program.is_some() && is_python() {
        return program;
    }
    // Named otherwise: the version that it prints.
    (name.starts_with("python") && is_python())
        .then(|| {
            (0..=MOST_MINOR)
                .rev()
                .find(|minor| micro(elf, *minor).is_some())
        })
        .flatten()
}

/// More than any version, for some years.
const MOST_MINOR: u32 = 30;

/// The last part of the version, if it is written in it: the string that `sys.version` begins with.
pub(super) fn micro<'a>(elf: &Elf<'a, impl ReadRef<'a>>, minor: u32) -> Option<u32> {
    let begin = format!("\03.{minor}.");
    let mut rest = elf.section(".rodata")?;
    while let Some(at) = find(begin.as_bytes(), rest) {
        rest = &rest[at + begin.len()..];
        let text: String = rest
            .iter()
            .take_while(|byte| **byte != 0)
            .take(16)
            .map(|byte| char::from(*byte))
            .collect();
        // Such as `2`, `0rc1` or `4+`.
        let is_version = text
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '+');
        if let Some(micro) = leading_number(&text).filter(|_| is_version) {
            return Some(micro);
        }
    }
    None
}
