//! A question to a machine as one value: which waiters, what each does, under which conditions, on which machine.
//!
//! A program builds the question, [runs](Question::run) it, and the recording keeps it whole. Each schedule has a folder.

use crate::conditions::Companion;
use crate::machine::{Machine, Tuning};
use crate::observer::Observer;
use crate::question::{Conditions, Refusal, Simulated, ensure_personas};
use crate::vary::{Condition, Vary};
use crate::waiters::contenders::{
    Made, Variants, chosen, contenders, ensure_no_wishes, names_of_series,
};
use crate::waiters::{Kind, Waiter, WaiterOptions};
use punctual::margin::{Budget, LateRate};
use punctual::{Error, Period};
use punctual_data::written;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What each waiter does on a machine: what a measurement is, apart from waiters, conditions and the machine.
pub trait Schedule:
    fmt::Debug + Clone + PartialEq + Serialize + DeserializeOwned + Send + 'static
{
    /// What its waiters are tried for.
    const KIND: Kind;

    /// The waiter that late rate and budget apply to, if there is one.
    const LEARNS: Option<&'static str>;

    /// The results of one waiter.
    type Series: Clone + Send + 'static;

    /// What it means on one machine: how often, how long.
    type Plan: Copy;

    /// The same in a recording.
    type PlanRecord: From<Self::Plan>
        + fmt::Debug
        + Clone
        + PartialEq
        + Serialize
        + DeserializeOwned;

    /// The results of one waiter in a recording.
    type Record: fmt::Debug + Clone + PartialEq + Serialize + DeserializeOwned;

    /// The names of the series, in order.
    ///
    /// # Errors
    /// If the question is none.
    fn names<M>(question: &Question<Self>, waiters: &[Waiter<M>]) -> Result<Vec<String>, Refusal> {
        let names = waiters.iter().map(|waiter| waiter.name);
        Ok(names_of_series(names, question.variants()))
    }

    /// What it means with this many series.
    ///
    /// # Errors
    /// If it takes too long for each to have a turn.
    fn plan(&self, series: usize) -> Result<Self::Plan, Refusal>;

    /// The number of steps, as [`Observer::block`] counts them.
    fn steps(plan: Self::Plan, series: u64) -> u64;

    /// The passes over the values of a varied condition, so that a disturbance of a real machine affects all of them alike.
    const PASSES: u32;

    /// The same for one of so many passes over one of so many values.
    #[must_use]
    fn part(&self, passes: u32, values: u32) -> Self;

    /// Adds what a later pass found.
    fn merge(series: &mut Self::Series, later: Self::Series);

    /// Runs on the calling thread. The observer gets the results step by step, so nothing is lost if it stops the run.
    ///
    /// # Errors
    /// If the machine has nothing that is to be tried.
    fn run<M: Machine>(
        question: &Question<Self>,
        plan: Self::Plan,
        machine: &M,
        waiters: &[Waiter<M>],
        observer: &mut dyn Observer<Self::Series>,
    ) -> Result<(), Error>;

    /// What was found, as a recording has it: by the names of the series, those without a turn included.
    fn records(
        question: &Question<Self>,
        found: &[(String, Option<Self::Series>)],
    ) -> Vec<Self::Record>;
}

/// A question to a machine: waiters, a schedule and conditions.
///
/// ```
/// use punctual::Period;
/// use punctual_lab::measure::{Deadlines, Length};
/// use punctual_lab::schedule::Question;
///
/// let period = Period::from_hertz(60);
/// let question = Question {
///     waiters: vec!["spin".to_owned()],
///     ..Question::of(Deadlines { period, length: Length::default() })
/// };
/// let written = serde_json::to_string(&question)?;
/// assert_eq!(serde_json::from_str::<Question<Deadlines>>(&written)?, question);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "S: Schedule")]
pub struct Question<S> {
    /// What each waiter does.
    #[serde(flatten)]
    pub schedule: S,
    /// The waiters to try, each name once; an empty list means all that the machine lists.
    pub waiters: Vec<String>,
    /// The conditions on the machine meanwhile.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The share of waits that Punctual's own waiter may end late; `None` for its default.
    #[serde(with = "written::late_rate")]
    pub late_rate: Option<LateRate>,
    /// The share of time that it may spend spinning; `None` for its default.
    #[serde(with = "written::budget")]
    pub budget: Option<Budget>,
    /// If set, each waiter is tried a second time under this process's own request for this timer interval. Waits of given
    /// lengths are all under it.
    #[serde(rename = "request_ns", with = "written::optional_nanos")]
    pub request: Option<Duration>,
    /// Whether each waiter is tried a second time with the machine tuned.
    pub tuned: bool,
    /// The condition that is varied, if one is. It [runs](Self::run) under one [value](Self::at) at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vary: Option<Vary>,
    /// The simulated machine to ask; `None` for the machine that this program runs on.
    pub on: Option<Simulated>,
}

impl<S: Schedule> Question<S> {
    /// This machine, idle, with all its waiters.
    pub fn of(schedule: S) -> Self {
        Self {
            schedule,
            waiters: Vec::new(),
            conditions: Conditions::default(),
            late_rate: None,
            budget: None,
            request: None,
            tuned: false,
            vary: None,
            on: None,
        }
    }

