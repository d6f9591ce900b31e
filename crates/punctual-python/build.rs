//! Builds the second native module of the package, `punctually._lab`, from `punctual-python-lab`: maturin builds one.
//!
//! Only under maturin, which takes it from the folder of this script's output into the wheel. So programs that simulate nothing
//! load no simulator.

use std::env;
use std::process::Command;

fn main() -> std::io::Result<()> {
    // Maturin sets it for whatever builds a module.
    println!("cargo::rerun-if-env-changed=PYO3_BUILD_EXTENSION_MODULE");
    if env::var_os("PYO3_BUILD_EXTENSION_MODULE").is_none() {
        return Ok(());
    }
    println!("cargo::rerun-if-changed=..");
    let asked = |name| env::var(name).expect(name);
    let (out, target, folder) = (asked("OUT_DIR"), asked("TARGET"), asked("PROFILE"));
    let profile = folder.replace("debug", "dev");
    let words = format!("build --target {target} --profile {profile}");
    let mut built = Command::new(asked("CARGO"));
    built
        .current_dir("../punctual-python-lab")
        .args(words.split(' '));
    // A folder of its own, because the other one is locked by whoever runs this.
    built.env("CARGO_TARGET_DIR", &out);
    built.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    assert!(built.status()?.success(), "the lab does not build");
    let (library, module) = match asked("CARGO_CFG_TARGET_OS").as_str() {
        "windows" => ("_lab.dll", "_lab.pyd"),
        "macos" => ("lib_lab.dylib", "_lab.so"),
        _ => ("lib_lab.so", "_lab.so"),
    };
    let library = format!("{out}/{target}/{folder}/{library}");
    std::fs::copy(library, format!("{out}/{module}"))?;
    Ok(())
}
