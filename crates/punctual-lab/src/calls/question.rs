//! The question of `sleep`.

use super::When;
use super::rounds::{Plan, Rounds, Taken};
use crate::confidence::Waits;
use crate::machine::{CallOffer, Machine, Unavailable};
use crate::observer::Observer;
use crate::question::{Conditions, Experiment, Kind, Refusal, Simulated, ensure_personas, written};
use punctual::Error;
use punctual::guard::SliceGuard;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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

    fn offers<M: Machine>(&self) -> Result<Vec<CallOffer<M>>, Refusal> {
        ensure_personas(Kind::Call, &self.calls, self.on.as_ref())?;
        let offers = named(&self.calls)?;
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

/// The calls of these names, in the order of the names; all that the machine lists if there is
/// none. Every name that a user gives becomes a call here.
///
/// # Errors
/// The first name that the machine does not know, or that is given twice.
pub fn named<M: Machine>(names: &[String]) -> Result<Vec<CallOffer<M>>, Refusal> {
    if names.is_empty() {
        return Ok(M::calls());
    }
    let mut seen = BTreeSet::new();
    let once = |name: &String| {
        let kind = Kind::Call;
        if !seen.insert(name.clone()) {
            let name = name.clone();
            return Err(Refusal::Twice { kind, name });
        }
        M::call_named(name).ok_or_else(|| Refusal::Unknown {
            kind,
            name: name.clone(),
            known: M::calls().iter().map(|call| call.name).collect(),
        })
    };
    names.iter().map(once).collect()
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
        let of = |offer: &CallOffer<M>| -> Vec<_> {
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
        let (mut made, mut unavailable) = (Vec::new(), Vec::new());
        for offer in &offers {
            match (offer.make)(machine) {
                Ok(call) => made.push((offer, call)),
                Err(error) => unavailable.push(Unavailable {
                    name: offer.name.to_owned(),
                    reason: error.to_string(),
                }),
            }
        }
        if made.is_empty() {
            return Err(none_available(&unavailable));
        }
        let series: Vec<_> = made
            .iter()
            .flat_map(|(offer, _)| self.lengths.iter().map(|&length| Taken::new(offer, length)))
            .collect();
        observer.begins(series.iter().map(Taken::name).collect(), unavailable);
        let mut calls: Vec<_> = made.into_iter().map(|(_, call)| call).collect();
        Rounds::new(machine, self.rounds()).run(&mut calls, series, observer)
    }
}

fn none_available(unavailable: &[Unavailable]) -> Error {
    let reasons: Vec<_> = unavailable
        .iter()
        .map(|missing| format!("{}: {}", missing.name, missing.reason))
        .collect();
    Error::unsupported(format!("no call could be made: {}", reasons.join("; ")))
}
