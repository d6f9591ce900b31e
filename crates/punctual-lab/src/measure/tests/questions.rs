//! Whole questions, on every kind of machine.

use super::*;

/// Three waits of each method at 1 ms.
fn question() -> Question {
    of_length(Length::Count(3))
}

fn of_length(length: Length) -> Question {
    Question::of(Deadlines {
        period: Period::from_duration(MILLISECOND),
        length,
    })
}

/// Every method of a machine waits on it, and Punctual's own are never early: one test for both
/// worlds.
fn every_method_waits_and_ours_are_never_early<M: Machine>(machine: &M) {
    let mut observer = Followed::default();
    question().run(machine, &mut observer).unwrap();
    let measured: Vec<_> = observer.series.iter().flatten().collect();
    let ours = |name: &str| {
        portable::<VirtualOs>()
            .iter()
            .any(|waiter| waiter.name == name)
    };
    assert!(measured.iter().all(|series| series.per_wake.count() == 3));
    assert!(
        measured
            .iter()
            .all(|series| series.early == 0 || !ours(&series.method))
    );
    assert_eq!(
        measured
            .iter()
            .filter(|series| ours(&series.method))
            .count(),
        4
    );
}

#[test]
fn native_every_method_waits() {
    every_method_waits_and_ours_are_never_early(&Native::detect().unwrap());
}

#[test]
fn virtual_every_method_waits() {
    let os = VirtualOs::waking(|until| until + MILLISECOND / 20);
    every_method_waits_and_ours_are_never_early(&os);
}

#[cfg(feature = "sim")]
#[test]
fn simulated_every_method_waits() {
    for version in punctual_windows::VERSIONS {
        let machine: crate::simulated::SimulatedMachine = version.name.parse().unwrap();
        let run = machine.run(1, |os| every_method_waits_and_ours_are_never_early(&os));
        run.unwrap_or_else(|error| panic!("{}: {error}", version.name));
    }
}

/// Checks a turn's first waits on a machine where a request takes effect after a tick of the default
/// interval. A loop has this delay once, so no turn may count it.
#[cfg(feature = "sim")]
#[test]
fn no_turn_counts_the_wait_in_which_a_request_takes_effect() {
    for version in punctual_windows::VERSIONS {
        let machine: crate::simulated::SimulatedMachine = version.name.parse().unwrap();
        let measured = machine.run(1, |os| {
            let chosen = ["sleep", "time-set-event", "punctual-coarse", "punctual"];
            let question = Question {
                waiters: chosen.map(str::to_owned).to_vec(),
                request: Some(MILLISECOND),
                ..of_length(Length::Count(200))
            };
            let mut observer = Followed::default();
            question.run(&os, &mut observer).unwrap();
            observer.series.into_iter().flatten().collect::<Vec<_>>()
        });
        // `sleep` makes no request of its own, so it is measured once more under a request.
        for series in &measured.unwrap().value[1..] {
            let latest = series.per_wake.max();
            let name = (version.name, &series.method);
            assert!(latest < 3 * MILLISECOND, "{name:?}: {latest:?}");
            assert_eq!(series.per_wake.count(), 200, "{name:?}");
        }
    }
}

#[test]
fn a_thread_that_cannot_be_pinned_does_not_begin_to_measure() {
    let os = VirtualOs::new();
    let mut question = question();
    question.conditions.pin = Some(7);
    let mut observer = Followed::default();
    assert!(
        question
            .run(&os, &mut observer)
            .unwrap_err()
            .is_invalid_input()
    );
    assert!(observer.series.is_empty());
}

#[test]
fn what_a_machine_cannot_answer_is_refused_before_anything_runs() {
    let refused = |change: fn(&mut Question)| {
        let mut question = question();
        change(&mut question);
        question.steps::<VirtualOs>().unwrap_err()
    };
    let named = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let unknown = refused(|question| question.waiters = vec!["nap".to_owned()]);
    assert!(unknown.to_string().contains("punctual-exact"), "{unknown}");
    let mut twice = question();
    twice.waiters = named(&["spin", "spin"]);
    assert!(matches!(
        twice.steps::<VirtualOs>(),
        Err(Refusal::Twice { .. })
    ));
    assert!(matches!(
        refused(|question| {
            question.waiters = vec!["spin".to_owned()];
            question.budget = Some(punctual::margin::Budget::default());
        }),
        Refusal::Unheard { .. }
    ));
    assert!(matches!(
        refused(|question| question.request = Some(MILLISECOND)),
        Refusal::NoInterval
    ));
    assert!(matches!(
        refused(|question| question.tuned = true),
        Refusal::NothingToTune
    ));
    assert!(matches!(
        refused(|question| question.schedule.length = Length::Duration(7 * MILLISECOND)),
        Refusal::TooShort { tried: 4, least } if least == 8 * MILLISECOND
    ));
}

#[test]
fn a_machine_without_slices_refuses_any() {
    for slice in ["default", "1ms"] {
        let mut asked = question();
        asked.conditions.slices.push(slice.parse().unwrap());
        let refused = asked.plan::<VirtualOs>().unwrap_err();
        assert!(matches!(refused, Refusal::NoSlices), "{slice}: {refused}");
    }
}
