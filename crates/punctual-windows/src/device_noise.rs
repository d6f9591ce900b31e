//! What devices that no program sees steal of a machine's processors.

use super::quantity::{parse_duration, show};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

/// Devices steal at most half of each processor: with all of it stolen, no program would get on.
const MOST_STOLEN: u128 = 2;

/// More than a hundred thousand interrupts a second on each processor is a machine in trouble, and
/// one that takes long to simulate.
const LEAST_SPACING: Duration = Duration::from_micros(10);

/// Interrupts and deferred procedure calls of devices, on every processor of a machine.
///
/// ```
/// use punctual_windows::MachineParameters;
/// use std::time::Duration;
///
/// let machine: MachineParameters = "noise=5us/1ms+200us/50ms".parse()?;
/// let dpcs = machine.noise.dpcs.unwrap();
/// assert_eq!(dpcs.mean_length, Duration::from_micros(200));
/// assert_eq!(dpcs.mean_spacing, Duration::from_millis(50));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceNoise {
    /// Interrupts: microseconds on a machine in good order.
    pub interrupts: Option<Disturbance>,
    /// Deferred procedure calls, the longer half of a device's work: tens of microseconds, or
    /// milliseconds if a driver misbehaves.
    pub dpcs: Option<Disturbance>,
}

/// How long, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disturbance {
    /// The mean processor time that each takes.
    pub mean_length: Duration,
    /// The mean time from one to the next.
    pub mean_spacing: Duration,
}

impl DeviceNoise {
    /// Reads `5us/1ms` (interrupts that take 5 µs, one a millisecond), `5us/1ms+200us/50ms`
    /// (deferred calls besides), or `none` for either.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (interrupts, dpcs) = text.split_once('+').unwrap_or((text, "none"));
        let noise = Self {
            interrupts: Disturbance::parse(interrupts.trim())?,
            dpcs: Disturbance::parse(dpcs.trim())?,
        };
        if noise.steals_too_much() {
            return Err(format!(
                "{text:?} steals more than half of each processor; make the lengths shorter or \
                 the spacings longer"
            ));
        }
        Ok(noise)
    }

    fn steals_too_much(self) -> bool {
        const PARTS: u128 = 1_000_000;
        let stolen = [self.interrupts, self.dpcs].into_iter().flatten();
        let parts = stolen.map(|disturbance| {
            let Disturbance {
                mean_length,
                mean_spacing,
            } = disturbance;
            mean_length.as_nanos() * PARTS / mean_spacing.as_nanos()
        });
        parts.sum::<u128>() > PARTS / MOST_STOLEN
    }
}

impl Disturbance {
    fn parse(text: &str) -> Result<Option<Self>, String> {
        if text == "none" {
            return Ok(None);
        }
        let (length, spacing) = text.split_once('/').ok_or_else(|| {
            format!(
                "{text:?} says no length and spacing: write none, or interrupts as in 5us/1ms, \
                 and DPCs behind a plus as in 5us/1ms+200us/50ms"
            )
        })?;
        let (mean_length, mean_spacing) = (parse_duration(length)?, parse_duration(spacing)?);
        if mean_length.is_zero() {
            return Err(format!("{text:?} takes no time; write none instead"));
        }
        if mean_spacing < LEAST_SPACING {
            let least = show(LEAST_SPACING);
            return Err(format!(
                "{text:?} comes too often; the least spacing is {least}"
            ));
        }
        Ok(Some(Self {
            mean_length,
            mean_spacing,
        }))
    }
}

impl fmt::Display for DeviceNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |disturbance: Option<Disturbance>| match disturbance {
            Some(Disturbance {
                mean_length,
                mean_spacing,
            }) => format!("{}/{}", show(mean_length), show(mean_spacing)),
            None => "none".to_owned(),
        };
        f.write_str(&one(self.interrupts))?;
        match self.dpcs {
            Some(_) => write!(f, "+{}", one(self.dpcs)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_shows() {
        for text in [
            "none",
            "0.005ms/1ms",
            "0.005ms/1ms+0.2ms/50ms",
            "none+1ms/3ms",
        ] {
            let noise = DeviceNoise::parse(text).unwrap();
            assert_eq!(noise.to_string(), text);
        }
    }

    #[test]
    fn says_what_would_be_right() {
        for (wrong, hint) in [
            ("loud", "as in 5us/1ms"),
            ("5us", "as in 5us/1ms"),
            ("5us/1ms+", "as in 5us/1ms"),
            ("5/1ms", "units are"),
            ("0us/1ms", "write none"),
            ("1us/5us", "the least spacing is 0.01ms"),
            ("6us/10us", "more than half"),
            ("4us/10us+2ms/10ms", "more than half"),
        ] {
            let error = DeviceNoise::parse(wrong).unwrap_err();
            assert!(error.contains(hint), "{wrong}: {error}");
        }
    }
}
