//! The loops of C and C++, for `border`.

const LOOPS: &str = "src/border/loops";
const INCLUDE: &str = "../crates/punctual-c/include";

fn main() {
    println!("cargo::rerun-if-changed={LOOPS}");
    println!("cargo::rerun-if-changed={INCLUDE}");
    cc::Build::new()
        .std("c11")
        .include(INCLUDE)
        .file(format!("{LOOPS}/loop.c"))
        .warnings_into_errors(true)
        .compile("border_c");
    cc::Build::new()
        .cpp(true)
        .std("c++20")
        .include(INCLUDE)
        .file(format!("{LOOPS}/loop.cpp"))
        .warnings_into_errors(true)
        .compile("border_cpp");
}
