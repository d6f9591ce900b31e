//! `punctual measure --beat` as a person or a script uses it.

use crate::command::Punctual;
use serde_json::Value;

const PACE: Punctual = Punctual(&["measure"]);

#[cfg_attr(
    not(feature = "sim"),
    expect(dead_code, reason = "asked of simulated machines")
)]
fn way<'a>(recording: &'a Value, name: &str) -> &'a Value {
    let mut ways = recording["series"].as_array().unwrap().iter();
    ways.find(|way| way["way"] == name).unwrap()
}

#[test]
fn native_every_way_is_in_the_recording_with_its_figures() {
    let recording = PACE.json(&["--beat", "2ms", "--duration", "50ms", "--work", "100us"]);
    assert_eq!(recording["schema"], "punctual.recording/5");
    assert_eq!(
        recording["question"]["period_ns"],
        serde_json::json!([2_000_000, 1])
    );
    assert_eq!(recording["question"]["work_ns"], 100_000);
    assert_eq!(recording["interrupted"], false);
    for way in recording["series"].as_array().unwrap() {
        let beats = way["beats"].as_u64().unwrap();
        let elapsed = way["elapsed_ns"].as_f64().unwrap();
        assert!(beats > 0 && elapsed >= 5e7, "{way}");
        let average = way["average_ns"].as_f64().unwrap();
        assert!((average * beats as f64 - elapsed).abs() < 1.0, "{way}");
        let ppm = way["error_ppm"].as_f64().unwrap();
        assert!((ppm - (average / 2e6 - 1.0) * 1e6).abs() < 0.01, "{way}");
        assert!(way["jitter_ns"].as_f64().unwrap() >= 0.0);
    }
}

/// The two commands in the help, with the published values.
#[cfg(feature = "sim")]
mod simulated {
    use super::*;
    use crate::command::fits_80_columns;

    /// The average interval of a way in milliseconds.
    fn average(arguments: &[&str], name: &str) -> f64 {
        let recording =
            PACE.json(&[arguments, &["--method", name.trim_start_matches('+')]].concat());
        way(&recording, name)["average_ns"].as_f64().unwrap() / 1e6
    }

    /// The share of intervals between these, in milliseconds.
    fn share(recording: &Value, name: &str, from: f64, to: f64) -> f64 {
        let counts = &way(recording, name)["intervals"]["histogram"]["counts_by_ns"];
        let (mut within, mut all) = (0, 0);
        for pair in counts.as_array().unwrap() {
            let (ms, count) = (pair[0].as_f64().unwrap() / 1e6, pair[1].as_u64().unwrap());
            all += count;
            within += if (from..=to).contains(&ms) { count } else { 0 };
        }
        within as f64 / all as f64
    }

    #[test]
    fn virtualdubs_tables_come_out() {
        let near = |found: f64, published: f64| {
            assert!((found - published).abs() < 0.002, "{found} {published}");
        };
        let xp = ["--on", "windows-xp", "--duration", "10min", "--beat"];
        let of = |rest: &[&str], name| average(&[&xp, rest].concat(), name);
        near(of(&["100ms"], "timer-queue"), 109.375);
        near(of(&["47ms"], "timer-queue"), 62.5);
        near(of(&["100ms"], "waitable-cycle"), 109.375);
        near(of(&["100ms"], "waitable-abs"), 100.0);
        near(
            of(&["30000/1001Hz", "--request", "1ms"], "+feedback"),
            33.3667,
        );
        let raised = of(&["47ms", "--with", "requester=1ms"], "timer-queue");
        assert!(
            (48.0..49.0).contains(&raised),
            "steps of 48 and 49: {raised}"
        );
        let seven = ["--on", "windows-7,default-interval=15.6ms", "--beat"];
        let long = ["50ms", "--duration", "10min"];
        near(average(&[&seven[..], &long].concat(), "timer-queue"), 50.0);
    }

    /// Since 2004 a process's own request does not reach the timers of its pool.
    #[test]
    fn one_shot_timers_are_set_again_for_the_rest_of_each_period() {
        for (machine, own) in [
            ("windows-10-1909", 20.0..22.0),
            ("windows-10-2004", 31.0..33.0),
            ("windows-10-2004,timer-queue-class=process", 20.0..22.0),
        ] {
            let ways = ["pool-once", "queue-once"];
            let asked = ["--beat", "20ms", "--duration", "10s", "--request", "1ms"];
            let ways = ways.iter().flat_map(|name| ["--method", name]);
            let asked = ["--on", machine].into_iter().chain(asked).chain(ways);
            let recording = PACE.json(&asked.collect::<Vec<_>>());
            let average = |name: &str| way(&recording, name)["average_ns"].as_f64().unwrap() / 1e6;
            for name in ["pool-once", "queue-once"] {
                assert!((31.2..31.3).contains(&average(name)), "{machine} {name}");
                let raised = average(&format!("+{name}"));
                assert!(own.contains(&raised), "{machine} +{name}: {raised}");
            }
        }
        let short = ["--on", "windows-7", "--beat", "5ms"];
        let found = average(&short, "set-timer");
        assert!((15.6..15.7).contains(&found), "at least 10 ms: {found}");
    }

