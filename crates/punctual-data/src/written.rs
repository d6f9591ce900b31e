//! How types are written in documents: as their text, or for serde's `with` as numbers, whose units are in the names
//! of their keys.

/// What `try_from` and `into` of serde need to write a type as its text.
#[macro_export]
macro_rules! as_text {
    ($type:ty) => {
        impl TryFrom<String> for $type {
            type Error = ::punctual::Error;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }
    };
}

/// The text of a type that has a `name` for each of `ALL` its values.
#[macro_export]
macro_rules! named {
    ($type:ty, $what:literal) => {
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = ::punctual::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|one| one.name() == text);
                found.ok_or_else(|| {
                    let names = Self::ALL.map(Self::name).join(", ");
                    let what = $what;
                    ::punctual::Error::invalid_input(format!(
                        "there is no {what} '{text}'; write one of {names}"
                    ))
                })
            }
        }
    };
}

use crate::quantity::whole_nanos;
use punctual::Period;
use punctual::margin::{Budget, LateRate};
use std::time::Duration;

/// Declares how a type is written: as what its value becomes, and what a value is read from.
macro_rules! with {
    ($(#[$about:meta])* $module:ident: $type:ty, |$value:ident| $write:expr, |$read:ident: $raw:ty| $back:expr) => {
        $(#[$about])*
        pub mod $module {
            use super::*;
            use serde::de::Error;
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            /// Writes it.
            ///
            /// # Errors
            /// Those of `out`.
            #[allow(clippy::ptr_arg, clippy::ref_option, reason = "what serde hands over")]
            pub fn serialize<S: Serializer>($value: &$type, out: S) -> Result<S::Ok, S::Error> {
                $write.serialize(out)
            }

            /// Reads it.
            ///
            /// # Errors
            /// Those of `from`; what is no such value.
            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let $read = <$raw>::deserialize(from)?;
                $back.map_err(D::Error::custom)
            }
        }
    };
}

with!(
    /// A period as a fraction of nanoseconds: `[numerator, denominator]`.
    period: Period,
    |period| period.to_nanos_fraction(),
    |written: (u64, u64)| Period::try_from_nanos_fraction(written.0, written.1)
);
with!(
    /// A duration in nanoseconds.
    nanos: Duration,
    |time| whole_nanos(*time),
    |nanos: u64| Ok::<_, punctual::Error>(Duration::from_nanos(nanos))
);
with!(
    /// A duration in nanoseconds, or none.
    optional_nanos: Option<Duration>,
    |time| time.map(whole_nanos),
    |nanos: Option<u64>| Ok::<_, punctual::Error>(nanos.map(Duration::from_nanos))
);
with!(
    /// Durations in nanoseconds.
    many_nanos: Vec<Duration>,
    |times| times.iter().map(|&time| whole_nanos(time)).collect::<Vec<_>>(),
    |nanos: Vec<u64>| Ok::<_, punctual::Error>(nanos.into_iter().map(Duration::from_nanos).collect())
);
with!(
    /// A rate of late waits from 0 to 1, or none.
    late_rate: Option<LateRate>,
    |rate| rate.map(LateRate::share),
    |share: Option<f64>| share.map(LateRate::new).transpose()
);
with!(
    /// A share of a processor from 0 to 1, or none.
    budget: Option<Budget>,
    |budget| budget.map(Budget::share),
    |share: Option<f64>| share.map(Budget::new).transpose()
);
