use super::*;
use proptest::prelude::*;

fn laptop() -> Environment {
    Environment {
        system: Some("Ubuntu 24.04.1 LTS".into()),
        kernel: Some("Linux 6.8.0-45-generic".into()),
        architecture: Some("x86_64".into()),
        processor: Some("13th Gen Intel(R) Core(TM) i7-1365U".into()),
        processors_online: Some("0-11".parse().unwrap()),
        processors_usable: Some("0-3".parse().unwrap()),
        product: Some("LENOVO 21HM".into()),
        hypervisor: Some("none".into()),
        container: Some("none".into()),
        clock_source: Some("tsc".into()),
        clock_sources_available: Some(vec!["tsc".into(), "hpet".into(), "acpi_pm".into()]),
        clock_cost_ns: Some(21.3),
        tick_rate_hertz: Some(1000),
        high_resolution_timers: Some(true),
        timer_slack_ns: Some(50_000),
        preemption: Some("PREEMPT_DYNAMIC".into()),
        preemption_mode: Some("voluntary".into()),
        idle_driver: Some("intel_idle".into()),
        idle_governor: Some("menu".into()),
        deepest_idle_state: Some("C10".into()),
        idle_exit_latency_ns: Some(230_000),
        frequency_driver: Some("intel_pstate".into()),
        frequency_governor: Some("powersave".into()),
        superuser: Some(false),
        may_raise_priority: Some(false),
        realtime_priority_limit: Some(0),
        nice_limit: Some(31),
        load_average_1_minute: Some(0.524),
        ..Environment::default()
    }
}

#[test]
fn a_laptop_reads_well() {
    let expected = "\
system      Ubuntu 24.04.1 LTS, Linux 6.8.0-45-generic, x86_64
processor   13th Gen Intel(R) Core(TM) i7-1365U, 4 of 12 processors (0-3)
machine     LENOVO 21HM, no hypervisor, no container
timers      high-resolution, tick 1000 Hz, slack 50 µs
clock       tsc, 21 ns a reading, also available: hpet, acpi_pm
preemption  PREEMPT_DYNAMIC, mode voluntary
idle        intel_idle, governor menu, deepest state C10, 230 µs to leave
frequency   governor powersave, driver intel_pstate
privileges  ordinary user, may not use real-time priorities, nice down to -11
load        0.52 threads wanted a processor on average in the last minute
";
    assert_eq!(laptop().to_string(), expected);
}

#[test]
fn what_is_not_known_says_why_and_how_much_more_there_is() {
    let environment = Environment {
        not_known: (0..5).map(|n| format!("fact {n}: no\nreason")).collect(),
        ..Environment::default()
    };
    assert_eq!(
        environment.lines(),
        [
            "not known   fact 0: no\\nreason",
            "            fact 1: no\\nreason",
            "            fact 2: no\\nreason",
            "            and 2 more, in the recording",
        ]
    );
}

#[test]
fn a_quota_has_a_line() {
    let environment = Environment {
        processor_quota: Some(ProcessorQuota::Limited {
            quota_us: 50_000,
            period_us: 100_000,
        }),
        ..Environment::default()
    };
    assert_eq!(
        environment.lines(),
        ["quota       50 of every 100 ms, 0.50 processors; threads wait when it is used up"]
    );
}

#[test]
fn nothing_known_is_no_lines() {
    assert!(Environment::default().lines().is_empty());
}

proptest! {
    #[test]
    fn no_line_is_too_wide_or_has_a_tab(
        system in ".{0,200}",
        product in "[a-z\t ]{0,300}",
        reason in ".{0,200}",
    ) {
        let environment = Environment {
            system: Some(system),
            product: Some(product),
            not_known: vec![reason],
            ..laptop()
        };
        for line in environment.lines() {
            prop_assert!(line.chars().count() <= WIDTH, "{line:?}");
            prop_assert!(!line.contains('\t'), "{line:?}");
        }
    }
}

#[test]
fn a_windows_reads_well() {
    let environment = Environment {
        system: Some("Windows 10 22H2".into()),
        wine: Some("8.0".into()),
        kernel: Some("NT 10.0.19045.5965".into()),
        architecture: Some("x86_64".into()),
        timer_interval_ns: Some(15_625_000),
        timer_interval_minimum_ns: Some(500_000),
        timer_interval_maximum_ns: Some(15_625_000),
        clock_source: Some("QueryPerformanceCounter".into()),
        performance_counter_hertz: Some(10_000_000),
        clock_cost_ns: Some(21.3),
        power_plan: Some("Balanced".into()),
        ..Environment::default()
    };
    let expected = "\
system      Windows 10 22H2, which is Wine 8.0, NT 10.0.19045.5965, x86_64
timers      an interrupt every 15.625 ms (of 500 µs to 15.625 ms)
clock       QueryPerformanceCounter, 10 counts a µs, 21 ns a reading
frequency   power plan Balanced";
    assert_eq!(environment.lines().join("\n"), expected);
}
