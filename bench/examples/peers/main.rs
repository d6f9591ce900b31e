//! The examples of Punctual written with their best peers, to compare: how many lines each takes, or,
//! given a name, how it runs.
//!
//! ```console
//! $ cargo run --release --manifest-path bench/Cargo.toml --example peers
//! $ cargo run --release --manifest-path bench/Cargo.toml --example peers -- midi_clock
//! ```

mod controller;
mod event_loop;
mod frame_limiter;
mod midi_clock;
mod no_std_timers;
mod packet_pacer;
mod virtual_time;

use std::process::{ExitCode, Termination};

/// An example that has a peer's version of it here.
struct Pair {
    name: &'static str,
    ours: &'static str,
    peer: &'static str,
    theirs: &'static str,
    run: fn() -> ExitCode,
}

macro_rules! pair {
    ($name:ident, $peer:literal) => {
        Pair {
            name: stringify!($name),
            ours: include_str!(concat!(
                "../../../crates/punctual/examples/",
                stringify!($name),
                ".rs"
            )),
            peer: $peer,
            theirs: include_str!(concat!(stringify!($name), ".rs")),
            run: || $name::main().report(),
        }
    };
}

const PAIRS: [Pair; 7] = [
    pair!(frame_limiter, "spin_sleep_util"),
    pair!(controller, "thread-priority, rustix, spin_sleep_util"),
    pair!(packet_pacer, "std"),
    pair!(midi_clock, "spin_sleep"),
    pair!(virtual_time, "tokio"),
    pair!(no_std_timers, "std's BTreeMap"),
    pair!(event_loop, "calloop"),
];

/// Examples that are both versions in one file, in modules of their own.
const TWINS: [(&str, &str, &str, &str, &str); 3] = [
    (
        "tokio_app",
        include_str!("../tokio_app.rs"),
        "with_punctual",
        "tokio",
        "with_tokio",
    ),
    (
        "smol_app",
        include_str!("../smol_app.rs"),
        "with_punctual",
        "smol",
        "with_smol",
    ),
    (
        "loop_helper",
        include_str!("../loop_helper.rs"),
        "after",
        "spin_sleep",
        "before",
    ),
];

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        print_table();
        return ExitCode::SUCCESS;
    };
    match PAIRS.iter().find(|pair| pair.name == name) {
        Some(pair) => (pair.run)(),
        None => {
            eprintln!("there is no {name} here; without a name it prints which there are");
            ExitCode::from(2)
        }
    }
}

fn print_table() {
    println!("| program | lines | with | lines |\n|---|---|---|---|");
    let row = |name: &str, ours: &str, peer: &str, theirs: &str| {
        println!(
            "| `{name}` | {} | {peer} | {} |",
            lines(ours),
            lines(theirs)
        );
    };
    for pair in &PAIRS {
        row(pair.name, pair.ours, pair.peer, pair.theirs);
    }
    for (name, source, ours, peer, theirs) in TWINS {
        row(name, module(source, ours), peer, module(source, theirs));
    }
}

/// Lines that are neither empty nor comment.
fn lines(source: &str) -> usize {
    let lines = source.lines().map(str::trim_start);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

/// What is between the braces of a module.
fn module<'a>(source: &'a str, name: &str) -> &'a str {
    let (_, from) = source
        .split_once(&format!("mod {name} {{\n"))
        .expect("the file has this module");
    from.split_once("\n}\n").map_or(from, |(inside, _)| inside)
}
