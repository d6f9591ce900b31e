//! `punctual doctor clocks` as a person or a script uses it. No test here depends on speed.

use crate::command::Punctual;
use serde_json::Value;
use std::sync::LazyLock;

const CLOCKS: Punctual = Punctual(&["doctor", "clocks"]);

/// This machine's clocks, which are read for most of a second.
pub static QUICK: LazyLock<Value> = LazyLock::new(|| CLOCKS.json(&["--quick"]));

#[test]
fn a_quick_comparison_is_half_a_second() {
    assert_eq!(QUICK["question"]["duration_ns"], 500_000_000);
}

#[cfg(feature = "sim")]
mod simulated {
    use super::CLOCKS;
    use crate::command::fits_80_columns;
    use crate::effort;
    use serde_json::Value;

    #[test]
    fn simulated_clocks_are_those_of_their_version() {
        // Clocks of one processor are not compared with another's, which takes as long as all else.
        let names = |version: &str| {
            let machine = format!("{version},processors=1");
            let recording = CLOCKS.json(&["--on", &machine, "--quick"]);
            let name = |clock: &Value| clock["clock"].as_str().unwrap().to_owned();
            recording["clocks"]
                .as_array()
                .unwrap()
                .iter()
                .map(name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("windows-xp").len(), 4);
        if effort(0, 1) > 0 {
            assert_eq!(names("windows-7").len(), 6);
            assert_eq!(names("windows-8").len(), 7);
        }
        let eleven = names("windows-11");
        assert_eq!(eleven.len(), 10);
        assert!(eleven.contains(&"QueryInterruptTimePrecise".to_owned()));
        let shown = CLOCKS.text(&["--on", "windows-xp,processors=1", "--quick"]);
        assert!(
            shown.contains("no GetTickCount64: this Windows has no"),
            "{shown}"
        );
        assert!(shown.contains("only one processor"), "{shown}");
        let wide = CLOCKS.text(&["--on", "windows-11,processors=1", "--quick"]);
        assert!(
            wide.contains("QueryUnbiasedInterruptTimePrecise "),
            "{wide}"
        );
        assert!(wide.contains("is not adjusted"), "{wide}");
        fits_80_columns(&shown);
        fits_80_columns(&wide);
    }

    #[test]
    fn companions_move_the_clocks_that_move_with_ticks() {
        let median = |with: &str| {
            let recording =
                CLOCKS.json(&["--on", "windows-11,processors=1", "--quick", "--with", with]);
            assert_eq!(
                recording["environment"]["system_time_increment_ns"],
                15_625_000
            );
            let mut clocks = recording["clocks"].as_array().unwrap().iter();
            let clock = clocks.find(|clock| clock["clock"] == "GetSystemTimeAsFileTime");
            clock.unwrap()["median_step_ns"].as_f64().unwrap()
        };
        assert!((9e5..1.1e6).contains(&median("requester=1ms")));
        assert_eq!(median("requester=1ms,hidden"), 15_625_000.0);
    }

    #[test]
    fn the_default_step_is_seen_without_a_request() {
        let recording = CLOCKS.json(&["--on", "windows-10-2004,processors=1"]);
        let step = |name: &str| {
            let mut clocks = recording["clocks"].as_array().unwrap().iter();
            let clock = clocks.find(|clock| clock["clock"] == name).unwrap();
            clock["median_step_ns"].as_f64().unwrap()
        };
        assert_eq!(step("GetSystemTimeAsFileTime"), 15_625_000.0);
        assert!((1.5e7..=1.6e7).contains(&step("timeGetTime")));
        assert_eq!(step("QueryPerformanceCounter"), 100.0);
    }
}
