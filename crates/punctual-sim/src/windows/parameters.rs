//! What differs between machines that run the same Windows.

use super::femtos::Femtos;
use super::quantity::{parse_duration, parse_femtos, show};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The most processors of one group; machines with several groups are not simulated.
const MOST_PROCESSORS: usize = 64;

/// A machine's hardware and settings, as far as timed waits depend on them.
///
/// ```
/// use punctual_sim::windows::MachineParameters;
/// use std::time::Duration;
///
/// let machine: MachineParameters = "default-interval=15.6ms,processors=2".parse()?;
/// assert_eq!(machine.default_interval, Duration::from_micros(15_600));
/// assert_eq!(machine.processors, 2);
/// assert_eq!(machine.smallest_interval, MachineParameters::default().smallest_interval);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineParameters {
    /// `default-interval`: the interval while nobody asks for less. 15.625 ms (64 Hz) on most
    /// machines; 15.600 on others (svi-clockres), 20 reported on some (grcc-20ms).
    pub default_interval: Duration,
    /// `smallest-interval`: the least that can be asked for, and the step of high-resolution
    /// timers. 0.5 ms (svi-clockres, sil-floor); XP's own lattice ends at 0.9765625 ms before that.
    pub smallest_interval: Duration,
    /// `quantum`: what Windows 10 and later make intervals of. Values around 1.28 µs and 5.33 µs
    /// are published, and every published number comes out with either; but for sil-period-raised,
    /// where the larger would want a longer interrupt latency.
    pub quantum: Femtos,
    /// `overshoot`: the hair by which Windows 7's and 8's intervals exceed the request: at most
    /// 0.0001 ms is published. Zero or not, every published number comes out the same.
    pub overshoot: Duration,
    /// `interrupt-latency`: the mean time from a timer interrupt to the moment at which it looks at
    /// high-resolution timers. The latency is taken to be exponential; that and 1 µs are fitted to
    /// sil-period-raised.
    pub interrupt_latency: Duration,
    /// `processors`: how many there are. The first handles all timer interrupts (grcc-cpu0).
    pub processors: usize,
    /// `global-requests`: the registry's `GlobalTimerResolutionRequests`, 0 or 1, as read when the
    /// machine started.
    pub global_requests: bool,
}

impl Default for MachineParameters {
    fn default() -> Self {
        Self {
            default_interval: Duration::from_micros(15_625),
            smallest_interval: Duration::from_micros(500),
            quantum: Femtos::from_nanos(1_280),
            overshoot: Duration::ZERO,
            interrupt_latency: Duration::from_micros(1),
            processors: 4,
            global_requests: false,
        }
    }
}

impl MachineParameters {
    /// Sets the parameter of that name.
    ///
    /// # Errors
    /// If there is none or the value is none of its own; the message says what there is.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let context = |error: String| format!("{name}: {error}");
        match name {
            "default-interval" => self.default_interval = positive(value).map_err(context)?,
            "smallest-interval" => self.smallest_interval = positive(value).map_err(context)?,
            "quantum" => self.quantum = parse_femtos(value).map_err(context)?,
            "overshoot" => self.overshoot = parse_duration(value).map_err(context)?,
            "interrupt-latency" => {
                self.interrupt_latency = parse_duration(value).map_err(context)?;
            }
            "processors" => self.processors = processors(value).map_err(context)?,
            "global-requests" => self.global_requests = switch(value).map_err(context)?,
            _ => {
                let names = Self::default().fields().map(|field| field.0).join(", ");
                return Err(format!(
                    "there is no machine parameter {name:?}; there are {names}"
                ));
            }
        }
        Ok(())
    }

    /// Every parameter's name and value, as [`set`](Self::set) takes them.
    pub fn fields(&self) -> [(&'static str, String); 7] {
        [
            ("default-interval", show(self.default_interval.into())),
            ("smallest-interval", show(self.smallest_interval.into())),
            ("quantum", show(self.quantum)),
            ("overshoot", show(self.overshoot.into())),
            ("interrupt-latency", show(self.interrupt_latency.into())),
            ("processors", self.processors.to_string()),
            (
                "global-requests",
                u8::from(self.global_requests).to_string(),
            ),
        ]
    }

    /// Checks what holds between parameters.
    fn ensure_consistent(&self) -> Result<(), String> {
        if self.smallest_interval > self.default_interval {
            return Err("smallest-interval: at most the default interval".to_owned());
        }
        if self.quantum == Femtos::ZERO || self.quantum > self.smallest_interval.into() {
            return Err("quantum: above zero and at most the smallest interval".to_owned());
        }
        Ok(())
    }
}

fn positive(value: &str) -> Result<Duration, String> {
    let duration = parse_duration(value)?;
    if duration.is_zero() {
        return Err("an interval is longer than zero".to_owned());
    }
    Ok(duration)
}

fn processors(value: &str) -> Result<usize, String> {
    let number = value.parse().ok();
    let valid = number.filter(|number| (1..=MOST_PROCESSORS).contains(number));
    valid.ok_or_else(|| format!("a number from 1 to {MOST_PROCESSORS}, not {value:?}"))
}

fn switch(value: &str) -> Result<bool, String> {
    match value {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(format!("0 or 1, not {value:?}")),
    }
}

impl FromStr for MachineParameters {
    type Err = String;

    /// Reads `name=value` pairs between commas; what is not named keeps its default.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parameters = Self::default();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                format!("{pair:?} sets nothing: write name=value, as in processors=2")
            })?;
            parameters.set(name.trim(), value.trim())?;
        }
        parameters.ensure_consistent()?;
        Ok(parameters)
    }
}

impl fmt::Display for MachineParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.fields().map(|(name, value)| format!("{name}={value}"));
        f.write_str(&pairs.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_shows() {
        let text = "default-interval=15.6ms,smallest-interval=0.4ms,quantum=5.333333us,\
                    overshoot=100ns,interrupt-latency=2us,processors=1,global-requests=1";
        let read: MachineParameters = text.parse().unwrap();
        assert_eq!(read.quantum, Femtos::new(5_333_333_000));
        assert_eq!(read.to_string().parse(), Ok(read));
        assert_ne!(read, MachineParameters::default());
    }

    #[test]
    fn spaces_and_nothing_at_all_are_fine() {
        assert_eq!("".parse(), Ok(MachineParameters::default()));
        let spaced: MachineParameters = " processors = 2 , quantum = 1us ".parse().unwrap();
        assert_eq!(spaced.processors, 2);
    }

    #[test]
    fn an_error_names_the_parameter_and_what_is_right() {
        for (text, complaint) in [
            (
                "default-interval=15.6",
                "default-interval: \"15.6\" is no length of time",
            ),
            (
                "default-interval=0ms",
                "default-interval: an interval is longer than zero",
            ),
            (
                "default-interval=0.1ms",
                "smallest-interval: at most the default interval",
            ),
            ("quantum=0ns", "quantum: above zero"),
            (
                "quantum=1ms",
                "quantum: above zero and at most the smallest interval",
            ),
            (
                "overshoot=0.5ns",
                "overshoot: \"0.5ns\" is not in whole nanoseconds",
            ),
            (
                "processors=0",
                "processors: a number from 1 to 64, not \"0\"",
            ),
            (
                "global-requests=yes",
                "global-requests: 0 or 1, not \"yes\"",
            ),
            (
                "cores=4",
                "no machine parameter \"cores\"; there are default-interval, smallest-",
            ),
            ("processors", "write name=value"),
        ] {
            let error = text.parse::<MachineParameters>().unwrap_err();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
