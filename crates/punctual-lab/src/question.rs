//! A question to a machine, as one value: what to wait for and how long, under which conditions, on
//! which machine.
//!
//! A program builds the question, the experiment [runs](Experiment::run) it, and the recording
//! keeps it whole. Each experiment has its own question, in its own folder.

mod conditions;
mod personas;
mod refusal;
pub(crate) mod written;

pub use conditions::Conditions;
pub(crate) use personas::ensure_personas;
pub use refusal::{Kind, Refusal, Wish};

use crate::machine::Machine;
use crate::observer::Observer;
use punctual::Error;
use serde::{Deserialize, Serialize};

/// An experiment that answers a question, on any machine. The questions themselves implement it.
pub trait Experiment: Clone + Send + 'static {
    /// The series of one way of waiting.
    type Series: Clone + Send + 'static;

    /// What the question means on one machine: how often, how long.
    type Plan;

    /// The conditions on the machine during the experiment.
    fn conditions(&self) -> &Conditions;

    /// The simulated machine to ask; `None` for the machine that this program runs on.
    fn on(&self) -> Option<&Simulated>;

    /// The names of the resulting series, in order, if the machine has everything that is to be
    /// tried.
    ///
    /// # Errors
    /// If the machine cannot answer the question.
    fn series<M: Machine>(&self) -> Result<Vec<String>, Refusal>;

    /// What the question means on this machine.
    ///
    /// # Errors
    /// If the machine cannot answer the question.
    fn plan<M: Machine>(&self) -> Result<Self::Plan, Refusal>;

    /// The number of steps on this machine, as [`Observer::block`] counts them.
    ///
    /// # Errors
    /// If the machine cannot answer the question.
    fn steps<M: Machine>(&self) -> Result<u64, Refusal>;

    /// Tries on the calling thread what the waiting thread will do to the machine, and undoes it.
    ///
    /// # Errors
    /// If the system does not permit it.
    fn rehearse<M: Machine>(&self, machine: &M) -> Result<(), Refusal> {
        self.conditions().rehearse(machine)
    }

    /// Runs the experiment on the calling thread. The observer gets the results step by step, so
    /// nothing is lost if it stops the run.
    ///
    /// # Errors
    /// If [`steps`](Self::steps) fails, if the thread cannot be scheduled as requested, or if the
    /// machine has nothing that is to be tried.
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
    /// The seed of its random numbers.
    pub seed: u64,
}
