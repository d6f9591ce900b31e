//! Executables of a few bytes: what a linker would make of nothing but the parts that are looked at.

use super::*;

/// The parts of an executable.
#[derive(Default)]
struct Made {
    sections: Vec<(&'static str, u32, Vec<u8>, u32)>,
}

const PROGBITS: u32 = 1;
const STRTAB: u32 = 3;
const DYNAMIC: u32 = 6;
const DYNSYM: u32 = 11;

impl Made {
    fn with(mut self, name: &'static str, bytes: &[u8]) -> Self {
        self.sections.push((name, PROGBITS, bytes.to_vec(), 0));
        self
    }

    /// A dynamic section that names these libraries.
    fn needing(mut self, libraries: &[&str]) -> Self {
        let mut strings = vec![0];
        let mut entries = Vec::new();
        for library in libraries {
            let needed = 1_u64;
            entries.extend(needed.to_le_bytes());
            entries.extend((strings.len() as u64).to_le_bytes());
            strings.extend(library.as_bytes());
            strings.push(0);
        }
        entries.extend([0; 16]);
        self.sections.push((".dynstr", STRTAB, strings, 0));
        let link = u32::try_from(self.sections.len()).unwrap();
        self.sections.push((".dynamic", DYNAMIC, entries, link));
        self
    }

    /// A table of symbols that exports these.
    fn exporting(mut self, symbols: &[&str]) -> Self {
        let mut strings = vec![0];
        let mut entries = vec![0; 24];
        for symbol in symbols {
            entries.extend(u32::try_from(strings.len()).unwrap().to_le_bytes());
            // A global function in the first section.
            entries.extend([0x12, 0, 1, 0]);
            entries.extend([0; 16]);
            strings.extend(symbol.as_bytes());
            strings.push(0);
        }
        self.sections.push((".dynstr", STRTAB, strings, 0));
        let link = u32::try_from(self.sections.len()).unwrap();
        self.sections.push((".dynsym", DYNSYM, entries, link));
        self
    }

    fn bytes(mut self) -> Vec<u8> {
        const HEADER: u64 = 64;
        let mut names = vec![0];
        self.sections.push((".shstrtab", STRTAB, Vec::new(), 0));
        let offsets: Vec<u32> = self
            .sections
            .iter()
            .map(|(name, ..)| {
                let at = u32::try_from(names.len()).unwrap();
                names.extend(name.as_bytes());
                names.push(0);
                at
            })
            .collect();
        self.sections.last_mut().unwrap().2 = names;
        let mut data = Vec::new();
        let mut table = vec![0; 64];
        for ((_, kind, bytes, link), name) in self.sections.iter().zip(offsets) {
            while data.len() % 8 != 0 {
                data.push(0);
            }
            let entry: u64 = match *kind {
                DYNSYM => 24,
                DYNAMIC => 16,
                _ => 0,
            };
            table.extend(name.to_le_bytes());
            table.extend(kind.to_le_bytes());
            table.extend([0; 16]);
            table.extend((HEADER + data.len() as u64).to_le_bytes());
            table.extend((bytes.len() as u64).to_le_bytes());
            table.extend(link.to_le_bytes());
            table.extend([0; 4]);
            table.extend(1_u64.to_le_bytes());
            table.extend(entry.to_le_bytes());
            data.extend(bytes);
        }
        while data.len() % 8 != 0 {
            data.push(0);
        }
        let sections = u16::try_from(self.sections.len() + 1).unwrap();
        let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        file.extend(2_u16.to_le_bytes());
        file.extend(62_u16.to_le_bytes());
        file.extend(1_u32.to_le_bytes());
        file.extend([0; 16]);
        file.extend((HEADER + data.len() as u64).to_le_bytes());
        file.extend([0; 4]);
        for half in [64, 56, 0, 64, sections, sections - 1] {
            file.extend(half.to_le_bytes());
        }
        file.extend(data);
        file.extend(table);
        file
    }

