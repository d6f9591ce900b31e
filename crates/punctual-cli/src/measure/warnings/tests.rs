use super::*;
use punctual_data::statistics::Series;

/// A recording of one method on this machine, all of whose waits are a millisecond late: the timer's part,
/// and then the queue's.
fn late(method: &str, queued: Duration) -> Recording {
    const LATENESS: Duration = Duration::from_millis(1);
    let text = include_str!("../../../tests/recordings/idle.json");
    let mut recording = Recording::from_json(text).unwrap();
    let mut series = Series::new(method);
    for _ in 0..1_000 {
        series.record_wake(LATENESS, Some(queued));
    }
    recording.series = vec![SeriesRecord::from(&series)];
    recording.question.conditions = Default::default();
    recording.question.budget = None;
    recording.question.late_rate = None;
    recording
}

fn said(recording: &Recording) -> String {
    of(recording, &[]).join("\n")
}

#[test]
fn a_larger_budget_is_advised_against_the_timer_and_not_against_the_queue() {
    let timer = said(&late(PUNCTUAL, Duration::ZERO));
    assert!(timer.contains("--budget 20%"), "{timer}");
    let queue = said(&late(PUNCTUAL, Duration::from_millis(1)));
    assert!(!queue.contains("--budget"), "{queue}");
    assert!(queue.contains("--priority high"), "{queue}");
}

#[test]
fn a_short_slice_is_advised_to_who_had_none() {
    let queued = Duration::from_millis(1);
    let says_so = |recording: &Recording| said(recording).contains("try --slice 0.1ms");
    assert_eq!(says_so(&late("std-sleep", queued)), Native::HAS_SLICES);
    assert!(!says_so(&late(PUNCTUAL, queued)), "sleepers set their own");
    let mut with_slices = late(PUNCTUAL, queued);
    let slices = ["default", "0.1ms"].map(|slice| slice.parse().unwrap());
    with_slices.question.conditions.slices = slices.to_vec();
    assert!(says_so(&with_slices));
    with_slices.series[0].method = format!("{SLICED}{PUNCTUAL}");
    assert!(!says_so(&with_slices));
}
