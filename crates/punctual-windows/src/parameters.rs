//! The differences between machines that run the same Windows.

use super::clock_error::ClockError;
use super::device_noise::DeviceNoise;
use super::femtos::Femtos;
use super::quantity::{parse_duration, parse_femtos, show};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use core::time::Duration;

/// The most processors of one group; machines with several groups are not simulated.
const MOST_PROCESSORS: usize = 64;

/// A machine's hardware and settings, as far as timed waits depend on them.
///
/// ```
/// use punctual_windows::MachineParameters;
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
    /// `default-interval`: the interval while nothing asks for less. 15.625 ms (64 Hz) on most
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
    /// `interrupt-work`: the time from that moment until the interrupt has set the next one. A timer
    /// that becomes due meanwhile waits for the next tick. 3 µs is fitted to hr-avg-1ms.
    pub interrupt_work: Duration,
    /// `processors`: how many there are. The first handles all timer interrupts (grcc-cpu0).
    pub processors: usize,
    /// `global-requests`: the registry's `GlobalTimerResolutionRequests`, 0 or 1, as read when the
    /// machine started.
    pub global_requests: bool,
    /// `clock-error`: by how much the performance counter, and with it
    /// [`Os::now`](punctual::Os::now), runs fast against the timer interrupt.
    ///
    /// Each has an oscillator of its own here, as machines had whose counter is not what Windows
    /// makes ticks of. Ticks, and all that counts them (`timeGetTime`, `GetTickCount`, the system
    /// clock), high-resolution timers and processor time keep the true rate. A machine on which one
    /// oscillator drives all needs no parameter: no program on it could tell that it errs.
    pub clock_error: ClockError,
    /// `noise`: what interrupts and deferred calls of devices steal of every processor. A length
    /// varies from zero to ten times its mean (an exponential distribution, cut off); a spacing is
    /// exponential.
    pub noise: DeviceNoise,
}

/// One parameter as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// What it is called.
    pub name: &'static str,
    /// What it is about, in a line or two for people.
    pub about: &'static str,
    /// The value it has, as [`MachineParameters::set`] takes it.
    pub value: String,
}

impl Default for MachineParameters {
    fn default() -> Self {
        Self {
            default_interval: Duration::from_micros(15_625),
            smallest_interval: Duration::from_micros(500),
            quantum: Femtos::from_nanos(1_280),
            overshoot: Duration::ZERO,
            interrupt_latency: Duration::from_micros(1),
            interrupt_work: Duration::from_micros(3),
            processors: 4,
            global_requests: false,
            clock_error: ClockError::default(),
            noise: DeviceNoise::default(),
        }
    }
}

/// Declares how each parameter is read and shown, by its name.
macro_rules! parameters {
    ($($name:literal = $field:ident, $read:path, $show:expr, $about:literal;)+) => {
        impl MachineParameters {
            /// Sets the parameter of that name.
            ///
            /// # Errors
            /// If there is none or the value is none of its own; the message says what there is.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
                let context = |error: String| format!("{name}: {error}");
                match name {
                    $( $name => self.$field = $read(value).map_err(context)?, )+
                    _ => {
                        let names = [$($name),+].join(", ");
                        return Err(format!("there is no machine parameter {name:?}; there are {names}"));
                    }
                }
                Ok(())
            }

            /// Every parameter, in the order of the struct.
            pub fn iter(&self) -> impl Iterator<Item = Parameter> + use<> {
                [$( Parameter { name: $name, about: $about, value: $show(self.$field) } ),+].into_iter()
            }
        }
    };
}

parameters! {
    "default-interval" = default_interval, positive, show, "the interval without requests; 15.6ms on some";
    "smallest-interval" = smallest_interval, positive, show, "the shortest interval to request";
    "quantum" = quantum, parse_femtos, show, "the unit of intervals on Windows 10 and 11";
    "overshoot" = overshoot, parse_duration, show, "how much intervals of 7 and 8 exceed the request";
    "interrupt-latency" = interrupt_latency, parse_duration, show, "mean time until an interrupt looks at the clock";
    "interrupt-work" = interrupt_work, parse_duration, show, "time until that interrupt has set the next one";
    "processors" = processors, processors, |count: usize| count.to_string(),
        "1 to 64; the first handles all timer interrupts";
    "global-requests" = global_requests, switch, |is_on: bool| u8::from(is_on).to_string(),
        "the registry's GlobalTimerResolutionRequests, 0 or 1";
    "clock-error" = clock_error, ClockError::parse, |error: ClockError| error.to_string(),
        "how fast QueryPerformanceCounter runs against the ticks: -1000ppm to 1000ppm";
    "noise" = noise, DeviceNoise::parse, |noise: DeviceNoise| noise.to_string(),
        "time that devices take from each processor: 5us/1ms is an interrupt of 5us on average each 1ms; \
         5us/1ms+200us/50ms adds DPCs of 200us each 50ms";
}

impl MachineParameters {
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
        return Err("an interval must be longer than zero, as in 15.6ms".to_owned());
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
        let mut set = Vec::new();
        let pairs = (!text.trim().is_empty()).then(|| text.split(','));
        for pair in pairs.into_iter().flatten() {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                format!("{pair:?} sets nothing: write name=value, as in processors=2")
            })?;
            let name = name.trim();
            parameters.set(name, value.trim())?;
            if set.contains(&name) {
                return Err(format!("{name}: given twice; give it once"));
            }
            set.push(name);
        }
        parameters.ensure_consistent()?;
        Ok(parameters)
    }
}

/// What differs from the default, as it is read: nothing if nothing does.
impl fmt::Display for MachineParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.iter().zip(Self::default().iter());
        let changed = all.filter(|(here, default)| here.value != default.value);
        let pairs: Vec<_> = changed
            .map(|(Parameter { name, value, .. }, _)| format!("{name}={value}"))
            .collect();
        f.write_str(&pairs.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_shows() {
        let text = "default-interval=15.6ms,smallest-interval=0.4ms,quantum=5.333333us,\
                    overshoot=100ns,interrupt-latency=2us,interrupt-work=1us,processors=1,\
                    global-requests=1,clock-error=-20ppm,noise=5us/1ms+200us/50ms";
        let read: MachineParameters = text.parse().unwrap();
        assert_eq!(read.quantum, Femtos::new(5_333_333_000));
        assert_eq!(read.to_string().parse(), Ok(read));
        let default = MachineParameters::default();
        let differs = |(read, default): (Parameter, Parameter)| read.value != default.value;
        assert!(read.iter().zip(default.iter()).all(differs));
    }

    #[test]
    fn shows_only_what_differs_from_the_default() {
        let shown = |text: &str| text.parse().map(|read: MachineParameters| read.to_string());
        assert_eq!(shown("processors=2"), Ok("processors=2".to_owned()));
        assert_eq!(shown("processors=4,noise=none"), Ok(String::new()));
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
                "default-interval: an interval must be longer than zero, as in 15.6ms",
            ),
            (
                "default-interval=0.1ms",
                "smallest-interval: at most the default interval",
            ),
            ("quantum=0ns", "quantum: above zero"),
            ("processors=2,", "\"\" sets nothing"),
            (",processors=2", "\"\" sets nothing"),
            ("processors=2,processors=4", "processors: given twice"),
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
            ("clock-error=20", "clock-error: \"20\" is no error"),
            ("noise=much", "noise: \"much\" says no length and spacing"),
        ] {
            let error = text.parse::<MachineParameters>().unwrap_err();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
