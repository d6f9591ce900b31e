//! The budget that the sleepers of a process share: against a simple model, and against a budget of one's own.

use super::super::collisions::Collisions;
use super::super::process::Leave;
use super::super::{
    Budget, Company, LEARNING, LateRate, Margin, Observation, ProcessBudget, Rule, class_of,
};
use crate::Instant;
use crate::instant::saturating_nanos;
use proptest::prelude::*;
use std::time::Duration;

fn nanos(nanos: u64) -> Duration {
    Duration::from_nanos(nanos)
}

/// A sleeper that waits for so long, and is woken so late.
fn wait(
    margin: &mut Margin,
    process: Option<&ProcessBudget>,
    now: &mut Instant,
    length: u64,
    latency: u64,
) -> Observation {
    let early = saturating_nanos(margin.before(nanos(length))).min(length);
    let late = latency.saturating_sub(early);
    let wait = Observation {
        wait: nanos(length),
        latency: (early < length).then_some(nanos(latency)),
        spun: nanos(if early < length {
            early.saturating_sub(latency)
        } else {
            length
        }),
        lateness: nanos(if early < length { late } else { 0 }),
        elapsed: nanos(length + late),
    };
    *now += wait.elapsed;
    if let Some(process) = process {
        margin.share(process, *now, Some((wait, Company::default())));
    }
    margin.learn(wait);
    wait
}

proptest! {
    #![proptest_config(super::tried())]

    /// To the nanosecond: who is alone notices nothing.
    #[test]
    fn a_sleeper_alone_has_the_margins_of_a_budget_of_its_own(
        runs in prop::collection::vec((1_000_u64..20_000_000, 0_u64..3_000_000, 1_usize..200), 1..20),
    ) {
        let process = ProcessBudget::new();
        let mut own = Margin::new(LateRate::default(), Budget::default());
        let mut sharing = Margin::default();
        let (mut here, mut there) = (Instant::ZERO, Instant::ZERO);
        for (length, latency, count) in runs {
            for _ in 0..count {
                let alone = wait(&mut own, None, &mut here, length, latency);
                let shared = wait(&mut sharing, Some(&process), &mut there, length, latency);
                prop_assert_eq!(alone, shared);
            }
        }
    }

    /// Any number of sleepers, in turns, with waits that overlap: the budget's share of the time, what was saved of the
    /// time before, and two waits of each: it begins the second when the others have not yet paid for the first.
    #[test]
    fn all_together_spin_no_more_than_one_budget(
        share in prop_oneof![Just(0.05), 0.0..=0.5],
        sleepers in 1_usize..40,
        period in 100_000_u64..50_000_000,
        latencies in prop::collection::vec(0_u64..200_000, 1..40),
    ) {
        let process = ProcessBudget::new();
        let budget = Budget::new(share).unwrap();
        process.set(budget);
        let mut margins = vec![Margin::default(); sleepers];
        let (mut spun, mut longest) = (0.0, 0.0_f64);
        for round in 0..100_u64 {
            let end = Instant::ZERO + nanos(period * (round + 1));
            let mut of_round = 0.0;
            for (number, margin) in margins.iter_mut().enumerate() {
                if round == 0 {
                    margin.share(&process, Instant::ZERO, None);
                }
                let latency = latencies[(number + usize::try_from(round).unwrap()) % latencies.len()];
                let mut now = end - nanos(period);
                let wait = wait(margin, None, &mut now, period, latency);
                margin.share(&process, now.max(end), Some((wait, Company::default())));
                of_round += wait.spun.as_nanos() as f64;
            }
            spun += of_round;
            longest = longest.max(of_round);
            let elapsed = (period * (round + 1)) as f64;
            let promised = share * elapsed + 2.0 * (budget.burst().as_nanos() as f64 + longest);
            prop_assert!(spun <= promised + 100.0, "{spun} > {promised} after {round}");
        }
    }
}