    fn is(self, name: &str) -> Option<Runtime> {
        let bytes = self.bytes();
        let elf = Elf::read(bytes.as_slice()).expect("it is an executable");
        runtime(&elf, name)
    }
}

#[test]
fn python_is_known_by_its_library_or_by_its_program() {
    let linked = Made::default().needing(&["libc.so.6", "libpython3.9.so.1.0"]);
    let of = |minor, micro| Some(Runtime::Python { minor, micro });
    assert_eq!(linked.is("gdb"), of(9, None));
    let whole = || {
        Made::default()
            .exporting(&["Py_GetVersion"])
            .with(".rodata", b"x\x003.9.x\x003.9.5\0y")
    };
    assert_eq!(whole().is("python3.9"), of(9, Some(5)));
    assert_eq!(whole().is("python"), of(9, Some(5)));
    assert_eq!(
        Made::default().is("python3.9"),
        None,
        "a script's name is no proof"
    );
}

#[test]
fn go_is_known_by_its_build_information() {
    let info = |version: &[u8]| {
        let mut info = b"\xff Go buildinf:\x08\x02".to_vec();
        info.resize(32, 0);
        info.push(u8::try_from(version.len()).unwrap());
        info.extend(version);
        Made::default().with(".go.buildinfo", &info).is("server")
    };
    assert_eq!(info(b"go1.22.1"), Some(Runtime::Go { minor: 22 }));
    assert_eq!(info(b"unknown"), None);
}

#[test]
fn rust_is_known_by_a_comment_or_a_commit() {
    let comment = |text: &[u8]| Made::default().with(".comment", text).is("tool");
    let of = |minor| Some(Runtime::Rust { minor });
    let text = b"GCC: (Debian 12.2.0-14)\0rustc version 1.74.1 (a28077b28 2023-12-04)\0";
    assert_eq!(comment(text), of(Some(74)));
    assert_eq!(comment(b"GCC: (Debian 12.2.0-14)\0"), None);
    let data = |text: &[u8]| Made::default().with(".rodata", text).is("tool");
    let known = b"a/rustc/82e1608dfa6e0b5569232559e3d385fea5a93112/library/std/src/io";
    assert_eq!(data(known), of(Some(75)));
    assert_eq!(
        data(b"/rustc/0000000000000000000000000000000000000000/"),
        of(None)
    );
}

#[test]
fn node_java_and_dotnet_are_known_by_what_they_need_or_export() {
    let needing = |library: &str| Made::default().needing(&[library]).is("program");
    assert_eq!(needing("libnode.so.108"), Some(Runtime::Node));
    assert_eq!(needing("libjli.so"), Some(Runtime::Java));
    assert_eq!(needing("libhostfxr.so"), Some(Runtime::DotNet));
    assert_eq!(needing("libc.so.6"), None);
    let exporting = |symbol: &str| Made::default().exporting(&[symbol]).is("program");
    assert_eq!(exporting("_ZN4node5StartEiPPc"), Some(Runtime::Node));
    assert_eq!(exporting("DotNetRuntimeInfo"), Some(Runtime::DotNet));
}

#[test]
fn a_program_with_a_version_in_its_name_is_that_program() {
    let name = |name| Made::default().is(name).map(|runtime| runtime.to_string());
    assert_eq!(name("ruby3.1"), Some("Ruby".to_owned()));
    assert_eq!(name("perl"), Some("Perl".to_owned()));
    assert_eq!(name("perldoc"), None);
}

#[test]
fn what_is_no_executable_is_nothing() {
    let folder = std::env::temp_dir();
    assert_eq!(recognise(&folder), None);
    assert_eq!(recognise(&folder.join("there is no such file")), None);
    for cut in [0, 4, 63, 100] {
        let bytes = Made::default().needing(&["libjli.so"]).bytes();
        let _ = Elf::read(&bytes[..cut]).map(|elf| runtime(&elf, "java"));
    }
}
