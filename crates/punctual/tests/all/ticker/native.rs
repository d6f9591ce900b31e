//! What makes a ticker on the machine that the tests run on.

use super::MILLISECOND;
use punctual::{Period, Sleeper, Ticker, VirtualOs};
use std::time::Duration;

#[test]
fn takes_what_a_person_has_in_hand() {
    assert_eq!(Ticker::new(MILLISECOND).period(), Period::from_hertz(1_000));
    let frames = Ticker::try_new(Period::from_hertz(144)).unwrap();
    assert_eq!(frames.period(), Period::from_hertz(144));
    let os = VirtualOs::new();
    let control = Ticker::with_sleeper(Sleeper::on(os), MILLISECOND);
    assert_eq!(control.period(), Period::from_hertz(1_000));
}

#[test]
fn what_is_no_period_is_an_error_to_one_and_a_panic_to_the_other() {
    let error = Ticker::try_new(Duration::ZERO).unwrap_err();
    assert!(error.is_invalid_input());
    assert_eq!(error.to_string(), "a period must be longer than zero");
    let panics = std::panic::catch_unwind(|| Ticker::new(Duration::ZERO));
    let payload = panics.unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert_eq!(message, "a period must be longer than zero");
}