#[test]
fn a_hundred_sleepers_each_have_a_part() {
    let process = ProcessBudget::new();
    let mut margins = vec![Margin::default(); 100];
    let mut spun = vec![0_u64; margins.len()];
    const PERIOD: u64 = 10_000_000;
    for round in 1..=1_000 {
        for (margin, spun) in margins.iter_mut().zip(&mut spun) {
            let mut now = Instant::from_nanos(PERIOD * round);
            let wait = wait(
                margin,
                Some(&process),
                &mut now,
                PERIOD,
                20_000 + round % 7 * 9_000,
            );
            if round > 500 {
                *spun += saturating_nanos(wait.spun);
            }
        }
    }
    let all: u64 = spun.iter().sum();
    // What they learn is paid for, too.
    let learning = LEARNING * 500 * 100;
    let earned = 500 * PERIOD / 20;
    assert!(
        (earned * 3 / 4..=earned * 6 / 5).contains(&(all + learning)),
        "{all} and {learning} of {earned}"
    );
    let least = spun.iter().min().unwrap();
    assert!(*least > all / 100 / 4, "{least} of {all}");
}

#[test]
fn sleepers_that_meet_spin_less_than_those_that_do_not() {
    let spun = |crossed| {
        let process = ProcessBudget::new();
        let mut margins = vec![Margin::default(); 100];
        let mut spun = Duration::ZERO;
        let company = Company {
            crossed,
            made_late: false,
        };
        for round in 1..=500 {
            for margin in &mut margins {
                let mut now = Instant::from_nanos(10_000_000 * round);
                let latency = 20_000 + round % 7 * 9_000;
                let wait = wait(margin, None, &mut now, 10_000_000, latency);
                margin.share(&process, now, Some((wait, company)));
                spun += wait.spun;
            }
        }
        spun
    };
    let (meeting, alone) = (spun(true), spun(false));
    assert!(meeting < alone * 7 / 8, "{meeting:?} {alone:?}");
}

#[test]
fn who_may_spend_a_quarter_learns_from_a_quarter_of_its_waits() {
    let mut margin = Margin::default();
    let Rule::Learned(learned) = &mut margin.rule else {
        panic!("it learns");
    };
    learned.budget.as_mut().unwrap().adopt(Leave {
        budget: Budget::default(),
        part: 0.25,
        unspent: 1_000_000,
    });
    let mut now = Instant::ZERO;
    let mut seen = |waits| {
        for _ in 0..waits {
            wait(&mut margin, None, &mut now, 10_000_000, 50_000);
        }
        let Rule::Learned(learned) = &margin.rule else {
            panic!("it learned");
        };
        learned.classes[class_of(10_000_000)].seen()
    };
    let young = seen(32);
    assert_eq!(young, 32.0, "each of the first");
    assert_eq!(seen(400) - young, 100.0);
}

#[test]
fn who_finds_the_budget_spent_is_coarse_for_the_next_waits() {
    let process = ProcessBudget::new();
    process.spend(Instant::ZERO, 1_000_000_000);
    let mut margin = Margin::default();
    let mut now = Instant::ZERO;
    assert!(margin.before(nanos(10_000_000)) > Duration::ZERO);
    for number in 1..8 {
        wait(&mut margin, Some(&process), &mut now, 1_000_000, 50_000);
        assert_eq!(margin.before(nanos(10_000_000)), Duration::ZERO, "{number}");
    }
    // Long after the debt was paid.
    now += Duration::from_secs(60);
    for _ in 0..24 {
        wait(&mut margin, Some(&process), &mut now, 1_000_000, 50_000);
    }
    assert!(margin.before(nanos(10_000_000)) > Duration::ZERO);
}

#[test]
fn sleepers_in_step_do_not_all_come_back_for_the_same_deadline() {
    let process = ProcessBudget::new();
    process.spend(Instant::ZERO, 1_000_000_000);
    let mut margins = vec![Margin::default(); 100];
    for (turn, margin) in margins.iter_mut().enumerate() {
        // One after the other has a processor, some microseconds each.
        let woke = Instant::ZERO + Duration::from_micros(7 * turn as u64);
        margin.share(&process, woke, None);
    }
    let mut resting = margins.len();
    for round in 1..=24 {
        for margin in &mut margins {
            // The debt is paid: who looks finds something left.
            margin.share(&process, Instant::from_nanos(60_000_000_000 + round), None);
        }
        let still = margins.iter().filter(|margin| !margin.minds_others());
        let still = still.count();
        assert!(
            resting - still <= 10,
            "{} in round {round}",
            resting - still
        );
        resting = still;
    }
    assert_eq!(resting, 0, "nobody rests for longer");
}

