use super::sample::Sample;
use super::*;
use punctual_lab::Environment;
use punctual_lab::calls::{Lengths, Question, Recording, SeriesRecord};
use punctual_lab::question::Simulated;
use punctual_lab::simulated::SimulatedOs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

const VERSION: &str = "windows-10-2004";

fn going(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// What a machine that follows a hypothesis records.
fn recording(question: &Question, machine: &str) -> Recording {
    let on = Simulated {
        machine: machine.to_owned(),
        seed: 3,
    };
    let mut question = Question {
        on: Some(on),
        ..question.clone()
    };
    question.schedule.count = 200;
    let series = predict::simulate(&question).unwrap();
    let length = u64::try_from(question.schedule.lengths[0].as_nanos()).unwrap();
    let record = |(call, sample): (&String, &Sample)| SeriesRecord {
        call: call.clone(),
        length_ns: length,
        asked_ns: length,
        durations_ns: sample.lengths_ns().to_vec(),
        mean_ns: None,
        spread_ns: None,
        min_ns: None,
        max_ns: None,
        early: 0,
        clusters: Vec::new(),
        confidence: None,
        failed: None,
    };
    let plan = question.plan::<SimulatedOs>().unwrap();
    Recording {
        punctual_version: String::new(),
        series: question.waiters.iter().zip(&series).map(record).collect(),
        ..Recording::of(&question, plan, &Environment::default(), &[])
    }
}

/// The values without those of a rule that shows only where interrupts leave the ticks as they are.
fn told_apart<'a>(values: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    let values = values.into_iter().map(String::as_str);
    values
        .filter(|value| !value.starts_with("hr-next="))
        .collect()
}

#[test]
fn the_hypothesis_that_made_the_machine_is_left_and_none_that_differs() {
    let hypotheses = remaining();
    // In a quick run the first and the last.
    let step = match std::env::var_os("PUNCTUAL_LONG") {
        None => hypotheses.len() - 1,
        Some(_) => 1,
    };
    for truth in hypotheses.iter().step_by(step) {
        let machine = truth.on(VERSION);
        let recordings: Vec<_> = experiments()
            .iter()
            .map(|question| recording(question, &machine))
            .collect();
        let judgement = judge(&recordings, &hypotheses, &going).unwrap().unwrap();
        let told = told_apart(truth.values());
        assert!(judgement.left().any(|left| left == truth));
        for left in judgement.left() {
            assert_eq!(told_apart(left.values()), told);
        }
        let values = judgement.values();
        let left = values.iter().filter(|(_, excluded)| excluded.is_none());
        let left: Vec<_> = left.map(|(value, _)| (*value).to_owned()).collect();
        assert_eq!(told_apart(&left), told);
    }
}

#[test]
fn the_experiments_take_three_minutes_at_most() {
    /// The most that a call which begins at random computes before.
    const COMPUTES: Duration = Duration::from_micros(15_625);
    let mut all = Duration::ZERO;
    for question in experiments() {
        let recorded = recording(&question, VERSION).series;
        let means = recorded.iter().map(|series| {
            let sum: u64 = series.durations_ns.iter().sum();
            Duration::from_nanos(sum / series.durations_ns.len() as u64) + COMPUTES
        });
        all += means.sum::<Duration>() * u32::try_from(question.schedule.count).unwrap();
    }
    assert!(all.as_secs() < 180, "{all:?}");
}

#[test]
fn hypotheses_with_the_same_part_predict_the_same() {
    let [coarse, precise] = ["due-time=coarse", "due-time=precise"].map(|rules| {
        let question = Question {
            waiters: vec!["high-res".to_owned()],
            ..experiments()[0].clone()
        };
        recording(&question, &format!("{VERSION},{rules}")).series
    });
    assert_eq!(coarse, precise);
}

#[test]
fn a_recording_that_tells_nothing_is_refused() {
    let asked = Question {
        waiters: vec!["high-res".to_owned()],
        ..experiments()[0].clone()
    };
    let hypotheses = hypotheses(&[]);
    let same = recording(&asked, VERSION);
    let refused = judge(std::slice::from_ref(&same), &hypotheses, &going).unwrap_err();
    assert_eq!(refused, (0, Unfit::TellsNothing));
    let mut empty = same;
    empty.series[0].durations_ns.clear();
    assert_eq!(judge(&[empty], &hypotheses, &going), Err((0, Unfit::Empty)));
    let elsewhere = recording(&experiments()[0], "windows-7");
    assert!(matches!(
        judge(&[elsewhere], &hypotheses, &going),
        Err((0, Unfit::NotOpen(_)))
    ));
}

#[test]
fn a_recording_that_tells_nothing_beside_one_that_does_is_no_error() {
    // Before version 2004 all waits are of one class.
    let experiments = experiments();
    let of = |place: usize| recording(&experiments[place], "windows-10-1909");
    let judgement = judge(&[of(0), of(1)], &remaining(), &going)
        .unwrap()
        .unwrap();
    assert_eq!(judgement.version, "windows-10-1909");
    let left = judgement.left().count();
    // One value of due-time, and three of the four sets of rules for high-resolution timers.
    assert_eq!(left, judgement.judged.len() * 3 / 8);
}

#[test]
fn a_judgement_that_is_stopped_is_none() {
    let recorded = recording(&experiments()[0], VERSION);
    let stopped = judge(&[recorded], &remaining(), &|_| ControlFlow::Break(()));
    assert_eq!(stopped, Ok(None));
}

#[test]
fn a_file_of_either_command_is_read() {
    let one = recording(&experiments()[0], VERSION);
    let saved = Saved {
        schema: SCHEMA.to_owned(),
        punctual_version: String::new(),
        recordings: vec![one.clone()],
    };
    for text in [serde_json::to_string(&one), serde_json::to_string(&saved)] {
        assert_eq!(Saved::from_json(&text.unwrap()).unwrap(), saved);
    }
    let other = Saved::from_json(r#"{"schema": "punctual.recording/3"}"#).unwrap_err();
    assert!(
        other.to_string().contains("punctual.recording/3"),
        "{other}"
    );
}

#[test]
fn this_machine_is_recorded_too_until_it_is_stopped() {
    let question = Question {
        waiters: vec!["std-sleep".to_owned()],
        ..Question::of(Lengths {
            count: 5,
            ..Lengths::of(vec![Duration::from_millis(1)])
        })
    };
    // It starts no companion.
    let record = |stops: fn() -> bool| record(&question, Path::new(""), stops, |_| ()).unwrap();
    let whole = record(|| false);
    assert_eq!(whole.series[0].durations_ns.len(), 5);
    assert!(!whole.interrupted && whole.environment.kernel.is_some());
    let stopped = record(|| true);
    assert!(stopped.interrupted);
    let mut waits = stopped
        .series
        .iter()
        .map(|series| series.durations_ns.len());
    assert!(waits.all(|waits| waits < 5));
}
