//! Recordings of what waits met: latencies of one way of waiting, or of several policies in turns of one run.
//!
//! A `.txt` has a wake-up latency in each line, in nanoseconds. A `.policies` is of a loaded machine, where a thread
//! that spins changes what comes after it. A policy is a slice of the scheduler and a margin. Each line is a block of
//! waits under one of them: `default` or the slice in microseconds, the margin in microseconds, and what each wait met,
//! in tenths of a microsecond. `173` is a wake-up latency. `173+52` is one whose spin ended so long after the deadline,
//! because the thread lost its processor. `-` is a wait that was spun whole.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// What waits met with one slice, and so what can be replayed with any margin.
#[derive(Debug, Clone)]
pub struct Recording {
    pub name: String,
    pub period_ns: u64,
    /// `None` where nothing but the latencies was recorded, which no margin changes.
    pub slice: Option<String>,
    /// By the margin, in nanoseconds.
    pub met: BTreeMap<u64, Vec<Met>>,
}

/// What a wait met, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Met {
    pub latency_ns: u64,
    /// How long after the deadline its spin ended, if it was woken before.
    pub overrun_ns: u64,
}

/// What the names of recordings under several policies end in.
pub const POLICIES: &str = "policies";

/// The slice that a thread has if nobody set one.
pub const DEFAULT: &str = "default";

/// The unit of what waits met.
pub const UNIT_NANOS: u64 = 100;

const NANOS_PER_MICRO: u64 = 1_000;

const NO_BLOCK: &str = "does not begin a block: a slice in microseconds or `default`, a margin in microseconds, and tenths \
     of microseconds such as 173, 173+52 or -";

/// Where the recordings that come with Punctual are.
const RECORDED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/punctual/tests/traces"
);

/// The files that come with Punctual, by name.
pub fn recorded() -> Result<Vec<PathBuf>, String> {
    let read = || {
        let entries = fs::read_dir(RECORDED)?.map(|entry| entry.map(|entry| entry.path()));
        entries.collect::<Result<Vec<_>, _>>()
    };
    let mut paths = read().map_err(|error| format!("{RECORDED}: {error}"))?;
    let kinds = ["txt", POLICIES].map(OsStr::new);
    paths.retain(|path| kinds.contains(&path.extension().unwrap_or_default()));
    paths.sort();
    Ok(paths)
}

impl Recording {
    /// Reads a file: a recording for each slice. Without a period, the file's name says it.
    pub fn read(path: &Path, period_ns: Option<u64>) -> Result<Vec<Self>, String> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let shown = path.display();
        let period_ns = period_ns.or_else(|| period_in(&name)).ok_or_else(|| {
            format!(
                "{shown}: its name does not end in the period, like -1ms.txt; say it with --period"
            )
        })?;
        let text = fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
        let has_policies = path.extension() == Some(OsStr::new(POLICIES));
        Self::parse(&name, period_ns, has_policies, &text)
            .map_err(|malformed| format!("{shown}{malformed}"))
    }

    /// Of the text of a file. An error begins with a colon, and the number of the line if one is malformed.
    pub fn parse(
        name: &str,
        period_ns: u64,
        has_policies: bool,
        text: &str,
    ) -> Result<Vec<Self>, String> {
        let (parse, what): (fn(&str) -> Option<Block<'_>>, _) = match has_policies {
            true => (block, NO_BLOCK),
            false => (latency, "is not a latency in whole nanoseconds"),
        };
        let mut slices = BTreeMap::<_, BTreeMap<_, Vec<Met>>>::new();
        for (line, number) in text.lines().zip(1..) {
            if has_policies && line.starts_with('#') {
                continue;
            }
            let (slice, margin, met) = parse(line).ok_or_else(|| {
                let beginning: String = line.chars().take(40).collect();
                format!(":{number}: {beginning:?} {what}")
            })?;
            let margins = slices.entry(slice).or_default();
            margins.entry(margin).or_default().extend(met);
        }
        if slices.is_empty() {
            return Err(": no latencies in it".to_owned());
        }
        let recording = |(slice, met): (Option<&str>, _)| Self {
            name: match slice {
                None => name.to_owned(),
                Some(DEFAULT) => format!("{name}, default slice"),
                Some(slice) => format!("{name}, slice {slice} µs"),
            },
            period_ns,
            slice: slice.map(str::to_owned),
            met,
        };
        Ok(slices.into_iter().map(recording).collect())
    }

    /// As many as there are with every margin.
    pub fn waits(&self) -> usize {
        self.met.values().map(Vec::len).min().unwrap_or(0)
    }

    /// What the wait of this turn meets if it is woken so early: what it met with the margin that comes closest.
    pub fn met(&self, turn: usize, margin: u64) -> Met {
        let closest = self.met.iter().min_by_key(|(it, _)| it.abs_diff(margin));
        closest.map_or(Met::default(), |(_, met)| met[turn])
    }

    /// The latencies, where no margin changes them.
    pub fn latencies(&self) -> Option<Vec<u64>> {
        let met = self.met.first_key_value().filter(|_| self.slice.is_none());
        met.map(|(_, met)| met.iter().map(|met| met.latency_ns).collect())
    }
}