#[test]
fn a_crowd_too_large_for_the_budget_is_not_in_debt_for_what_it_learned() {
    let process = ProcessBudget::new();
    let mut margins = vec![Margin::default(); 1_000];
    for round in 1..=2_000 {
        for margin in &mut margins {
            let mut now = Instant::from_nanos(1_000_000 * round);
            wait(margin, Some(&process), &mut now, 1_000_000, 50_000);
        }
    }
    // The first waits, which nothing had paid for yet, cost three seconds.
    let later = Instant::from_nanos(6_000_000_000);
    assert_eq!(process.leave(later).part, 1.0);
}

#[test]
fn a_changed_budget_counts_from_the_next_wait_on() {
    let process = ProcessBudget::new();
    assert_eq!(process.get(), Budget::default());
    let mut margin = Margin::default();
    assert!(margin.shares_budget() && margin.before(nanos(1_000_000)) > Duration::ZERO);
    process.set(Budget::new(0.0).unwrap());
    margin.share(&process, Instant::ZERO, None);
    assert_eq!(margin.before(nanos(1_000_000)), Duration::ZERO);
    assert_eq!(margin.budget(), Some(Budget::new(0.0).unwrap()));
    process.set(Budget::new(0.2).unwrap());
    margin.share(&process, Instant::ZERO, None);
    assert!(margin.before(nanos(1_000_000)) > Duration::ZERO);

    let own = Margin::new(LateRate::default(), Budget::default());
    assert!(!own.shares_budget() && !Margin::coarse().shares_budget());
}

#[test]
fn whom_a_sleeper_meets_is_told_from_itself_and_from_who_has_its_deadline() {
    let collisions = Collisions::new();
    let at = |micros: u64| Instant::ZERO + nanos(1_000 * micros);
    // Nothing has been there, and nothing can say where it is.
    assert!(!collisions.meet(Some(3), at(100)).held_up());
    assert!(!collisions.meet(None, at(100)).held_up());

    let first = collisions.meet(Some(3), at(100));
    collisions.begin(first, at(150));
    // Its own spin before its next alarm is no other's.
    assert!(!collisions.meet(Some(3), at(10_000)).held_up());
    // On another processor it held nothing up.
    assert!(!collisions.meet(Some(4), at(120)).held_up());
    let second = collisions.meet(Some(3), at(120));
    assert!(second.held_up());
    assert!(second.crossed(at(160)) && !second.crossed(at(151)));
    assert!(!first.crossed(at(150)));
    assert!(collisions.made_late(second, at(160), at(200), false, 50));
    assert!(
        !collisions.made_late(second, at(151), at(200), false, 50),
        "they are in step"
    );

    assert!(collisions.made_late(second, at(151), at(1_200), false, 50));
    assert!(
        collisions.made_late(second, at(151), at(250), false, 2),
        "so few do not queue for so long"
    );

    // The first is late, and another has begun a spin there since.
    assert!(!collisions.made_late(first, at(150), at(200), true, 50));
    collisions.begin(second, at(160));
    assert!(collisions.made_late(first, at(150), at(200), true, 50));
}

#[test]
fn victims_make_time_dear_and_it_becomes_cheap_again() {
    let collisions = Collisions::new();
    assert_eq!(collisions.goodwill(), 1.0);
    for _ in 0..2 {
        collisions.count(true);
    }
    assert!(collisions.goodwill() < 0.01);
    for _ in 0..100_000 {
        collisions.count(false);
    }
    assert_eq!(collisions.goodwill(), 1.0);
    // One in two thousand is none too many.
    for wait in 0..100_000 {
        collisions.count(wait % 2_000 == 0);
    }
    assert!(collisions.goodwill() > 0.8);
}
