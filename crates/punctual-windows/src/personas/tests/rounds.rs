//! What follows the first wait: rests, requests, spins, schedules.

use super::*;

/// A millisecond in nanoseconds.
const MS: u64 = 1_000_000;

/// What a program asks for a wait of this length, and then each time when its wait or spin ends so many
/// microseconds after the beginning.
fn story(id: &str, has_timer: bool, length_ns: u64, ends_us: &[u64]) -> String {
    let (mut program, _) = Asked::started(id, has_timer);
    let mut asked = vec![program.begin(length_ns)];
    for end in ends_us {
        let clocks = after(end * 1_000);
        let is_spin = asked.last().is_some_and(|last| last.contains("spin"));
        let event = match is_spin {
            true => Event::Done,
            false => Event::Woken { timed_out: true },
        };
        asked.push(program.tell(event, &clocks));
    }
    asked.join(", ")
}

#[test]
fn some_trust_an_early_end() {
    for (id, asked) in [
        ("python-3.10", "S5, ."),
        ("rust-1.75", "H50000, ."),
        ("dotnet-thread-sleep", "S5, ."),
        ("java-park-nanos", "S5, ."),
        ("node-4", "Q5, ."),
        ("php", "W50000, ."),
        ("glfw", "S5, ."),
    ] {
        assert_eq!(story(id, true, 5 * MS, &[3_300]), asked, "{id}");
    }
}

#[test]
fn others_wait_again_by_their_clock() {
    let again = |id, ends: &[u64]| story(id, true, 5 * MS, ends);
    // GetTickCount64 has not moved, whatever the interval.
    for id in [
        "python-3.9-lock",
        "dotnet-6-task-delay",
        "mingw",
        "erlang-23",
    ] {
        assert_eq!(again(id, &[5_200, 15_700]), "S5, S5, .", "{id}");
    }
    assert_eq!(again("msvc", &[3_300, 5_100]), "S5, S2, .");
    assert_eq!(again("java-await", &[3_300, 5_100]), "S5, S1, .");
    assert_eq!(again("async-io", &[3_300, 5_100]), "Q5, Q2, .");
    assert_eq!(again("go-1.16", &[3_300, 5_100]), "Q5, Q1, .");
    assert_eq!(again("go-1.23", &[3_300, 5_100]), "H50000|Q5, H17000|Q1, .");
    assert_eq!(again("boost-asio", &[3_300, 5_100]), "W50000, W17000, .");
}

#[test]
fn some_may_be_early_by_less_than_their_clock_shows() {
    assert_eq!(
        story("python-3.12-asyncio", true, 20 * MS, &[15_700]),
        "Q20, ."
    );
    assert_eq!(
        story("python-3.13-asyncio", true, 20 * MS, &[15_700]),
        "Q20, Q5"
    );
    // It began a quarter into a millisecond, and both ends are rounded down.
    for id in ["dotnet-7-task-delay", "node", "libuv"] {
        let asked = story(id, true, 5 * MS, &[4_800]);
        assert!(asked.ends_with("5, ."), "{id}: {asked}");
    }
    assert_eq!(
        story("tokio", true, MS, &[600, 1_700, 1_800]),
        "Q2, Q2, Q1, ."
    );
}

#[test]
fn a_last_fraction_is_spun() {
    let ruby = story("ruby", true, 5 * MS, &[4_300, 5_000]);
    assert_eq!(ruby, "S5, spin 700000, .");
    let lock = story("python-3.10-lock", true, 5 * MS, &[3_300, 4_500, 5_000]);
    assert_eq!(lock, "S5, S1, spin 500000, .");
    let frame = story("godot-4.4-frame", true, 5 * MS, &[4_300, 5_000]);
    assert_eq!(frame, "S4, spin 700000, .");
    let spun = story("spin-sleep", false, 5 * MS, &[4_200, 5_000]);
    assert_eq!(spun, "+1 S4, -1 spin 800000, .");
}

