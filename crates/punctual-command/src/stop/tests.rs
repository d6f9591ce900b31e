use super::policy::{Reaction, SignalPolicy, State};
use super::*;
use std::sync::mpsc;

const LATER: Duration = Duration::from_secs(1);

fn heard(signal: Signal) -> Heard {
    Heard {
        signal,
        by_process: true,
    }
}

/// How a state with this policy reacts to signals a second apart.
fn reactions(policy: SignalPolicy, signals: &[Signal]) -> Vec<Reaction> {
    let (mut state, mut now) = (State::default(), Instant::now());
    state.guard_in(policy);
    let react = |&signal| {
        now += LATER;
        state.hear(heard(signal), now)
    };
    signals.iter().map(react).collect()
}

#[test]
fn the_first_signal_asks_and_the_second_ends() {
    use Reaction::{Ask, AskAndWatch, Exit};
    for first in Signal::ALL {
        for second in Signal::ALL {
            let both = [first, second];
            assert_eq!(reactions(SignalPolicy::EndsAtOnce, &both)[0], Exit);
            assert_eq!(reactions(SignalPolicy::Checks, &both), [Ask, Exit]);
            assert_eq!(
                reactions(SignalPolicy::Computes, &both),
                [AskAndWatch, Exit]
            );
            let passes = SignalPolicy::PassesOn(Box::new(|_| ()));
            assert_eq!(reactions(passes, &both), [Ask, Ask]);
        }
    }
}

#[test]
fn what_timeout_sends_twice_is_heard_once() {
    let (mut state, now) = (State::default(), Instant::now());
    state.guard_in(SignalPolicy::Checks);
    assert_eq!(state.hear(heard(Signal::Terminate), now), Reaction::Ask);
    assert_eq!(state.hear(heard(Signal::Terminate), now), Reaction::None);
    // Another one is no repetition.
    assert_eq!(state.hear(heard(Signal::Interrupt), now), Reaction::Exit);
}

#[test]
fn a_service_is_told_of_every_hang_up_however_soon_after_another() {
    let (passes, passed) = mpsc::channel();
    let mut state = State::default();
    state.guard_in(SignalPolicy::PassesOn(Box::new(move |heard: Heard| {
        passes.send(heard.signal).unwrap();
    })));
    let now = Instant::now();
    for signal in [
        Signal::HangUp,
        Signal::HangUp,
        Signal::Terminate,
        Signal::Terminate,
    ] {
        state.hear(heard(signal), now);
    }
    drop(state);
    assert_eq!(
        passed.iter().collect::<Vec<_>>(),
        [Signal::HangUp, Signal::HangUp, Signal::Terminate]
    );
}

#[test]
fn a_guard_within_another_leaves_signals_to_the_other() {
    let stop = Stop::deaf();
    let outer = stop.guard();
    assert!(!stop.guard().end());
    drop(stop.guard());
    // If only the inner ones had counted, this would end the process.
    stop.hear(heard(Signal::Interrupt));
    assert!(stop.guard().end() && outer.end());
    let mut state = State::default();
    state.guard_in(SignalPolicy::PassesOn(Box::new(|_| ())));
    let inner = state.guard_in(SignalPolicy::Checks);
    for _ in 0..3 {
        let now = Instant::now() + LATER;
        assert_ne!(state.hear(heard(Signal::Interrupt), now), Reaction::Exit);
    }
    state.end_guard(inner);
    let later = Instant::now() + 2 * LATER;
    assert_eq!(state.hear(heard(Signal::HangUp), later), Reaction::Ask);
}

#[test]
fn a_signal_that_came_while_it_was_guarded_is_told_at_the_end() {
    let stop = Stop::deaf();
    assert!(!stop.guard().end());
    assert_eq!(stop.status(), ExitCode::SUCCESS);
    let guard = stop.guard();
    stop.hear(heard(Signal::HangUp));
    assert!(stop.is_asked_for() && guard.end());
    assert_eq!(stop.status(), ExitCode::from(129));
    assert!(stop.guard().end());
}

#[test]
fn who_asks_to_be_called_is_called_once_whenever_the_signal_came() {
    let stop = Stop::deaf();
    let (calls, called) = mpsc::channel();
    let later = calls.clone();
    stop.then(move || calls.send("early").unwrap());
    let guard = stop.guard();
    stop.hear(heard(Signal::Interrupt));
    stop.then(move || later.send("late").unwrap());
    assert_eq!(called.try_iter().collect::<Vec<_>>(), ["early", "late"]);
    drop(guard);
}

#[test]
fn every_signal_is_passed_on_as_it_came() {
    let stop = Stop::deaf();
    let (passes, passed) = mpsc::channel();
    let guard = stop.guard();
    let [first, others @ ..] = Signal::ALL;
    stop.hear(heard(first));
    guard.pass_on(move |heard| passes.send(heard).unwrap());
    for signal in others {
        stop.hear(heard(signal));
    }
    assert!(guard.end());
    assert_eq!(
        passed.iter().collect::<Vec<_>>(),
        Signal::ALL.map(heard).to_vec()
    );
}