    /// The waiters, if the machine has them and can have the conditions.
    fn offered<M: Machine>(&self) -> Result<Vec<Waiter<M>>, Refusal> {
        self.ensure_varied::<M>()?;
        ensure_personas(&self.waiters, self.on.as_ref())?;
        let waiters = chosen(S::KIND, &self.waiters)?;
        let learns = waiters.iter().any(|waiter| Some(waiter.name) == S::LEARNS);
        if !learns {
            ensure_no_wishes(S::LEARNS, self.late_rate, self.budget)?;
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
        Ok(waiters)
    }

    /// The names of the resulting series, in order, if the machine has everything that is to be tried.
    ///
    /// # Errors
    /// If the machine cannot answer the question.
    pub fn series<M: Machine>(&self) -> Result<Vec<String>, Refusal> {
        S::names(self, &self.offered::<M>()?)
    }

    /// What the question means on this machine.
    ///
    /// # Errors
    /// If the machine cannot answer the question.
    pub fn plan<M: Machine>(&self) -> Result<S::Plan, Refusal> {
        self.schedule.plan(self.series::<M>()?.len())
    }

    /// The number of steps on this machine, as [`Observer::block`] counts them.
    ///
    /// # Errors
    /// If the machine cannot answer the question.
    pub fn steps<M: Machine>(&self) -> Result<u64, Refusal> {
        let series = self.series::<M>()?.len() as u64;
        Ok(S::steps(self.plan::<M>()?, series))
    }

    /// Tries on the calling thread what the waiting thread will do to the machine, and undoes it.
    ///
    /// # Errors
    /// If the system does not permit it.
    pub fn rehearse<M: Machine>(&self, machine: &M) -> Result<(), Refusal> {
        self.conditions.rehearse(machine)?;
        if self.tuned {
            drop(machine.tune().map_err(Refusal::Tune)?);
        }
        Ok(())
    }

    /// Asks the machine on the calling thread. The observer gets the results step by step, so nothing is lost if it stops the
    /// run.
    ///
    /// # Errors
    /// If [`steps`](Self::steps) fails, if the thread cannot be scheduled as requested, or if the machine has nothing that is
    /// to be tried.
    pub fn run<M: Machine>(
        &self,
        machine: &M,
        observer: &mut dyn Observer<S::Series>,
    ) -> Result<(), Error> {
        let (waiters, plan) = (self.offered::<M>()?, self.plan::<M>()?);
        let _scheduled = self.conditions.schedule(machine)?;
        let _held = self.hold(machine)?;
        S::run(self, plan, machine, &waiters, observer)?;
        if self.vary.is_some() && M::HAS_INTERVAL {
            observer.interval(machine.environment().timer_interval_ns);
        }
        Ok(())
    }

    /// What takes part, in all variants, made for the calling thread.
    pub(crate) fn contenders<M: Machine>(
        &self,
        machine: &M,
        waiters: &[Waiter<M>],
        period: Period,
        variants: Variants<'_>,
    ) -> Result<Made, Error> {
        let options = WaiterOptions {
            late_rate: self.late_rate.unwrap_or_default(),
            budget: self.budget.unwrap_or_default(),
            slice: self.conditions.slice_of_sleepers(),
            ..WaiterOptions::of(period)
        };
        contenders(machine, waiters, S::KIND, options, variants)
    }

    /// How everything is tried.
    pub(crate) fn variants(&self) -> Variants<'_> {
        Variants {
            request: self.request,
            is_tuned: self.tuned,
            slices: &self.conditions.slices,
        }
    }
}

// A condition that is varied.

impl<S: Schedule> Question<S> {
    /// The same under one value of the varied condition, in one of so many passes over all values.
    #[must_use]
    pub fn at(&self, value: Duration, passes: u32) -> Self {
        let Some(vary) = &self.vary else {
            return self.clone();
        };
        let values = u32::try_from(vary.values.len()).unwrap_or(u32::MAX).max(1);
        let mut asked = Self {
            schedule: self.schedule.part(passes, values),
            vary: Some(Vary {
                condition: vary.condition,
                values: vec![value],
            }),
            ..self.clone()
        };
        if vary.condition == Condition::Requester {
            asked.conditions.with.push(Companion::requester(value));
        }
        asked
    }

    /// The one value of this condition, if it is varied.
    fn varied(&self, condition: Condition) -> Option<Duration> {
        let vary = self.vary.as_ref()?;
        let value = vary.values.first().copied();
        value.filter(|_| vary.condition == condition)
    }

    /// What the process requests all the time, as opposed to a second try of each waiter.
    pub(crate) fn held_request(&self) -> Option<Duration> {
        let of_all = self.request.filter(|_| S::KIND == Kind::Lengths);
        self.varied(Condition::Request).or(of_all)
    }

    /// Holds the request and the slack under which everything is tried, which may take a while.
    pub(crate) fn hold<M: Machine>(&self, machine: &M) -> Result<impl Sized + use<S, M>, Error> {
        let slack = self.varied(Condition::Slack);
        let slack = slack.map(|slack| machine.slacken(slack)).transpose()?;
        let request = self.held_request();
        let request: Option<Box<dyn Tuning>> = request
            .map(|interval| machine.request(interval))
            .transpose()?;
        if request.is_some() {
            machine.work(machine.request_delay());
        }
        Ok((request, slack))
    }

    /// Checks that the machine has what is varied.
    pub(crate) fn ensure_varied<M: Machine>(&self) -> Result<(), Refusal> {
        match &self.vary {
            Some(vary) if !vary.condition.is_offered::<M>() => Err(Refusal::Vary(vary.condition)),
            _ => Ok(()),
        }
    }
}
