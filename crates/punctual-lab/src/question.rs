//! A question to a machine, as one value: what to wait for and how long, under which conditions, on
//! which machine.
//!
//! Whoever asks builds it, the experiment [runs](Experiment::run) it, and the recording keeps it
//! whole: asked again, it is the same question. Each experiment has its own, beside it.

mod conditions;
mod refusal;
pub(crate) mod written;

pub use conditions::Conditions;
pub use refusal::{Kind, Refusal, Wish};

use crate::machine::Machine;
use crate::observer::Observer;
use punctual::Error;
use serde::{Deserialize, Serialize};

/// What answers a question, on any machine. The questions themselves implement it.
pub trait Experiment: Clone + Send + 'static {
    /// What comes out of each way of waiting that is tried.
    type Series: Clone + Send + 'static;

    /// What follows from the question on one machine: how often, how long.
    type Plan;

    /// What the machine is to be like meanwhile.
    fn conditions(&self) -> &Conditions;

    /// The simulated machine it is asked of; `None` for the machine this program runs on.
    fn on(&self) -> Option<&Simulated>;

    /// The names of the series that come out, in their order, if such a machine has everything that
    /// is to be tried.
    ///
    /// # Errors
    /// If such a machine cannot answer the question.
    fn series<M: Machine>(&self) -> Result<Vec<String>, Refusal>;

    /// What the question comes to on such a machine.
    ///
    /// # Errors
    /// If such a machine cannot answer the question.
    fn plan<M: Machine>(&self) -> Result<Self::Plan, Refusal>;

    /// How many steps such a machine takes, as [`Observer::block`] counts them.
    ///
    /// # Errors
    /// If such a machine cannot answer the question.
    fn steps<M: Machine>(&self) -> Result<u64, Refusal>;

    /// Tries on the calling thread what the thread that waits will do to the machine, and undoes it.
    ///
    /// # Errors
    /// When the system does not permit it.
    fn rehearse<M: Machine>(&self, machine: &M) -> Result<(), Refusal> {
        self.conditions().schedule(machine).map(drop)
    }

    /// Finds the answer on the calling thread. What comes out goes to the observer, bit by bit, so
    /// that nothing is lost when it stops.
    ///
    /// # Errors
    /// Where [`steps`](Self::steps) refuses; when the thread cannot be scheduled as asked, and when
    /// the machine has none of what is to be tried.
    fn run<M: Machine>(
        &self,
        machine: &M,
        observer: &mut dyn Observer<Self::Series>,
    ) -> Result<(), Error>;
}

/// A simulated machine, as data that every build can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulated {
    /// Its name, hardware and settings: `windows-7,processors=2`.
    pub machine: String,
    /// From which all its chance follows.
    pub seed: u64,
}