    #[test]
    fn the_study_of_high_resolution_timers_comes_out() {
        let loops = ["--on", "windows-11", "--beat", "1ms", "--work", "0.09ms"];
        let study = |rest: &[&str]| PACE.json(&[&loops, rest].concat());
        let quiet = study(&["--method", "high-res-cycle", "--method", "high-res"]);
        assert!(share(&quiet, "high-res-cycle", 0.95, 1.05) >= 0.9);
        assert!(share(&quiet, "high-res", 1.06, 1.12) >= 0.9);
        let own = study(&["--request", "1ms", "--method", "high-res-early"]);
        assert!(share(&own, "+high-res-early", 0.98, 1.02) >= 0.99);
        let half = study(&["--request", "0.5ms", "--method", "high-res-cycle"]);
        assert!(share(&half, "+high-res-cycle", 1.4, 1.6) >= 0.85);
        let loaded = [
            "--load",
            "cpu",
            "--priority",
            "high",
            "--method",
            "high-res-cycle",
        ];
        assert!(share(&study(&loaded), "high-res-cycle", 0.95, 1.05) >= 0.8);
    }

    #[test]
    fn a_ticker_keeps_to_the_late_rate_and_the_budget_it_is_given() {
        let kept = |rest: &[&str]| {
            let machine = ["--on", "windows-11", "--with", "requester=1ms"];
            let looping = ["--method", "ticker", "--beat", "5ms"];
            let recording = PACE.json(&[&machine, &looping, rest].concat());
            let way = way(&recording, "ticker");
            let figure = |key: &str| way[key].as_f64().unwrap();
            (figure("processor_share"), figure("jitter_ns"))
        };
        let (usual, little) = (kept(&[]), kept(&["--budget", "1%"]));
        assert!(little.0 < 0.011 && usual.0 > 0.04, "{little:?} {usual:?}");
        let ample = kept(&["--budget", "50%", "--late-rate", "0.01%"]);
        assert!(ample.1 < usual.1 * 0.75, "{ample:?} {usual:?}");
    }

    #[test]
    fn quickly_is_ten_seconds_in_all() {
        let recording = PACE.json(&["--beat", "--on", "windows-7", "--quick"]);
        let plan = &recording["plan"];
        let ways = ["series", "unavailable"].map(|key| recording[key].as_array().unwrap().len());
        let ways = ways.iter().sum::<usize>() as u64;
        let each = plan["duration_ns"].as_u64().unwrap() + 200_000_000;
        assert!((each * ways).abs_diff(10_000_000_000) < ways, "{plan}");
    }

    #[test]
    fn a_day_is_simulated_and_its_pace_over_time_is_short() {
        let day = [
            "--on",
            "windows-10-2004",
            "--beat",
            "400ms",
            "--duration",
            "1d",
        ];
        let recording = PACE.json(
            &[
                &day[..],
                &["--method", "sleep", "--method", "ticker-coarse"],
            ]
            .concat(),
        );
        let ticker = way(&recording, "ticker-coarse");
        assert!(ticker["elapsed_ns"].as_u64().unwrap() >= 86_400_000_000_000);
        assert!(ticker["error_s_per_day"].as_f64().unwrap().abs() < 0.01);
        assert!(
            way(&recording, "sleep")["error_s_per_day"]
                .as_f64()
                .unwrap()
                > 1_000.0
        );
        let stretches = ticker["stretches"].as_array().unwrap();
        assert!(
            (150..=300).contains(&stretches.len()),
            "{}",
            stretches.len()
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_recording() {
        let arguments = [
            "--beat",
            "--on",
            "windows-8",
            "--with",
            "sleepers=5",
            "--seed",
            "7",
            "--json",
        ];
        assert_eq!(PACE.run(&arguments).stdout, PACE.run(&arguments).stdout);
    }

    #[test]
    fn tables_fit_80_columns_and_say_what_a_version_lacks() {
        let text = PACE.text(&[
            "--beat",
            "--long",
            "--on",
            "windows-xp",
            "--request",
            "1ms",
            "--load",
            "cpu:2",
        ]);
        fits_80_columns(&text);
        assert!(
            text.contains("no high-res-cycle: this Windows has no"),
            "{text}"
        );
        assert!(
            text.contains("load cpu:2") && text.contains("+timer-queue"),
            "{text}"
        );
    }
}
