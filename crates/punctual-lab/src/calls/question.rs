//! The question of `sleep`.

use super::When;
use super::rounds::{Plan, Rounds, Taken};
use crate::confidence::Waits;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::{Conditions, Experiment, Refusal, Simulated, ensure_personas, written};
use crate::waiters::contenders::{Variants, chosen, contenders};
use crate::waiters::{Kind, Waiter, WaiterOptions};
use punctual::guard::SliceGuard;
use punctual::{Error, Period};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long does each call take that waits for so long?
///
/// ```
/// use punctual_lab::calls::{Question, When};
/// use std::time::Duration;
///
/// let question = Question {
///     calls: vec!["nt-delay".to_owned()],
///     at: When::Random,
///     ..Question::of(vec![Duration::from_micros(500), Duration::from_millis(1)])
/// };
/// let written = serde_json::to_string(&question)?;
/// assert_eq!(serde_json::from_str::<Question>(&written)?, question);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// How long the calls wait, each length once.
    #[serde(rename = "lengths_ns", with = "written::many_nanos")]
    pub lengths: Vec<Duration>,
    /// The calls, each name once; an empty list means all that the machine lists.
    pub calls: Vec<String>,
    /// When each call begins.
    pub at: When,
    /// How many times each call is made with each length, without the warm-up.
    pub count: u64,
    /// How long the thread computes before each call.
    #[serde(rename = "work_ns", with = "written::nanos")]
    pub work: Duration,
    /// The conditions on the machine meanwhile.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// If set, this process requests this timer interval all the time.
    #[serde(rename = "request_ns", with = "written::optional_nanos")]
    pub request: Option<Duration>,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

impl Question {
    /// How often each call is made unless the question says otherwise: a share of one per cent then
    /// is ten calls.
    pub const COUNT: u64 = 1_000;

    /// This machine, idle, with all the calls that it lists, in a tight loop.
    pub fn of(lengths: Vec<Duration>) -> Self {
        Self {
            lengths,
            calls: Vec::new(),
            at: When::default(),
            count: Self::COUNT,
            work: Duration::ZERO,
            conditions: Conditions::default(),
            request: None,
            on: None,
        }
    }

    fn rounds(&self) -> Plan {
        Plan {
            lengths: self.lengths.len(),
            count: self.count,
            at: self.at,
            work: self.work,
            request: self.request,
            // That of the simulated machine.
            seed: self.on.as_ref().map_or(1, |on| on.seed),
        }
    }

    /// The waits of this length. Without work, a call begins just after a tick unless its moment is
    /// random.
    pub fn waits(&self, length: Duration) -> Waits<'_> {
        Waits {
            on: self.on.as_ref(),
            conditions: &self.conditions,
            request: self.request,
            duration: length,
            is_tight: self.at == When::Aligned || (self.at == When::Tight && self.work.is_zero()),
        }
    }

    fn offers<M: Machine>(&self) -> Result<Vec<Waiter<M>>, Refusal> {
        ensure_personas(Kind::Call, &self.calls, self.on.as_ref())?;
        let offers = chosen(Kind::Call, &self.calls)?;
        if self.request.is_some() && !M::HAS_INTERVAL {
            return Err(Refusal::NoInterval);
        }
        self.conditions.ensure_slices::<M>()?;
        if self.conditions.slices.len() > 1 {
            return Err(Refusal::OneSlice);
        }
        self.conditions.ensure_companions::<M>()?;
        self.conditions.ensure_standing::<M>()?;
        Ok(offers)
    }
}

impl Experiment for Question {
    type Series = Taken;
    type Plan = ();

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn on(&self) -> Option<&Simulated> {
        self.on.as_ref()
    }

    /// For each call, one series of each length.
    fn series<M: Machine>(&self) -> Result<Vec<String>, Refusal> {
        let offers = self.offers::<M>()?;
        let of = |offer: &Waiter<M>| -> Vec<_> {
            let lengths = self.lengths.iter();
            lengths
                .map(|&length| Taken::new(offer, length).name())
                .collect()
        };
        Ok(offers.iter().flat_map(of).collect())
    }

    fn plan<M: Machine>(&self) -> Result<(), Refusal> {
        self.offers::<M>().map(drop)
    }

    /// Calls, without those of the warm-up.
    fn steps<M: Machine>(&self) -> Result<u64, Refusal> {
        Ok(self.count.saturating_mul(self.series::<M>()?.len() as u64))
    }

    fn run<M: Machine>(
        &self,
        machine: &M,
        observer: &mut dyn Observer<Taken>,
    ) -> Result<(), Error> {
        let offers = self.offers::<M>()?;
        let _scheduled = self.conditions.schedule(machine)?;
        let slice = self.conditions.slices.first().and_then(|slice| slice.set());
        let set = |slice| SliceGuard::set(machine, slice).map_err(Refusal::Slice);
        let _sliced = slice.map(set).transpose()?;
        // What takes lengths has no period, and its thread has the slice already.
        let options = WaiterOptions {
            slice: punctual::os::Slice::Unchanged,
            ..WaiterOptions::of(Period::from_hertz(1_000))
        };
        let made = contenders(machine, &offers, Kind::Call, options, Variants::default())?;
        let lengths = self.lengths.iter();
        let named = made.contenders.iter().map(|(number, _)| &offers[*number]);
        let series: Vec<_> = named
            .flat_map(|offer| lengths.clone().map(|&length| Taken::new(offer, length)))
            .collect();
        observer.begins(series.iter().map(Taken::name).collect(), made.unavailable);
        let mut calls: Vec<_> = made
            .contenders
            .into_iter()
            .map(|(_, made)| made.wait)
            .collect();
        Rounds::new(machine, self.rounds()).run(&mut calls, series, observer)
    }
}
