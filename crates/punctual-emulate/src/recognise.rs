//! Which runtime an executable is, or has inside.

mod elf;
mod go;
mod python;
mod rust;
#[cfg(test)]
mod tests;

use elf::Elf;
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
    if let Some(minor) = python::minor(elf, name, &needed) {
        let micro = python::micro(elf, minor);
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
    single.or_else(|| rust::runtime(elf))
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
