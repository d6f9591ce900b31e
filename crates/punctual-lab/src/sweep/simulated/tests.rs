use super::*;

fn plan(intervals: impl IntoIterator<Item = u64>) -> Plan {
    Plan {
        by: By::Other,
        intervals: intervals.into_iter().map(Duration::from_millis).collect(),
        samples: 10,
        seed: 1,
    }
}

/// The other programs in the evidence on the anomaly at 8 ms, beside which a quantum of
/// 5.333334 us gives it.
const SLEEPERS: Companion = Companion::Sleepers {
    threads: 7,
    from: 1,
    to: 40,
    most_work: Duration::from_millis(1),
};

fn among_sleepers(plan: &Plan) -> Vec<Row> {
    let machine = "windows-10-2004,quantum=5.333334us";
    let mut machine: SimulatedMachine = machine.parse().unwrap();
    machine.companions.push(SLEEPERS);
    run(&machine, plan).unwrap().rows
}

fn sweep(machine: &str, plan: &Plan) -> Vec<Row> {
    run(&machine.parse().unwrap(), plan).unwrap().rows
}

/// Means in milliseconds, to a tenth.
fn means(machine: &str) -> Vec<f64> {
    let rows = sweep(machine, &plan(1..=15));
    let tenths = |row: Row| (row.sleep_1.mean_ns as f64 / 1e5).round() / 10.0;
    rows.into_iter().map(tenths).collect()
}

fn counted(from: u32) -> impl Iterator<Item = f64> {
    (from..=15).map(f64::from)
}

#[test]
fn on_1909_a_request_counts_for_every_process() {
    let means = means("windows-10-1909");
    assert_eq!(means[0], 2.0);
    assert!(means[1..].iter().copied().eq(counted(2)), "{means:?}");
}

#[test]
fn on_2004_the_published_means_come_out() {
    let means = means("windows-10-2004");
    assert!((15.6..=16.0).contains(&means[1]), "{means:?}");
    assert_eq!(means[5..7], [12.0, 14.0]);
    assert!(means[8..].iter().copied().eq(counted(9)), "{means:?}");
}

#[test]
fn on_2004_the_interval_and_time_get_time_follow_all_the_same() {
    for row in sweep("windows-10-2004", &plan(1..=15)) {
        let asked = row.requested_ns;
        let asked_ms = u32::try_from(asked / 1_000_000).unwrap();
        assert!(row.interval_ns.abs_diff(asked) < 10_000, "{row:?}");
        let (least, most) = row.time_get_time_steps_ms;
        assert!(least >= asked_ms - 1 && most <= asked_ms, "{row:?}");
    }
}

#[test]
fn the_article_prints_up_to_a_tenth_less() {
    let rows = sweep("windows-10-2004", &plan([4, 6, 7]));
    let printed = |row: &Row| format!("{:.1}", row.article_mean_ms);
    let printed: Vec<_> = rows.iter().map(printed).collect();
    assert_eq!(printed, ["15.9", "11.9", "13.9"]);
}

#[test]
fn at_8_other_programs_end_a_fifth_of_the_sleeps_an_interval_early() {
    let rows = among_sleepers(&plan([8]));
    let [(1, once), (2, twice)] = rows[0].ended_after_intervals[..] else {
        panic!("{:?}", rows[0].ended_after_intervals);
    };
    let share = once as f64 / (once + twice) as f64;
    assert!((0.15..0.25).contains(&share), "{share}");
}

#[test]
fn a_published_mean_that_does_not_come_out_says_so() {
    let rows = sweep("windows-10-2004", &plan([5, 6, 8]));
    let agrees = |row: &Row| row.published.as_ref().map(|published| published.agrees);
    let agrees: Vec<_> = rows.iter().map(agrees).collect();
    assert_eq!(agrees, [None, Some(true), Some(false)]);
}

#[test]
fn a_row_does_not_depend_on_the_others() {
    let many = among_sleepers(&plan([6, 7]));
    assert_eq!(many[1], among_sleepers(&plan([7]))[0]);
}

#[test]
fn what_was_measured_before_the_interval_changed_is_thrown_away() {
    let mut machine: SimulatedMachine = "windows-10-1909".parse().unwrap();
    let mut measured_beside = |raised, lowered| {
        machine.companions = vec![Companion::Toggler {
            interval: Duration::from_millis(1),
            raised: Duration::from_millis(raised),
            lowered: Duration::from_millis(lowered),
        }];
        let run = machine.run(1, |os| measure(os.win32(), 2)).unwrap();
        run.value.map(|measured| {
            (
                measured.samples_thrown_away,
                measured.ended_after_intervals(),
            )
        })
    };
    assert_eq!(measured_beside(700, 700), Err(Problem::Unsteady));
    assert_eq!(measured_beside(1_500, 1_000_000), Ok((2, vec![(1, 128)])));
}

/// The requester matters since 2004, and not before.
#[test]
fn who_asks_gets_what_it_asked_for_on_every_version() {
    let mean_ms = |machine: &str, by| {
        let plan = Plan { by, ..plan([4]) };
        let rows = sweep(machine, &plan);
        (rows[0].sleep_1.mean_ns as f64 / 1e5).round() / 10.0
    };
    for machine in ["windows-10-1909", "windows-10-2004", "windows-11"] {
        assert_eq!(mean_ms(machine, By::Own), 4.0, "{machine}");
    }
    for by in [By::Other, By::Parent] {
        assert_eq!(mean_ms("windows-10-1909", by), 4.0, "{by}");
        assert!(mean_ms("windows-10-2004", by) > 10.0, "{by}");
    }
}

#[test]
fn what_is_published_of_own_requests_comes_out() {
    let own = Plan {
        by: By::Own,
        ..plan(1..=15)
    };
    for row in sweep("windows-10-2004", &own) {
        assert!(row.published.as_ref().is_some_and(|p| p.agrees), "{row:?}");
    }
}
