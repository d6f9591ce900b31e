use super::super::versions::WINDOWS_11;
use super::super::{Clock, Femtos};
use super::*;
use proptest::prelude::*;

fn at(micros: u64) -> Instant {
    Instant::from_nanos(micros * 1_000)
}

fn changed(rule: &str, value: &str) -> Rules {
    let mut rules = WINDOWS_11;
    rules.set(rule, value).unwrap();
    rules
}

#[test]
fn the_first_interrupt_is_whole_steps_one_step_or_none() {
    let machine = MachineParameters::default();
    let timer = HighResolutionTimer::new(at(910), None);
    let first = |value| {
        let rules = changed("hr-first", value);
        timer.first_interrupt(&rules, &machine, (at(0), at(15_000)), at(0))
    };
    assert_eq!(
        ["steps", "step", "due", "tick"].map(first),
        [at(1_000), at(500), at(910), at(15_000)]
    );
    let before = timer.first_interrupt(&WINDOWS_11, &machine, (at(0), at(700)), at(0));
    assert_eq!(before, at(700), "a tick that comes before looks at it");
}

#[test]
fn steps_from_the_tick_come_before_it_is_due_if_the_call_came_after_the_tick() {
    let (machine, rules) = (
        MachineParameters::default(),
        changed("hr-first", "steps-from-tick"),
    );
    let first = |wait, now| {
        let timer = HighResolutionTimer::new(at(now + wait), None);
        timer.first_interrupt(&rules, &machine, (at(0), at(15_000)), at(now))
    };
    assert_eq!(first(1_000, 20), at(1_000));
    assert_eq!(first(400, 20), at(500));
    assert_eq!(first(1_000, 3_020), at(3_500), "never before the call");
}

#[test]
fn a_timer_due_while_the_interrupt_works_waits_for_the_tick() {
    let machine = MachineParameters::default();
    let timer = HighResolutionTimer::new(at(1_003), None);
    let next = |value, now| {
        let rules = changed("hr-next", value);
        timer.next_interrupt(&rules, &machine, at(2_000), at(now))
    };
    assert_eq!(next("unless-late", 1_000), at(2_000));
    assert_eq!(next("unless-late", 999), at(1_499));
    assert_eq!(next("steps", 1_000), at(1_500));
    assert_eq!(next("due", 1_000), at(1_003));
    assert_eq!(next("tick", 1_000), at(2_000));
}

#[test]
fn a_period_counts_from_the_look_the_interrupt_or_the_schedule() {
    let next = |value| {
        let mut timer = HighResolutionTimer::new(at(1_000), Some(Duration::from_millis(1)));
        assert!(!timer.look(&WINDOWS_11, at(990), at(999)));
        assert!(timer.look(&changed("hr-period", value), at(2_500), at(2_502)));
        timer.due()
    };
    assert_eq!(next("look"), at(3_502));
    assert_eq!(next("interrupt"), at(3_500));
    assert_eq!(next("schedule"), at(3_000));
}

#[test]
fn a_due_time_counts_from_the_call_or_the_last_tick() {
    let due = |value| {
        let rules = changed("hr-due", value);
        HighResolutionTimer::due_time(&rules, at(200), at(250), Duration::from_millis(1))
    };
    assert_eq!(["call", "tick"].map(due), [at(1_250), at(1_200)]);
}

proptest! {
    #[test]
    fn in_steps_it_ends_within_a_step_of_its_due_time_and_the_tick_before_it(
        interval in 500u64..16_000,
        begin in 0u64..100_000,
        wait in 1u64..50_000,
    ) {
        let rules = changed("hr-next", "steps");
        let machine = MachineParameters::default();
        let clock = Clock::new(Instant::ZERO, Femtos::from_nanos(interval * 1_000));
        let mut timer = HighResolutionTimer::new(at(begin + wait), None);
        let mut now = at(begin);
        let mut interrupt = timer.first_interrupt(&rules, &machine, (now, clock.tick_after(now)), now);
        loop {
            prop_assert!(interrupt > now);
            now = interrupt;
            if timer.look(&rules, interrupt, now) {
                break;
            }
            interrupt = timer.next_interrupt(&rules, &machine, clock.tick_after(now), now);
        }
        prop_assert!(now.duration_since(timer.due()) < machine.smallest_interval);
    }
}
