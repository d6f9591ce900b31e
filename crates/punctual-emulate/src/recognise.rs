//! Which runtime an executable is, or has inside.

mod elf;
mod go;
#[cfg(test)]
mod tests;

use elf::{Elf, find, leading_number};
use object::ReadRef;
use object::read::ReadCache;
use std::fmt;
use std::fs::File;
use std::path::Path;

/// A runtime whose waits are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runtime {
    /// CPython 3.
    Python {
        /// 10 of 3.10.4.
        minor: u32,
        /// 4 of 3.10.4, if it is written in it.
        micro: Option<u32>,
    },
    /// Go 1.
    Go {
        /// 22 of 1.22.
        minor: u32,
    },
    /// Rust's standard library.
    Rust {
        /// 75 of 1.75, if it is known.
        minor: Option<u32>,
    },
    /// Node.
    Node,
    /// HotSpot.
    Java,
    /// .NET.
    DotNet,
    /// One that has a single persona.
    Other {
        /// Its name.
        name: &'static str,
        /// The persona.
        persona: &'static str,
    },
}

impl fmt::Display for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Python { minor, micro } => {
                write!(f, "CPython 3.{minor}")?;
                micro.map_or(Ok(()), |micro| write!(f, ".{micro}"))
            }
            Self::Go { minor } => write!(f, "Go 1.{minor}"),
            Self::Rust { minor: Some(minor) } => write!(f, "Rust 1.{minor}"),
            Self::Rust { minor: None } => f.write_str("Rust"),
            Self::Node => f.write_str("Node"),
            Self::Java => f.write_str("HotSpot"),
            Self::DotNet => f.write_str(".NET"),
            Self::Other { name, .. } => f.write_str(name),
        }
    }
}

/// The runtime of an executable, if it is a known one.
///
/// Only its headers and a few sections are read, not the whole file.
pub fn recognise(executable: &Path) -> Option<Runtime> {
    let file = File::open(executable).ok()?;
    let cache = ReadCache::new(file);
    let elf = Elf::read(&cache)?;
    let name = executable.file_name()?.to_string_lossy();
    runtime(&elf, &name)
}

/// The runtime of an executable of this name.
fn runtime<'a>(elf: &Elf<'a, impl ReadRef<'a>>, name: &str) -> Option<Runtime> {
    if let Some(minor) = go::minor(elf) {
        return Some(Runtime::Go { minor });
    }
    let needed = elf.needed();
    if let Some(minor) = python_minor(elf, name, &needed) {
        let micro = python_micro(elf, minor);
        return Some(Runtime::Python { minor, micro });
    }
    let needs = |library: &str| needed.iter().any(|name| name.starts_with(library));
    let exports = |symbol: &str| elf.exports(symbol);
    if needs("libnode.so") || exports("_ZN4node5StartEiPPc") {
        return Some(Runtime::Node);
    }
    if needs("libjli.so") || needs("libjvm.so") || exports("JLI_Launch") {
        return Some(Runtime::Java);
    }
    // A program that is one file exports the last.
    if name == "dotnet" || needs("libhostfxr.so") || exports("DotNetRuntimeInfo") {
        return Some(Runtime::DotNet);
    }
    let single = named(name).map(|(name, persona)| Runtime::Other { name, persona });
    single.or_else(|| rust(elf))
}

/// Runtimes that have one persona, by the name of their program.
fn named(program: &str) -> Option<(&'static str, &'static str)> {
    const PROGRAMS: [(&str, &str, &str); 7] = [
        ("ruby", "Ruby", "ruby"),
        ("perl", "Perl", "perl-select"),
        ("php", "PHP", "php"),
        ("beam.smp", "Erlang", "erlang"),
        ("julia", "Julia", "julia"),
        ("deno", "Deno", "deno"),
        ("ocamlrun", "OCaml", "ocaml"),
    ];
    // Versions follow names: ruby3.1, php8.2, perl5.36.0.
    let is_version = |rest: &str| {
        rest.chars()
            .all(|it| it.is_ascii_digit() || it == '.' || it == '-')
    };
    let found = PROGRAMS
        .iter()
        .find(|(program_name, _, _)| program.strip_prefix(program_name).is_some_and(is_version));
    found.map(|(_, name, persona)| (*name, *persona))
}

/// The minor version of Python 3, if it is or has one. Python 2 waits in loops of its own, which need no
/// persona.
fn python_minor<'a>(elf: &Elf<'a, impl ReadRef<'a>>, name: &str, needed: &[String]) -> Option<u32> {
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
                .find(|minor| python_micro(elf, *minor).is_some())
        })
        .flatten()
}

/// More than any version, for some years.
const MOST_MINOR: u32 = 30;

/// The last part of the version, if it is written in it: the string that `sys.version` begins with.
fn python_micro<'a>(elf: &Elf<'a, impl ReadRef<'a>>, minor: u32) -> Option<u32> {
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
fn rust<'a>(elf: &Elf<'a, impl ReadRef<'a>>) -> Option<Runtime> {
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
