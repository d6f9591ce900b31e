//! Serialization of the parts of a question: as text, or for serde's `with`. The units of the numbers
//! are in the names of their keys.

/// What `try_from` and `into` of serde need to write a type as its text.
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

pub(crate) use {as_text, named};

/// A period as a fraction of nanoseconds: `[numerator, denominator]`.
pub(crate) mod period {
    use punctual::Period;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(period: &Period, out: S) -> Result<S::Ok, S::Error> {
        period.to_nanos_fraction().serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Period, D::Error> {
        let (numerator, denominator) = Deserialize::deserialize(from)?;
        Period::try_from_nanos_fraction(numerator, denominator).map_err(D::Error::custom)
    }
}

/// A duration in nanoseconds.
pub(crate) mod nanos {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
        crate::nanos(*time).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_nanos)
    }
}

/// A duration in nanoseconds, or none.
pub(crate) mod optional_nanos {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(crate::nanos).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        let nanos = Option::<u64>::deserialize(from)?;
        Ok(nanos.map(Duration::from_nanos))
    }
}

/// Durations in nanoseconds.
pub(crate) mod many_nanos {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(times: &[Duration], out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(times.iter().map(|time| crate::nanos(*time)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<Duration>, D::Error> {
        let nanos = Vec::<u64>::deserialize(from)?;
        Ok(nanos.into_iter().map(Duration::from_nanos).collect())
    }
}

/// Declares how a value with a share from 0 to 1 is written, or none.
macro_rules! share {
    ($module:ident, $type:ty) => {
        pub(crate) mod $module {
            use serde::de::Error;
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            pub(crate) fn serialize<S: Serializer>(
                value: &Option<$type>,
                out: S,
            ) -> Result<S::Ok, S::Error> {
                value.map(<$type>::share).serialize(out)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Option<$type>, D::Error> {
                let share = Option::<f64>::deserialize(from)?;
                let value = share.map(<$type>::new).transpose();
                value.map_err(D::Error::custom)
            }
        }
    };
}

share!(late_rate, punctual::margin::LateRate);
share!(budget, punctual::margin::Budget);
