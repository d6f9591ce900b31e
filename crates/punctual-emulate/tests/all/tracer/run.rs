//! Builds and runs the programs in `tests/programs`, alone and under `examples/steered.rs`.

use super::os::started;
use punctual_emulate::session::Session;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Where the tests build.
fn built() -> PathBuf {
    let test = env::current_exe().expect("a test has an executable");
    // target/debug/deps/NAME
    test.ancestors()
        .nth(2)
        .expect("tests stand in a folder of their profile")
        .to_owned()
}

/// Why nothing can be run here, if so.
pub(crate) fn skipped() -> bool {
    static WHY: OnceLock<Option<String>> = OnceLock::new();
    let why = WHY.get_or_init(|| {
        if let Err(refusal) = Session::possible() {
            return Some(refusal.to_string());
        }
        let cc = Command::new("cc")
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        if !cc.is_ok_and(|status| status.success()) {
            return Some("there is no C compiler, cc".to_owned());
        }
        let traced = Command::new(steered()).args(["as-asked", "true"]).output();
        traced
            .ok()
            .filter(|output| !output.status.success())
            .map(|output| text(&output.stderr))
    });
    if let Some(why) = why {
        println!("skipped: {}", why.trim());
    }
    why.is_some()
}

/// The example that runs programs under simple rules.
pub(crate) fn steered() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let cargo = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--example", "steered"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(
            cargo.expect("cargo ran this test").success(),
            "the example builds"
        );
        built().join("examples").join("steered")
    })
}

/// A program of `tests/programs`, compiled.
pub(crate) fn program(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(name);
    let folder = built().join("programs");
    fs::create_dir_all(&folder).expect("the folder of builds can be written");
    let program = folder.join(
        source
            .with_extension("")
            .file_name()
            .expect("it has a name"),
    );
    static ONCE: std::sync::Mutex<Vec<PathBuf>> = std::sync::Mutex::new(Vec::new());
    let mut done = ONCE.lock().expect("no test panics in here");
    if !done.contains(&program) {
        let compiled = Command::new("cc")
            .args(["-O1", "-Wall", "-Wextra", "-o"])
            .args([&program, &source])
            .args(["-lrt", "-lpthread"])
            .status();
        assert!(
            compiled.expect("there is a compiler").success(),
            "{name} compiles"
        );
        done.push(program.clone());
    }
    program
}

/// What a program said, and what the policy heard.
pub(crate) struct Said {
    pub(crate) output: String,
    pub(crate) code: Option<i32>,
    pub(crate) heard: String,
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn said(output: Output, heard: String) -> Said {
    Said {
        output: text(&output.stdout),
        code: output.status.code(),
        heard,
    }
}

/// Runs it alone.
pub(crate) fn alone(program: &Path, words: &[&str]) -> Said {
    let output = started(program).args(words).stdin(Stdio::null()).output();
    said(output.expect("the program runs"), String::new())
}

/// Runs it under a rule, and checks what the policy heard: each wait began and was over once, each process
/// began and ended, and nothing was too early.
pub(crate) fn under(rule: &[&str], program: impl AsRef<OsStr>, words: &[&str]) -> Said {
    let file = tempfile(rule);
    let output = started(steered())
        .arg("--stats")
        .arg(&file)
        .args(rule)
        .arg(program)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("the example runs");
    let heard = fs::read_to_string(&file).unwrap_or_default();
    drop(fs::remove_file(&file));
    let last = heard.lines().last().unwrap_or_default();
    for wanted in ["left=0", "processes=0", "early=0", "unknown=0"] {
        assert!(
            last.split(' ').any(|word| word == wanted),
            "{wanted} is not in {last:?}; {}",
            text(&output.stderr)
        );
    }
    said(output, heard)
}

fn tempfile(rule: &[&str]) -> PathBuf {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    env::temp_dir().join(format!(
        "steered-{}-{number}-{}",
        std::process::id(),
        rule.len()
    ))
}
