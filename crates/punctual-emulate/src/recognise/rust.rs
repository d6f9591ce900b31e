//! Rust, by what its compiler writes into programs.

use super::Runtime;
use super::elf::{Elf, find, leading_number};
use object::ReadRef;

/// What the compiler writes beside the names of other compilers, unless it is stripped away.
const COMMENT: &[u8] = b"rustc version 1.";

/// What stands before the paths of the standard library's files, which messages of panics quote.
const COMMIT: &[u8] = b"/rustc/";

/// The commits of versions around the change of `thread::sleep`, which are in stripped programs.
const VERSIONS: [(&str, u32); 8] = [
    ("90c541806f23a127002de5b4038be731ba1458ca", 70),
    ("8ede3aae28fe6e4d52b38157d7bfe0d3bceef225", 71),
    ("5680fa18feaa87f3ff04063800aec256c3d4b4be", 72),
    ("cc66ad468955717ab92600c770da8c1601a4ac33", 73),
    ("79e9716c980570bfd1f666e3b16ac583f0168962", 74),
    ("a28077b28a02b92985b3a3faecf92813155f1ea1", 74),
    ("82e1608dfa6e0b5569232559e3d385fea5a93112", 75),
    ("07dca489ac2d933c78d3c5158e3f43beefeb02ce", 76),
];

/// The version of Rust, if it is a program of it.
pub(super) fn runtime<'a>(elf: &Elf<'a, impl ReadRef<'a>>) -> Option<Runtime> {
    if let Some(comment) = elf.section(".comment")
        && let Some(at) = find(COMMENT, comment)
    {
        let rest = &comment[at + COMMENT.len()..];
        let digits: String = rest.iter().take(4).map(|byte| char::from(*byte)).collect();
        let minor = leading_number(&digits);
        return Some(Runtime::Rust { minor });
    }
    let data = elf.section(".rodata")?;
    let at = find(COMMIT, data)?;
    let rest = &data[at + COMMIT.len()..];
    let is_known = |(commit, _): &&(&str, u32)| rest.starts_with(commit.as_bytes());
    let minor = VERSIONS.iter().find(is_known).map(|(_, minor)| *minor);
    Some(Runtime::Rust { minor })
}
