//! What is asked first for lengths at the edges of every rounding.

use super::*;

const LENGTHS: [u64; 7] = [0, 1, 500_000, 1_000_000, 1_000_001, 15_000_000, 20_000_000];

/// For each persona, what it asks for these lengths where there are high-resolution timers: `S` an
/// ordinary wait and `Q` a port's timeout in milliseconds, `H` and `W` timers in units of 100 ns, `P`
/// the pool's, `M` `timeSetEvent`, `U` `SetTimer`, `T` a timer queue's, `.` nothing.
const ROWS: [(&str, &str); 96] = [
    ("python-3.4", "S0, S0, S0, S1, S1, S15, S20"),
    ("python-3.10", "S0, S1, S1, S1, S2, S15, S20"),
    (
        "python-3.11",
        "S0, H1, H5000, H10000, H10001, H150000, H200000",
    ),
    ("python-3.1-lock", "., S0, S0, S1, S1, S1, S1"),
    ("python-3.9-lock", "., S1, S1, S1, S2, S15, S20"),
    ("python-3.10-lock", "., S1, S1, S1, S2, S15, S20"),
    ("python-3.14-lock", "., S1, S1, S1, S2, S15, S20"),
    ("python-3.12-asyncio", "S0, Q1, Q1, Q1, Q2, Q15, Q20"),
    ("python-3.13-asyncio", "S0, Q1, Q1, Q1, Q2, Q15, Q20"),
    (
        "python-3.12-asyncio-select",
        "S0, sel1, sel500, sel1000, sel1001, sel15000, sel20000",
    ),
    (
        "python-3.12-select",
        "sel0, sel1, sel500, sel1000, sel1001, sel15000, sel20000",
    ),
    (
        "python-3.13-select",
        "sel0, sel1, sel500, sel1000, sel1001, sel15000, sel20000",
    ),
    ("pypy-lock", "., S1, S1, S1, S2, S15, S20"),
    ("go-1.8", "., S1, S1, S1, S1, S15, S20"),
    ("go-1.13", "., S1, S1, S1, S1, S15, S20"),
    ("go-1.15", "., Q1, Q1, Q1, Q1, Q15, Q20"),
    ("go-1.16", "., Q1, Q1, Q1, Q1, Q15, Q20"),
    (
        "go-1.23",
        "., H0|Q1, H5000|Q1, H10000|Q1, H10000|Q1, H150000|Q15, H200000|Q20",
    ),
    ("go-1.16-ticker", "Q1, Q1, Q1, Q1, Q1, Q15, Q20"),
    (
        "go-ticker",
        "H0|Q1, H0|Q1, H5000|Q1, H10000|Q1, H10000|Q1, H150000|Q15, H200000|Q20",
    ),
    (
        "go-usleep",
        "H0, H0, H5000, H10000, H10000, H150000, H200000",
    ),
    (
        "go-profiler",
        "H10000, H10000, H10000, H10000, H10000, H150000, H200000",
    ),
    ("tinygo", "S0, S0, S0, S1, S1, S15, S20"),
    ("rust-1.74", "S0, S1, S1, S1, S2, S15, S20"),
    (
        "rust-1.75",
        "S0, H0, H5000, H10000, H10000, H150000, H200000",
    ),
    ("rust-park", "., S1, S1, S1, S2, S15, S20"),
    ("tokio", "., Q1, Q1, Q2, Q2, Q16, Q21"),
    ("tokio-interval", "Q1, Q1, Q1, Q2, Q2, Q16, Q21"),
    ("async-io", "., Q1, Q1, Q1, Q2, Q15, Q20"),
    ("winit", "H0, H0, H5000, H10000, H10000, H150000, H200000"),
    ("winit-0.29", "S0, S1, S1, S1, S2, S15, S20"),
    (
        "spin-sleep",
        "spin 0, spin 1, spin 500000, spin 1000000, H0, H140000, H190000",
    ),
    (
        "java-thread-sleep",
        "S0, +1 S1, +1 S1, +1 S1, +1 S2, +1 S15, S20",
    ),
    (
        "java-object-wait",
        "S0, +1 S1, +1 S1, +1 S1, +1 S2, +1 S15, S20",
    ),
    ("java-park-nanos", "., S1, S1, S1, S1, S15, S20"),
    ("java-await", "., S1, S1, S1, S1, S15, S20"),
    ("java-park-until", "S1, S1, S1, S1, S1, S15, S20"),
    ("java-virtual-sleep", "., S1, S1, S1, S1, S15, S20"),
    ("java-force-high-resolution", "S0, S1, S1, S1, S2, S15, S20"),
    ("netty-wheel", "+1 S1, +1 S1, +1 S1, +1 S1, +1 S1, S10, S20"),
    ("openj9", "S0, S1, S1, S1, S2, S15, S20"),
    ("dotnet-thread-sleep", "S0, S0, S0, S1, S1, S15, S20"),
    ("dotnet-wait", "S0, S0, S0, S1, S1, S15, S20"),
    ("dotnet-6-task-delay", "., ., ., S1, S1, S15, S20"),
    ("dotnet-6-timer", "S0, S0, S0, S1, S1, S15, S20"),
    ("dotnet-7-task-delay", "., ., ., S1, S1, S15, S20"),
    ("dotnet-7-timer", "S0, S0, S0, S1, S1, S15, S20"),
    (
        "dotnet-windows-pool",
        "P0, P0, P0, P10000, P10000, P150000, P200000",
    ),
    ("winforms-timer", "U1, U1, U1, U1, U1, U15, U20"),
    ("node", "Q1, Q1, Q1, Q1, Q1, Q15, Q20"),
    ("node-4", "Q1, Q1, Q1, Q1, Q1, Q15, Q20"),
    ("libuv", "., ., ., Q1, Q1, Q15, Q20"),
    ("uv-sleep", "S0, S0, S0, S1, S1, S15, S20"),
    ("uv-cond-timedwait", "S0, S0, S0, S1, S1, S15, S20"),
    ("deno", "+1 Q1, +1 Q1, +1 Q1, +1 Q2, +1 Q2, +1 Q16, +1 Q21"),
    (
        "deno-nested",
        "+1 Q5, +1 Q5, +1 Q5, +1 Q5, +1 Q5, +1 Q16, +1 Q21",
    ),
    (
        "chromium",
        "+1 Q0, +1 Q1, +1 Q1, +1 Q1, +1 Q2, +1 Q15, +1 Q20",
    ),
    (
        "chromium-nested",
        "+1 Q4, +1 Q4, +1 Q4, +1 Q4, +1 Q4, +1 Q15, +1 Q20",
    ),
    ("msvc", "., S1, S1, S1, S2, S15, S20"),
    ("msvc-17.9", "., S1, S1, S1, S2, S15, S20"),
    ("msvc-condvar", "S0, S1, S1, S1, S2, S15, S20"),
    ("msvc-condvar-predicate", "S0, S1, S1, S1, S2, S15, S20"),
    ("msvc-atomic-wait", "S0, S1, S1, S1, S2, S15, S20"),
    ("mingw", "S0, S0, S0, S1, S1, S15, S20"),
    ("mingw-6", "S0, S0, S0, S1, S1, S15, S20"),
    ("mingw-condvar", "S1, S1, S1, S2, S2, S16, S21"),
    ("mingw-usleep", "S0, S0, S0, S1, S1, S15, S20"),
    ("mingw-win32-threads", "S1, S1, S1, S1, S1, S15, S20"),
    (
        "boost-thread",
        "W0+32, W10000+32, W10000+32, W10000+32, W20000+32, W150000+32, W200000+32",
    ),
    (
        "boost-asio",
        "., W0, W5000, W10000, W10000, W150000, W200000",
    ),
    (
        "libdispatch",
        "P0, P1, P5000, P10000, P10001, P150000, P200000",
    ),
    (
        "libdispatch-semaphore",
        "+1 S0, +1 S0, +1 S0, +1 S1, +1 S1, +1 S15, S20",
    ),
    ("sdl2", "S0, S0, S0, S1, S1, S15, S20"),
    ("sdl3", "H0, H0, H5000, H10000, H10000, H150000, H200000"),
    (
        "sdl3-precise",
        "., H0, H5000, H10000, H10000, H10000, H10000",
    ),
    ("sdl-timer", "S0, S0, S0, S1, S1, S15, S20"),
    ("glfw", "S0, S0, S0, S1, S1, S15, S20"),
    ("qt-timer", "., ., ., M1, M1, M15, U20"),
    ("qt-precise", "., ., ., M1, M1, M15, M20"),
    ("qthread-sleep", "S0, S0, S0, S1, S1, S15, S20"),
    ("godot", "S1, S1, S1, S1, S1, S15, S20"),
    (
        "godot-4.4-frame",
        "spin 0, spin 1, spin 500000, spin 1000000, S1, S14, S19",
    ),
    ("unreal", "S0, S0, S0, S1, S1, S15, S20"),
    ("ruby", "S0, S0, S0, S1, S1, S15, S20"),
    ("perl-select", "S0, S0, S0, S1, S1, S15, S20"),
    ("perl-usleep", "S0, S0, S0, S1, S1, S15, S20"),
    ("php", "S0, W10, W5000, W10000, W10010, W150000, W200000"),
    ("lua-socket", "S0, S0, S0, S1, S1, S15, S20"),
    ("erlang-23", "., ., ., S1, S1, S15, S20"),
    ("erlang", "., ., ., S1, S1, S15, S20"),
    ("julia", "Q1, Q2, Q2, Q2, Q3, Q16, Q21"),
    ("julia-systemsleep", "S0, S0, S0, S1, S1, S15, S20"),
    ("haskell-tick", "T1, T1, T1, T1, T1, T15, T20"),
    ("haskell-delay", "Q0, Q1, Q1, Q1, Q2, Q15, Q20"),
    ("ocaml", "S0, S0, S0, S1, S1, S15, S20"),
    ("zig", "S0, S0, S0, S1, S1, S15, S20"),
];

