//! Sets a machine up for a run, has its programs run there, and compares.

use super::programs::watch_ticks;
use super::{Scene, others, programs, scripts};
use crate::{Expect, Expectation, Finding, Outcome, Run, Wake, check};
use punctual::Instant;
use punctual::os::windows::Win32Error;
use punctual_sim::{Error, Limits, Record, StolenTime, What};
use std::collections::BTreeSet;
use std::time::Duration;

/// What came out of one run on one version.
///
/// # Errors
/// If a program did not get to its end, so that there is nothing to compare.
pub(super) fn replay(run: &Run, version: &str) -> Result<Vec<Finding>, Error> {
    let scene = Scene { run, version };
    let expect = run.expect.iter();
    let (alone, expect): (Vec<_>, Vec<_>) =
        expect.partition(|expect| others::is_alone(&expect.statement));
    let (about_requests, timed): (Vec<_>, Vec<_>) = expect
        .into_iter()
        .partition(|expect| expect.statement.is_about_requests());
    let (free_phase, fixed): (Vec<_>, Vec<_>) = timed
        .into_iter()
        .partition(|expect| matches!(expect.statement, Expect::Listing { .. }));
    let mut findings = scene.requests(&about_requests)?;
    findings.extend(scene.timed(Duration::ZERO, &fixed)?);
    findings.extend(scene.best_phase(&free_phase)?);
    for expect in alone {
        findings.extend(others::check_alone(scene, expect)?);
    }
    Ok(findings)
}

/// What a run leaves to be looked at.
struct Observed {
    wakes: Vec<Wake>,
    ticks: Vec<Instant>,
    clock_readings: Vec<u64>,
    log: Vec<Record>,
}

impl Scene<'_> {
    fn requests(self, expect: &[&Expectation]) -> Result<Vec<Finding>, Error> {
        if expect.is_empty() {
            return Ok(Vec::new());
        }
        let script = self.run.script.clone();
        let machine = self.machine(Duration::ZERO);
        let seen = machine.run(move |win32| scripts::play(win32, &script))?;
        Ok(match seen.value {
            Ok(seen) => expect
                .iter()
                .filter_map(|expect| scripts::check(expect, &seen))
                .collect(),
            Err(error) => refused(expect, error),
        })
    }

    /// The phase of whole milliseconds against ticks is nobody's choice: any may come out.
    fn best_phase(self, expect: &[&Expectation]) -> Result<Vec<Finding>, Error> {
        const PHASES: u32 = 50;
        let misses = |findings: &[Finding]| findings.iter().filter(|found| !found.holds).count();
        let mut best = self.timed(Duration::ZERO, expect)?;
        for phase in 1..PHASES {
            if misses(&best) == 0 {
                break;
            }
            let findings = self.timed(Duration::from_millis(1) * phase / PHASES, expect)?;
            if misses(&findings) < misses(&best) {
                best = findings;
            }
        }
        Ok(best)
    }

    fn timed(self, phase: Duration, expect: &[&Expectation]) -> Result<Vec<Finding>, Error> {
        if expect.is_empty() {
            return Ok(Vec::new());
        }
        let observed = match self.observe(phase, expect, true)? {
            Ok(observed) => observed,
            Err(error) => return Ok(refused(expect, error)),
        };
        let mut findings = Vec::new();
        for expect in expect {
            findings.extend(self.compare(expect, &observed)?);
        }
        Ok(findings)
    }

    fn compare(self, expect: &Expectation, observed: &Observed) -> Result<Option<Finding>, Error> {
        let found = match expect.statement {
            Expect::Interrupted { processor } => interrupted(processor, &observed.log),
            Expect::PhaseShifts {
                than_unpinned,
                at_least,
            } => {
                let shifts = count_shifts(&observed.wakes);
                let unpinned = self.unpinned_shifts()?;
                let is_rare = f64::from(shifts) <= than_unpinned * f64::from(unpinned);
                (
                    shifts >= at_least && is_rare,
                    format!("{shifts} of {unpinned}"),
                )
            }
            _ => {
                let outcome = Outcome {
                    wakes: &observed.wakes,
                    ticks: &observed.ticks,
                    clock_readings: &observed.clock_readings,
                };
                return Ok(check(expect, &outcome));
            }
        };
        Ok(Some(Finding::new(expect, found)))
    }

    /// How long each wait of the loop took, from the call to its return.
    pub(super) fn lengths(self) -> Result<Vec<Duration>, Error> {
        let observed = self.observe(Duration::ZERO, &[], true)?;
        let wakes = observed.map_or_else(|_| Vec::new(), |observed| observed.wakes);
        let length = |wake: &Wake| wake.at.duration_since(wake.began);
        Ok(wakes.iter().map(length).collect())
    }

    /// Of the same loop, which may run on any processor.
    fn unpinned_shifts(self) -> Result<u32, Error> {
        let observed = self.observe(Duration::ZERO, &[], false)?;
        Ok(observed.map_or(0, |observed| count_shifts(&observed.wakes)))
    }

    /// What its programs see, or the call that Windows refuses them.
    fn observe(
        self,
        phase: Duration,
        expect: &[&Expectation],
        is_pinned: bool,
    ) -> Result<Result<Observed, Win32Error>, Error> {
        /// More than the records of a thousand waits.
        const RECORDS: usize = 100_000;
        let expects = |is: fn(&Expect) -> bool| expect.iter().any(|each| is(&each.statement));
        let watches =
            expects(|each| matches!(each, Expect::ClockStep { .. } | Expect::Interval { .. }));
        let logs = expects(|each| matches!(each, Expect::Interrupted { .. }));
        let limits = Limits {
            log: if logs { RECORDS } else { 0 },
            ..Limits::default()
        };
        let looping = self.run.looping.clone();
        let run = self.machine(phase).with_limits(limits).run(move |win32| {
            let wakes = looping.map(|looping| programs::run(win32, &looping, is_pinned));
            let wakes = wakes.transpose()?;
            let watched = watches.then(|| watch_ticks(&win32));
            Ok((wakes.unwrap_or_default(), watched.unwrap_or_default()))
        })?;
        let log = run.log;
        Ok(run.value.map(|(wakes, (ticks, clock_readings))| Observed {
            wakes,
            ticks,
            clock_readings,
            log,
        }))
    }
}

/// Nothing that was published can come out of a program that cannot run there.
fn refused(expect: &[&Expectation], error: Win32Error) -> Vec<Finding> {
    let finding = |expect: &&Expectation| Finding::new(expect, (false, error.to_string()));
    expect.iter().map(finding).collect()
}

/// Whether this processor, and no other, served all interrupts.
fn interrupted(processor: usize, log: &[Record]) -> (bool, String) {
    let processors = log.iter().filter_map(|record| match record.what {
        What::Stolen {
            by: StolenTime::Interrupt,
            processor,
            ..
        } => Some(processor),
        _ => None,
    });
    let processors: BTreeSet<_> = processors.collect();
    let shown: Vec<_> = processors.iter().map(ToString::to_string).collect();
    (processors == [processor].into(), shown.join(" "))
}

fn count_shifts(wakes: &[Wake]) -> u32 {
    /// Less than a step of 0.5 ms, more than what latencies do.
    const SHIFT: Duration = Duration::from_micros(50);
    let lengths = wakes
        .windows(2)
        .map(|pair| pair[1].at.duration_since(pair[0].at));
    let lengths: Vec<_> = lengths.collect();
    let shifts = lengths
        .windows(2)
        .filter(|pair| pair[0].abs_diff(pair[1]) > SHIFT);
    u32::try_from(shifts.count()).unwrap_or(u32::MAX)
}
