//! The question of `measure`.

use super::turns::{Plan, measure};
use crate::confidence::Waits;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::question::{Conditions, Experiment, Refusal, Simulated, ensure_personas, written};
use crate::statistics::Series;
use crate::waiters::contenders::{Variants, chosen, contenders, ensure_no_wishes, names_of_series};
use crate::waiters::{Kind, PUNCTUAL, Waiter, WaiterOptions};
use punctual::margin::{Budget, LateRate};
use punctual::{Error, Period};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How late does each method wake?
///
/// ```
/// use punctual::Period;
/// use punctual_lab::measure::Question;
///
/// let question = Question {
///     methods: vec!["spin".to_owned()],
///     ..Question::every(Period::from_hertz(60))
/// };
/// let written = serde_json::to_string(&question)?;
/// assert_eq!(serde_json::from_str::<Question>(&written)?, question);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The time between two deadlines.
    #[serde(rename = "period_ns", with = "written::period")]
    pub period: Period,
    /// How often each method waits, or how long all of them take.
    pub length: Length,
    /// The methods to measure, each name once; an empty list means all that the machine offers.
    pub methods: Vec<String>,
    /// The conditions on the machine during the measurement.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The share of waits that method `punctual` may end late; `None` for its default.
    #[serde(with = "written::late_rate")]
    pub late_rate: Option<LateRate>,
    /// The share of time that method `punctual` may spend spinning; `None` for its default.
    #[serde(with = "written::budget")]
    pub budget: Option<Budget>,
    /// If set, each method is measured a second time, under this process's own request for this
    /// interval.
    #[serde(rename = "request_ns", with = "written::optional_nanos")]
    pub request: Option<Duration>,
    /// Whether each method is measured a second time with the machine tuned.
    pub tuned: bool,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

/// The amount of measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// How many times each method waits, without the warm-up.
    Count(u64),
    /// How long everything takes in total.
    #[serde(rename = "duration_ns", with = "written::nanos")]
    Duration(Duration),
}

impl Default for Length {
    /// Enough for 99.9 %. All methods at 1 ms take a third of a minute.
    fn default() -> Self {
        Self::Count(1_000)
    }
}

/// Long enough for a first look.
pub const QUICK: Length = Length::Duration(Duration::from_secs(10));

impl Question {
    /// This machine, idle, with all its methods.
    pub fn every(period: Period) -> Self {
        Self {
            period,
            length: Length::default(),
            methods: Vec::new(),
            conditions: Conditions::default(),
            late_rate: None,
            budget: None,
            request: None,
            tuned: false,
            on: None,
        }
    }

    /// The waits that the series are about. They end at deadlines, and begin at any moment.
    pub fn waits(&self) -> Waits<'_> {
        Waits {
            on: self.on.as_ref(),
            conditions: &self.conditions,
            request: self.request,
            duration: self.period.to_duration(),
            is_tight: false,
        }
    }

    /// How often each method can wait if all of them, with the warm-up, take this long in total.
    fn waits_within(&self, duration: Duration, series: u64) -> Result<u64, Refusal> {
        let plan = |waits| Plan {
            period: self.period,
            waits,
            takes: None,
        };
        let all = self.period.index_after(duration) / series;
        match all.checked_sub(plan(all).warm_up()) {
            Some(waits) if waits > 0 => Ok(waits),
            _ => Err(Refusal::TooShort {
                tried: series,
                least: plan(1).expected_duration(series),
            }),
        }
    }

    fn offers<M: Machine>(&self) -> Result<Vec<Waiter<M>>, Refusal> {
        ensure_personas(Kind::Method, &self.methods, self.on.as_ref())?;
        let offers = chosen(Kind::Method, &self.methods)?;
        let learns = offers.iter().any(|offer| offer.name == PUNCTUAL);
        if !learns {
            ensure_no_wishes(Kind::Method, PUNCTUAL, self.late_rate, self.budget)?;
        }
        if self.request.is_some() && !M::HAS_INTERVAL {
            return Err(Refusal::NoInterval);
        }
        if self.tuned && !M::CAN_BE_TUNED {
            return Err(Refusal::NothingToTune);
        }
        self.conditions.ensure_slices::<M>()?;
        self.conditions.ensure_companions::<M>()?;
        self.conditions.ensure_standing::<M>()?;
        Ok(offers)
    }

    fn options(&self) -> WaiterOptions {
        WaiterOptions {
            name: "",
            period: self.period,
            late_rate: self.late_rate.unwrap_or_default(),
            budget: self.budget.unwrap_or_default(),
            slice: self.conditions.slice_of_sleepers(),
        }
    }

    fn variants(&self) -> Variants<'_> {
        Variants {
            request: self.request,
            is_tuned: self.tuned,
            slices: &self.conditions.slices,
        }
    }
}

impl Experiment for Question {
    type Series = Series;
    type Plan = Plan;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn on(&self) -> Option<&Simulated> {
        self.on.as_ref()
    }

    fn series<M: Machine>(&self) -> Result<Vec<String>, Refusal> {
        let offers = self.offers::<M>()?;
        let names = offers.iter().map(|offer| offer.name);
        Ok(names_of_series(names, self.variants()))
    }

    fn plan<M: Machine>(&self) -> Result<Plan, Refusal> {
        let series = self.series::<M>()?.len() as u64;
        let (waits, takes) = match self.length {
            Length::Count(waits) => (waits, None),
            Length::Duration(duration) => (self.waits_within(duration, series)?, Some(duration)),
        };
        Ok(Plan {
            period: self.period,
            waits,
            takes,
        })
    }

    /// Waits, with those of the warm-up.
    fn steps<M: Machine>(&self) -> Result<u64, Refusal> {
        let plan = self.plan::<M>()?;
        let each = plan.waits.saturating_add(plan.warm_up());
        Ok(each.saturating_mul(self.series::<M>()?.len() as u64))
    }

    fn rehearse<M: Machine>(&self, machine: &M) -> Result<(), Refusal> {
        self.conditions.rehearse(machine)?;
        if self.tuned {
            drop(machine.tune().map_err(Refusal::Tune)?);
        }
        Ok(())
    }

    fn run<M: Machine>(
        &self,
        machine: &M,
        observer: &mut dyn Observer<Series>,
    ) -> Result<(), Error> {
        let (offers, plan) = (self.offers::<M>()?, self.plan::<M>()?);
        let _scheduled = self.conditions.schedule(machine)?;
        let made = contenders(
            machine,
            &offers,
            Kind::Method,
            self.options(),
            self.variants(),
        )?;
        let mut contenders: Vec<_> = made.contenders.into_iter().map(|(_, made)| made).collect();
        let names = contenders.iter().map(|contender| contender.name.clone());
        observer.begins(names.collect(), made.unavailable);
        measure(machine, &plan, &mut contenders, observer);
        Ok(())
    }
}