/// The same where there are none, for those that fall back.
const WITHOUT: [(&str, &str); 7] = [
    (
        "python-3.11",
        "S0, W1, W5000, W10000, W10001, W150000, W200000",
    ),
    ("go-usleep", "S0, S0, S0, S1, S1, S15, S20"),
    (
        "go-profiler",
        "W10000, W10000, W10000, W10000, W10000, W150000, W200000",
    ),
    ("rust-1.75", "S0, S1, S1, S1, S2, S15, S20"),
    ("sdl3", "S0, S0, S0, S1, S1, S15, S20"),
    ("sdl3-precise", "., S0, S0, S1, S1, S1, S1"),
    (
        "spin-sleep",
        "spin 0, spin 1, spin 500000, spin 1000000, +1 S1, +1 S14, +1 S19",
    ),
];

fn asked(id: &str, has_timer: bool) -> String {
    let persona = named(id).unwrap();
    let first = |length| Asked::start(persona.clone(), has_timer).0.begin(length);
    LENGTHS.map(first).join(", ")
}

#[test]
fn lengths_are_rounded_as_each_runtime_does() {
    for (id, expected) in ROWS {
        assert_eq!(asked(id, true), expected, "{id}");
    }
    let ids: BTreeSet<_> = ROWS.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, personas().iter().map(|persona| persona.id).collect());
}

#[test]
fn who_needs_high_resolution_timers_falls_back() {
    for (id, expected) in WITHOUT {
        assert_eq!(asked(id, false), expected, "{id}");
    }
    let fall_back = personas().into_iter().filter(|persona| {
        let is_older = persona.runs_on("windows-8");
        is_older && persona.fallback().is_some()
    });
    let ids: BTreeSet<_> = WITHOUT.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, fall_back.map(|persona| persona.id).collect());
}
