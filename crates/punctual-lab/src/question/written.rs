//! Serialization of the parts of a question, for serde's `with`. The units of the numbers are in
//! the names of their keys.

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

/// A late rate as a share from 0 to 1, or none.
pub(crate) mod late_rate {
    use punctual::margin::LateRate;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        rate: &Option<LateRate>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        rate.map(LateRate::share).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<LateRate>, D::Error> {
        let share = Option::<f64>::deserialize(from)?;
        let rate = share.map(LateRate::new).transpose();
        rate.map_err(D::Error::custom)
    }
}

/// A budget as a share from 0 to 1, or none.
pub(crate) mod budget {
    use punctual::margin::Budget;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        budget: &Option<Budget>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        budget.map(Budget::share).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Budget>, D::Error> {
        let share = Option::<f64>::deserialize(from)?;
        let budget = share.map(Budget::new).transpose();
        budget.map_err(D::Error::custom)
    }
}