#[test]
fn requests_are_held_as_long_as_the_runtime_holds_them() {
    for id in ["sdl2", "sdl3", "godot", "unreal", "go-1.8", "go-1.15"] {
        assert_eq!(Asked::started(id, true).1, "+1 .", "{id}");
        assert!(story(id, true, 5 * MS, &[5_100]).ends_with(", ."), "{id}");
    }
    // Go's idle programs do without, and where there are high-resolution timers it never asks.
    let long = "-1 S100, +1 .";
    assert_eq!(story("go-1.13", true, 100 * MS, &[100_100]), long);
    assert_eq!(Asked::started("go-1.16", true).1, ".");
    assert_eq!(Asked::started("go-1.16", false).1, "+1 .");
    assert_eq!(story("go-1.16", false, 60 * MS, &[60_100]), "-1 Q60, +1 .");
    // HotSpot's requests follow what is left, round by round.
    let java = |length, ends: &[u64]| story("java-thread-sleep", true, length, ends);
    assert_eq!(java(15 * MS, &[14_200, 15_100]), "+1 S15, -1 +1 S1, -1 .");
    assert_eq!(java(20 * MS, &[15_200, 20_100]), "S20, +1 S5, -1 .");
    assert_eq!(java(30 * MS, &[30_100]), "S30, .");
    let netty = story("netty-wheel", true, 25 * MS, &[20_500, 21_500]);
    assert_eq!(netty, "S20, +1 S1, -1 +1 S1");
    let semaphore = |length| story("libdispatch-semaphore", true, length, &[20_000]);
    assert_eq!(semaphore(16 * MS), "+1 S16, -1 .");
    assert_eq!(semaphore(17 * MS), "S17, .");
    assert_eq!(story("deno", true, 100 * MS, &[101_000]), "+1 Q101, -1 .");
    assert_eq!(story("deno", true, 101 * MS, &[102_000]), "Q102, .");
}

#[test]
fn a_rest_of_libuv_grows() {
    let asked = story("node", true, 5 * MS, &[10, 20, 30, 40, 50]);
    assert_eq!(asked, "Q5, Q5, Q6, Q7, Q9, Q13");
}

#[test]
fn an_old_lock_polls() {
    let ends: Vec<_> = [1, 3, 7, 15, 31, 63, 113].map(|ms| ms * 1_000).into();
    let asked = story("python-3.1-lock", true, 150 * MS, &ends);
    assert_eq!(asked, "S1, S2, S4, S8, S16, S32, S50, S37");
}

#[test]
fn a_precise_delay_probes_and_then_spins() {
    let delay = |length, ends: &[u64]| story("sdl3-precise", true, length, ends);
    // What is left after the third probe is less than the worst overshoot.
    assert_eq!(
        delay(5 * MS, &[1_500, 3_100, 4_600, 5_000]),
        "H10000, H10000, H10000, spin 400000, ."
    );
    assert_eq!(
        delay(2 * MS + 300_000, &[1_200, 2_200, 2_300]),
        "H10000, H9000, spin 100000, ."
    );
}

#[test]
fn coarse_timers_are_of_three_kinds() {
    let timer = |ms| story("qt-timer", true, ms * MS, &[]);
    assert_eq!(timer(19), "M19");
    assert_eq!(timer(20), "U20");
    assert_eq!(timer(19_999), "U19999");
    assert_eq!(timer(20_400), "U20000");
    assert_eq!(timer(20_500), "U21000");
}

/// What a program with a schedule asks for its second period, which begins so much after the first did.
fn second(id: &str, began_us: u64) -> String {
    let (mut program, _) = Asked::started(id, true);
    program.begin(4 * MS);
    program.woken(began_us * 1_000);
    let next = Event::Begin(Duration::from_nanos(4 * MS));
    program.tell(next, &after(began_us * 1_000))
}

#[test]
fn schedules_treat_periods_that_have_passed_differently() {
    assert_eq!(second("go-1.16-ticker", 4_500), "Q3");
    assert_eq!(second("go-1.16-ticker", 15_700), "Q1");
    assert_eq!(second("go-ticker", 4_500), "H35000|Q3");
    assert_eq!(second("tokio-interval", 4_500), "Q5");
    assert_eq!(second("tokio-interval", 15_700), ".");
    assert_eq!(second("dotnet-7-timer", 4_500), "S4");
    assert_eq!(second("dotnet-7-timer", 15_700), "S1");
}