/// A slice, a margin, and what waits met with them.
type Block<'a> = (Option<&'a str>, u64, Vec<Met>);

fn latency(line: &str) -> Option<Block<'_>> {
    let met = Met {
        latency_ns: line.parse().ok()?,
        overrun_ns: 0,
    };
    Some((None, 0, vec![met]))
}

fn block(line: &str) -> Option<Block<'_>> {
    let mut words = line.split(' ');
    let slice = words.next()?;
    if slice != DEFAULT {
        slice.parse::<u64>().ok()?;
    }
    let margin = words.next()?.parse::<u64>().ok()?;
    let met = words.map(met).collect::<Option<Vec<_>>>()?;
    let margin = margin.checked_mul(NANOS_PER_MICRO)?;
    (!met.is_empty()).then_some((Some(slice), margin, met))
}

fn met(word: &str) -> Option<Met> {
    let nanos = |number: &str| number.parse::<u64>().ok()?.checked_mul(UNIT_NANOS);
    let (latency, overrun) = word.split_once('+').unwrap_or((word, "0"));
    Some(Met {
        latency_ns: if latency == "-" { 0 } else { nanos(latency)? },
        overrun_ns: nanos(overrun)?,
    })
}

/// The period that a name ends in, such as `-16ms` or `-0.25ms`.
fn period_in(name: &str) -> Option<u64> {
    let (_, millis) = name.strip_suffix("ms")?.rsplit_once('-')?;
    period_from_millis(millis)
}

/// A period in nanoseconds from a number of milliseconds, up to an hour; none for anything else.
pub fn period_from_millis(millis: &str) -> Option<u64> {
    let nanos = (millis.parse::<f64>().ok()? * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number, and in range"
    )]
    (1.0..=3.6e12).contains(&nanos).then_some(nanos as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recordings_that_come_with_punctual_can_be_read() {
        let paths = recorded().unwrap();
        assert!(!paths.is_empty());
        for path in paths {
            assert!(Recording::read(&path, None).is_ok(), "{}", path.display());
        }
    }

    #[test]
    fn the_name_ends_in_the_period() {
        assert_eq!(period_in("idle-slack1ns-16ms"), Some(16_000_000));
        assert_eq!(period_in("busy-0.25ms"), Some(250_000));
        for none in ["idle", "idle-ms", "idle-0ms", "1ms", "a--1s", "a-NaNms"] {
            assert_eq!(period_in(none), None, "{none}");
        }
    }

    fn policies(text: &str) -> Result<Vec<Recording>, String> {
        Recording::parse("busy-1ms", 1_000_000, true, text)
    }

    #[test]
    fn the_closest_policy_says_what_a_wait_meets() {
        let text =
            "# a comment\ndefault 0 170 900\n100 0 160 800\n100 60 150+20 30000\n100 60 140\n";
        let slices = policies(text).unwrap();
        let names: Vec<_> = slices.iter().map(|slice| &slice.name[..]).collect();
        assert_eq!(names, ["busy-1ms, slice 100 µs", "busy-1ms, default slice"]);
        let short = &slices[0];
        assert_eq!(short.waits(), 2);
        assert_eq!(short.met(0, 20_000).latency_ns, 16_000);
        let met = short.met(0, 45_000);
        assert_eq!((met.latency_ns, met.overrun_ns), (15_000, 2_000));
        assert_eq!(short.met(1, 45_000).latency_ns, 3_000_000);
        assert_eq!(short.latencies(), None);
    }

    #[test]
    fn a_malformed_line_is_named() {
        let blocks = "default,default 60,short 60 170,100 x 170,100 60 1.5,100 60 +,100 60 17+";
        for line in blocks.split(',') {
            let refused = policies(&format!("100 0 170\n{line}\n")).unwrap_err();
            assert!(refused.starts_with(":2: "), "{refused}");
        }
        let plain = |text| Recording::parse("idle-1ms", 1_000_000, false, text);
        for (text, number) in [("1\n2\n\n", 3), ("1\n-2\n", 2), ("1.5\n", 1), ("a\n", 1)] {
            let refused = plain(text).unwrap_err();
            assert!(refused.starts_with(&format!(":{number}: ")), "{refused}");
        }
        assert!(policies("# nothing\n").is_err() && plain("").is_err());
        assert_eq!(plain("3\n4").unwrap()[0].latencies(), Some(vec![3, 4]));
    }
}
