//! What is refused before anything runs.

use super::procfs;
use super::ptrace::Tid;
use crate::session::Refusal;
use std::collections::BTreeMap;
use std::env;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether this machine lets a process trace its children.
pub(crate) fn possible() -> Result<(), Refusal> {
    // 3: nothing may trace. 2: only what may trace everything, which seizing finds out.
    if procfs::yama() == Some(3) {
        return Err(Refusal::new(
            "this kernel lets no process trace another (Yama's ptrace_scope is 3, and stays so until the \
             next boot): boot with it at 0 to 2, or use another machine",
        ));
    }
    Ok(())
}

/// Why a child could not be traced.
pub(crate) fn why_not(error: &std::io::Error) -> Refusal {
    let own = Tid::try_from(std::process::id()).unwrap_or(0);
    if procfs::tracer_of(own).is_some() {
        return Refusal::new(
            "a debugger or tracer follows this process and its children: a program has one tracer at \
             most, so run this without it",
        );
    }
    if procfs::yama().is_some_and(|scope| scope >= 2) {
        return Refusal::new(
            "this kernel lets only root trace programs (Yama's ptrace_scope is 2): run this as root, or \
             set kernel.yama.ptrace_scope to 1",
        );
    }
    Refusal::new(format!(
        "the program cannot be traced ({error}): in a container, allow ptrace by the capability \
         SYS_PTRACE or a seccomp profile that has it"
    ))
}

/// A program that can be run, its words as the kernel wants them.
pub(crate) struct Program {
    pub(crate) path: CString,
    pub(crate) arguments: Vec<CString>,
    pub(crate) environment: Vec<CString>,
    pub(crate) folder: Option<CString>,
}

fn word(text: &OsStr) -> Result<CString, Refusal> {
    CString::new(text.as_bytes()).map_err(|_| {
        Refusal::not_executable(
            "a word of the command has a zero byte, which no program can be given",
        )
    })
}

impl Program {
    /// Finds the program of a command, and checks it.
    pub(crate) fn of(command: &Command) -> Result<Self, Refusal> {
        let mut environment: BTreeMap<OsString, OsString> = env::vars_os().collect();
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => environment.insert(name.to_owned(), value.to_owned()),
                None => environment.remove(name),
            };
        }
        let folder = command.get_current_dir();
        let path = find(
            command.get_program(),
            environment.get(OsStr::new("PATH")),
            folder,
        )?;
        check(
            &folder.map_or_else(|| path.clone(), |folder| folder.join(&path)),
            0,
        )?;
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let pair = |(name, value): (OsString, OsString)| {
            let all = [name.into_vec(), b"=".to_vec(), value.into_vec()].concat();
            word(OsStr::from_bytes(&all))
        };
        Ok(Self {
            path: word(path.as_os_str())?,
            arguments: words.map(word).collect::<Result<_, _>>()?,
            environment: environment
                .into_iter()
                .map(pair)
                .collect::<Result<_, _>>()?,
            folder: folder.map(|folder| word(folder.as_os_str())).transpose()?,
        })
    }
}

/// Where a program is: as a shell finds it.
fn find(
    name: &OsStr,
    search: Option<&OsString>,
    folder: Option<&Path>,
) -> Result<PathBuf, Refusal> {
    let shown = name.display();
    if name.as_bytes().contains(&b'/') {
        let path = folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
        return match path.metadata() {
            Ok(data) if data.is_file() && data.permissions().mode() & 0o111 != 0 => {
                Ok(PathBuf::from(name))
            }
            Ok(_) => Err(Refusal::not_executable(format!(
                "{shown} is not an executable file"
            ))),
            Err(error) => Err(Refusal::not_found(format!(
                "{shown} cannot be run: {error}"
            ))),
        };
    }
    // What the C library takes where there is none.
    let search = search.cloned().unwrap_or_else(|| "/bin:/usr/bin".into());
    env::split_paths(&search)
        .map(|folder| folder.join(name))
        .find(|path| {
            path.metadata()
                .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
        })
        .ok_or_else(|| {
            Refusal::not_found(format!(
                "there is no program {shown} in the folders of PATH"
            ))
        })
}

/// What a file begins with says who runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An executable for these processors, with 64 bits.
    Ours,
    /// An executable for others, or with 32 bits.
    Other,
    /// Anything else: a script, or nothing that runs.
    Unknown,
}

/// The kind of an executable.
pub(crate) fn kind(path: &Path) -> Kind {
    let mut head = [0; 20];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    if read.is_err() || !head.starts_with(b"\x7fELF") {
        return Kind::Unknown;
    }
    // ELFCLASS64, and EM_X86_64.
    if head[4] == 2 && head[18..20] == [62, 0] {
        Kind::Ours
    } else {
        Kind::Other
    }
}

/// Whether an executable gives other rights to who runs it.
pub(crate) fn gives_rights(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| {
        let mode = data.mode();
        // Setgid counts with the group's right to execute only.
        mode & 0o4000 != 0 || mode & 0o2010 == 0o2010
    })
}

/// Refuses what could not be steered or would run otherwise. A script's interpreter counts.
fn check(path: &Path, depth: u32) -> Result<(), Refusal> {
    let shown = path.display();
    if kind(path) == Kind::Other {
        return Err(Refusal::new(format!(
            "{shown} is not for x86-64 processors with 64 bits, and its calls cannot be steered: build \
             it for them"
        )));
    }
    if gives_rights(path) && !is_root() {
        return Err(Refusal::new(format!(
            "{shown} runs with another's rights (set-uid or set-gid), which the kernel does not grant to \
             a traced program: run this as root"
        )));
    }
    // As deep as the kernel follows them.
    match interpreter(path) {
        Some(interpreter) if depth < 4 => check(&interpreter, depth + 1),
        _ => Ok(()),
    }
}

/// Whether this process is root's.
pub(crate) fn is_root() -> bool {
    Path::new("/proc/self")
        .metadata()
        .is_ok_and(|data| data.uid() == 0)
}

/// Whether the kernel has `epoll_pwait2`, which came with 5.11.
pub(crate) fn has_epoll_pwait2() -> bool {
    let release = procfs::release();
    let mut numbers = release
        .split(['.', '-'])
        .map_while(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(5), Some(11))
}

/// Who runs a script.
fn interpreter(path: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    // The kernel looks no further.
    File::open(path)
        .ok()?
        .take(256)
        .read_to_end(&mut head)
        .ok()?;
    let line = head
        .strip_prefix(b"#!")?
        .split(|&byte| byte == b'\n')
        .next()?;
    let name = line
        .split(u8::is_ascii_whitespace)
        .find(|word| !word.is_empty())?;
    Some(PathBuf::from(OsStr::from_bytes(name)))
}
