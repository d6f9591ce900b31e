//! Durations, instants and periods as Python writes them.

use crate::errors::{InvalidInputError, raised};
use punctual::{Instant, Period};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDelta, PyFloat, PyType};
use std::time::Duration;

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// The `Fraction` of the standard library.
fn fraction_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "fractions", "Fraction")
}

/// A duration: seconds as a number, or a `timedelta`. What a nanosecond cannot express is rounded up,
/// so that no wait is shorter than asked for.
pub fn duration(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let refused = |what: &str| {
        Err(InvalidInputError::new_err(format!(
            "{name} must be {what} of seconds, or a timedelta, not {value}"
        )))
    };
    let seconds: f64 = if let Ok(delta) = value.cast::<PyDelta>() {
        delta.call_method0("total_seconds")?.extract()?
    } else {
        value.extract()?
    };
    if !seconds.is_finite() {
        return refused("a finite number");
    }
    if seconds < 0.0 {
        return refused("a non-negative number");
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and the end of 64-bit time is long enough"
    )]
    Ok(Duration::from_nanos((seconds * 1e9).ceil() as u64))
}

/// An instant: nanoseconds of the clock. Those before its beginning have passed.
pub fn instant(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Instant> {
    let nanos: i128 = value.extract()?;
    if let Ok(nanos) = u64::try_from(nanos.max(0)) {
        return Ok(Instant::from_nanos(nanos));
    }
    Err(InvalidInputError::new_err(format!(
        "{name} must fit 64 bits of nanoseconds, not {nanos}"
    )))
}

/// A period: exactly one of a rate, a period in seconds, and a period in nanoseconds.
pub fn period(
    hz: Option<&Bound<'_, PyAny>>,
    seconds: Option<&Bound<'_, PyAny>>,
    nanos: Option<u64>,
) -> PyResult<Period> {
    match (hz, seconds, nanos) {
        (Some(hz), None, None) => rate(hz),
        (None, Some(seconds), None) => length(seconds),
        (None, None, Some(nanos)) => {
            Period::try_from_nanos_fraction(nanos, 1).map_err(|error| raised(&error))
        }
        _ => Err(InvalidInputError::new_err(
            "give exactly one of hz (such as 1000), period (seconds, such as 0.001) and period_ns",
        )),
    }
}

/// The period of a rate: `1000`, `59.94`, or `Fraction(30000, 1001)`.
fn rate(hz: &Bound<'_, PyAny>) -> PyResult<Period> {
    let (numerator, denominator) = exact("hz", hz, hz)?;
    Period::try_from_hertz_fraction(numerator, denominator).map_err(|error| raised(&error))
}

/// A period of so many seconds: `0.001`, `Fraction(1001, 30000)`, or a `timedelta`.
fn length(seconds: &Bound<'_, PyAny>) -> PyResult<Period> {
    let nanos = if let Ok(delta) = seconds.cast::<PyDelta>() {
        let unit = delta.get_type().call1((0, 0, 1))?;
        let microseconds = delta.call_method1("__floordiv__", (unit,))?;
        microseconds.mul(1000)?
    } else {
        fraction(seconds)?.mul(NANOS_PER_SECOND)?
    };
    let (numerator, denominator) = exact("period", &nanos, seconds)?;
    Period::try_from_nanos_fraction(numerator, denominator).map_err(|error| raised(&error))
}

/// The period as a `Fraction` of seconds.
pub fn to_fraction(py: Python<'_>, period: Period) -> PyResult<Bound<'_, PyAny>> {
    let (numerator, denominator) = period.to_nanos_fraction();
    let denominator = u128::from(denominator) * u128::from(NANOS_PER_SECOND);
    fraction_class(py)?.call1((numerator, denominator))
}

/// A number as a `Fraction`. A float is read as the decimal that it prints as: 0.001 is 1/1000.
fn fraction<'py>(number: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let class = fraction_class(number.py())?;
    match number.cast::<PyFloat>() {
        Ok(float) if float.value().is_finite() => class.call1((format!("{:?}", float.value()),)),
        Ok(float) => Err(InvalidInputError::new_err(format!(
            "a rate or a period must be finite, not {float}"
        ))),
        Err(_) => class.call1((number,)),
    }
}

/// Numerator and denominator of a positive number, in lowest terms. It was `given` so.
fn exact(name: &str, number: &Bound<'_, PyAny>, given: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
    let exact = fraction(number)?;
    let part = |part: &str| exact.getattr(part)?.extract::<u64>();
    match (part("numerator"), part("denominator")) {
        (Ok(numerator), Ok(denominator)) if numerator > 0 => Ok((numerator, denominator)),
        _ => Err(InvalidInputError::new_err(format!(
            "{name} must be positive, and its fraction must fit 64 bits, not {given}"
        ))),
    }
}
