use super::*;
use proptest::prelude::*;

const COUNT: usize = 1_000;

fn sample(micros: impl Fn(usize) -> u64) -> Sample {
    Sample::of((0..COUNT).map(|wait| micros(wait) * 1_000).collect())
}

fn difference(recorded: &Sample, predicted: &Sample) -> Difference {
    Difference::between(recorded, predicted).unwrap()
}

#[test]
fn a_recording_agrees_with_itself() {
    let recorded = sample(|wait| [1_000, 1_500, 2_000][wait % 3]);
    assert!(!difference(&recorded, &recorded).excludes());
}

#[test]
fn late_tails_exclude_nothing_and_late_medians_do() {
    let predicted = sample(|_| 1_000);
    let late_in = |share: usize| sample(move |wait| if wait % 10 < share { 9_000 } else { 1_050 });
    assert!(!difference(&late_in(3), &predicted).excludes());
    let found = difference(&late_in(6), &predicted);
    assert!(found.excludes() && found.side == Side::Late, "{found:?}");
    assert!((found.recorded - 0.4).abs() < 1e-9 && found.predicted == 1.0);
}

#[test]
fn waits_that_end_early_exclude_sooner() {
    let predicted = sample(|_| 15_625);
    let early_in =
        |share: usize| sample(move |wait| if wait % 10 < share { 1_000 } else { 15_625 });
    assert!(!difference(&early_in(1), &predicted).excludes());
    let found = difference(&early_in(2), &predicted);
    assert!(found.excludes() && found.side == Side::Early, "{found:?}");
}

#[test]
fn a_few_waits_exclude_less() {
    let predicted = sample(|_| 15_625);
    let few = |count: u64| Sample::of((0..count).map(|wait| 1_000_000 + wait % 5).collect());
    assert!(!difference(&few(4), &predicted).excludes(), "chance");
    assert!(difference(&few(100), &predicted).excludes());
    let nothing = Sample::default();
    assert_eq!(Difference::between(&nothing, &predicted), None);
}

#[test]
fn a_hair_of_either_sign_is_no_difference() {
    let predicted = sample(|_| 1_000);
    assert!(!difference(&sample(|_| 910), &predicted).excludes());
    assert!(!difference(&sample(|_| 1_290), &predicted).excludes());
    assert!(difference(&sample(|_| 890), &predicted).excludes());
    assert!(difference(&sample(|_| 1_310), &predicted).excludes());
}

proptest! {
    /// The figure that is shown is one of the two samples, and no other length has a greater one.
    #[test]
    fn the_figure_is_the_greatest(
        recorded in prop::collection::vec(0..5_000_u64, 1..40),
        predicted in prop::collection::vec(0..5_000_u64, 1..40),
        length in 0..6_000_u64,
    ) {
        let micros = |lengths: &[u64]| Sample::of(lengths.iter().map(|micros| micros * 1_000).collect());
        let (recorded, predicted) = (micros(&recorded), micros(&predicted));
        let found = difference(&recorded, &predicted);
        let nanos = length * 1_000;
        let chance = recorded.chance();
        let early = recorded.share_up_to(nanos) - predicted.share_up_to(nanos + 100_000);
        prop_assert!(early - EARLY_SHARE - chance <= found.excess() + 1e-9);
        let late = predicted.share_up_to(nanos) - recorded.share_up_to(nanos + 300_000);
        prop_assert!(late - LATE_SHARE - chance <= found.excess() + 1e-9);
    }
}
