//! A capture that is not drained: the kernel's buffers keep what happened last, until it is asked for.

use super::Capture;
use super::instance::write;
use crate::event::ThreadId;
use crate::tracefs::RingCounts;
use punctual::Error;

/// In how many ranges of numbers threads are told to the kernel: it compares each waking with all of them.
const MOST_RANGES: usize = 8;

impl Capture {
    /// Prepares a trace of which the kernel keeps the end, so many kibibytes for each processor: newer events take
    /// the place of the oldest. Begin it with [`start_for`](Self::start_for).
    ///
    /// # Errors
    /// As those of [`prepare`](Self::prepare).
    pub fn prepare_ring(kib_per_processor: u64) -> Result<Self, Error> {
        let capture = Self::prepare_with(kib_per_processor)?;
        capture.instance.set("trace_options", "overwrite")?;
        Ok(capture)
    }

    /// Begins. Of wake-ups, only those of these threads are recorded, and perhaps of some with numbers between
    /// theirs; all wake-ups if there are none. Which thread has which processor is always recorded. Called again, it goes on
    /// with other threads.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn start_for(&self, threads: &[ThreadId]) -> Result<(), Error> {
        let filter = filter(threads);
        for event in super::OF_WAKE_UPS {
            let file = format!("events/sched/{event}/filter");
            self.instance.set(&file, &filter)?;
        }
        write(&self.instance.path().join("tracing_on"), "1")
    }

    /// What the kernel has counted since the trace was prepared.
    ///
    /// # Errors
    /// When it does not tell.
    pub fn counts(&self) -> Result<RingCounts, Error> {
        let mut counts = RingCounts::default();
        for buffer in &self.buffers {
            let file = format!("per_cpu/cpu{}/stats", buffer.processor().0);
            counts.add(&self.instance.read(&file)?);
        }
        Ok(counts)
    }
}

/// What the kernel is to record: `0` takes a filter away.
fn filter(threads: &[ThreadId]) -> String {
    if threads.is_empty() {
        return "0".to_owned();
    }
    let ranges = ranges(threads.iter().map(|thread| thread.0).collect());
    let within = ranges.iter().map(|&(first, last)| match first == last {
        true => format!("pid == {first}"),
        false => format!("(pid >= {first} && pid <= {last})"),
    });
    within.collect::<Vec<_>>().join(" || ")
}

/// The ranges in which these numbers are: where there are too many, the nearest are joined.
fn ranges(mut numbers: Vec<u32>) -> Vec<(u32, u32)> {
    numbers.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if number <= last.saturating_add(1) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    while ranges.len() > MOST_RANGES {
        let gap = |pair: &[(u32, u32)]| pair[1].0 - pair[0].1;
        let nearest = ranges
            .windows(2)
            .enumerate()
            .min_by_key(|(_, pair)| gap(pair));
        let Some((nearest, _)) = nearest else {
            break;
        };
        let (_, last) = ranges.remove(nearest + 1);
        ranges[nearest].1 = last;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_were_started_together_are_one_comparison() {
        assert_eq!(filter(&[]), "0");
        let threads = [12, 10, 11, 11, 40].map(ThreadId);
        assert_eq!(filter(&threads), "(pid >= 10 && pid <= 12) || pid == 40");
    }

    #[test]
    fn of_too_many_ranges_the_nearest_are_joined() {
        let far_apart: Vec<u32> = (0..200).map(|number| number * 100 + number % 7).collect();
        let ranges = ranges(far_apart.clone());
        assert_eq!(ranges.len(), MOST_RANGES);
        let is_in = |number| {
            ranges
                .iter()
                .any(|&(first, last)| (first..=last).contains(&number))
        };
        assert!(far_apart.into_iter().all(is_in));
        assert!(ranges.is_sorted());
    }
}
