//! The words of flags, which are also in recordings.

use punctual_data::quantity;
use punctual_lab::conditions::{Companion, Load, Priority};
use punctual_lab::environment::ProcessorSet;
use punctual_lab::simulated::SimulatedMachine;
use punctual_windows::{MachineParameters, parse_femtos};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// A word. What is accepted is written in a form that means the same.
pub fn words(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let lengths = [
        comes_back(text, quantity::parse_duration, |&read| {
            quantity::write_duration(read)
        }),
        comes_back(text, quantity::parse_period, |&read| {
            quantity::write_period(read)
        }),
        comes_back(text, quantity::parse_share, |&read| {
            quantity::write_share(read)
        }),
        parse_femtos(text).is_ok(),
    ];
    let names = [
        is_shown_as_read::<Load>(text),
        is_shown_as_read::<Companion>(text),
        is_shown_as_read::<Priority>(text),
        is_shown_as_read::<ProcessorSet>(text),
        is_shown_as_read::<MachineParameters>(text),
        is_shown_as_read::<SimulatedMachine>(text),
    ];
    lengths.contains(&true) || names.contains(&true)
}

fn is_shown_as_read<T: FromStr + Display + PartialEq + Debug>(text: &str) -> bool
where
    T::Err: Debug,
{
    comes_back(text, str::parse, T::to_string)
}

fn comes_back<T: PartialEq + Debug, E: Debug>(
    text: &str,
    read: impl Fn(&str) -> Result<T, E>,
    write: impl Fn(&T) -> String,
) -> bool {
    let Ok(value) = read(text) else {
        return false;
    };
    let written = write(&value);
    assert_eq!(read(&written).as_ref().ok(), Some(&value), "{written:?}");
    true
}
